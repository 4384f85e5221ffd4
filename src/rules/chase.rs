//! Chases (捉): which man could be won on the next move, by which, and whether the move made it so.

use std::array;

use super::law::{Law, Novelty};
use crate::board::tables::crossed_river;
use crate::board::{KingGuard, Position};
use crate::types::{Move, MoveList, PieceId, PieceType, Square};

/// A set of men, bit n = the man of index n.
pub(super) type MenSet = u32;

/// For each of one side's men the set of enemy men it attacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Attacks([MenSet; 16]);

impl Attacks {
    fn add(&mut self, attacker: PieceId, victim: PieceId) {
        self.0[attacker.index() % 16] |= 1 << victim.index();
    }

    /// All men attacked.
    pub(super) fn victims(&self) -> MenSet {
        self.0.iter().fold(0, |all, victims| all | victims)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.victims() == 0
    }

    /// Pairs of attacker and victim, the attackers being men of the side whose men `of` lists.
    pub(super) fn pairs(self, of: &[PieceId; 16]) -> impl Iterator<Item = (PieceId, PieceId)> {
        of.iter().zip(self.0).flat_map(|(&attacker, victims)| {
            let is_victim = move |victim: &PieceId| victims >> victim.index() & 1 != 0;
            PieceId::ALL.into_iter().filter(is_victim).map(move |victim| (attacker, victim))
        })
    }
}

/// The captures of the side to move, looked at with the eyes of the rules.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Captures {
    /// Captures that could be made.
    pub possible: Attacks,
    /// Captures that win the victim.
    pub won: Attacks,
    /// Of these, the ones that win it only because its protectors may not take back.
    won_by_pin: Attacks,
}

/// What stands behind a man that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Protection {
    None,
    /// It could be taken back but for the own king.
    Pinned,
    Real,
}

impl Captures {
    /// All captures of the side to move by men that can chase of men that can be chased.
    pub(super) fn of(pos: &mut Position, law: &Law) -> Captures {
        let guard = KingGuard::new(pos);
        let checking = pos.is_attacked(!pos.side_to_move());
        let mut moves = MoveList::new();
        pos.captures(&mut moves);
        let mut found = Captures::default();
        for mv in &moves {
            let (Some(attacker), Some(victim)) = (pos.id_on(mv.from), pos.id_on(mv.to)) else {
                continue;
            };
            if !can_chase(attacker) || !can_be_chased(victim, mv.to) {
                continue;
            }
            let legal = guard.is_legal(pos, mv);
            // What a check forbids for a move was attacked all the same; what a pin forbids was not.
            if legal || guard.is_check() {
                found.possible.add(attacker, victim);
            }
            if !legal {
                continue;
            }
            if outranks(attacker.kind(), victim.kind(), law) {
                found.won.add(attacker, victim);
                continue;
            }
            let protection = protection(pos, mv, checking);
            if protection == Protection::Real || is_exchange(pos, mv, checking) {
                continue;
            }
            found.won.add(attacker, victim);
            if protection == Protection::Pinned {
                found.won_by_pin.add(attacker, victim);
            }
        }
        found
    }

    /// The chases of `self`, after a move, that `before` it were none.
    fn since(&self, before: &Captures, novelty: Novelty) -> Attacks {
        let already: [MenSet; 16] = match novelty {
            Novelty::Victim => [before.won.victims(); 16],
            // An old attack becomes a chase when the move pins the protector.
            Novelty::Attack => array::from_fn(|man| {
                let pinned_now = self.won_by_pin.0[man] & !before.won.0[man];
                before.possible.0[man] & !pinned_now
            }),
        };
        Attacks(array::from_fn(|man| self.won.0[man] & !already[man]))
    }
}

/// The chases that a move made. The mover has the turn in `before` and, the other side having
/// passed, in `after`.
pub(super) fn made_between(before: &mut Position, after: &mut Position, law: &Law) -> Attacks {
    let now = Captures::of(after, law);
    if now.won.is_empty() {
        return now.won;
    }
    now.since(&Captures::of(before, law), law.novelty)
}

/// Attacks by the king or by pawns are never chases.
fn can_chase(attacker: PieceId) -> bool {
    !matches!(attacker.kind(), PieceType::King | PieceType::Pawn)
}

/// An attack on the king is a check; a pawn is worth chasing only once it has crossed the river.
fn can_be_chased(victim: PieceId, on: Square) -> bool {
    match victim.kind() {
        PieceType::King => false,
        PieceType::Pawn => crossed_river(victim.color(), on),
        _ => true,
    }
}

/// Is the victim worth so much more that its protection does not matter?
fn outranks(attacker: PieceType, victim: PieceType, law: &Law) -> bool {
    use PieceType::{Advisor, Bishop, Cannon, Knight, Rook};
    match attacker {
        Knight | Cannon => victim == Rook,
        Advisor | Bishop => law.minors_outrank && matches!(victim, Rook | Knight | Cannon),
        _ => false,
    }
}

/// Protection (根) is looked at after the capture: a screen or a line may have gone with it. A
/// check that the other side has yet to answer, `checking`, pins nobody.
fn protection(pos: &mut Position, capture: Move, checking: bool) -> Protection {
    pos.make(capture);
    let guard = KingGuard::new(pos);
    let mut replies = MoveList::new();
    pos.captures(&mut replies);
    let mut found = Protection::None;
    for reply in replies.into_iter().filter(|reply| reply.to == capture.to) {
        found = Protection::Pinned;
        if checking || guard.is_legal(pos, reply) {
            found = Protection::Real;
            break;
        }
    }
    pos.unmake();
    found
}

/// Like pieces that can take each other offer an exchange (兑). A piece that cannot take back,
/// since it is pinned or its leg is hobbled, is chased.
fn is_exchange(pos: &mut Position, capture: Move, checking: bool) -> bool {
    let kind = |square| pos.id_on(square).map(PieceId::kind);
    if kind(capture.from) != kind(capture.to) {
        return false;
    }
    pos.make_null();
    let back = Move::new(capture.to, capture.from);
    let takes_back = if checking { pos.is_pseudo_legal(back) } else { pos.is_legal(back) };
    pos.unmake();
    takes_back
}

#[cfg(test)]
mod tests;
