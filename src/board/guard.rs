//! Check given and received, and the legality of moves, without making them.

use super::Position;
use super::tables::{KING_STEPS, KNIGHT_LEG, LINE, PAWN_SOURCES};
use crate::types::{Color, Move, PieceId, PieceType, Square};

/// What looks at the king of the side to move, taken once per node.
///
/// Only four things can attack a king: a rook or the other king along a clear line, a cannon over
/// one screen, a horse over a free leg, a pawn beside it. The guard keeps the enemy men on the
/// king's two lines as bit masks and the horses' legs, so a move is judged by looking its new line
/// words up. *Entering* a line matters as much as leaving it, since it may make a cannon's screen;
/// that is why the test uses the whole new line and not a pin ray.
#[derive(Clone, Copy, Debug)]
pub struct KingGuard {
    king: Square,
    file: LineWatch,
    rank: LineWatch,
    /// With a horse or pawn giving check: the squares where a non-king move answers *all* of them.
    answers: Option<[Option<Square>; 2]>,
    /// A horse that would check but for the man on its leg: leg and horse.
    legs: [Option<(Square, Square)>; 2],
}

/// Enemy men on one of the king's lines.
#[derive(Clone, Copy, Debug, Default)]
struct LineWatch {
    /// Rooks and the facing king: attack over no man.
    rooks: u16,
    /// Cannons: attack over one man.
    cannons: u16,
    /// The king stands in check along this line.
    check: bool,
    /// A single move on this line may give or end check.
    live: bool,
}

impl LineWatch {
    /// The men of `side` that matter on the file and on the rank of the king on `king`.
    fn both(pos: &Position, side: Color, king: Square) -> (LineWatch, LineWatch) {
        let (mut file, mut rank) = (LineWatch::default(), LineWatch::default());
        file.rooks = pos.bit_on_file(PieceId::king(side), king);
        for id in PieceId::rooks(side) {
            file.rooks |= pos.bit_on_file(id, king);
            rank.rooks |= pos.bit_on_rank(id, king);
        }
        for id in PieceId::cannons(side) {
            file.cannons |= pos.bit_on_file(id, king);
            rank.cannons |= pos.bit_on_rank(id, king);
        }
        (file, rank)
    }

    /// Does one of the men attack the king on `place`?
    fn attacks(&self, place: usize, occupancy: u16) -> bool {
        let line = &LINE[place][usize::from(occupancy) & 1023];
        line.first & self.rooks != 0 || line.second & self.cannons != 0
    }

    /// The watch after one of the men has moved. A king never gives check itself, but may stop
    /// or begin to face the other.
    fn moved(mut self, mover: PieceType, from: u16, to: u16) -> LineWatch {
        match mover {
            PieceType::Rook | PieceType::King => self.rooks = self.rooks & !from | to,
            PieceType::Cannon => self.cannons = self.cannons & !from | to,
            _ => {}
        }
        self
    }

    fn look(&mut self, place: usize, occupancy: u16) {
        let line = &LINE[place][usize::from(occupancy) & 1023];
        self.check = self.attacks(place, occupancy);
        // One move changes the number of men between by one at most (or by the captured attacker).
        self.live = (line.first | line.second) & self.rooks != 0 || self.cannons != 0;
    }

    /// Is the king safe along this line once `from` is empty and `to` is ours?
    fn allows(&self, place: usize, occupancy: u16, from: u16, to: u16) -> bool {
        let left = LineWatch { rooks: self.rooks & !to, cannons: self.cannons & !to, ..*self };
        !left.attacks(place, occupancy & !from | to)
    }
}

impl KingGuard {
    /// Looks around the king of the side to move.
    pub fn new(pos: &Position) -> KingGuard {
        let us = pos.side_to_move();
        let them = !us;
        let king = pos.king(us);
        let (file, rank) = LineWatch::both(pos, them, king);
        let mut guard = KingGuard { king, file, rank, answers: None, legs: [None; 2] };
        if guard.file.rooks | guard.file.cannons != 0 {
            guard.file.look(king.rank().index(), pos.file_word(king.file()));
        }
        if guard.rank.rooks | guard.rank.cannons != 0 {
            guard.rank.look(king.file().index(), pos.rank_word(king.rank()));
        }

        for (id, slot) in PieceId::knights(them).into_iter().zip(&mut guard.legs) {
            let Some(knight) = pos.square_of(id) else { continue };
            let Some(leg) = KNIGHT_LEG[knight.index()][king.index()] else { continue };
            if pos.is_empty(leg) {
                add_step_check(&mut guard.answers, [Some(knight), Some(leg)]);
            } else {
                *slot = Some((leg, knight));
            }
        }
        for from in PAWN_SOURCES[them.index()][king.index()].iter() {
            if pos.is_pawn_of(them, from) {
                add_step_check(&mut guard.answers, [Some(from), None]);
            }
        }
        guard
    }

    /// Is the side to move in check?
    #[inline]
    pub fn is_check(&self) -> bool {
        self.file.check || self.rank.check || self.answers.is_some()
    }

    /// Is every pseudo-legal move that does not move the king legal?
    #[inline]
    pub fn is_free(&self) -> bool {
        !self.file.live
            && !self.rank.live
            && self.answers.is_none()
            && self.legs[0].is_none()
            && self.legs[1].is_none()
    }

    /// Does a pseudo-legal move leave the mover's king safe?
    #[inline]
    pub fn is_legal(&self, pos: &Position, mv: Move) -> bool {
        if mv.from == self.king {
            return pos.is_king_safe_on(mv.to);
        }
        if let Some(answers) = &self.answers
            && !answers.contains(&Some(mv.to))
        {
            return false;
        }
        for (leg, knight) in self.legs.iter().flatten() {
            if mv.from == *leg && mv.to != *knight {
                return false;
            }
        }
        self.lines_allow(pos, mv)
    }

    fn lines_allow(&self, pos: &Position, mv: Move) -> bool {
        let king = self.king;
        if self.file.live {
            let from = pos.file_bit(mv.from, king.file());
            let to = pos.file_bit(mv.to, king.file());
            if (self.file.check || from | to != 0)
                && !self.file.allows(king.rank().index(), pos.file_word(king.file()), from, to)
            {
                return false;
            }
        }
        if self.rank.live {
            let from = pos.rank_bit(mv.from, king.rank());
            let to = pos.rank_bit(mv.to, king.rank());
            if (self.rank.check || from | to != 0)
                && !self.rank.allows(king.file().index(), pos.rank_word(king.rank()), from, to)
            {
                return false;
            }
        }
        true
    }
}

/// The same look at the *other* king: tells which moves of the side to move give check.
#[derive(Clone, Copy, Debug)]
pub struct CheckSpotter {
    king: Square,
    file: LineWatch,
    rank: LineWatch,
    /// Our horses that would check but for the man on their leg: leg and horse.
    legs: [Option<(Square, Square)>; 2],
}

impl CheckSpotter {
    /// Looks around the king of the side that is not to move.
    pub fn new(pos: &Position) -> CheckSpotter {
        let us = pos.side_to_move();
        let king = pos.king(!us);
        let (file, rank) = LineWatch::both(pos, us, king);
        let mut spotter = CheckSpotter { king, file, rank, legs: [None; 2] };
        for (id, slot) in PieceId::knights(us).into_iter().zip(&mut spotter.legs) {
            *slot = pos
                .square_of(id)
                .and_then(|knight| Some((KNIGHT_LEG[knight.index()][king.index()]?, knight)));
        }
        spotter
    }

    /// Does a legal move give check, directly or by what it uncovers or screens?
    pub fn gives_check(&self, pos: &Position, mv: Move) -> bool {
        let Some(mover) = pos.id_on(mv.from) else { return false };
        let direct = match mover.kind() {
            PieceType::Knight => KNIGHT_LEG[mv.to.index()][self.king.index()]
                .is_some_and(|leg| pos.is_empty(leg) || leg == mv.from),
            PieceType::Pawn => {
                PAWN_SOURCES[mover.color().index()][self.king.index()].contains(mv.to)
            }
            _ => false,
        };
        let unblocks = |(leg, knight): &(Square, Square)| *leg == mv.from && *knight != mv.from;
        direct || self.legs.iter().flatten().any(unblocks) || self.on_lines(pos, mv, mover)
    }

    fn on_lines(&self, pos: &Position, mv: Move, mover: PieceId) -> bool {
        let king = self.king;
        let from = pos.file_bit(mv.from, king.file());
        let to = pos.file_bit(mv.to, king.file());
        if from | to != 0
            && self
                .file
                .moved(mover.kind(), from, to)
                .attacks(king.rank().index(), pos.file_word(king.file()) & !from | to)
        {
            return true;
        }
        let from = pos.rank_bit(mv.from, king.rank());
        let to = pos.rank_bit(mv.to, king.rank());
        from | to != 0
            && self
                .rank
                .moved(mover.kind(), from, to)
                .attacks(king.file().index(), pos.rank_word(king.rank()) & !from | to)
    }
}

/// Narrows the answering squares down to those that meet the new check as well.
fn add_step_check(answers: &mut Option<[Option<Square>; 2]>, new: [Option<Square>; 2]) {
    *answers = Some(match answers {
        None => new,
        Some(old) => old.map(|square| square.filter(|s| new.contains(&Some(*s)))),
    });
}

impl Position {
    /// Would the mover's king be safe on `to`, having left its square and taken what stands there?
    pub(super) fn is_king_safe_on(&self, to: Square) -> bool {
        let us = self.side_to_move();
        let them = !us;
        let king = self.king(us);
        let captured = self.id_on(to);
        let enemy = |id: PieceId| if captured == Some(id) { None } else { self.square_of(id) };

        let (mut file, mut rank) = (LineWatch::default(), LineWatch::default());
        for id in PieceId::rooks(them).into_iter().chain([PieceId::king(them)]) {
            if let Some(square) = enemy(id) {
                file.rooks |= self.file_bit(square, to.file());
                rank.rooks |= self.rank_bit(square, to.rank());
            }
        }
        for id in PieceId::cannons(them) {
            if let Some(square) = enemy(id) {
                file.cannons |= self.file_bit(square, to.file());
                rank.cannons |= self.rank_bit(square, to.rank());
            }
        }
        let file_word = self.file_word(to.file()) & !self.file_bit(king, to.file());
        let rank_word = self.rank_word(to.rank()) & !self.rank_bit(king, to.rank());
        if file.attacks(to.rank().index(), file_word) || rank.attacks(to.file().index(), rank_word)
        {
            return false;
        }
        for id in PieceId::knights(them) {
            if let Some(knight) = enemy(id)
                && let Some(leg) = KNIGHT_LEG[knight.index()][to.index()]
                && (self.is_empty(leg) || leg == king)
            {
                return false;
            }
        }
        !PAWN_SOURCES[them.index()][to.index()].iter().any(|from| self.is_pawn_of(them, from))
    }

    /// Is the king of `color` attacked? The plain definition; the guard has to agree with it.
    pub fn is_attacked(&self, color: Color) -> bool {
        let king = self.king(color);
        let (file, rank) = LineWatch::both(self, !color, king);
        file.attacks(king.rank().index(), self.file_word(king.file()))
            || rank.attacks(king.file().index(), self.rank_word(king.rank()))
            || PieceId::knights(!color).into_iter().any(|id| {
                self.square_of(id)
                    .and_then(|knight| KNIGHT_LEG[knight.index()][king.index()])
                    .is_some_and(|leg| self.is_empty(leg))
            })
            || PAWN_SOURCES[(!color).index()][king.index()]
                .iter()
                .any(|from| self.is_pawn_of(!color, from))
    }

    /// Where the king of the side to move could step, occupied or not.
    #[inline]
    pub(super) fn king_steps(&self) -> impl Iterator<Item = Square> + use<> {
        KING_STEPS[self.king(self.side_to_move()).index()].iter()
    }
}
