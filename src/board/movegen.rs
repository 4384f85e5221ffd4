//! Move generation: captures and quiet moves apart for the search, all at once for everyone else.

use super::guard::KingGuard;
use super::tables::{
    ADVISOR_STEPS, BISHOP_STEPS, FILE_SQUARES, KNIGHT_STEPS, Line, PAWN_STEPS, RANK_MASK,
    RANK_SQUARES,
};
use super::{Position, in_line};
use crate::types::{Color, Move, MoveList, PieceId, PieceType, Square};

/// Which moves a generator emits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Captures,
    Quiets,
}

impl Position {
    /// Appends the pseudo-legal captures of the side to move.
    pub fn captures(&self, list: &mut MoveList) {
        self.generate(Kind::Captures, list);
    }

    /// Appends the pseudo-legal moves of the side to move that capture nothing.
    pub fn quiets(&self, list: &mut MoveList) {
        self.generate(Kind::Quiets, list);
    }

    /// Appends all pseudo-legal moves, captures first.
    pub fn pseudo_legal(&self, list: &mut MoveList) {
        self.captures(list);
        self.quiets(list);
    }

    /// All legal moves of the side to move.
    pub fn legal_moves(&self) -> MoveList {
        let guard = KingGuard::new(self);
        let mut list = MoveList::new();
        self.pseudo_legal(&mut list);
        list.retain(|mv| guard.is_legal(self, mv));
        list
    }

    /// Can the side to move play this move?
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && KingGuard::new(self).is_legal(self, mv)
    }

    fn generate(&self, kind: Kind, list: &mut MoveList) {
        let us = self.side_to_move();
        let wanted = |to: Square| match kind {
            Kind::Captures => self.is_man_of(!us, to),
            Kind::Quiets => self.is_empty(to),
        };
        let mut step = |from: Square, to: Square| {
            if wanted(to) {
                list.push(Move::new(from, to));
            }
        };

        for id in PieceId::of(us) {
            let Some(from) = self.square_of(*id) else { continue };
            let at = from.index();
            match id.kind() {
                PieceType::King => self.king_steps().for_each(|to| step(from, to)),
                PieceType::Advisor => ADVISOR_STEPS[at].iter().for_each(|to| step(from, to)),
                PieceType::Pawn => {
                    PAWN_STEPS[us.index()][at].iter().for_each(|to| step(from, to));
                }
                PieceType::Bishop => {
                    for (to, eye) in BISHOP_STEPS[at].iter() {
                        if self.is_empty(eye) {
                            step(from, to);
                        }
                    }
                }
                PieceType::Knight => {
                    for (to, leg) in KNIGHT_STEPS[at].iter() {
                        if self.is_empty(leg) {
                            step(from, to);
                        }
                    }
                }
                PieceType::Rook | PieceType::Cannon => {
                    let (file, rank) = self.slide_words(kind, id.kind(), from);
                    in_line(file, &FILE_SQUARES[from.file().index()], |to| step(from, to));
                    in_line(rank, &RANK_SQUARES[from.rank().index()], |to| step(from, to));
                }
            }
        }
    }

    /// Targets of a rook or cannon along its file and its rank.
    #[inline]
    fn slide_words(&self, kind: Kind, piece: PieceType, from: Square) -> (u16, u16) {
        let (file, rank) = (self.file_line(from), self.rank_line(from));
        if kind == Kind::Quiets {
            return (file.quiet, rank.quiet & RANK_MASK);
        }
        let them = !self.side_to_move();
        let reach = |line: &Line| if piece == PieceType::Rook { line.first } else { line.second };
        (
            reach(file) & self.file_word_of(them, from.file()),
            reach(rank) & self.rank_word_of(them, from.rank()),
        )
    }

    /// Is the move one that the man on `from` can make, the king's safety aside?
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let Some(id) = self.id_on(mv.from).filter(|id| id.color() == us) else { return false };
        if self.is_man_of(us, mv.to) {
            return false;
        }
        let at = mv.from.index();
        match id.kind() {
            PieceType::King => self.king_steps().any(|to| to == mv.to),
            PieceType::Advisor => ADVISOR_STEPS[at].contains(mv.to),
            PieceType::Pawn => PAWN_STEPS[us.index()][at].contains(mv.to),
            PieceType::Bishop => {
                BISHOP_STEPS[at].iter().any(|(to, eye)| to == mv.to && self.is_empty(eye))
            }
            PieceType::Knight => {
                KNIGHT_STEPS[at].iter().any(|(to, leg)| to == mv.to && self.is_empty(leg))
            }
            PieceType::Rook | PieceType::Cannon => {
                let kind = if self.is_empty(mv.to) { Kind::Quiets } else { Kind::Captures };
                let (file, rank) = self.slide_words(kind, id.kind(), mv.from);
                file & self.file_bit(mv.to, mv.from.file()) != 0
                    || rank & self.rank_bit(mv.to, mv.from.rank()) != 0
            }
        }
    }

    /// Number of legal moves, for perft's last ply: counted without a list where no enemy man
    /// looks at the king's lines.
    pub(super) fn count_legal(&self) -> usize {
        let guard = KingGuard::new(self);
        if !guard.is_free() {
            let mut list = MoveList::new();
            self.pseudo_legal(&mut list);
            return list.into_iter().filter(|&mv| guard.is_legal(self, mv)).count();
        }
        let us = self.side_to_move();
        let free = |to: Square| usize::from(!self.is_man_of(us, to));
        let mut count =
            self.king_steps().filter(|&to| free(to) == 1 && self.is_king_safe_on(to)).count();
        for id in &PieceId::of(us)[1..] {
            let Some(from) = self.square_of(*id) else { continue };
            count += self.count_targets(us, id.kind(), from, free);
        }
        count
    }

    #[inline]
    fn count_targets(
        &self,
        us: Color,
        kind: PieceType,
        from: Square,
        free: impl Fn(Square) -> usize,
    ) -> usize {
        let at = from.index();
        let lame = |(to, over): (Square, Square)| if self.is_empty(over) { free(to) } else { 0 };
        match kind {
            PieceType::King => 0,
            PieceType::Advisor => ADVISOR_STEPS[at].iter().map(free).sum(),
            PieceType::Pawn => PAWN_STEPS[us.index()][at].iter().map(free).sum(),
            PieceType::Bishop => BISHOP_STEPS[at].iter().map(lame).sum(),
            PieceType::Knight => KNIGHT_STEPS[at].iter().map(lame).sum(),
            PieceType::Rook | PieceType::Cannon => {
                let (file, rank) = self.slide_words(Kind::Captures, kind, from);
                usize::from(self.file_line(from).file_mobility)
                    + usize::from(self.rank_line(from).rank_mobility)
                    + up_to_two(file)
                    + up_to_two(rank)
            }
        }
    }
}

/// Number of bits in a word that has two at most.
#[inline]
fn up_to_two(word: u16) -> usize {
    usize::from(word != 0) + usize::from(word & word.wrapping_sub(1) != 0)
}
