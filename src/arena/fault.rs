//! What an engine can do wrong, each kind with its name.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::rules::EndReason;

/// The kinds of fault, told apart so that a crash is never taken for a slow move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The program could not be started, or ended before its ok line.
    Start,
    /// It did not answer the handshake in time.
    HangAtStart,
    /// It did not answer `isready` in time.
    NotReady,
    /// It ended, or closed its output, in the middle of a game.
    Crash,
    /// Its time was over and it did not answer `stop` either.
    Stall,
    /// Its move came after its time was over.
    LateMove,
    /// Its move is against the rules.
    IllegalMove,
    /// It answered that there is no move while there was one.
    NoMove,
    /// Its answer to `go` was not a move.
    Rubbish,
    /// A search it was told to stop went on.
    IgnoredStop,
    /// It had to be killed at the end. Costs no game.
    IgnoredQuit,
    /// It does not read what it is told.
    Deaf,
}

impl FaultKind {
    /// Every kind with its name, in the order of a game.
    pub const NAMED: [(FaultKind, &'static str); 12] = [
        (FaultKind::Start, "cannot start"),
        (FaultKind::HangAtStart, "hangs at start"),
        (FaultKind::NotReady, "not ready"),
        (FaultKind::Deaf, "does not read"),
        (FaultKind::Crash, "crash"),
        (FaultKind::Stall, "stall"),
        (FaultKind::LateMove, "late move"),
        (FaultKind::IllegalMove, "illegal move"),
        (FaultKind::NoMove, "no move"),
        (FaultKind::Rubbish, "rubbish"),
        (FaultKind::IgnoredStop, "ignores stop"),
        (FaultKind::IgnoredQuit, "ignores quit"),
    ];

    /// Its name for people, as in `late move`.
    pub fn name(self) -> &'static str {
        let [.., last] = FaultKind::NAMED;
        FaultKind::NAMED.into_iter().find(|row| row.0 == self).unwrap_or(last).1
    }

    /// The reason for which a game with this fault is lost.
    pub fn end_reason(self) -> EndReason {
        match self {
            FaultKind::LateMove => EndReason::Time,
            FaultKind::IllegalMove | FaultKind::NoMove | FaultKind::Rubbish => {
                EndReason::IllegalMove
            }
            _ => EndReason::Leaving,
        }
    }
}

/// One fault: its kind and what was seen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// What kind.
    pub kind: FaultKind,
    /// What was seen, for people; may be empty.
    pub detail: String,
}

impl Fault {
    /// A fault with what was seen of it.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        Ok(())
    }
}
