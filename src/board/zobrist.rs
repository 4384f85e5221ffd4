//! Random keys for hashing positions.

use crate::random::SplitMix64;
use crate::types::{Piece, Square};

struct Keys {
    pieces: [[u64; 90]; 14],
    side: u64,
}

static KEYS: Keys = {
    let mut random = SplitMix64::new(0x6861_6e78_696e); // "hanxin"
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
};

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
