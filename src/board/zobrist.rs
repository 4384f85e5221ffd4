//! Random keys for hashing positions.

use crate::random::SplitMix64;
use crate::types::{Piece, Square};

/// A random number for each piece on each square, and one for Black to move.
pub(crate) struct Keys {
    pub pieces: [[u64; 90]; 14],
    pub side: u64,
}

impl Keys {
    /// The numbers that [`SplitMix64`] gives from this seed on: Black to move first, then the squares of
    /// each piece. Files of books depend on that order.
    pub const fn new(seed: u64) -> Keys {
        let mut random = SplitMix64::new(seed);
        let mut keys = Keys { pieces: [[0; 90]; 14], side: random.next_u64() };
        let mut piece = 0;
        while piece < 14 {
            let mut square = 0;
            while square < 90 {
                keys.pieces[piece][square] = random.next_u64();
                square += 1;
            }
            piece += 1;
        }
        keys
    }
}

static KEYS: Keys = Keys::new(0x6861_6e78_696e); // "hanxin"

/// Key of a piece on a square.
#[inline]
pub fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.index()][square.index()]
}

/// Key that is in when Black is to move.
#[inline]
pub fn side() -> u64 {
    KEYS.side
}
