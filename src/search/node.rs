//! Alpha-beta: one node of the tree.
//!
//! A [`Search`] is one thread's run of one search. Scores are fail-soft, from the side to move.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::history::{CONTINUATION_PLIES, Context, Histories, PieceTo};
use super::limits::{Bound, Limits, SearchEvent, Signals};
use super::options::{Level, SearchOptions};
use super::params::*;
use super::picker::MovePicker;
use super::root::RootMove;
use super::searcher::static_value;
use super::singular::Singular;
use super::threats;
use super::time::TimeManager;
use super::tt::{TranspositionTable, TtEntry};
use crate::board::{CheckSpotter, KingGuard, Position};
use crate::rules::MOVE_LIMIT;
use crate::rules::referee::is_move_limit;
use crate::rules::repetition::{self, Repetition};
use crate::rules::upcoming;
use crate::types::score::{
    EVAL_LIMIT, INFINITE, MATE, MATE_BOUND, RULE_WIN, is_decisive, is_mate, is_rule, mate_in,
    mated_in,
};
use crate::types::{Color, MAX_PLY, Move, MoveList, Score};

/// A thread's nodes, on cache lines of their own: they are written at every node, and threads that
/// shared one (or a pair, which processors fetch together) would wait for each other.
#[derive(Default)]
#[repr(align(128))]
pub struct NodeCounter(pub AtomicU64);

/// What all threads of a search share.
pub struct Shared<'a> {
    /// The hash table.
    pub table: &'a TranspositionTable,
    /// Flags set from outside.
    pub signals: &'a Signals,
    /// The main thread is done: all others stop.
    pub done: AtomicBool,
    /// Nodes by thread.
    pub nodes: Vec<NodeCounter>,
    /// When to stop.
    pub limits: &'a Limits,
    /// The settings.
    pub options: &'a SearchOptions,
    /// When the search began.
    pub start: Instant,
}

impl Shared<'_> {
    /// Is it time for all threads to stop?
    pub fn is_stopped(&self) -> bool {
        self.signals.is_stopped() || self.done.load(Relaxed)
    }

    /// Nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}

/// What the main thread has beside the others: the clock and someone to tell.
pub struct Lead<'a> {
    pub time: Option<TimeManager>,
    pub on_event: &'a mut (dyn FnMut(SearchEvent) + Send),
    pub was_pondering: bool,
    pub last_sign_of_life: Instant,
}

/// One thread's data of one ply.
#[derive(Clone)]
pub struct PlyInfo {
    /// The move that led to the next ply.
    pub moved: PieceTo,
    pub static_eval: Score,
    pub killers: [Option<Move>; 2],
    /// A move that is left out, to see how good the others are.
    pub excluded: Option<Move>,
    /// Extensions by two plies on the way here.
    pub double_extensions: u32,
    /// Line from here on the principal variation.
    pub pv: Vec<Move>,
}

impl PlyInfo {
    fn new() -> PlyInfo {
        PlyInfo {
            moved: PieceTo::NONE,
            static_eval: TtEntry::NO_EVAL,
            killers: [None; 2],
            excluded: None,
            double_extensions: 0,
            pv: Vec::with_capacity(MAX_PLY),
        }
    }

    /// The line found from this ply.
    pub fn line(&self) -> &[Move] {
        &self.pv
    }
}

/// One thread's run of one search. Aligned as [`NodeCounter`], for the same reason.
#[repr(align(128))]
pub struct Search<'a> {
    pub pos: Position,
    pub shared: &'a Shared<'a>,
    pub histories: &'a mut Histories,
    pub stack: Vec<PlyInfo>,
    pub root_moves: Vec<RootMove>,
    /// The lines before this one are settled in this iteration.
    pub pv_index: usize,
    pub root_depth: i32,
    /// The last completed depth.
    pub completed: i32,
    pub thread: usize,
    pub nodes: u64,
    pub seldepth: usize,
    pub stopped: bool,
    pub lead: Option<Lead<'a>>,
    pub root_side: Color,
    /// The game had not reached the move limit before the search.
    pub counts_moves: bool,
    /// Until this ply no null move is tried: its cutoff is being verified.
    pub null_from_ply: usize,
    pub last_look: Instant,
    /// Nodes from one look to the next, and when that is.
    pub look_interval: u64,
    pub next_look: u64,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub fn new(
        pos: &Position,
        shared: &'a Shared<'a>,
        histories: &'a mut Histories,
        thread: usize,
        root_moves: Vec<RootMove>,
    ) -> Search<'a> {
        Search {
            pos: pos.clone(),
            shared,
            histories,
            stack: vec![PlyInfo::new(); MAX_PLY + 3],
            root_moves,
            pv_index: 0,
            root_depth: 0,
            completed: 0,
            thread,
            nodes: 0,
            seldepth: 0,
            stopped: false,
            lead: None,
            root_side: pos.side_to_move(),
            counts_moves: pos.quiet_plies() < MOVE_LIMIT,
            null_from_ply: 0,
            last_look: shared.start,
            look_interval: 1,
            next_look: 1,
        }
    }

    /// Value of the node for the window (`alpha`, `beta`). `PV` nodes have an open window;
    /// `cut_node` says that a cutoff is expected.
    pub fn search<const PV: bool, const ROOT: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        guard: &KingGuard,
        cut_node: bool,
    ) -> Score {
        // 1. Horizon and limits
        if depth <= 0 {
            return self.quiescence::<PV>(alpha, beta, ply, guard, true);
        }
        if self.count_node() {
            return 0;
        }
        let in_check = guard.is_check();
        if PV {
            self.stack[ply].pv.clear();
            self.seldepth = self.seldepth.max(ply + 1);
        }

        // 2. Rules: repetition, move limit, bare forces; a mate that is already shorter
        if !ROOT {
            if let Some(score) = self.rule_score(ply) {
                return score;
            }
            if ply >= MAX_PLY - 1 {
                return self.evaluate(in_check, ply);
            }
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if let Some(score) = self.upcoming_repetition(alpha, ply, guard) {
                alpha = score;
            }
            if alpha >= beta {
                return alpha;
            }
        }

        // 3. Table
        let key = table_key(&self.pos);
        let entry = self.probe(key, ply);
        let excluded = self.stack[ply].excluded;
        let table_move =
            if ROOT { Some(self.root_moves[self.pv_index].mv) } else { entry.and_then(|e| e.mv) };
        if !PV
            && excluded.is_none()
            && let Some(e) = entry
            && e.depth >= depth
            && cuts(&e, alpha, beta)
        {
            if e.score >= beta
                && let Some(mv) = e.mv
                && self.pos.is_empty(mv.to)
                && self.pos.is_pseudo_legal(mv)
            {
                let context = self.context(ply);
                self.histories.update_quiet(&self.pos, mv, &context, bonus(depth) / 2);
            }
            return e.score;
        }
        let was_pv = PV || entry.is_some_and(|e| e.pv);

        // 4. Static evaluation
        let raw_eval = self.raw_eval(entry, in_check, ply);
        let static_eval = self.corrected(raw_eval);
        self.stack[ply].static_eval = static_eval;
        // The score of an earlier search is a better guess where its bound allows.
        let eval = match entry {
            Some(e) if !in_check && !is_decisive(e.score) && improves(&e, static_eval) => e.score,
            _ => static_eval,
        };
        let improving = !in_check && self.is_improving(ply);
        self.stack[ply + 2].killers = [None; 2];

        // 5. Pruning before any move: what is far above beta without moving stays there
        let level = self.shared.options.pruning;
        let prunes = !PV && !in_check && excluded.is_none() && level >= Level::Small;
        if prunes && !is_decisive(beta) {
            if depth <= RFP_DEPTH && eval - RFP_MARGIN * (depth - i32::from(improving)) >= beta {
                return (eval + beta) / 2;
            }
            // 6. Null move: so far above that even passing keeps it there
            if let Some(score) = self.null_move(beta, depth, ply, eval, cut_node) {
                return score;
            }
        }
        if self.stopped {
            return 0;
        }

        // Internal iterative reduction: without a move to begin with, depth is ill spent
        if table_move.is_none() && depth >= IIR_DEPTH && (PV || cut_node) && level >= Level::Medium
        {
            depth -= 1;
        }

        // 7. Moves
        let context = self.context(ply);
        let refutations = self.refutations(ply, &context);
        let mut picker = MovePicker::new(table_move, refutations);
        let mut spotter = None;
        let original_alpha = alpha;
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut number = 0;
        let (mut quiets, mut captures) = (MoveList::new(), MoveList::new());
        while let Some(mv) = picker.next(&self.pos, guard, self.histories, &context) {
            if ROOT && !self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv) {
                continue;
            }
            if excluded == Some(mv) {
                continue;
            }
            number += 1;
            let quiet = self.pos.is_empty(mv.to);
            let spotter = spotter.get_or_insert_with(|| CheckSpotter::new(&self.pos));
            let gives_check = spotter.gives_check(&self.pos, mv);
            let history = if quiet {
                self.histories.quiet(&self.pos, mv, &context)
            } else {
                self.histories.capture(&self.pos, mv)
            };
            let mut reduction = REDUCTIONS[depth.min(63) as usize][number.min(63)];

            // Pruning of single moves, once one move is known that does not lose
            if !ROOT && best > -MATE_BOUND && !is_rule(best) {
                let lmr_depth = (depth - reduction / 1024).max(0);
                if self.prunes_move(
                    mv,
                    quiet,
                    gives_check,
                    in_check,
                    history,
                    depth,
                    lmr_depth,
                    eval,
                    alpha,
                    number,
                    improving,
                    &mut picker,
                ) {
                    continue;
                }
            }
            if ROOT {
                self.tell_current_move(mv, number);
            }

            // 8. Extensions: the only good move, and checks
            let mut extension = 0;
            if !ROOT
                && Some(mv) == table_move
                && let Some(e) = entry
            {
                match self.singular::<PV>(mv, e, beta, depth, ply, guard, cut_node) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cutoff(score) => return score,
                }
                if self.stopped {
                    return 0;
                }
            }
            if gives_check && extension == 0 && ply < 2 * self.root_depth as usize {
                extension = 1;
            }
            self.stack[ply + 1].double_extensions =
                self.stack[ply].double_extensions + u32::from(extension > 1);

            let Some(piece) = self.pos.piece_on(mv.from) else { continue };
            self.stack[ply].moved = PieceTo::new(piece, mv.to);
            let nodes_before = self.nodes;
            self.pos.make(mv);
            self.shared.table.prefetch(table_key(&self.pos));
            self.pos.set_gave_check(gives_check);
            let child = KingGuard::new(&self.pos);
            debug_assert_eq!(child.is_check(), gives_check, "{mv} in {:?}", self.pos);
            let next_depth = depth - 1 + extension;

            // 9. Reductions: late moves are searched less deep, and again if they surprise
            let mut score = -INFINITE;
            let mut full = !PV || number > 1;
            let mut full_depth = next_depth;
            if depth >= 2 && number > 1 + usize::from(ROOT) && level >= Level::Medium {
                reduction += 1024 * i32::from(!improving && !in_check);
                reduction += LMR_CUT_NODE * i32::from(cut_node);
                reduction -= 1024 * i32::from(was_pv);
                reduction -= LMR_PV * i32::from(PV);
                reduction -= 1024 * i32::from(gives_check || in_check);
                reduction -= 1024 * i32::from(refutations.contains(&Some(mv)));
                reduction -= 1024 * history / LMR_HISTORY;
                if !quiet {
                    reduction = if picker.is_bad_capture_stage() { reduction / 2 } else { 0 };
                }
                let reduced = (next_depth - reduction.max(0) / 1024).max(1).min(next_depth);
                if reduced < next_depth {
                    score = -self.search::<false, false>(
                        -alpha - 1,
                        -alpha,
                        reduced,
                        ply + 1,
                        &child,
                        true,
                    );
                    // Much better than the best so far: a ply more; hardly better: one less.
                    if score > alpha {
                        full_depth +=
                            i32::from(score > best + LMR_DEEPER && reduced + 1 < next_depth);
                        full_depth -= i32::from(score < best + LMR_SHALLOWER);
                    }
                    full = score > alpha && full_depth > reduced;
                }
            }
            if full {
                let (a, b) = (-alpha - 1, -alpha);
                score = -self.search::<false, false>(a, b, full_depth, ply + 1, &child, !cut_node);
            }
            if PV && (number == 1 || score > alpha) {
                score =
                    -self.search::<true, false>(-beta, -alpha, next_depth, ply + 1, &child, false);
            }
            self.pos.unmake();
            if self.stopped {
                return 0;
            }
            if ROOT {
                let spent = self.nodes - nodes_before;
                self.note_root_move(mv, score, number, (alpha, beta), spent);
            }

            // 10. Best move, window, cutoff
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
            if best_move != Some(mv) {
                let tried = if quiet { &mut quiets } else { &mut captures };
                tried.push(mv);
            }
        }

        // 11. No move: mated or stalemated, which loses as well
        if number == 0 {
            let others_left_out = ROOT || excluded.is_some();
            return if others_left_out { alpha } else { mated_in(ply) };
        }
        if best >= beta
            && let Some(mv) = best_move
        {
            self.reward(mv, depth, ply, &context, &quiets, &captures);
        }

        // 12. The search knows better than the evaluation: by how much is remembered
        let quiet_best = best_move.is_none_or(|mv| self.pos.is_empty(mv.to));
        let tells_error = match bound(best, beta, best > original_alpha) {
            Bound::Lower => best > static_eval,
            Bound::Upper => best < static_eval,
            Bound::Exact => true,
        };
        if !in_check && excluded.is_none() && quiet_best && tells_error && !is_decisive(best) {
            self.histories.corrections.update(&self.pos, depth, best - static_eval);
        }

        // 13. Store. What the rules decided depends on the path and is not kept
        let partial = ROOT && self.pv_index > 0; // the best moves were left out
        if !partial && excluded.is_none() && !is_rule(best) {
            let bound = bound(best, beta, PV && best > original_alpha);
            let entry =
                TtEntry { mv: best_move, score: best, eval: raw_eval, depth, bound, pv: was_pv };
            self.store(key, ply, entry);
        }
        best
    }

    /// What the table knows of the node. A mate that was proven with more plies to go before the move
    /// limit may come too late now.
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let in_time = |entry: &TtEntry| {
            let plies = (MATE - entry.score.abs()) as u32 - ply as u32;
            !is_mate(entry.score) || self.pos.quiet_plies() + plies <= MOVE_LIMIT
        };
        let entry = self.shared.table.probe(key, ply)?;
        (!self.counts_moves || in_time(&entry)).then_some(entry)
    }

    /// Tells the table. The first touch of a huge page of memory takes milliseconds where the system
    /// itself has to get it first, and many nodes may be stored before the next one is entered: so a
    /// search that was told to stop learns it here as well.
    pub fn store(&mut self, key: u64, ply: usize, entry: TtEntry) {
        self.shared.table.store(key, ply, entry);
        self.stopped |= self.shared.is_stopped();
    }

    /// A score if the rules end the game here, before the root's own limits matter.
    pub fn rule_score(&self, ply: usize) -> Option<Score> {
        if let Some(repetition) = repetition::judge(&self.pos, ply, self.shared.options.rules) {
            return Some(match repetition {
                Repetition::Draw => self.draw_score(),
                Repetition::Win => RULE_WIN - ply as Score,
                Repetition::Loss => -RULE_WIN + ply as Score,
            });
        }
        if self.counts_moves && is_move_limit(&self.pos, self.shared.options.rules) {
            // Mate and stalemate come first.
            let finished = self.pos.is_finished();
            return Some(if finished { mated_in(ply) } else { self.draw_score() });
        }
        let bare = |color| !self.pos.can_mate(color);
        if self.pos.phase() == 0 && bare(Color::Red) && bare(Color::Black) {
            return Some(self.draw_score());
        }
        None
    }

    /// What the side to move can have at once by repeating, if that is more than `alpha`.
    fn upcoming_repetition(
        &mut self,
        alpha: Score,
        ply: usize,
        guard: &KingGuard,
    ) -> Option<Score> {
        // Only a win by the rules, which is rare, would be worth more than a draw.
        if alpha >= self.draw_score() {
            return None;
        }
        let mv = upcoming::repeating_move(&self.pos, ply)?;
        if !guard.is_legal(&self.pos, mv) {
            return None;
        }
        self.pos.make(mv);
        let check = KingGuard::new(&self.pos).is_check();
        self.pos.set_gave_check(check);
        let score = self.rule_score(ply + 1).map(|score| -score);
        self.pos.unmake();
        score.filter(|&score| score > alpha)
    }

    /// What a draw is worth to the side to move.
    fn draw_score(&self) -> Score {
        let worth = self.shared.options.style.draw_worth();
        if self.pos.side_to_move() == self.root_side { worth } else { -worth }
    }

    /// Static value of the node, from the table if it is there; none in check.
    pub fn raw_eval(&self, entry: Option<TtEntry>, in_check: bool, ply: usize) -> Score {
        match entry {
            _ if in_check => TtEntry::NO_EVAL,
            Some(e) if e.eval != TtEntry::NO_EVAL => e.eval,
            _ => self.evaluate(false, ply),
        }
    }

    /// Static value, from the side to move. In check, where it means little, only at the last ply.
    pub fn evaluate(&self, in_check: bool, ply: usize) -> Score {
        debug_assert!(!in_check || ply >= MAX_PLY - 1);
        static_value(&self.pos, self.shared.options)
    }

    /// The static value, corrected by what earlier searches found. None stays none.
    pub fn corrected(&self, eval: Score) -> Score {
        match eval {
            TtEntry::NO_EVAL => eval,
            _ => (eval + self.histories.corrections.of(&self.pos)).clamp(-EVAL_LIMIT, EVAL_LIMIT),
        }
    }

    /// Does the side to move stand better than at its turn before?
    fn is_improving(&self, ply: usize) -> bool {
        let now = self.stack[ply].static_eval;
        [2, 4]
            .into_iter()
            .filter_map(|back| ply.checked_sub(back))
            .map(|earlier| self.stack[earlier].static_eval)
            .find(|&eval| eval != TtEntry::NO_EVAL)
            .is_none_or(|before| now > before)
    }

    /// What quiet moves are judged by here: the moves that led here, and threats.
    pub fn context(&self, ply: usize) -> Context {
        let earlier = CONTINUATION_PLIES
            .map(|back| ply.checked_sub(back).map_or(PieceTo::NONE, |p| self.stack[p].moved));
        Context { earlier, threats: threats::by_lesser_men(&self.pos) }
    }

    fn refutations(&self, ply: usize, context: &Context) -> [Option<Move>; 3] {
        let [first, second] = self.stack[ply].killers;
        [first, second, self.histories.counter(context.earlier[0])]
    }

    /// The move caused a cutoff: it and those tried before it are remembered.
    fn reward(
        &mut self,
        best: Move,
        depth: i32,
        ply: usize,
        context: &Context,
        quiets: &MoveList,
        captures: &MoveList,
    ) {
        let bonus = bonus(depth);
        if self.pos.is_empty(best.to) {
            let killers = &mut self.stack[ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            self.histories.set_counter(context.earlier[0], best);
            self.histories.update_quiet(&self.pos, best, context, bonus);
            for mv in quiets {
                self.histories.update_quiet(&self.pos, mv, context, -bonus);
            }
        } else {
            self.histories.update_capture(&self.pos, best, bonus);
        }
        for mv in captures {
            self.histories.update_capture(&self.pos, mv, -bonus);
        }
    }

    /// This move and the line below it are the line from here.
    pub fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.stack.split_at_mut(ply + 1);
        let pv = &mut upper[ply].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&lower[0].pv);
    }
}

/// The key for the table. Near the move limit the counter is mixed in by steps of eight plies, so
/// that scores from before do not hide a draw.
pub fn table_key(pos: &Position) -> u64 {
    let steps = u64::from(pos.quiet_plies().saturating_sub(MOVE_LIMIT - 24) / 8);
    pos.key() ^ steps.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Which side of the true value the best score of a node lies on.
pub fn bound(best: Score, beta: Score, raised_alpha: bool) -> Bound {
    if best >= beta {
        Bound::Lower
    } else if raised_alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

/// Does the entry's score end the search of a node with this window?
pub fn cuts(entry: &TtEntry, alpha: Score, beta: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    }
}

/// Is the entry's score a better guess of the value than `eval`?
pub fn improves(entry: &TtEntry, eval: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score > eval,
        Bound::Upper => entry.score < eval,
    }
}

/// Bonus of a history update at a depth.
fn bonus(depth: i32) -> i32 {
    (HISTORY_BONUS * depth).min(HISTORY_BONUS_MAX)
}
