//! Moves one by one, the promising ones first, each generated only when it is needed.

use super::history::{Context, Histories};
use crate::board::see::EXCHANGE_VALUE;
use crate::board::{CheckSpotter, KingGuard, Position};
use crate::types::{MAX_MOVES, Move, MoveList, Score, Square};

/// Where the picker stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    /// The move of the hash table.
    Table,
    GenerateCaptures,
    /// Captures that do not lose material.
    GoodCaptures,
    /// Killers and the counter move.
    Refutations,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    /// Quiet moves that give check, behind the captures of quiescence.
    GenerateChecks,
    Checks,
    Done,
}

/// A move with its place in the order.
#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Hands out the legal moves of a node in stages.
pub struct MovePicker {
    stage: Stage,
    table_move: Option<Move>,
    refutations: [Option<Move>; 3],
    next_refutation: usize,
    /// Captures that lose more than this are left for the end, or out.
    threshold: Score,
    captures_only: bool,
    with_checks: bool,
    skip_quiets: bool,
    moves: [Scored; MAX_MOVES],
    len: usize,
    at: usize,
    /// `moves[..bad]` are the captures put off.
    bad: usize,
}

impl MovePicker {
    /// All moves of a node. `refutations` are quiet moves to try before the others.
    pub fn new(table_move: Option<Move>, refutations: [Option<Move>; 3]) -> MovePicker {
        MovePicker {
            stage: Stage::Table,
            table_move,
            refutations,
            next_refutation: 0,
            threshold: 0,
            captures_only: false,
            with_checks: false,
            skip_quiets: false,
            moves: [Scored { mv: Move::new(Square::A0, Square::A0), score: 0 }; MAX_MOVES],
            len: 0,
            at: 0,
            bad: 0,
        }
    }

    /// Only captures that win at least `threshold`.
    pub fn captures(table_move: Option<Move>, threshold: Score) -> MovePicker {
        MovePicker { threshold, captures_only: true, ..MovePicker::new(table_move, [None; 3]) }
    }

    /// After the captures also the quiet moves that give check.
    pub fn with_checks(mut self) -> MovePicker {
        self.with_checks = true;
        self
    }

    /// From here on no quiet move any more.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Have the captures that lose material begun?
    pub fn is_bad_capture_stage(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// The next legal move.
    pub fn next(
        &mut self,
        pos: &Position,
        guard: &KingGuard,
        histories: &Histories,
        context: &Context,
    ) -> Option<Move> {
        loop {
            let candidate = match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateCaptures;
                    self.table_move = self.table_move.filter(|&mv| {
                        pos.is_pseudo_legal(mv) && (!self.captures_only || !pos.is_empty(mv.to))
                    });
                    self.table_move
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(pos, histories);
                    self.stage = Stage::GoodCaptures;
                    continue;
                }
                Stage::GoodCaptures => self.good_capture(pos),
                Stage::Refutations => self.refutation(pos),
                Stage::GenerateQuiets => {
                    self.at = self.len;
                    if !self.skip_quiets {
                        self.generate_quiets(pos, histories, context);
                    }
                    self.stage = Stage::Quiets;
                    continue;
                }
                Stage::Quiets => self.quiet(),
                Stage::BadCaptures => self.bad_capture(),
                Stage::GenerateChecks => {
                    self.at = self.len;
                    self.generate_checks(pos, histories, context);
                    self.stage = Stage::Checks;
                    continue;
                }
                Stage::Checks => self.check(),
                Stage::Done => return None,
            };
            if let Some(mv) = candidate
                && guard.is_legal(pos, mv)
            {
                return Some(mv);
            }
        }
    }

    fn generate_captures(&mut self, pos: &Position, histories: &Histories) {
        let mut list = MoveList::new();
        pos.captures(&mut list);
        for mv in &list {
            if Some(mv) == self.table_move {
                continue;
            }
            let victim = pos.id_on(mv.to).map_or(0, |id| EXCHANGE_VALUE[id.kind().index()]);
            self.push(mv, 64 * victim + histories.capture(pos, mv) / 4);
        }
    }

    fn generate_quiets(&mut self, pos: &Position, histories: &Histories, context: &Context) {
        let mut list = MoveList::new();
        pos.quiets(&mut list);
        for mv in &list {
            if Some(mv) != self.table_move && !self.refutations.contains(&Some(mv)) {
                self.push(mv, histories.quiet(pos, mv, context));
            }
        }
    }

    fn generate_checks(&mut self, pos: &Position, histories: &Histories, context: &Context) {
        let spotter = CheckSpotter::new(pos);
        let mut list = MoveList::new();
        pos.quiets(&mut list);
        for mv in &list {
            if spotter.gives_check(pos, mv) {
                self.push(mv, histories.quiet(pos, mv, context));
            }
        }
    }

    fn push(&mut self, mv: Move, score: i32) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Scored { mv, score };
            self.len += 1;
        }
    }

    /// Brings the best of the rest to `at` and steps over it.
    fn best(&mut self) -> Option<Move> {
        let rest = self.moves.get_mut(self.at..self.len)?;
        let (mut best, mut score) = (0, rest.first()?.score);
        for (i, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > score {
                (best, score) = (i, scored.score);
            }
        }
        rest.swap(0, best);
        self.at += 1;
        Some(rest[0].mv)
    }

    fn good_capture(&mut self, pos: &Position) -> Option<Move> {
        while let Some(mv) = self.best() {
            if pos.see_ge(mv, self.threshold) {
                return Some(mv);
            }
            self.moves[self.bad] = self.moves[self.at - 1];
            self.bad += 1;
        }
        self.stage = match (self.captures_only, self.with_checks) {
            (false, _) => Stage::Refutations,
            (true, true) => Stage::GenerateChecks,
            (true, false) => Stage::Done,
        };
        None
    }

    fn refutation(&mut self, pos: &Position) -> Option<Move> {
        while let Some(&slot) = self.refutations.get(self.next_refutation) {
            let seen = self.refutations[..self.next_refutation].contains(&slot);
            self.next_refutation += 1;
            let Some(mv) = slot else { continue };
            if !seen
                && !self.skip_quiets
                && Some(mv) != self.table_move
                && pos.is_empty(mv.to)
                && pos.is_pseudo_legal(mv)
            {
                return Some(mv);
            }
        }
        self.stage = Stage::GenerateQuiets;
        None
    }

    fn quiet(&mut self) -> Option<Move> {
        let next = if self.skip_quiets { None } else { self.best() };
        if next.is_none() {
            self.at = 0;
            self.stage = Stage::BadCaptures;
        }
        next
    }

    fn check(&mut self) -> Option<Move> {
        let next = self.best();
        if next.is_none() {
            self.stage = Stage::Done;
        }
        next
    }

    fn bad_capture(&mut self) -> Option<Move> {
        if self.at == self.bad {
            self.stage = Stage::Done;
            return None;
        }
        self.at += 1;
        Some(self.moves[self.at - 1].mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every legal move exactly once, whatever is proposed as table move or refutation.
    #[test]
    fn hands_out_each_legal_move_once() {
        let fens = [
            crate::board::START_FEN,
            "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
            "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1",
        ];
        let histories = Histories::new();
        for fen in fens {
            let pos = Position::from_fen(fen).unwrap();
            let guard = KingGuard::new(&pos);
            let mut legal: Vec<Move> = pos.legal_moves().to_vec();
            legal.sort();
            let foreign: Move = "a5b5".parse().unwrap();
            for &hint in legal.iter().chain([&foreign]) {
                let killers = [Some(hint), legal.first().copied(), Some(foreign)];
                let mut picker = MovePicker::new(Some(hint), killers);
                let mut seen = Vec::new();
                let context = Context::NONE;
                while let Some(mv) = picker.next(&pos, &guard, &histories, &context) {
                    seen.push(mv);
                }
                assert!(hint == foreign || seen.first() == Some(&hint));
                seen.sort();
                assert_eq!(seen, legal, "{fen} with {hint}");
            }
        }
    }

    #[test]
    fn captures_only_win_the_threshold() {
        let fen = "3k5/5n3/9/4p4/p8/9/9/9/4R4/R4K3 w - - 0 1";
        let pos = Position::from_fen(fen).unwrap();
        let guard = KingGuard::new(&pos);
        let histories = Histories::new();
        let mut picker = MovePicker::captures(None, 0);
        let context = Context::NONE;
        let first = picker.next(&pos, &guard, &histories, &context);
        assert_eq!(first.map(|mv| mv.to_string()).as_deref(), Some("a0a5"));
        assert_eq!(picker.next(&pos, &guard, &histories, &context), None);
    }

    #[test]
    fn quiet_checks_follow_the_captures() {
        let fen = "3k5/9/9/4p4/9/9/9/9/4R4/R4K3 w - - 0 1";
        let pos = Position::from_fen(fen).unwrap();
        let guard = KingGuard::new(&pos);
        let histories = Histories::new();
        let mut picker = MovePicker::captures(None, 0).with_checks();
        let context = Context::NONE;
        let mut seen = Vec::new();
        while let Some(mv) = picker.next(&pos, &guard, &histories, &context) {
            seen.push(mv.to_string());
        }
        assert_eq!(seen.remove(0), "e1e6");
        seen.sort();
        assert_eq!(seen, ["a0a9", "a0d0", "e1d1"]);
    }
}
