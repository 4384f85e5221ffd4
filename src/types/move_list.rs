//! A list of moves on the stack.

use std::ops::Deref;

use super::{Move, Square};

/// Room for every move any placement allows. Upper bound of one side's pseudo-legal moves:
/// king 4, advisors 2 × 4, elephants 2 × 4, horses 2 × 8, rooks and cannons 4 × 17, pawns 5 × 3,
/// together 119.
pub const MAX_MOVES: usize = 128;

/// Up to [`MAX_MOVES`] moves, kept without allocation.
#[derive(Clone, Debug)]
pub struct MoveList {
    moves: [Move; MAX_MOVES],
    len: usize,
}

impl MoveList {
    /// An empty list.
    pub const fn new() -> MoveList {
        MoveList { moves: [Move::new(Square::A0, Square::A0); MAX_MOVES], len: 0 }
    }

    /// Appends a move. A full list, which no position can produce, drops it.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        debug_assert!(self.len < MAX_MOVES, "more moves than any position has");
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }

    /// Keeps the moves for which `keep` holds, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            let mv = self.moves[i];
            if keep(mv) {
                self.moves[kept] = mv;
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Move>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_and_filters() {
        let mut list = MoveList::new();
        for to in Square::ALL {
            list.push(Move::new(Square::A0, to));
        }
        list.retain(|mv| mv.to.index() % 2 == 0);
        assert_eq!(list.len(), 45);
        assert_eq!(list[44].to, Square::H9);
    }
}
