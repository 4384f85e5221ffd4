//! Piece-square values.

use crate::types::{Piece, PieceType, S, Square, Tapered};

/// How much each kind counts towards the middle game.
pub const PHASE: [i32; 7] = [0, 0, 0, 2, 4, 2, 0];

/// Phase with all men on the board.
pub const FULL_PHASE: i32 = 32;

/// Value of each piece on each square, from Red's side.
pub static PSQT: [[Tapered; 90]; 14] = {
    let mut table = [[Tapered::ZERO; 90]; 14];
    let values = [0, 24, 24, 92, 205, 98, 25];
    let mut i = 0;
    while i < 14 {
        let v = values[Piece::ALL[i].kind() as usize];
        let mut s = 0;
        while s < 90 {
            table[i][s] = if i < 7 { S(v, v) } else { S(-v, -v) };
            s += 1;
        }
        i += 1;
    }
    let _ = (PieceType::King, Square::A0);
    table
};
