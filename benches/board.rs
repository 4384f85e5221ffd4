//! Speed of the board: generation, making moves, exchanges, perft.

#![allow(missing_docs)] // criterion's macro writes a public function without any

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hanxin::bench::POSITIONS;
use hanxin::board::perft::perft;
use hanxin::{KingGuard, MoveList, Position};

fn positions() -> Vec<Position> {
    POSITIONS.iter().map(|fen| Position::from_fen(fen).expect("a bench position")).collect()
}

fn generation(c: &mut Criterion) {
    let positions = positions();
    let mut group = c.benchmark_group("generation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut bench = |name: &str, generate: fn(&Position, &mut MoveList)| {
        group.bench_function(name, |b| {
            b.iter(|| {
                for position in &positions {
                    let mut list = MoveList::new();
                    generate(black_box(position), &mut list);
                    black_box(&list);
                }
            });
        });
    };
    bench("captures", Position::captures);
    bench("quiets", Position::quiets);
    bench("legal", |position, list| *list = position.legal_moves());
    group.bench_function("king guard", |b| {
        b.iter(|| {
            for position in &positions {
                black_box(KingGuard::new(black_box(position)));
            }
        });
    });
    group.finish();
}

fn play_and_undo(c: &mut Criterion) {
    let mut positions: Vec<_> =
        positions().into_iter().map(|position| (position.legal_moves(), position)).collect();
    let moves: usize = positions.iter().map(|(moves, _)| moves.len()).sum();
    let mut group = c.benchmark_group("moves");
    group.throughput(Throughput::Elements(moves as u64));
    group.bench_function("play and undo", |b| {
        b.iter(|| {
            for (moves, position) in &mut positions {
                for mv in &*moves {
                    position.play(mv).expect("a legal move");
                    position.undo();
                }
            }
        });
    });
    group.finish();
}

fn exchanges(c: &mut Criterion) {
    let positions: Vec<_> = positions()
        .into_iter()
        .map(|position| {
            let mut captures = MoveList::new();
            position.captures(&mut captures);
            (position, captures)
        })
        .collect();
    let captures: usize = positions.iter().map(|(_, captures)| captures.len()).sum();
    let mut group = c.benchmark_group("see");
    group.throughput(Throughput::Elements(captures as u64));
    group.bench_function("captures", |b| {
        b.iter(|| {
            for (position, captures) in &positions {
                for mv in captures {
                    black_box(position.see_ge(mv, black_box(0)));
                }
            }
        });
    });
    group.finish();
}

fn perft_4(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.throughput(Throughput::Elements(3_290_240)).sample_size(20);
    group.bench_function("start position, depth 4", |b| {
        b.iter(|| perft(&mut Position::startpos(), black_box(4)));
    });
    group.finish();
}

criterion_group!(benches, generation, play_and_undo, exchanges, perft_4);
criterion_main!(benches);
