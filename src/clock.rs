//! One side's clock: stages, increment, moves to go. Used by the engine and the match runner.

use std::time::Duration;

/// What a clock shows to the side that is about to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockView {
    /// Time left in this stage.
    pub remaining: Duration,
    /// Credited after the move.
    pub increment: Duration,
    /// Moves until more time comes, this one included; `None` is the rest of the game.
    pub moves_to_go: Option<u32>,
}
