//! Test suites: does the engine find what an EPD file says is there?
//!
//! The one judge for `hanxin suite` and for the tests. An entry with `dm` is solved when the final
//! report claims a mate for the side to move, its line played out ends where the other side has no
//! move, and its first move is one of `bm` where the file says `bm complete`. Any other entry is
//! solved when the final move is one of `bm`. The solution counts from the first iteration after
//! which the answer stayed right.

use std::time::Duration;

use thiserror::Error;

use crate::board::Position;
use crate::engine::Engine;
use crate::epd::Entry;
use crate::search::{Limits, SearchEvent, SearchReport, Signals};
use crate::types::{Eval, Move};

/// How the search of one entry ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What the engine answered.
    pub report: SearchReport,
    /// Why it is not the answer, if it is not.
    pub failure: Option<Failure>,
    /// When the right answer stood for good; `None` when it is wrong.
    pub solution: Option<Solution>,
}

/// The iteration after which the answer stayed right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Its depth in plies.
    pub depth: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub elapsed: Duration,
}

/// What is wrong with an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum Failure {
    #[error("another move")]
    WrongMove,
    #[error("no mate claimed")]
    NoMate,
    #[error("a mate claimed whose line does not end in mate")]
    FalseMate,
}

/// Searches the entry's position as a new game and judges the answer. A search for a mate of known
/// distance ends as soon as that is proven.
pub fn solve(engine: &mut Engine, entry: &Entry, limits: &Limits) -> Outcome {
    engine.new_game();
    engine.set_position(entry.position.clone());
    let mate = entry.mate.map(|mate| mate.moves);
    let limits = Limits { mate, ..limits.clone() };

    let mut solution = None;
    let report = engine.search(&limits, &Signals::default(), |event| {
        let SearchEvent::Lines(lines) = event else { return };
        let Some(best) = lines.first() else { return };
        if judge(entry, best.eval, &best.pv).is_err() {
            solution = None;
        } else if solution.is_none() {
            let (depth, nodes, elapsed) = (best.depth, best.nodes, best.elapsed);
            solution = Some(Solution { depth, nodes, elapsed });
        }
    });
    let failure = judge(entry, report.eval, &report.pv).err();
    let solution = match failure {
        Some(_) => None,
        None => solution.or(Some(Solution {
            depth: report.depth,
            nodes: report.nodes,
            elapsed: report.elapsed,
        })),
    };
    Outcome { report, failure, solution }
}

fn judge(entry: &Entry, eval: Eval, pv: &[Move]) -> Result<(), Failure> {
    let is_best = pv.first().is_some_and(|mv| entry.best_moves.contains(mv));
    if entry.mate.is_none() {
        return if is_best { Ok(()) } else { Err(Failure::WrongMove) };
    }
    let Eval::MateIn(plies) = eval else { return Err(Failure::NoMate) };
    if !ends_in_mate(entry.position.clone(), pv, plies) {
        return Err(Failure::FalseMate);
    }
    if entry.best_moves_complete && !is_best {
        return Err(Failure::WrongMove);
    }
    Ok(())
}

/// Does the line, all of it legal, take that many plies and leave the other side without a move?
fn ends_in_mate(mut position: Position, line: &[Move], plies: u32) -> bool {
    line.len() == plies as usize
        && line.iter().all(|&mv| position.play(mv).is_ok())
        && position.is_finished()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(operations: &str) -> Entry {
        // Red mates by b1b9 or b1d1, the first of several ways.
        Entry::parse(&format!("3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 0 1 ; {operations}")).unwrap()
    }

    fn line(moves: &[&str]) -> Vec<Move> {
        moves.iter().map(|mv| mv.parse().unwrap()).collect()
    }

    #[test]
    fn a_mate_has_to_be_claimed_and_shown() {
        let entry = entry("dm 1");
        assert_eq!(judge(&entry, Eval::MateIn(1), &line(&["b1b9"])), Ok(()));
        assert_eq!(judge(&entry, Eval::Points(9000), &line(&["b1b9"])), Err(Failure::NoMate));
        assert_eq!(judge(&entry, Eval::MateIn(3), &line(&["b1b9"])), Err(Failure::FalseMate));
        assert_eq!(judge(&entry, Eval::MateIn(1), &line(&["b1b8"])), Err(Failure::FalseMate));
        let detour = line(&["b1b8", "i6i5", "b8b9"]);
        assert_eq!(judge(&entry, Eval::MateIn(3), &detour), Ok(()));
    }

    #[test]
    fn first_moves_count_where_the_list_is_complete() {
        let answer = line(&["b1d1"]);
        assert_eq!(judge(&entry("dm 1 ; bm b1b9"), Eval::MateIn(1), &answer), Ok(()));
        let complete = entry("dm 1 ; bm b1b9 ; bm complete");
        assert_eq!(judge(&complete, Eval::MateIn(1), &answer), Err(Failure::WrongMove));
        assert_eq!(judge(&entry("bm b1b9"), Eval::MateIn(1), &answer), Err(Failure::WrongMove));
        assert_eq!(judge(&entry("bm b1b9 b1d1"), Eval::Points(3), &answer), Ok(()));
    }
}
