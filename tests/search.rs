//! What a search promises: limits are kept, mates are proven, options do what they say.

#[path = "support/slack.rs"]
mod slack;

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hanxin::board::START_FEN;
use hanxin::rules::RuleSet;
use hanxin::search::{Level, SearchOptions, Searcher, Style};
use hanxin::{Bound, Eval, Limits, Move, Position, SearchEvent, SearchInfo, SearchReport, Signals};

use slack::slack;

const MATE1: &str = "3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 0 1";
const PERP: &str = "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1";
const MIDDLE_GAME: &str =
    "r1bakab1r/9/2n1c1n1c/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b - - 0 1";

fn options() -> SearchOptions {
    SearchOptions { hash_mb: 8, move_overhead: Duration::ZERO, ..SearchOptions::default() }
}

fn position(fen: &str, moves: &str) -> Position {
    let mut pos = Position::from_fen(fen).expect("a legal position");
    for mv in moves.split_whitespace() {
        pos.play(mv.parse().expect("a move")).expect("a legal move");
    }
    pos
}

/// Searches and returns the report with the lines of each completed iteration.
fn search_with(
    options: &SearchOptions,
    pos: &Position,
    limits: &Limits,
) -> (SearchReport, Vec<Vec<SearchInfo>>) {
    let mut iterations = Vec::new();
    let report = Searcher::new(options).search(pos, limits, &Signals::default(), &mut |event| {
        if let SearchEvent::Lines(lines) = event {
            iterations.push(lines);
        }
    });
    (report, iterations)
}

fn search(pos: &Position, limits: &Limits) -> SearchReport {
    search_with(&options(), pos, limits).0
}

/// Plays the line out; it has to be legal to its end.
fn play_line(pos: &Position, line: &[Move]) -> Position {
    let mut pos = pos.clone();
    for &mv in line {
        pos.play(mv).expect("a legal line");
    }
    pos
}

fn assert_line_ends_in_mate(pos: &Position, info: &SearchInfo) {
    if let Eval::MateIn(plies) | Eval::MatedIn(plies) = info.eval {
        let end = play_line(pos, &info.pv);
        assert_eq!(info.pv.len(), plies as usize, "{info:?}");
        assert!(end.is_finished(), "{info:?}");
    }
}

#[test]
fn mate_in_one() {
    let pos = position(MATE1, "");
    let report = search(&pos, &Limits::depth(4));
    assert_eq!(report.eval, Eval::MateIn(1));
    let best = report.best.expect("a move").to_string();
    assert!(["b1b9", "b1d1"].contains(&best.as_str()), "{best}");
}

#[test]
fn no_legal_move_is_a_loss() {
    let stalemate = position("3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1", "");
    let report = search(&stalemate, &Limits::depth(4));
    assert_eq!((report.best, report.eval), (None, Eval::MatedIn(0)));
}

#[test]
fn every_line_behind_a_mate_score_ends_in_mate() {
    let fens = include_str!("data/mates_public.epd");
    for fen in fens.lines().filter_map(|line| line.split(" ; ").next()) {
        let pos = position(fen, "");
        let (report, iterations) = search_with(&options(), &pos, &Limits::nodes(30_000));
        for info in iterations.iter().flatten() {
            assert_line_ends_in_mate(&pos, info);
        }
        if let Eval::MateIn(plies) = report.eval {
            assert_eq!(report.pv.len(), plies as usize);
            assert!(play_line(&pos, &report.pv).is_finished());
        }
    }
}

#[test]
fn depth_and_nodes_are_exact_at_one_thread() {
    let pos = position(MIDDLE_GAME, "");
    for depth in [1, 2, 5, 8] {
        let (report, iterations) = search_with(&options(), &pos, &Limits::depth(depth));
        assert_eq!(report.depth, depth);
        assert_eq!(iterations.last().map(|lines| lines[0].depth), Some(depth));
    }
    for nodes in [1, 2, 77, 1_000, 54_321] {
        let report = search(&pos, &Limits::nodes(nodes));
        assert_eq!(report.nodes, nodes + 1, "the node that would be one too many is not searched");
        assert!(report.best.is_some());
    }
}

#[test]
fn equal_searches_are_equal() {
    let pos = position(MIDDLE_GAME, "");
    let mut searcher = Searcher::new(&options());
    let mut run = || {
        searcher.new_game();
        let mut game = pos.clone();
        let mut nodes = Vec::new();
        for _ in 0..3 {
            let limits = Limits::depth(7);
            let report = searcher.search(&game, &limits, &Signals::default(), &mut |_| ());
            nodes.push((report.nodes, report.best));
            game.play(report.best.expect("a move")).expect("legal");
        }
        nodes
    };
    assert_eq!(run(), run());
}

/// From `stop` to the answer; the best of some tries, since others use the machine too.
#[test]
fn a_stop_is_obeyed_at_once() {
    for threads in [1, 4] {
        let mut searcher = Searcher::new(&SearchOptions { threads, hash_mb: 256, ..options() });
        let quickest = (0..5).map(|_| time_to_stop(&mut searcher)).min().expect("five tries");
        assert!(quickest < Duration::from_millis(60), "{quickest:?}");
    }
}

fn time_to_stop(searcher: &mut Searcher) -> Duration {
    let signals = Arc::new(Signals::default());
    let limits = Limits { infinite: true, ..Limits::default() };
    let stopper = {
        let signals = Arc::clone(&signals);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(150));
            signals.stop();
            Instant::now()
        })
    };
    let pos = position(MIDDLE_GAME, "");
    let report = searcher.search(&pos, &limits, &signals, &mut |_| ());
    let took = stopper.join().expect("the stopper ends").elapsed();
    assert!(report.best.is_some_and(|mv| pos.is_legal(mv)));
    took
}

#[test]
fn a_fixed_time_is_kept() {
    let pos = position(MIDDLE_GAME, "");
    let start = Instant::now();
    search(&pos, &Limits::move_time(Duration::from_millis(100)));
    let elapsed = start.elapsed();
    let limit = Duration::from_millis(110) + slack();
    assert!((Duration::from_millis(90)..limit).contains(&elapsed), "{elapsed:?}");
}

#[test]
fn several_lines_come_in_order_and_differ() {
    let pos = position(MIDDLE_GAME, "");
    let options = SearchOptions { multipv: 3, ..options() };
    let (report, iterations) = search_with(&options, &pos, &Limits::depth(8));
    for lines in &iterations {
        assert_eq!(lines.iter().map(|line| line.multipv).collect::<Vec<_>>(), [1, 2, 3]);
        let points: Vec<i32> = lines.iter().map(|line| line.eval.to_ucci()).collect();
        assert!(points.is_sorted_by(|a, b| a >= b), "{points:?}");
        assert!(lines.iter().all(|line| line.depth == lines[0].depth));
        assert!(lines[0].pv[0] != lines[1].pv[0] && lines[1].pv[0] != lines[2].pv[0]);
        for line in lines {
            play_line(&pos, &line.pv);
            assert_eq!(line.bound, Bound::Exact);
        }
    }
    assert_eq!(report.best, iterations.last().map(|lines| lines[0].pv[0]));
}

#[test]
fn banned_and_chosen_root_moves() {
    let pos = position(MATE1, "");
    let banned: Vec<Move> = ["b1b9", "b1d1"].map(|mv| mv.parse().expect("a move")).to_vec();
    let limits = Limits { banned_moves: banned.clone(), ..Limits::depth(5) };
    assert!(search(&pos, &limits).best.is_some_and(|best| !banned.contains(&best)));

    let chosen: Move = "a8a7".parse().expect("a move");
    let limits = Limits { search_moves: vec![chosen], ..Limits::depth(5) };
    assert_eq!(search(&pos, &limits).best, Some(chosen));
}

#[test]
fn a_mate_limit_ends_the_search() {
    let pos = position(MATE1, "");
    let limits = Limits { mate: Some(1), ..Limits::default() };
    assert_eq!(search(&pos, &limits).eval, Eval::MateIn(1));
}

#[test]
fn a_perpetual_check_is_not_completed() {
    let shuffle = "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9";
    let pos = position(PERP, shuffle);
    let report = search(&pos, &Limits::depth(8));
    assert_ne!(report.best.map(|mv| mv.to_string()).as_deref(), Some("a8a9"));

    // Red goes on checking all the same: Black wins by the rules, which is no mate.
    let pos = position(PERP, &format!("{shuffle} a8a9"));
    let (_, iterations) = search_with(&options(), &pos, &Limits::depth(6));
    for info in iterations.iter().flatten() {
        assert_line_ends_in_mate(&pos, info);
    }
}

#[test]
fn mate_comes_before_the_move_limit() {
    let pos = position("3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 119 90", "");
    assert_eq!(search(&pos, &Limits::depth(2)).eval, Eval::MateIn(1));
    // One ply later the limit has been reached and nothing can be won any more.
    let pos = position("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 118 90", "");
    assert_eq!(search(&pos, &Limits::depth(6)).eval, Eval::Points(0));
}

#[test]
fn more_threads_play_legally() {
    let mut searcher = Searcher::new(&SearchOptions { threads: 4, ..options() });
    let mut pos = Position::startpos();
    for _ in 0..12 {
        let limits = Limits::nodes(5_000);
        let report = searcher.search(&pos, &limits, &Signals::default(), &mut |_| ());
        pos.play(report.best.expect("a move")).expect("a legal move");
    }
}

#[test]
fn the_table_answers_for_the_root() {
    let pos = position(MIDDLE_GAME, "");
    let mut searcher = Searcher::new(&options());
    assert_eq!(searcher.prober().probe(&pos), None);
    let report = searcher.search(&pos, &Limits::depth(7), &Signals::default(), &mut |_| ());
    let known = searcher.prober().probe(&pos).expect("the root is in the table");
    assert_eq!(known.best, report.best);
    assert!(known.depth >= 6, "{known:?}");
    searcher.new_game();
    assert_eq!(searcher.prober().probe(&pos), None);
}

#[test]
fn less_pruning_searches_more() {
    let pos = position(MIDDLE_GAME, "");
    let nodes = |pruning| {
        search_with(&SearchOptions { pruning, ..options() }, &pos, &Limits::depth(6)).0.nodes
    };
    let [none, small, medium, large] = Level::NAMED.map(|(_, level)| nodes(level));
    assert!(none > small && small > medium && medium > large, "{none} {small} {medium} {large}");
}

#[test]
fn a_bold_style_shuns_a_draw() {
    // Two plies before the move limit, and no mate in one: every move draws.
    let pos = position("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 118 90", "");
    let value =
        |style| search_with(&SearchOptions { style, ..options() }, &pos, &Limits::depth(5)).0.eval;
    let [solid, normal, risky] = [Style::Solid, Style::Normal, Style::Risky].map(value);
    assert_eq!(normal, Eval::Points(0));
    assert_eq!((solid, risky), (Eval::Points(20), Eval::Points(-20)));
}

#[test]
fn randomness_strays_but_not_far() {
    let pos = Position::startpos();
    let play = |randomness| {
        let options = SearchOptions { randomness, ..options() };
        search_with(&options, &pos, &Limits::depth(4)).0.best
    };
    let first = play(Level::None);
    assert!((0..5).all(|_| play(Level::None) == first));
    let mut seen: Vec<Option<Move>> = (0..40).map(|_| play(Level::Large)).collect();
    seen.sort();
    seen.dedup();
    assert!(seen.len() > 1, "forty games all began alike");
}

#[test]
fn idle_leaves_time_to_others() {
    let pos = position(MIDDLE_GAME, "");
    let nodes = |idle| {
        let limits = Limits::move_time(Duration::from_millis(200));
        search_with(&SearchOptions { idle, ..options() }, &pos, &limits).0.nodes
    };
    // Other tests may take the time that is left to others, so once is enough.
    assert!((0..10).any(|_| nodes(Level::Large) < nodes(Level::None) / 2));
}

#[test]
fn draws_are_accepted_only_when_not_better() {
    let accepts = |fen: &str| {
        let signals = Signals::default();
        signals.reset(false, true);
        let pos = position(fen, "");
        let limits = Limits::depth(6);
        Searcher::new(&options()).search(&pos, &limits, &signals, &mut |_| ()).wants_draw
    };
    // A rook up, a rook down.
    assert!(!accepts("4kab2/4a4/9/9/9/9/9/9/4A4/R3KAB2 w - - 0 1"));
    assert!(accepts("r3kab2/4a4/9/9/9/9/9/9/4A4/4KAB2 w - - 0 1"));
}

#[test]
fn resigns_and_offers_only_when_told_to() {
    let lost = position("3k5/9/4b4/9/9/9/9/8r/7r1/3AK4 w - - 0 1", "");
    let resigns = |resign| {
        let options = SearchOptions { resign, ..options() };
        search_with(&options, &lost, &Limits::depth(8)).0.resigns
    };
    assert!(!resigns(false));
    assert!(resigns(true));

    let even = position("3akab2/9/4b4/9/9/9/9/4B4/4A4/2BAK4 w - - 60 90", "");
    let offers = |offer_draw| {
        let options = SearchOptions { offer_draw, ..options() };
        search_with(&options, &even, &Limits::depth(8)).0.wants_draw
    };
    assert!(!offers(false));
    assert!(offers(true));
}

#[test]
fn the_hash_can_grow_and_shrink() {
    let mut searcher = Searcher::new(&options());
    for hash_mb in [1, 64, 16] {
        searcher.set_options(&SearchOptions { hash_mb, ..options() }).expect("memory");
        let limits = Limits::depth(4);
        let pos = Position::startpos();
        assert!(searcher.search(&pos, &limits, &Signals::default(), &mut |_| ()).best.is_some());
    }
    let huge = SearchOptions { hash_mb: usize::MAX >> 21, ..options() };
    let error = searcher.set_options(&huge).expect_err("no machine has that much");
    assert!(error.kept >= 1 && error.to_string().contains("no memory"));
}

/// A search that ends before its first node has no score of its own.
#[test]
fn a_search_without_time_says_the_static_value() {
    // A rook up: no reason to accept a draw, and no loss either.
    let pos = position("4kab2/4a4/9/9/9/9/9/9/4A4/R3KAB2 w - - 0 1", "");
    let signals = Signals::default();
    signals.reset(false, true);
    let mut searcher = Searcher::new(&options());
    for nodes in 0..4 {
        let report = searcher.search(&pos, &Limits::nodes(nodes), &signals, &mut |_| ());
        assert!(matches!(report.eval, Eval::Points(100..)), "{nodes}: {:?}", report.eval);
        assert!(!report.wants_draw && report.best.is_some());
    }
}

/// Lines that were not reached when the search ended are not followed through the table, where
/// moves back and forth would never end.
#[test]
fn a_search_cut_off_between_lines_ends() {
    let moves = "b0c2 b7e7 h2h9 i9h9 e0e1 h7g7 b2b6 b9c7 b6e6 c7e6 e1e2 e6c7 e2f2 h9h0 i0h0 g7g3 h0h5 g3f3 f2f1 a9b9 \
                 a0b0 b9b0 c2b0 d9e8 f1f2 e9d9 f2f1 f3f0 f1f0 e7f7 f0f1 c9e7 f1f0 c6c5 b0c2 d9d8 f0e0 g6g5 h5g5 e7g5 \
                 g0e2 d8d7 a3a4 d7d8 e3e4 d8d9 e0e1 g9e7 e1e0 d9d8 e4e5 i6i5 e0e1 d8d9 c2e3 g5i7 e3d5 c7b9 e5e6 b9d8 \
                 e6f6 d8b7 i3i4 i5i4 f6f7 e8f7 d5e7 d9e9 a4a5 c5c4 e2c4 b7a5 c4e2 e9e8 e7d5 e8e9 c3c4 a5c4 d5c7 f7e8 \
                 c7a6 c4d6 a6c7 i7g9 e1f1 i4i3 f1e1 d6e4 e2g4 e8f7 e1e0 f7e8 e0f0 e4f2 c0a2 f2g4 f0e0 g9i7 c7e8 f9e8 \
                 a2c0 e9d9 e0f0 g4f2 d0e1 d9d8 e1f2 d8d9 c0e2 i7g9 f2e1 d9d8 e1d2 i3h3 e2g4 e8f7 d2e1 d8d9 e1d2 d9d8 \
                 f0f1 h3h2 f1f2 d8d7 f2f1 d7e7 f1f2 e7e8 f2f1 e8e9 g4i2 h2g2 i2g4 e9e8 f1f0 g9e7 f0f1 e8e9 g4e2 e9d9";
    let mut pos = position(START_FEN, "");
    let mut searcher = Searcher::new(&options());
    for (ply, mv) in moves.split_whitespace().enumerate() {
        pos.play(mv.parse().expect("a move")).expect("a legal move");
        if ply < 125 {
            continue;
        }
        for nodes in [30, 60, 200, 500] {
            searcher.new_game();
            let mut search = |multipv, limits: &Limits| {
                searcher.set_options(&SearchOptions { multipv, ..options() }).expect("memory");
                searcher.search(&pos, limits, &Signals::default(), &mut |_| ())
            };
            search(1, &Limits::depth(8));
            assert!(search(9, &Limits::nodes(nodes)).best.is_some());
        }
    }
}

#[test]
fn randomness_shows_no_more_lines_than_were_asked_for() {
    for multipv in [1, 2] {
        let options = SearchOptions { randomness: Level::Large, multipv, ..options() };
        let (_, iterations) = search_with(&options, &Position::startpos(), &Limits::depth(4));
        assert!(iterations.iter().all(|lines| lines.len() == multipv), "{iterations:?}");
    }
}

/// A game of a hundred thousand moves is no game, but nothing a client sends may hold the engine up.
#[test]
fn an_endless_game_does_not_slow_the_search() {
    let game = |repeats| position(START_FEN, &"a0a1 a9a8 a1a0 a8a9 ".repeat(repeats));
    let nodes = |pos: &Position| {
        let limits = Limits::move_time(Duration::from_millis(100));
        search(pos, &limits).nodes
    };
    let (short, endless) = (game(25), game(50_000));
    // Other tests may take the processor for a while, so once is enough.
    assert!((0..5).any(|_| nodes(&endless) > nodes(&short) / 4));
}

#[test]
fn a_chase_is_not_completed_where_it_loses() {
    // Black's cannon steps aside, Red's rook follows: c0b0 would be the third time.
    let chase = "b5c5 b0c0 c5b5 c0b0 b5c5 b0c0 c5b5";
    let pos = position("4k4/9/9/9/1c7/9/9/9/9/1R1K5 b - - 0 1", chase);
    let plays_on = |rules| {
        let options = SearchOptions { rules, ..options() };
        let best = search_with(&options, &pos, &Limits::depth(1)).0.best;
        let mv = best.map(|mv| mv.to_string()).unwrap_or_default();
        let limits =
            Limits { search_moves: vec!["c0b0".parse().expect("a move")], ..Limits::depth(6) };
        (mv == "c0b0", search_with(&options, &pos, &limits).0.eval)
    };
    for rules in [RuleSet::Cxa, RuleSet::Axf, RuleSet::Computer] {
        let (played, eval) = plays_on(rules);
        assert!(!played, "{rules:?}");
        assert_eq!(eval, Eval::Points(-9_000), "lost by the rules, and not a mate");
    }
    for rules in [RuleSet::Simple, RuleSet::Off] {
        assert_eq!(plays_on(rules).1, Eval::Points(0), "{rules:?}");
    }
}

#[test]
fn a_move_left_out_is_said() {
    let pos = position(PERP, "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9");
    let mut said = Vec::new();
    let report = Searcher::new(&options()).search(
        &pos,
        &Limits::depth(3),
        &Signals::default(),
        &mut |event| {
            if let SearchEvent::Message(text) = event {
                said.push(text);
            }
        },
    );
    assert_eq!(said, ["repetition: a8a9 would lose by the rules and is left out"]);
    assert_ne!(report.best.map(|mv| mv.to_string()).as_deref(), Some("a8a9"));
}

/// Ten moves deep, checks alone: far beyond what so few nodes see otherwise.
#[test]
fn a_long_mate_by_checks_is_found_at_once() {
    let pos = position("C4k3/4P3R/2c6/9/1R7/6B2/7n1/8B/3KA4/r4A1c1 b - - 0 1", "");
    let (report, iterations) = search_with(&options(), &pos, &Limits::nodes(400_000));
    assert_eq!(report.eval, Eval::MateIn(19));
    assert!(report.nodes < 20_000, "{} nodes", report.nodes);
    assert!(play_line(&pos, &report.pv).is_finished());
    let told = iterations.last().expect("a line");
    assert_eq!((told[0].pv.clone(), told[0].nodes), (report.pv, report.nodes));
}
