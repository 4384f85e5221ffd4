//! The evaluation: what a position is worth when nobody looks ahead.

pub mod psqt;

use crate::board::Position;
use crate::types::score::EVAL_LIMIT;
use crate::types::{Color, Score};
use psqt::FULL_PHASE;

/// How much the evaluation looks at. Each step adds terms to the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Knowledge {
    /// Material and piece squares.
    None,
    /// A little more.
    Small,
    /// Most of it.
    Medium,
    /// Everything.
    Large,
}

/// Value of the position in centi-pieces from the side to move, strictly within
/// ±[`EVAL_LIMIT`].
pub fn evaluate(pos: &Position, _knowledge: Knowledge) -> Score {
    let score = pos.psq().blend(pos.phase(), FULL_PHASE).clamp(1 - EVAL_LIMIT, EVAL_LIMIT - 1);
    match pos.side_to_move() {
        Color::Red => score,
        Color::Black => -score,
    }
}
