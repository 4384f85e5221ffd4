//! A player that looks one ply ahead, until the search takes its place.

use thiserror::Error;

use super::{Limits, SearchEvent, SearchInfo, SearchOptions, SearchReport, Signals};
use crate::board::Position;
use crate::eval::psqt::FULL_PHASE;
use crate::types::{Color, Eval, Move, Score};
use std::time::{Duration, Instant};

use super::Bound;

/// The hash table could not be had.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no memory for a hash table of {wanted} MB, {kept} MB stay in use")]
pub struct HashError {
    /// Asked for.
    pub wanted: usize,
    /// Still there.
    pub kept: usize,
}

/// What the hash table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeResult {
    /// The best move found.
    pub best: Option<Move>,
    /// Value from the side to move.
    pub score: Score,
    /// Depth of the search behind it.
    pub depth: u32,
    /// Which side of the true value the score lies on.
    pub bound: Bound,
}

/// Looks positions up, also while a search runs.
#[derive(Clone, Debug)]
pub struct Prober;

impl Prober {
    /// What is known about the position.
    pub fn probe(&self, _pos: &Position) -> Option<ProbeResult> {
        None
    }
}

/// The searcher.
#[derive(Debug)]
pub struct Searcher;

impl Searcher {
    /// A searcher with these settings.
    pub fn new(_options: &SearchOptions) -> Searcher {
        Searcher
    }

    /// Takes over settings.
    ///
    /// # Errors
    /// No memory.
    pub fn set_options(&mut self, options: &SearchOptions) -> Result<(), HashError> {
        if options.hash_mb > 60_000 {
            return Err(HashError { wanted: options.hash_mb, kept: 64 });
        }
        Ok(())
    }

    /// Forgets everything.
    pub fn new_game(&mut self) {}

    /// For look-ups.
    pub fn prober(&self) -> Prober {
        Prober
    }

    /// Static value.
    pub fn evaluate(&self, pos: &Position) -> Score {
        let score = pos.psq().blend(pos.phase(), FULL_PHASE);
        if pos.side_to_move() == Color::Red { score } else { -score }
    }

    /// Searches.
    pub fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        signals: &Signals,
        on_event: &mut dyn FnMut(SearchEvent),
    ) -> SearchReport {
        let start = Instant::now();
        let mut pos = pos.clone();
        let mut best: Option<(Score, Move)> = None;
        let allowed = |mv: Move| {
            !limits.banned_moves.contains(&mv)
                && (limits.search_moves.is_empty() || limits.search_moves.contains(&mv))
        };
        for &mv in pos.legal_moves().iter().filter(|&&mv| allowed(mv)) {
            if pos.play(mv).is_ok() {
                let score = if pos.is_finished() {
                    crate::types::score::mate_in(1)
                } else {
                    -self.evaluate(&pos)
                };
                pos.undo();
                if best.is_none_or(|(old, _)| score > old) {
                    best = Some((score, mv));
                }
            }
        }
        let eval = Eval::from_score(best.map_or(0, |(score, _)| score));
        let pv: Vec<Move> = best.iter().map(|&(_, mv)| mv).collect();
        let depths = limits.depth.unwrap_or(100).min(100);
        for depth in 1..=depths {
            let info = SearchInfo {
                depth,
                seldepth: depth,
                multipv: 1,
                eval,
                bound: Bound::Exact,
                nodes: u64::from(depth) * 44,
                elapsed: start.elapsed(),
                hashfull: 0,
                pv: pv.clone(),
            };
            on_event(SearchEvent::Lines(vec![info]));
            let limit = limits.move_time.or(limits.clock.map(|clock| clock.remaining / 30));
            let time_over = limit.is_some_and(|limit| start.elapsed() >= limit);
            if signals.is_stopped() || (!signals.is_pondering() && time_over) {
                break;
            }
            if limits.depth.is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        SearchReport {
            best: best.map(|(_, mv)| mv),
            ponder: None,
            eval,
            depth: depths,
            nodes: 44 * u64::from(depths),
            elapsed: start.elapsed(),
            pv,
            wants_draw: signals.is_draw_offered(),
            resigns: false,
        }
    }
}
