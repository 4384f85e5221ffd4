//! A mate that is claimed holds: by its line, by play against a defender, and within the rules.

use std::time::Duration;

use hanxin::epd::{self, Entry};
use hanxin::search::{SearchOptions, Searcher};
use hanxin::{Eval, Limits, Position, SearchReport, Signals};
use rayon::prelude::*;

const MATES: &str = include_str!("data/mates_public.epd");
const BEST_MOVES: &str = include_str!("data/bestmove_public.epd");

fn entries(text: &str) -> impl Iterator<Item = Entry> {
    epd::read(text).map(|(_, entry)| entry.expect("a valid line"))
}

fn searcher() -> Searcher {
    let move_overhead = Duration::ZERO;
    Searcher::new(&SearchOptions { hash_mb: 8, move_overhead, ..SearchOptions::default() })
}

fn think(searcher: &mut Searcher, pos: &Position, limits: &Limits) -> SearchReport {
    searcher.search(pos, limits, &Signals::default(), &mut |_| ())
}

/// The defender answers with its best by a search of its own; the attacker has to keep the mate
/// and to be done in the plies it claimed.
#[test]
fn a_claimed_mate_holds_by_play() {
    let entries: Vec<Entry> = entries(MATES).chain(entries(BEST_MOVES)).collect();
    let claims: usize = entries.par_iter().map(|entry| play_claims_out(&entry.position)).sum();
    assert!(claims > 60, "{claims} mates were claimed");
}

/// Plays out the mates that are claimed at some numbers of nodes; returns how many there were.
fn play_claims_out(pos: &Position) -> usize {
    let (mut attacker, mut defender) = (searcher(), searcher());
    let mut claims = 0;
    for limits in [20_000, 60_000].map(Limits::nodes) {
        attacker.new_game();
        let mut game = pos.clone();
        let (mut plies, mut attacks) = match think(&mut attacker, &game, &limits).eval {
            Eval::MateIn(plies) => (plies, true),
            Eval::MatedIn(plies) => (plies, false),
            Eval::Points(_) => continue,
        };
        claims += 1;
        while !game.is_finished() {
            assert!(plies > 0, "{}: not mated in time", game.to_fen());
            let searcher = if attacks { &mut attacker } else { &mut defender };
            let report = think(searcher, &game, &limits);
            let keeps = matches!(report.eval, Eval::MateIn(left) if left <= plies);
            assert!(keeps || !attacks, "{}: {report:?}, not within {plies}", game.to_fen());
            game.play(report.best.expect("a move")).expect("a legal move");
            (plies, attacks) = (plies - 1, !attacks);
        }
        assert!(!attacks, "{}: the attacker has lost", game.to_fen());
    }
    claims
}

/// What was proven with time enough is no proof when the move limit has come near.
#[test]
fn a_mate_beyond_the_move_limit_is_not_claimed() {
    let mut claims = 0;
    for entry in entries(MATES) {
        let mut searcher = searcher();
        let mut think = |pos: &Position| think(&mut searcher, pos, &Limits::nodes(60_000));
        let Eval::MateIn(plies @ 7..) = think(&entry.position).eval else { continue };
        for quiet_plies in [120 - plies, 121 - plies, 117, 119] {
            let mut setup = entry.position.to_setup();
            setup.quiet_plies = quiet_plies;
            let pos = Position::from_setup(&setup).expect("a legal position");
            let report = think(&pos);
            let Eval::MateIn(_) = report.eval else { continue };
            claims += 1;
            let mut game = pos.clone();
            for &mv in &report.pv {
                assert!(game.quiet_plies() < 120, "{}: {report:?}", pos.to_fen());
                game.play(mv).expect("a legal line");
            }
        }
    }
    assert!(claims > 0);
}
