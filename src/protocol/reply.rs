//! What an engine says, as an enum. Printed and parsed in both dialects.

use std::time::Duration;

use crate::types::{Eval, Move};

/// One line from the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// `id KEY TEXT`: name, version, copyright, author, user.
    Id {
        /// First word.
        key: String,
        /// The rest.
        text: String,
    },
    /// `option …`.
    Option(OptionLine),
    /// `ucciok` or `uciok`, as the dialect says.
    HandshakeOk,
    /// `readyok`.
    ReadyOk,
    /// `info …` with numbers, a line or a root move.
    Info(Info),
    /// `info message TEXT` (UCCI), `info string TEXT` (UCI).
    Message(String),
    /// `bestmove M [ponder M2] [draw | resign]`.
    BestMove {
        /// The move.
        mv: Move,
        /// The answer expected.
        ponder: Option<Move>,
        /// `draw` (UCCI only).
        draw: bool,
        /// `resign` (UCCI only).
        resign: bool,
    },
    /// UCCI `nobestmove`, UCI `bestmove (none)`.
    NoBestMove,
    /// UCCI `pophash …`.
    PopHash {
        /// `bestmove M`.
        best: Option<Move>,
        /// `lowerbound SCORE depth D`.
        lower: Option<(i32, u32)>,
        /// `upperbound SCORE depth D`.
        upper: Option<(i32, u32)>,
    },
    /// UCCI `bye`.
    Bye,
}

/// The fields of an `info` line; those absent are not printed.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Info {
    /// In plies.
    pub depth: Option<u32>,
    /// In plies.
    pub seldepth: Option<u32>,
    /// From 1; printed only where more than one line is analysed.
    pub multipv: Option<u32>,
    /// From the mover's side.
    pub score: Option<Eval>,
    /// Nodes so far.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Permill; UCI only.
    pub hashfull: Option<u32>,
    /// Since `go`.
    pub time: Option<Duration>,
    /// Root move being searched.
    pub current_move: Option<Move>,
    /// Its number; UCI only.
    pub current_move_number: Option<u32>,
    /// The line.
    pub pv: Vec<Move>,
}

/// An announced option.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionLine {
    /// As written in the dialect.
    pub name: String,
    /// Type, default and bounds.
    pub kind: OptionKind,
}

/// Type of an option with its default and bounds.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// True or false.
    Check(bool),
    /// A number with bounds.
    Spin {
        /// Default.
        default: i64,
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// Default.
        default: String,
        /// All words.
        values: Vec<String>,
    },
    /// Does something when set.
    Button,
    /// Any text; empty prints as `<empty>`.
    String(String),
    /// Text to show (UCCI `label`).
    Label(String),
}
