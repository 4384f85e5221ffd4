//! Mate by checks alone (连将杀): what a mate threat (杀) threatens.

use std::collections::HashMap;

use crate::board::{CheckSpotter, Position};

/// How far ahead the rules look for a threatened mate, in moves of the attacker.
pub const THREAT_MOVES: u32 = 8;

/// Looks for forced mates in which every move of the attacker gives check.
#[derive(Debug, Default)]
pub struct CheckSolver {
    /// By key: the number of attacker's moves within which the position is known to be no mate.
    refuted: HashMap<u64, u32>,
}

impl CheckSolver {
    /// The shortest mate of the side to move by checks alone, in moves of its own, if there is one
    /// of at most `limit` moves. The other side must not be in check.
    pub fn shortest_mate(&mut self, pos: &mut Position, limit: u32) -> Option<u32> {
        (1..=limit).find(|&moves| self.mates(pos, moves))
    }

    fn mates(&mut self, pos: &mut Position, moves: u32) -> bool {
        if moves == 0 || self.refuted.get(&pos.key()).is_some_and(|&known| known >= moves) {
            return false;
        }
        let spotter = CheckSpotter::new(pos);
        let mates = pos.legal_moves().into_iter().any(|mv| {
            if !spotter.gives_check(pos, mv) {
                return false;
            }
            pos.make(mv);
            let mates = self.is_lost(pos, moves);
            pos.unmake();
            mates
        });
        if !mates {
            self.refuted.insert(pos.key(), moves);
        }
        mates
    }

    /// Is the side to move, in check, mated whatever it answers?
    fn is_lost(&mut self, pos: &mut Position, moves: u32) -> bool {
        pos.legal_moves().into_iter().all(|mv| {
            pos.make(mv);
            let mates = self.mates(pos, moves - 1);
            pos.unmake();
            mates
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortest(fen: &str) -> Option<u32> {
        let mut pos = Position::from_fen(fen).unwrap();
        CheckSolver::default().shortest_mate(&mut pos, THREAT_MOVES)
    }

    #[test]
    fn finds_the_shortest_mate() {
        assert_eq!(shortest("3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 0 1"), Some(1));
        // Two rooks take two lines from the king.
        assert_eq!(shortest("4k4/9/R8/1R7/9/9/9/9/9/3K5 w - - 0 1"), Some(2));
        assert_eq!(shortest("9/9/4k4/9/R8/1R7/9/9/9/3K5 w - - 0 1"), Some(2));
        let mut pos = Position::from_fen("4k4/9/R8/1R7/9/9/9/9/9/3K5 w - - 0 1").unwrap();
        assert_eq!(CheckSolver::default().shortest_mate(&mut pos, 1), None);
    }

    #[test]
    fn a_quiet_move_first_is_no_mate_by_checks() {
        assert_eq!(shortest("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1"), None);
        assert_eq!(shortest("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"), None);
        assert_eq!(shortest(crate::board::START_FEN), None);
    }
}
