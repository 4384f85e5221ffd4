//! The board of sixteen by sixteen points on which several programs number the squares.
//!
//! `a9` is 0x33, the next file is one more, the next rank down sixteen more: `i0` is 0xcb.

use crate::types::Square;

/// The square of that number, `None` off the board.
pub fn square(number: u8) -> Option<Square> {
    Square::at(i32::from(number & 15) - 3, 12 - i32::from(number >> 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ninety_numbers_are_squares() {
        assert_eq!(square(0x33), Some(Square::A9));
        assert_eq!(square(0x3b), Some(Square::I9));
        assert_eq!(square(0xcb), Some(Square::I0));
        assert_eq!((0..=u8::MAX).filter_map(square).count(), 90);
    }
}
