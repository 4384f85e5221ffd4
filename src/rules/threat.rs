//! What a played move was, clause by clause: check, chase, mate threat, exchange offer, sacrifice
//! offer, block, follow or idle.

use std::fmt;

use super::chase::{self, Attacks};
use super::law::Law;
use super::mate_threat::{CheckSolver, THREAT_MOVES};
use crate::board::tables::{KNIGHT_LEG, crossed_river};
use crate::board::{Position, Undo};
use crate::types::{Color, Move, MoveList, Piece, PieceId, PieceType, Square};

/// The nature of a move in a repetition. The first that fits, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Nature {
    /// 将: attacks the king.
    Check,
    /// 捉: attacks a man that could be won.
    Chase,
    /// 杀: threatens to mate by checks.
    MateThreat,
    /// 兑: attacks a like man that can take back.
    Exchange,
    /// 献: goes where it can be taken for gain.
    Offer,
    /// 拦: cuts an enemy man's line or hobbles it.
    Block,
    /// 跟: attacks a protected man.
    Follow,
    /// 闲: none of these.
    Idle,
}

impl Nature {
    /// In index order: machine word, English, Chinese.
    const NAMED: [(Nature, &'static str, &'static str, &'static str); 8] = [
        (Nature::Check, "check", "check", "将"),
        (Nature::Chase, "chase", "chase", "捉"),
        (Nature::MateThreat, "mate_threat", "mate threat", "杀"),
        (Nature::Exchange, "exchange", "exchange", "兑"),
        (Nature::Offer, "offer", "sacrifice", "献"),
        (Nature::Block, "block", "block", "拦"),
        (Nature::Follow, "follow", "follow", "跟"),
        (Nature::Idle, "idle", "idle", "闲"),
    ];

    /// One lower-case word for machines, as in `mate_threat`.
    pub fn word(self) -> &'static str {
        Nature::NAMED[self as usize].1
    }

    /// In English, as in `mate threat`.
    pub fn english(self) -> &'static str {
        Nature::NAMED[self as usize].2
    }

    /// The Chinese term.
    pub fn chinese(self) -> &'static str {
        Nature::NAMED[self as usize].3
    }
}

impl fmt::Display for Nature {
    /// English with the Chinese term, as in `mate threat (杀)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.english(), self.chinese())
    }
}

/// One man that chases another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Chase {
    /// Who.
    pub attacker: Piece,
    /// Where it stands.
    pub from: Square,
    /// Whom.
    pub victim: Piece,
    /// Where the victim stands.
    pub on: Square,
}

/// A played move and what it was.
#[derive(Clone, Debug)]
pub struct Deed {
    /// Who played it.
    pub mover: Color,
    /// The move.
    pub mv: Move,
    /// The position before it.
    pub before: Position,
    /// What it was.
    pub nature: Nature,
    /// Does it threaten mate? A move that chases may do both.
    pub threatens_mate: bool,
    /// The chases it made. A move that checks may chase as well.
    pub chases: Vec<Chase>,
    /// The men chased.
    pub(super) victims: chase::MenSet,
}

/// The board around one played move.
struct Ply {
    mv: Move,
    /// The mover to move.
    before: Position,
    /// The other side to move.
    after: Position,
    /// As if the other side had passed: the mover to move again.
    passed: Position,
}

/// Looks at the last move that led to `after`.
pub(super) fn classify(after: &Position, undo: &Undo, mv: Move, law: &Law) -> Deed {
    let mut ply = Ply::new(after, undo, mv);
    let made = chase::made_between(&mut ply.before, &mut ply.passed, law);
    let threatens_mate = !undo.gave_check && ply.makes_mate_threat();
    let nature = if undo.gave_check {
        Nature::Check
    } else if !made.is_empty() {
        Nature::Chase
    } else if threatens_mate {
        Nature::MateThreat
    } else {
        ply.quiet_nature()
    };
    Deed {
        mover: ply.mover(),
        mv,
        nature,
        threatens_mate,
        chases: ply.chases(made),
        victims: made.victims(),
        before: ply.before,
    }
}

/// Does the move, which gave no check, make a mate threat?
pub(super) fn makes_mate_threat(after: &Position, undo: &Undo, mv: Move) -> bool {
    Ply::new(after, undo, mv).makes_mate_threat()
}

impl Ply {
    fn new(after: &Position, undo: &Undo, mv: Move) -> Ply {
        let after = after.snapshot();
        let mut before = after.clone();
        before.revert(undo);
        let mut passed = after.clone();
        passed.make_null();
        Ply { mv, before, after, passed }
    }

    fn mover(&self) -> Color {
        self.before.side_to_move()
    }

    /// A mate threat is one that did not stand before the move, or that is now nearer: who could
    /// have mated instead of moving has threatened nothing by the move.
    fn makes_mate_threat(&mut self) -> bool {
        let mut solver = CheckSolver::default();
        let Some(now) = solver.shortest_mate(&mut self.passed, THREAT_MOVES) else { return false };
        solver.shortest_mate(&mut self.before, now).is_none()
    }

    fn chases(&self, made: Attacks) -> Vec<Chase> {
        made.pairs(PieceId::of(self.mover()))
            .filter_map(|(attacker, victim)| {
                Some(Chase {
                    attacker: attacker.piece(),
                    from: self.after.square_of(attacker)?,
                    victim: victim.piece(),
                    on: self.after.square_of(victim)?,
                })
            })
            .collect()
    }

    /// The nature of a move that attacks nothing it could win.
    fn quiet_nature(&self) -> Nature {
        let attacked = self.new_attacks();
        let are_like = |&(attacker, victim): &(PieceId, PieceId)| attacker.kind() == victim.kind();
        if attacked.iter().any(are_like) {
            Nature::Exchange
        } else if self.offers_a_man() {
            Nature::Offer
        } else if self.blocks() {
            Nature::Block
        } else if !attacked.is_empty() {
            Nature::Follow
        } else {
            Nature::Idle
        }
    }

    /// Attacks that could be carried out now and were not there before, by other men than king
    /// and pawns.
    fn new_attacks(&self) -> Vec<(PieceId, PieceId)> {
        let before = attacks(&self.before);
        attacks(&self.passed)
            .into_iter()
            .filter(|attack| !before.contains(attack))
            .filter(|(by, _)| !matches!(by.kind(), PieceType::King | PieceType::Pawn))
            .filter(|&(by, whom)| {
                let squares = self.passed.square_of(by).zip(self.passed.square_of(whom));
                squares.is_some_and(|(from, to)| self.passed.is_legal(Move::new(from, to)))
            })
            .collect()
    }

    /// Can the man just moved be taken for gain?
    fn offers_a_man(&self) -> bool {
        let mut captures = MoveList::new();
        self.after.captures(&mut captures);
        captures
            .into_iter()
            .any(|mv| mv.to == self.mv.to && self.after.is_legal(mv) && self.after.see_ge(mv, 1))
    }

    /// Does the moved man keep an enemy man from a capture, or from coming on in the own half?
    fn blocks(&self) -> bool {
        let mut before = self.before.clone();
        before.make_null();
        let mut moves = MoveList::new();
        before.pseudo_legal(&mut moves);
        moves.into_iter().any(|mv| {
            let comes_on = !crossed_river(self.mover(), mv.to) && self.is_nearer(mv.to, mv.from);
            let captures = mv.to != self.mv.from && self.after.is_man_of(self.mover(), mv.to);
            (comes_on || captures)
                && is_on_the_way(self.mv.to, mv)
                && !self.after.is_pseudo_legal(mv)
        })
    }

    /// Is one square nearer to the mover's back rank than the other?
    fn is_nearer(&self, square: Square, than: Square) -> bool {
        match self.mover() {
            Color::Red => square.rank() < than.rank(),
            Color::Black => square.rank() > than.rank(),
        }
    }
}

/// Does a line man pass over `square` in this move, or is it the leg of a horse's?
fn is_on_the_way(square: Square, mv: Move) -> bool {
    if let Some(leg) = KNIGHT_LEG[mv.from.index()][mv.to.index()] {
        return square == leg;
    }
    let within = |n: usize, a: usize, b: usize| (a.min(b)..=a.max(b)).contains(&n);
    square != mv.from
        && square != mv.to
        && within(square.file().index(), mv.from.file().index(), mv.to.file().index())
        && within(square.rank().index(), mv.from.rank().index(), mv.to.rank().index())
}

/// Whom the men of the side to move attack, the safety of their king aside.
fn attacks(pos: &Position) -> Vec<(PieceId, PieceId)> {
    let mut captures = MoveList::new();
    pos.captures(&mut captures);
    captures.into_iter().filter_map(|mv| pos.id_on(mv.from).zip(pos.id_on(mv.to))).collect()
}

#[cfg(test)]
mod tests;
