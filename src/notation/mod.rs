//! Moves as people and game files write them: coordinates, ICCS and Chinese, read and written
//! against a position.
//!
//! ```
//! use hanxin::Position;
//! use hanxin::notation::{chinese, iccs, parse_any};
//!
//! let mut pos = Position::startpos();
//! let mv = parse_any(&pos, "炮二平五")?;
//! assert_eq!(mv.to_string(), "h2e2");
//! assert_eq!(iccs::write(mv), "H2-E2");
//!
//! pos.play(mv)?;
//! let answer = parse_any(&pos, "H9-G7")?;
//! assert_eq!(chinese::write(&pos, answer), "马８进７");
//! assert_eq!(chinese::parse(&pos, "馬8進7")?, answer);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod chinese;
pub mod coordinates;
pub mod iccs;

use thiserror::Error;

use crate::board::{IllegalReason, Position};
use crate::types::{Color, Move};

/// The text names no single legal move of the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotationError {
    /// It has not the form of a move.
    #[error("not a move: {0:?} (h2e2, H2-E2 and 炮二平五 are)")]
    Unreadable(String),
    /// No man that it could name can move as it says.
    #[error("no man of {side} can play {text:?}")]
    NoSuchMove {
        /// The text.
        text: String,
        /// The side to move.
        side: Color,
    },
    /// Every move that it could mean is illegal.
    #[error("illegal move {text:?}: {reason}")]
    Illegal {
        /// The text.
        text: String,
        /// What it could mean.
        meanings: Vec<Move>,
        /// Why that cannot be played.
        reason: IllegalReason,
    },
    /// Several legal moves fit it.
    #[error("ambiguous move {text:?}: it could be {}", list(meanings))]
    Ambiguous {
        /// The text.
        text: String,
        /// What it could mean, two moves or more.
        meanings: Vec<Move>,
    },
}

fn list(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" or ")
}

/// Reads a legal move in whichever notation it is written.
///
/// # Errors
/// The text has none of the forms, or does not name exactly one legal move.
pub fn parse_any(pos: &Position, text: &str) -> Result<Move, NotationError> {
    match coordinates::parse(pos, text) {
        Err(NotationError::Unreadable(_)) => chinese::parse(pos, text),
        answer => answer,
    }
}
