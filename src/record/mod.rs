//! Games as people keep them, and the files they keep them in.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod encoding;
mod game;
pub mod pgn;

pub use game::{Game, GameResult, Line, ParseResultError, Ply};
