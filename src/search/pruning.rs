//! What makes a node's subtree unnecessary: shallower searches that answer for it, and moves left out.

use super::history::PieceTo;
use super::node::Search;
use super::options::Level;
use super::params::*;
use super::picker::MovePicker;
use crate::board::{KingGuard, Position};
use crate::types::score::is_decisive;
use crate::types::{Color, Move, PieceId, Score};

impl Search<'_> {
    /// Tries to pass. A score if even that stays above beta.
    pub fn null_move(
        &mut self,
        beta: Score,
        depth: i32,
        ply: usize,
        eval: Score,
        cut_node: bool,
    ) -> Option<Score> {
        let us = self.pos.side_to_move();
        let after_null = ply > 0 && self.stack[ply - 1].moved == PieceTo::NONE;
        if depth < NULL_DEPTH
            || eval < beta
            || after_null
            || ply < self.null_from_ply
            || !has_pieces(&self.pos, us)
        {
            return None;
        }
        let reduction =
            NULL_BASE + depth / NULL_DEPTH_DIVISOR + ((eval - beta) / NULL_EVAL_DIVISOR).min(3);
        self.stack[ply].moved = PieceTo::NONE;
        self.pos.make_null();
        let child = KingGuard::new(&self.pos);
        let score = -self.search::<false, false>(
            -beta,
            -beta + 1,
            depth - reduction,
            ply + 1,
            &child,
            !cut_node,
        );
        self.pos.unmake();
        if self.stopped || score < beta {
            return None;
        }
        // Passing proves no mate.
        let score = if is_decisive(score) { beta } else { score };
        if depth < NULL_VERIFY_DEPTH || self.null_from_ply > 0 {
            return Some(score);
        }
        self.null_from_ply = ply + 3 * (depth - reduction).max(1) as usize / 4;
        let guard = KingGuard::new(&self.pos);
        let verified =
            self.search::<false, false>(beta - 1, beta, depth - reduction, ply, &guard, false);
        self.null_from_ply = 0;
        (verified >= beta && !self.stopped).then_some(score)
    }

    /// Can the move be left out at this depth?
    #[allow(clippy::too_many_arguments)] // one caller; the values are all at hand there
    pub fn prunes_move(
        &self,
        mv: Move,
        quiet: bool,
        gives_check: bool,
        in_check: bool,
        history: i32,
        depth: i32,
        lmr_depth: i32,
        eval: Score,
        alpha: Score,
        number: usize,
        improving: bool,
        picker: &mut MovePicker,
    ) -> bool {
        let level = self.shared.options.pruning;
        if level < Level::Medium {
            return false;
        }
        if !quiet {
            return depth <= SEE_DEPTH
                && !gives_check
                && !self.pos.see_ge(mv, -SEE_CAPTURE * depth);
        }
        if level >= Level::Large {
            let limit = (LMP_BASE + LMP_FACTOR * depth * depth / 3) / (2 - i32::from(improving));
            if depth <= LMP_DEPTH && !in_check && number as i32 > limit {
                picker.skip_quiets();
                return !gives_check;
            }
            if gives_check {
                return false;
            }
            if !in_check
                && lmr_depth <= FUTILITY_DEPTH
                && eval + FUTILITY_BASE + FUTILITY_MARGIN * lmr_depth <= alpha
            {
                picker.skip_quiets();
                return true;
            }
            if lmr_depth <= HISTORY_PRUNE_DEPTH && history < HISTORY_PRUNE * depth {
                return true;
            }
        }
        lmr_depth <= SEE_DEPTH
            && !gives_check
            && !self.pos.see_ge(mv, -SEE_QUIET * lmr_depth * lmr_depth)
    }
}

/// Does the side own a rook, horse or cannon? With less, having to move may hurt.
fn has_pieces(pos: &Position, color: Color) -> bool {
    PieceId::of(color)[5..11].iter().any(|&id| pos.square_of(id).is_some())
}
