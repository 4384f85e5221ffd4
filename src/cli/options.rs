//! The options that several commands share.

use std::fmt::Display;
use std::time::Duration;

use clap::value_parser;
use hanxin::notation::parse_any;
use hanxin::rules::RuleSet;
use hanxin::search::{Limits, SearchOptions, processors};
use hanxin::{Engine, Position};

use super::Error;

/// A position and the moves that lead on from it.
#[derive(clap::Args)]
pub struct PositionArgs {
    /// The position, instead of the start position
    #[arg(long, value_parser = Position::from_fen)]
    fen: Option<Position>,

    /// Moves to play from the position first: h2e2, H2-E2 or 炮二平五
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
}

impl PositionArgs {
    /// The position after the moves, each of which may be an argument or a word of one.
    pub fn position(&self) -> Result<Position, Error> {
        let mut position = self.fen.clone().unwrap_or_else(Position::startpos);
        let words = self.moves.iter().flat_map(|argument| argument.split_whitespace());
        for (number, text) in (1..).zip(words) {
            let refuse =
                |cause: &dyn Display| Error::Usage(format!("--moves: move {number}: {cause}"));
            let mv = parse_any(&position, text).map_err(|cause| refuse(&cause))?;
            position.play(mv).map_err(|cause| refuse(&cause))?;
        }
        Ok(position)
    }
}

/// What the engine works with.
#[derive(clap::Args)]
pub struct EngineArgs {
    /// Threads to search with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Size of the hash table
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = value_parser!(u32).range(1..=1 << 20))]
    hash: u32,

    /// Which repetition rules: cxa, axf, computer, simple or off
    #[arg(long, value_name = "SET", default_value = "cxa")]
    ruleset: RuleSet,
}

impl EngineArgs {
    /// An engine that analyses so many lines.
    pub fn engine(&self, multipv: usize) -> Result<Engine, Error> {
        let options = SearchOptions {
            threads: self.threads.into(),
            hash_mb: self.hash as usize,
            multipv,
            rules: self.ruleset,
            // No interface stands between the clock and the search.
            move_overhead: Duration::ZERO,
            ..SearchOptions::default()
        };
        let mut engine = Engine::default();
        engine.set_options(&options).map_err(|cause| {
            Error::Failed(format!(
                "no memory for --hash {}, at most {} here",
                cause.wanted, cause.kept
            ))
        })?;
        Ok(engine)
    }
}

/// How many processor cores a job takes.
#[derive(clap::Args)]
pub struct CoreArgs {
    /// Processor cores to use; all when not given
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl CoreArgs {
    /// Their number.
    pub fn count(&self) -> usize {
        self.threads.map_or_else(processors, usize::from)
    }
}

/// When to stop; the first limit reached ends the search.
#[derive(clap::Args)]
pub struct LimitArgs {
    /// Search so many plies deep
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=128))]
    depth: Option<u32>,

    /// Search so many nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Search so many milliseconds
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
}

impl LimitArgs {
    /// The limits, or so much time when none is given.
    pub fn limits(&self, default: Duration) -> Limits {
        let is_limited = self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some();
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self
                .movetime
                .map(Duration::from_millis)
                .or((!is_limited).then_some(default)),
            ..Limits::default()
        }
    }
}
