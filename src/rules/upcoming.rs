//! A repetition that one move away is as good as there for the side that may choose it.
//!
//! Two positions that one reversible move leads between differ by the keys of one man on two squares;
//! all such differences are known beforehand.

use std::sync::LazyLock;

use crate::board::tables::{ADVISOR_STEPS, BISHOP_STEPS, KING_STEPS, KNIGHT_STEPS};
use crate::board::{Position, zobrist};
use crate::types::{Move, Piece, PieceType, Square};

/// Places in the table, a power of two and about twice the number of moves.
const PLACES: usize = 1 << 13;

/// Moves that can be taken back, by how they change the key: open addressing, 0 is an empty place.
struct Reversals {
    changes: Box<[u64; PLACES]>,
    squares: Box<[[Square; 2]; PLACES]>,
}

static REVERSALS: LazyLock<Reversals> = LazyLock::new(|| {
    let mut table =
        Reversals { changes: bytemuck::zeroed_box(), squares: Box::new([[Square::A0; 2]; PLACES]) };
    for piece in Piece::ALL {
        for (index, &from) in Square::ALL.iter().enumerate() {
            for &to in &Square::ALL[index + 1..] {
                if is_reversible(piece.kind(), from, to) {
                    table.insert(piece, from, to);
                }
            }
        }
    }
    table
});

/// Could a man of that kind go from one square to the other, and back, on an empty board?
fn is_reversible(kind: PieceType, from: Square, to: Square) -> bool {
    let i = from.index();
    match kind {
        PieceType::King => KING_STEPS[i].iter().any(|step| step == to),
        PieceType::Advisor => ADVISOR_STEPS[i].iter().any(|step| step == to),
        PieceType::Bishop => BISHOP_STEPS[i].iter().any(|(step, _)| step == to),
        PieceType::Knight => KNIGHT_STEPS[i].iter().any(|(step, _)| step == to),
        PieceType::Rook | PieceType::Cannon => from.file() == to.file() || from.rank() == to.rank(),
        PieceType::Pawn => false,
    }
}

impl Reversals {
    fn insert(&mut self, piece: Piece, from: Square, to: Square) {
        let change = zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::side();
        let mut place = change as usize % PLACES;
        while self.changes[place] != 0 {
            place = (place + 1) % PLACES;
        }
        self.changes[place] = change;
        self.squares[place] = [from, to];
    }

    fn find(&self, change: u64) -> Option<[Square; 2]> {
        let mut place = change as usize % PLACES;
        while self.changes[place] != 0 {
            if self.changes[place] == change {
                return Some(self.squares[place]);
            }
            place = (place + 1) % PLACES;
        }
        None
    }
}

/// A move, not checked for the own king's safety, after which a position stands again that has stood
/// before, no more than `ply` plies ago.
#[inline]
pub fn repeating_move(pos: &Position, ply: usize) -> Option<Move> {
    let reach = (pos.quiet_plies() as usize).min(ply).min(pos.history().len());
    if reach < 3 {
        return None;
    }
    let history = &pos.history()[pos.history().len() - reach..];
    for (plies, undo) in history.iter().rev().enumerate() {
        undo.mv?; // not across a null move
        // `plies` + 1 ago the other side was to move, as after the move looked for.
        if plies < 2 || plies % 2 != 0 {
            continue;
        }
        let Some([a, b]) = REVERSALS.find(pos.key() ^ undo.key) else { continue };
        let mv =
            if pos.is_man_of(pos.side_to_move(), a) { Move::new(a, b) } else { Move::new(b, a) };
        if pos.is_pseudo_legal(mv) && pos.is_empty(mv.to) {
            return Some(mv);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// What [`repeating_move`] finds, by trying every move.
    fn by_trying(pos: &mut Position, ply: usize) -> bool {
        let reach = (pos.quiet_plies() as usize).min(ply).min(pos.history().len());
        let from = pos.history().len() - reach;
        let keys: Vec<u64> = pos.history()[from..].iter().map(|undo| undo.key).collect();
        let mut moves = crate::types::MoveList::new();
        pos.quiets(&mut moves);
        moves.iter().any(|&mv| {
            pos.make(mv);
            let stood_before = keys.contains(&pos.key());
            pos.unmake();
            stood_before
        })
    }

    #[test]
    fn finds_what_trying_every_move_finds() {
        let mut random = SplitMix64::new(7);
        let mut found = 0;
        for _ in 0..60 {
            let mut pos =
                Position::from_fen("3ak4/4a4/4b4/9/2n6/6R2/9/4B3C/4A4/3AK4 w - - 0 1").unwrap();
            for ply in 0..60 {
                let moves = pos.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let expected = by_trying(&mut pos, ply);
                let mv = repeating_move(&pos, ply);
                assert_eq!(mv.is_some(), expected, "{pos:?} {mv:?}");
                found += usize::from(expected);
                let next = moves[random.next_u64() as usize % moves.len()];
                pos.play(next).unwrap();
            }
        }
        assert!(found > 50, "{found}");
    }
}
