//! What a person may set about the search.

use std::time::Duration;

use super::params::CONTEMPT;
use crate::eval::Knowledge;
use crate::rules::RuleSet;
use crate::types::Score;

/// A strength in four steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Not at all.
    None,
    /// A little.
    Small,
    /// Half way.
    Medium,
    /// As much as possible.
    Large,
}

impl Level {
    /// All levels, weakest first, with the words that name them.
    pub const NAMED: [(&'static str, Level); 4] = [
        ("none", Level::None),
        ("small", Level::Small),
        ("medium", Level::Medium),
        ("large", Level::Large),
    ];
}

impl From<Level> for Knowledge {
    fn from(level: Level) -> Knowledge {
        match level {
            Level::None => Knowledge::None,
            Level::Small => Knowledge::Small,
            Level::Medium => Knowledge::Medium,
            Level::Large => Knowledge::Large,
        }
    }
}

/// How a draw is valued.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// A draw is worth a little more than an even game.
    Solid,
    /// A draw is an even game.
    Normal,
    /// A draw is worth a little less than an even game.
    Risky,
}

impl Style {
    /// All styles with the words that name them.
    pub const NAMED: [(&'static str, Style); 3] =
        [("solid", Style::Solid), ("normal", Style::Normal), ("risky", Style::Risky)];

    /// What a draw is worth to the engine, in centi-pieces.
    pub const fn draw_worth(self) -> Score {
        match self {
            Style::Solid => CONTEMPT,
            Style::Normal => 0,
            Style::Risky => -CONTEMPT,
        }
    }
}

/// The settings of a search. They hold from the next search on.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// Threads that search, at least 1; no more than [`processors`](super::processors) are started.
    pub threads: usize,
    /// Size of the hash table in MB (2^20 bytes), at least 1.
    pub hash_mb: usize,
    /// How many lines are analysed, at least 1.
    pub multipv: usize,
    /// Time kept back on every move for the delay of the interface.
    pub move_overhead: Duration,
    /// The interface lets the engine think on the other side's time, so time is shared out more
    /// freely.
    pub ponder: bool,
    /// How much processor time is left to other programs.
    pub idle: Level,
    /// How selective the search is.
    pub pruning: Level,
    /// How much the evaluation looks at: `None` is material and piece squares only.
    pub knowledge: Level,
    /// How far from the best move the engine may stray.
    pub randomness: Level,
    /// How a draw is valued.
    pub style: Style,
    /// Which repetition rules are in force.
    pub rules: RuleSet,
    /// May resign a lost game.
    pub resign: bool,
    /// May offer a draw unasked.
    pub offer_draw: bool,
}

impl Default for SearchOptions {
    /// One thread and a table of fixed size, so that equal searches are equal on every machine.
    fn default() -> SearchOptions {
        SearchOptions {
            threads: 1,
            hash_mb: 64,
            multipv: 1,
            move_overhead: Duration::from_millis(30),
            ponder: false,
            idle: Level::None,
            pruning: Level::Large,
            knowledge: Level::Large,
            randomness: Level::None,
            style: Style::Normal,
            rules: RuleSet::default(),
            resign: false,
            offer_draw: false,
        }
    }
}
