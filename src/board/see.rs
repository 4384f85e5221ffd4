//! Static exchange evaluation: what a capture wins or loses once all takers have taken.

use super::Position;
use super::tables::{ADVISOR_STEPS, BISHOP_STEPS, KING_STEPS, KNIGHT_LEG, LINE, PAWN_SOURCES};
use crate::types::{Color, Move, PieceId, PieceType, Score, Square};

/// Exchange values in centi-pieces by [`PieceType`]; the king's is never lost.
pub const EXCHANGE_VALUE: [Score; 7] = [0, 24, 24, 92, 205, 100, 30];

/// The square fought over and who has left the board so far.
struct Exchange<'a> {
    pos: &'a Position,
    target: Square,
    file: u16,
    rank: u16,
    gone: u32,
}

impl Position {
    /// Does the move win at least `threshold` centi-pieces when both sides go on taking on its
    /// target with their least valuable man as long as it pays?
    ///
    /// The screens of cannons are looked at anew after each capture, since each removes one man.
    /// Pins are ignored.
    pub fn see_ge(&self, mv: Move, threshold: Score) -> bool {
        let Some(mover) = self.id_on(mv.from) else { return threshold <= 0 };
        let value = |id: PieceId| EXCHANGE_VALUE[id.kind().index()];

        // `balance`: what the side that has just taken is ahead of its aim, if not taken back.
        let mut balance = self.id_on(mv.to).map_or(0, value) - threshold;
        if balance < 0 {
            return false;
        }
        balance = value(mover) - balance;
        if balance <= 0 {
            return true;
        }

        let mut exchange = Exchange::new(self, mv.to);
        if let Some(captured) = self.id_on(mv.to) {
            exchange.gone |= 1 << captured.index();
        }
        exchange.remove(mover, mv.from);

        let mut side = mover.color();
        let mut wins = true;
        loop {
            side = !side;
            let Some((taker, from)) = exchange.least_attacker(side) else { break };
            wins = !wins;
            if taker.kind() == PieceType::King {
                // A king may not take a defended man.
                exchange.remove(taker, from);
                return wins ^ exchange.least_attacker(!side).is_some();
            }
            balance = value(taker) - balance;
            if balance < i32::from(wins) {
                break;
            }
            exchange.remove(taker, from);
        }
        wins
    }
}

impl Exchange<'_> {
    fn new(pos: &Position, target: Square) -> Exchange<'_> {
        let (file, rank) = (pos.file_word(target.file()), pos.rank_word(target.rank()));
        Exchange { pos, target, file, rank, gone: 0 }
    }

    /// Takes a man off its square; it stands on the target now, or has been taken there.
    fn remove(&mut self, id: PieceId, from: Square) {
        self.gone |= 1 << id.index();
        self.file &= !self.pos.file_bit(from, self.target.file());
        self.rank &= !self.pos.rank_bit(from, self.target.rank());
    }

    fn is_gone(&self, id: PieceId) -> bool {
        self.gone >> id.index() & 1 != 0
    }

    fn is_empty(&self, square: Square) -> bool {
        self.pos.id_on(square).is_none_or(|id| self.is_gone(id))
    }

    /// The man of that kind and colour on a square, if it is still there.
    fn man(&self, color: Color, kind: PieceType, square: Square) -> Option<(PieceId, Square)> {
        self.pos
            .id_on(square)
            .filter(|&id| id.color() == color && id.kind() == kind && !self.is_gone(id))
            .map(|id| (id, square))
    }

    /// The cheapest man of `side` that can take on the target: pawn, advisor, elephant, horse,
    /// cannon, rook, king.
    fn least_attacker(&self, side: Color) -> Option<(PieceId, Square)> {
        let target = self.target.index();
        PAWN_SOURCES[side.index()][target]
            .iter()
            .find_map(|from| self.man(side, PieceType::Pawn, from))
            .or_else(|| {
                ADVISOR_STEPS[target]
                    .iter()
                    .find_map(|from| self.man(side, PieceType::Advisor, from))
            })
            .or_else(|| {
                BISHOP_STEPS[target]
                    .iter()
                    .filter(|&(_, eye)| self.is_empty(eye))
                    .find_map(|(from, _)| self.man(side, PieceType::Bishop, from))
            })
            .or_else(|| self.knight(side))
            .or_else(|| self.slider(side))
            .or_else(|| {
                KING_STEPS[target].iter().find_map(|from| self.man(side, PieceType::King, from))
            })
    }

    fn knight(&self, side: Color) -> Option<(PieceId, Square)> {
        PieceId::knights(side).into_iter().find_map(|id| {
            let from = self.pos.square_of(id).filter(|_| !self.is_gone(id))?;
            let leg = KNIGHT_LEG[from.index()][self.target.index()]?;
            self.is_empty(leg).then_some((id, from))
        })
    }

    fn slider(&self, side: Color) -> Option<(PieceId, Square)> {
        let file = &LINE[self.target.rank().index()][usize::from(self.file) & 1023];
        let rank = &LINE[self.target.file().index()][usize::from(self.rank) & 1023];
        let find = |ids: [PieceId; 2], on_file: u16, on_rank: u16| {
            ids.into_iter().find_map(|id| {
                let from = self.pos.square_of(id).filter(|_| !self.is_gone(id))?;
                let hit = self.pos.file_bit(from, self.target.file()) & on_file
                    | self.pos.rank_bit(from, self.target.rank()) & on_rank;
                (hit != 0).then_some((id, from))
            })
        };
        find(PieceId::cannons(side), file.second, rank.second)
            .or_else(|| find(PieceId::rooks(side), file.first, rank.first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn see(fen: &str, mv: &str) -> Score {
        let pos = Position::from_fen(fen).unwrap();
        let mv = mv.parse().unwrap();
        (-300..=300).rev().find(|&t| pos.see_ge(mv, t)).unwrap()
    }

    #[test]
    fn hand_made_exchanges() {
        let [_, _, _, knight, rook, cannon, pawn] = EXCHANGE_VALUE;
        // A rook takes an unprotected pawn; then one that a horse protects.
        assert_eq!(see("3k5/9/9/4p4/9/9/9/9/4R4/5K3 w - - 0 1", "e1e6"), pawn);
        assert_eq!(see("3k5/6n2/9/4p4/9/9/9/9/4R4/5K3 w - - 0 1", "e1e6"), pawn);
        assert_eq!(see("3k5/5n3/9/4p4/9/9/9/9/4R4/5K3 w - - 0 1", "e1e6"), pawn - rook);
        // The horse's leg is blocked.
        assert_eq!(see("3k5/5n3/5a3/4p4/9/9/9/9/4R4/5K3 w - - 0 1", "e1e6"), pawn);
        // A cannon behind a rook: once the rook has gone forward it has no screen.
        assert_eq!(see("3k5/9/9/4n4/4r4/9/9/4R4/4C4/5K3 w - - 0 1", "e2e5"), rook);
        // The capturer was the screen of the cannon that protects the target.
        assert_eq!(see("4k4/9/9/9/2cRc4/9/9/9/9/5K3 w - - 0 1", "d5c5"), cannon);
        // A king takes an undefended man, not a defended one.
        assert_eq!(see("4k4/4r4/9/9/9/9/9/4R4/9/5K3 w - - 0 1", "e2e8"), rook - rook);
        assert_eq!(see("4k4/4r4/9/9/9/9/9/4R4/4R4/5K3 w - - 0 1", "e2e8"), rook);
        // A quiet move next to a pawn loses the horse.
        assert_eq!(see("3k5/9/9/9/2p6/9/9/2N6/9/5K3 w - - 0 1", "c2d4"), 0);
        assert_eq!(see("3k5/9/9/9/9/4p4/9/2N6/9/5K3 w - - 0 1", "c2d4"), -knight);
    }
}
