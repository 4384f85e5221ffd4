//! Random keys for hashing positions.

use crate::types::{Piece, Square};

/// SplitMix64 (Vigna, public domain): a 64-bit generator with no weak seeds.
const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

struct Keys {
    pieces: [[u64; 90]; 14],
    side: u64,
}

static KEYS: Keys = {
    let mut state = 0x6861_6e78_696e; // "hanxin"
    let mut keys = Keys { pieces: [[0; 90]; 14], side: next(&mut state) };
    let mut piece = 0;
    while piece < 14 {
        let mut square = 0;
        while square < 90 {
            keys.pieces[piece][square] = next(&mut state);
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
