//! The key under which a book knows a position.
//!
//! It is the exclusive or of one number for each man on its square and, when Black is to move, one
//! more. The numbers come from [`SplitMix64`](crate::random::SplitMix64) seeded with [`SEED`]: the
//! first is for Black to move, then follow the 90 squares for each piece, pieces in the order of
//! [`Piece::ALL`](crate::types::Piece::ALL), squares in that of [`Square::ALL`]. Files of books hold
//! these keys, so nothing here may ever change.
//!
//! A position has such a number and its left-right mirror image has one; the smaller is the key of
//! both, and moves are kept as in the image whose number it is.

use crate::board::Position;
use crate::board::zobrist::Keys;
use crate::types::{Color, Move, Square};

/// Seed of the numbers, "hxbook".
pub const SEED: u64 = 0x6878_626f_6f6b;

static NUMBERS: Keys = Keys::new(SEED);

/// Which of the two mirror images of a position its book moves are kept in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Image {
    /// The position as it is.
    Same,
    /// Its mirror image.
    Mirrored,
    /// Both are one.
    Symmetric,
}

/// A position as a book knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookKey {
    /// The number in the file.
    pub key: u64,
    image: Image,
}

impl BookKey {
    /// The key of a position.
    pub fn of(pos: &Position) -> BookKey {
        let side = if pos.side_to_move() == Color::Black { NUMBERS.side } else { 0 };
        let (mut same, mut mirrored) = (side, side);
        for square in Square::ALL {
            if let Some(piece) = pos.piece_on(square) {
                let numbers = &NUMBERS.pieces[piece.index()];
                same ^= numbers[square.index()];
                mirrored ^= numbers[square.mirror().index()];
            }
        }
        let image = match same.cmp(&mirrored) {
            std::cmp::Ordering::Less => Image::Same,
            std::cmp::Ordering::Greater => Image::Mirrored,
            std::cmp::Ordering::Equal => Image::Symmetric,
        };
        BookKey { key: same.min(mirrored), image }
    }

    /// Is the position its own mirror image?
    pub fn is_symmetric(self) -> bool {
        self.image == Image::Symmetric
    }

    /// A move of the position as the book keeps it. In a position that is its own mirror image a
    /// move and its mirror image are one: the one that comes later in the order of squares, so
    /// from the start position `h2e2` and not `b2e2`.
    pub fn fold(self, mv: Move) -> Move {
        match self.image {
            Image::Same => mv,
            Image::Mirrored => mv.mirror(),
            Image::Symmetric => mv.max(mv.mirror()),
        }
    }

    /// A move that the book keeps as a move of the position.
    pub fn unfold(self, mv: Move) -> Move {
        match self.image {
            Image::Same | Image::Symmetric => mv,
            Image::Mirrored => mv.mirror(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Position {
        let mut pos = Position::startpos();
        for mv in moves.split_whitespace() {
            pos.play(mv.parse().unwrap()).unwrap();
        }
        pos
    }

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn the_key_of_the_start_position_never_changes() {
        assert_eq!(BookKey::of(&Position::startpos()).key, 0x1aef_c67c_36fb_dc2f);
    }

    #[test]
    fn mirror_images_have_one_key_and_one_form_of_a_move() {
        let (left, right) = (after("b0c2"), after("h0g2"));
        let (a, b) = (BookKey::of(&left), BookKey::of(&right));
        assert_eq!(a.key, b.key);
        assert_eq!(a.fold(mv("b9c7")), b.fold(mv("h9g7")));
        assert_eq!(a.unfold(a.fold(mv("b9c7"))), mv("b9c7"));
        assert_eq!(b.unfold(a.fold(mv("b9c7"))), mv("h9g7"));
        assert_ne!(a.fold(mv("b9c7")), a.fold(mv("h9g7")));
    }

    #[test]
    fn in_a_symmetric_position_mirrored_moves_are_one() {
        let key = BookKey::of(&Position::startpos());
        for text in ["h2e2", "b2e2"] {
            assert_eq!(key.unfold(key.fold(mv(text))), mv("h2e2"));
        }
        assert_eq!(key.fold(mv("b0c2")), mv("h0g2"));
        assert!(key.is_symmetric() && !BookKey::of(&after("h2e2 h9g7")).is_symmetric());
        let black = BookKey::of(&after("e3e4"));
        assert_eq!(black.fold(mv("b9c7")), mv("h9g7"));
    }

    #[test]
    fn side_and_path() {
        let shuffled = after("a0a1 a9a8 a1a0 a8a9");
        assert_eq!(BookKey::of(&shuffled), BookKey::of(&Position::startpos()));
        let black = Position::from_fen(&crate::board::START_FEN.replace(" w ", " b ")).unwrap();
        assert_ne!(BookKey::of(&black).key, BookKey::of(&Position::startpos()).key);
        let transposed =
            [after("h2e2 h9g7 g3g4"), after("g3g4 h9g7 h2e2")].map(|p| BookKey::of(&p));
        assert_eq!(transposed[0], transposed[1]);
    }
}
