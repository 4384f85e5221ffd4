//! Quiescence: below the horizon only what changes the board by force, until the position is quiet.

use super::history::{Context, PieceTo};
use super::node::{Search, bound, cuts, improves, table_key};
use super::params::*;
use super::picker::MovePicker;
use super::tt::TtEntry;
use crate::board::{KingGuard, Position};
use crate::types::score::{INFINITE, MATE_BOUND, is_decisive, is_mate, is_rule, mated_in};
use crate::types::{MAX_PLY, Move, Score};

impl Search<'_> {
    /// Only captures (and answers to check), until the position is quiet. At the first ply quiet
    /// moves that give check as well.
    pub fn quiescence<const PV: bool>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        guard: &KingGuard,
        first: bool,
    ) -> Score {
        // 1. Limits
        if self.count_node() {
            return 0;
        }
        let in_check = guard.is_check();
        if PV {
            self.stack[ply].pv.clear();
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if let Some(score) = self.rule_score(ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(in_check, ply);
        }

        // 2. Table
        let key = table_key(&self.pos);
        let entry = self.probe(key, ply);
        if !PV
            && let Some(e) = entry
            && cuts(&e, alpha, beta)
        {
            return e.score;
        }

        // 3. Stand pat: nobody is forced to capture
        let raw_eval = self.raw_eval(entry, in_check, ply);
        let original_alpha = alpha;
        let mut best = -INFINITE;
        if !in_check {
            let static_eval = self.corrected(raw_eval);
            best = match entry {
                Some(e) if !is_decisive(e.score) && improves(&e, static_eval) => e.score,
                _ => static_eval,
            };
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let promise = best + DELTA_MARGIN;

        // 4. Captures that do not lose; in check everything
        let table_move = entry.and_then(|e| e.mv);
        let mut picker = if in_check {
            MovePicker::new(table_move, [None; 3])
        } else {
            let captures = MovePicker::captures(table_move, 0);
            if first { captures.with_checks() } else { captures }
        };
        let context = if in_check || first { self.context(ply) } else { Context::NONE };
        let mut best_move = None;
        let mut number = 0;
        while let Some(mv) = picker.next(&self.pos, guard, self.histories, &context) {
            number += 1;
            let quiet = self.pos.is_empty(mv.to);
            if in_check {
                if best > -MATE_BOUND && quiet && number > QUIESCENCE_EVASIONS {
                    picker.skip_quiets();
                    continue;
                }
            } else if quiet {
                if !self.pos.see_ge(mv, 0) {
                    continue;
                }
            } else {
                let value = exchange_value(&self.pos, mv);
                if promise + value <= alpha && !is_mate(alpha) {
                    best = best.max(promise + value);
                    continue;
                }
            }
            let Some(piece) = self.pos.piece_on(mv.from) else { continue };
            self.stack[ply].moved = PieceTo::new(piece, mv.to);
            self.pos.make(mv);
            self.shared.table.prefetch(table_key(&self.pos));
            let child = KingGuard::new(&self.pos);
            self.pos.set_gave_check(child.is_check());
            let score = -self.quiescence::<PV>(-beta, -alpha, ply + 1, &child, false);
            self.pos.unmake();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && number == 0 {
            return mated_in(ply);
        }

        // 5. Store
        if !is_rule(best) {
            let bound = bound(best, beta, PV && best > original_alpha);
            let pv = PV || entry.is_some_and(|e| e.pv);
            let entry = TtEntry { mv: best_move, score: best, eval: raw_eval, depth: 0, bound, pv };
            self.store(key, ply, entry);
        }
        best
    }
}

/// Value of what a move captures.
fn exchange_value(pos: &Position, mv: Move) -> Score {
    pos.id_on(mv.to).map_or(0, |id| crate::board::see::EXCHANGE_VALUE[id.kind().index()])
}
