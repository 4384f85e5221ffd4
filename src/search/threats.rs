//! Squares where horses, rooks and cannons had better not stay, nor go: lesser men attack them.

use crate::board::tables::{FILE_SQUARES, KNIGHT_STEPS, PAWN_STEPS, RANK_MASK, RANK_SQUARES};
use crate::board::{Position, in_line};
use crate::types::{PieceId, PieceType, Square};

/// A set of squares, one bit each.
pub type SquareSet = u128;

/// Is the square in the set?
#[inline]
pub fn contains(set: SquareSet, square: Square) -> bool {
    set >> square.index() & 1 != 0
}

/// Squares that the pawns and horses of the side not to move attack, and those of men of the side to
/// move that its cannons can take.
pub fn by_lesser_men(pos: &Position) -> SquareSet {
    let (us, them) = (pos.side_to_move(), !pos.side_to_move());
    let mut set: SquareSet = 0;
    for &id in PieceId::of(them) {
        let Some(from) = pos.square_of(id) else { continue };
        match id.kind() {
            PieceType::Pawn => {
                for to in PAWN_STEPS[them.index()][from.index()].iter() {
                    set |= 1 << to.index();
                }
            }
            PieceType::Knight => {
                for (to, leg) in KNIGHT_STEPS[from.index()].iter() {
                    set |= SquareSet::from(pos.is_empty(leg)) << to.index();
                }
            }
            PieceType::Cannon => {
                let (file, rank) = (from.file(), from.rank());
                let along_file = pos.file_line(from).second & pos.file_word_of(us, file);
                let along_rank = pos.rank_line(from).second & pos.rank_word_of(us, rank);
                in_line(along_file, &FILE_SQUARES[file.index()], |to| set |= 1 << to.index());
                in_line(along_rank & RANK_MASK, &RANK_SQUARES[rank.index()], |to| {
                    set |= 1 << to.index();
                });
            }
            _ => {}
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawns_horses_and_cannons_threaten() {
        // Red's cannon on e2 sees the pawn e6 over its own pawn e3; the horse g4 jumps, but not over
        // f4, where a pawn stands; the pawn a5 has crossed the river.
        let pos = Position::from_fen("3k5/9/9/4p4/P8/5pN2/4P4/4C4/9/4K4 b - - 0 1")
            .expect("a legal setup");
        let set = by_lesser_men(&pos);
        let threatened: Vec<String> = Square::ALL
            .iter()
            .filter(|&&square| contains(set, square))
            .map(ToString::to_string)
            .collect();
        let mut expected =
            ["a6", "b5", "e4", "f6", "h6", "i5", "i3", "f2", "h2", "e6"].map(String::from);
        expected.sort_by_key(|name| name.parse::<Square>().map(|s| s.index()).ok());
        assert_eq!(threatened, expected);
    }
}
