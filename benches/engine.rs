//! Speed of the engine: evaluation, hash table, repetition rules, search to a fixed depth.

#![allow(missing_docs)] // criterion's macro writes a public function without any

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hanxin::bench::POSITIONS;
use hanxin::board::START_FEN;
use hanxin::eval::{Knowledge, evaluate};
use hanxin::rules::RuleSet;
use hanxin::rules::repetition::judge;
use hanxin::search::tt::{TranspositionTable, TtEntry};
use hanxin::{Bound, Engine, Limits, Position, Signals};

fn evaluation(c: &mut Criterion) {
    let positions: Vec<Position> =
        POSITIONS.iter().map(|fen| Position::from_fen(fen).expect("a bench position")).collect();
    let mut group = c.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for (name, knowledge) in [("material", Knowledge::None), ("full", Knowledge::Large)] {
        group.bench_function(name, |b| {
            b.iter(|| {
                for position in &positions {
                    black_box(evaluate(black_box(position), knowledge));
                }
            });
        });
    }
    group.finish();
}

/// Keys all over a table much larger than the caches, as the search meets them.
fn table(c: &mut Criterion) {
    const KEYS: u64 = 10_000;
    let key = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let entry = TtEntry { mv: None, score: 12, eval: 34, depth: 5, bound: Bound::Exact, pv: false };
    let table = TranspositionTable::new(256).expect("memory for the table");
    let mut group = c.benchmark_group("hash table");
    group.throughput(Throughput::Elements(KEYS));
    group.bench_function("store", |b| {
        b.iter(|| (0..KEYS).for_each(|n| table.store(key(n), 0, entry)));
    });
    group.bench_function("probe, hit", |b| {
        b.iter(|| (0..KEYS).filter(|&n| table.probe(key(n), 0).is_some()).count());
    });
    group.bench_function("probe, miss", |b| {
        b.iter(|| (KEYS..2 * KEYS).filter(|&n| table.probe(key(n), 0).is_some()).count());
    });
    group.finish();
}

/// What the search asks at every node: where nothing recurs, and where a rook chases a cannon.
fn repetition(c: &mut Criterion) {
    let after = |fen, moves: &str| {
        let mut pos = Position::from_fen(fen).expect("a position");
        for mv in moves.split(' ') {
            pos.play(mv.parse().expect("a move")).expect("legal");
        }
        pos
    };
    let quiet = after(START_FEN, "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 g6g5");
    let chase = after("4k4/9/9/9/1c7/9/9/9/9/1R1K5 b - - 0 1", "b5c5 b0c0 c5b5 c0b0");
    let mut group = c.benchmark_group("repetition");
    group.bench_function("none", |b| b.iter(|| judge(black_box(&quiet), 8, RuleSet::Cxa)));
    for (name, rules) in RuleSet::NAMED {
        group.bench_function(format!("chase, {name}"), |b| {
            b.iter(|| judge(black_box(&chase), 4, rules));
        });
    }
    group.finish();
}

fn search(c: &mut Criterion) {
    let mut engine = Engine::default();
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    group.bench_function("start position, depth 10", |b| {
        b.iter(|| {
            engine.new_game();
            engine.search(&Limits::depth(10), &Signals::default(), |_| {})
        });
    });
    group.finish();
}

criterion_group!(benches, evaluation, table, repetition, search);
criterion_main!(benches);
