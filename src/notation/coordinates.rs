//! Coordinates, UCCI's `h2e2` and ICCS's `H2-E2`: read in either case, with a dash or without.

use super::NotationError;
use crate::board::Position;
use crate::types::{Move, Square};

/// Reads a legal move in coordinates.
///
/// # Errors
/// The text is not two squares, or the move between them is illegal.
pub fn parse(pos: &Position, text: &str) -> Result<Move, NotationError> {
    let mv = read(text).ok_or_else(|| NotationError::Unreadable(text.to_owned()))?;
    match pos.check_legal(mv) {
        Ok(()) => Ok(mv),
        Err(illegal) => Err(NotationError::Illegal {
            text: text.to_owned(),
            meanings: vec![mv],
            reason: illegal.reason,
        }),
    }
}

fn read(text: &str) -> Option<Move> {
    let text = text.trim();
    let (from, to) = text.split_once('-').or_else(|| text.split_at_checked(2))?;
    let square = |text: &str| text.to_ascii_lowercase().parse::<Square>().ok();
    Some(Move::new(square(from)?, square(to)?))
}
