//! What a search is asked and what it answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock::ClockView;
use crate::types::{Eval, Move};

/// When to stop and which root moves to look at. All limits hold at once; the first one reached
/// ends the search. With none of them the search runs until [`Signals::stop`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Deepest iteration, in plies, at least 1.
    pub depth: Option<u32>,
    /// Nodes over all threads; exact at one thread.
    pub nodes: Option<u64>,
    /// Stop as soon as a mate in this many moves, or fewer, is proven.
    pub mate: Option<u32>,
    /// Fixed time for this move; the search keeps its overhead back.
    pub move_time: Option<Duration>,
    /// The mover's clock.
    pub clock: Option<ClockView>,
    /// The other side's clock.
    pub opponent: Option<ClockView>,
    /// Think until told to stop, also with other limits given.
    pub infinite: bool,
    /// Only these root moves, unless empty.
    pub search_moves: Vec<Move>,
    /// Not these root moves.
    pub banned_moves: Vec<Move>,
}

impl Limits {
    /// Only a depth.
    pub fn depth(plies: u32) -> Limits {
        Limits { depth: Some(plies), ..Limits::default() }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Only a time.
    pub fn move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// Will the search end by itself whatever the position? A mate may not be there.
    pub fn is_bounded(&self) -> bool {
        let is_timed = self.move_time.is_some() || self.clock.is_some();
        !self.infinite && (self.depth.is_some() || self.nodes.is_some() || is_timed)
    }
}

/// Flags that another thread may set while a search runs.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    draw_offered: AtomicBool,
}

impl Signals {
    /// Clears the flags before a search; `pondering` holds back every time limit until
    /// [`Signals::ponder_hit`].
    pub fn reset(&self, pondering: bool, draw_offered: bool) {
        self.pondering.store(pondering, Ordering::Relaxed);
        self.draw_offered.store(draw_offered, Ordering::Relaxed);
        self.stop.store(false, Ordering::Release);
    }

    /// Asks the search to end now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Was the search asked to end?
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// The expected move was played: the clock starts now.
    pub fn ponder_hit(&self, draw_offered: bool) {
        if draw_offered {
            self.draw_offered.store(true, Ordering::Relaxed);
        }
        self.pondering.store(false, Ordering::Release);
    }

    /// Is the search running on the other side's time?
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Did the other side offer a draw?
    pub fn is_draw_offered(&self) -> bool {
        self.draw_offered.load(Ordering::Relaxed)
    }
}

/// Which side of the true value a score lies on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is at most the score.
    Upper,
    /// The true value is at least the score.
    Lower,
    /// The score is the value.
    Exact,
}

/// One line of analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchInfo {
    /// Completed iteration in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second …
    pub multipv: u32,
    /// Value from the side to move at the root.
    pub eval: Eval,
    /// `Exact` unless the line is reported from a failed aspiration window.
    pub bound: Bound,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Use of the hash table in permill.
    pub hashfull: u32,
    /// The line, legal from the root, at least one move long.
    pub pv: Vec<Move>,
}

impl SearchInfo {
    /// Nodes per second so far.
    pub fn nps(&self) -> u64 {
        let micros = self.elapsed.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// What a search says while it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchEvent {
    /// All lines of a completed iteration, best first: one, or `multipv` of them.
    Lines(Vec<SearchInfo>),
    /// The root move being searched, and its number from 1. Sent after the first second only.
    CurrentMove {
        /// Depth of the running iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its place in the root list, from 1.
        number: u32,
    },
    /// A sign of life about once a second.
    Progress {
        /// Nodes of all threads so far.
        nodes: u64,
        /// Time since the search began.
        elapsed: Duration,
        /// Use of the hash table in permill.
        hashfull: u32,
    },
    /// Text for the person at the interface.
    Message(String),
}

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport {
    /// The move to play; `None` when there is no legal move or all are banned.
    pub best: Option<Move>,
    /// The answer expected to it.
    pub ponder: Option<Move>,
    /// Value of the position from the side to move.
    pub eval: Eval,
    /// Last completed depth.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// The best line.
    pub pv: Vec<Move>,
    /// Accept the offered draw, or offer one when that option is on.
    pub wants_draw: bool,
    /// Resign, only when that option is on.
    pub resigns: bool,
}
