//! A move: two squares.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Square;

/// A move from one square to another, whatever stands there. Prints as `h2e2`.
///
/// ```
/// use hanxin::Move;
///
/// let mv: Move = "h2e2".parse()?;
/// assert_eq!((mv.from.to_string(), mv.to.to_string()), ("h2".into(), "e2".into()));
/// # Ok::<(), hanxin::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Move {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// The move between two squares.
    pub const fn new(from: Square, to: Square) -> Move {
        Move { from, to }
    }

    /// Fourteen bits for the hash table, never zero: `from * 90 + to + 1`.
    pub const fn pack(self) -> u16 {
        (self.from as u16) * 90 + self.to as u16 + 1
    }

    /// The move that [`Move::pack`] packed; `None` for zero and for numbers no move packs to.
    pub const fn unpack(bits: u16) -> Option<Move> {
        if bits == 0 || bits > 8100 {
            return None;
        }
        let n = (bits - 1) as usize;
        Some(Move { from: Square::ALL[n / 90], to: Square::ALL[n % 90] })
    }

    /// The move as the other side would see it, across the river.
    pub const fn flip(self) -> Move {
        Move { from: self.from.flip(), to: self.to.flip() }
    }

    /// The move mirrored left to right.
    pub const fn mirror(self) -> Move {
        Move { from: self.from.mirror(), to: self.to.mirror() }
    }
}

/// The text is not a move in coordinates.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("not a move: \"{0}\" (two squares, as in h2e2)")]
pub struct ParseMoveError(pub String);

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let refuse = || ParseMoveError(text.to_owned());
        let (from, to) = text.split_at_checked(2).ok_or_else(refuse)?;
        match (from.parse(), to.parse()) {
            (Ok(from), Ok(to)) => Ok(Move { from, to }),
            _ => Err(refuse()),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_moves_pack_and_print() {
        for from in Square::ALL {
            for to in Square::ALL {
                let mv = Move::new(from, to);
                assert_eq!(Move::unpack(mv.pack()), Some(mv));
                assert!(mv.pack() < 1 << 14);
                assert_eq!(mv.to_string().parse(), Ok(mv));
            }
        }
        assert_eq!(Move::unpack(0), None);
        assert_eq!(Move::unpack(8101), None);
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "h2e", "h2e2x", "H2E2", "ｈ２ｅ２", "h2é2", "é2e2"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
