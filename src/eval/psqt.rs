//! Piece-square values: material and place in one table, summed by the board move by move.

use super::weights::{WEIGHTS, Weights};
use crate::types::{Color, File, Piece, PieceType, Rank, S, Square, Tapered};

/// How much each kind counts towards the middle game.
pub const PHASE: [i32; 7] = [0, 0, 0, 2, 4, 2, 0];

/// Phase with all men on the board.
pub const FULL_PHASE: i32 = 32;

/// `PSQT[piece][square]`: value of each piece on each square, from Red's side.
pub static PSQT: [[Tapered; 90]; 14] = build(&WEIGHTS);

const fn build(weights: &Weights) -> [[Tapered; 90]; 14] {
    let mut table = [[Tapered::ZERO; 90]; 14];
    let mut i = 0;
    while i < 14 * 90 {
        let (piece, square) = (Piece::ALL[i / 90], Square::ALL[i % 90]);
        let material = weights.material[piece.kind().index()];
        let place = match place(weights, piece, square) {
            Some(place) => place,
            None => Tapered::ZERO,
        };
        let (mg, eg) = (material.mg() + place.mg(), material.eg() + place.eg());
        table[i / 90][i % 90] = match piece.color() {
            Color::Red => S(mg, eg),
            Color::Black => S(-mg, -eg),
        };
        i += 1;
    }
    table
}

/// What standing on a square adds to a man; nothing where it never can.
pub(super) const fn place<W: Copy>(
    weights: &Weights<W>,
    piece: Piece,
    square: Square,
) -> Option<W> {
    let square = match piece.color() {
        Color::Red => square,
        Color::Black => square.flip(),
    };
    let rank = square.rank().index();
    let file =
        if square.file().index() > 4 { 8 - square.file().index() } else { square.file().index() };
    Some(match piece.kind() {
        PieceType::King if rank <= 2 && file >= 3 => weights.king_squares[rank][file - 3],
        PieceType::Advisor => match (square.rank(), File::ALL[file]) {
            (Rank::R0, File::D) => weights.advisor_squares[0],
            (Rank::R1, File::E) => weights.advisor_squares[1],
            (Rank::R2, File::D) => weights.advisor_squares[2],
            _ => return None,
        },
        PieceType::Bishop => match (square.rank(), File::ALL[file]) {
            (Rank::R0, File::C) => weights.bishop_squares[0],
            (Rank::R2, File::A) => weights.bishop_squares[1],
            (Rank::R2, File::E) => weights.bishop_squares[2],
            (Rank::R4, File::C) => weights.bishop_squares[3],
            _ => return None,
        },
        PieceType::Knight => weights.knight_squares[rank][file],
        PieceType::Rook => weights.rook_squares[rank][file],
        PieceType::Cannon => weights.cannon_squares[rank][file],
        PieceType::Pawn if rank >= 3 => weights.pawn_squares[rank - 3][file],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_mirrored_and_turned() {
        for piece in Piece::ALL {
            let other = Piece::new(!piece.color(), piece.kind());
            for square in Square::ALL {
                let value = PSQT[piece.index()][square.index()];
                assert_eq!(value, PSQT[piece.index()][square.mirror().index()]);
                assert_eq!(value, -PSQT[other.index()][square.flip().index()]);
            }
        }
    }

    #[test]
    fn phase_is_full_with_all_men() {
        let men: i32 = PieceType::ALL
            .map(|kind| 2 * kind.count_per_side() as i32 * PHASE[kind.index()])
            .iter()
            .sum();
        assert_eq!(men, FULL_PHASE);
    }

    #[test]
    fn a_pawn_gains_by_crossing_and_fades_at_the_end() {
        let pawn = |square: Square| PSQT[Piece::RedPawn.index()][square.index()].mg();
        assert!(pawn(Square::E5) > pawn(Square::E4));
        assert!(pawn(Square::D8) > pawn(Square::D5));
        assert!(pawn(Square::E9) < pawn(Square::E8));
    }
}
