//! The owner of everything that outlives one search: table, histories, threads.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use super::history::Histories;
use super::limits::{Bound, Limits, SearchEvent, SearchReport, Signals};
use super::node::{Lead, NodeCounter, Search, Shared, table_key};
use super::options::{Level, SearchOptions};
use super::params::{
    DRAW_ACCEPT, DRAW_OFFER, DRAW_OFFER_QUIET_PLIES, RANDOM_LINES, RANDOM_MARGIN, RESIGN,
};
use super::root::{RootMove, proven_eval};
use super::time::TimeManager;
use super::tt::TranspositionTable;
use crate::board::Position;
use crate::eval::{self, Knowledge};
use crate::rules::referee::losing_moves;
use crate::rules::{MOVE_LIMIT, RuleSet};
use crate::types::score::{EVAL_LIMIT, INFINITE, is_decisive};
use crate::types::{Eval, Move, Score};

/// Stack of a thread that searches: the search recurses to its full depth.
pub const STACK_BYTES: usize = 16 << 20;

/// Plies of the game that the search remembers: several times what the move limit allows, and little
/// enough that a list of moves without end does not slow every node down.
const REMEMBERED_PLIES: usize = 4 * MOVE_LIMIT as usize;

/// The hash table could not be had.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no memory for a hash table of {wanted} MB, {kept} MB stay in use")]
pub struct HashError {
    /// Asked for.
    pub wanted: usize,
    /// Still there.
    pub kept: usize,
}

/// What the hash table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeResult {
    /// The best move found.
    pub best: Option<Move>,
    /// Value from the side to move.
    pub score: Score,
    /// Depth of the search behind it.
    pub depth: u32,
    /// Which side of the true value the score lies on.
    pub bound: Bound,
}

/// Looks positions up, also while a search runs.
#[derive(Clone)]
pub struct Prober(Arc<TranspositionTable>);

impl Prober {
    /// What is known about the position.
    pub fn probe(&self, pos: &Position) -> Option<ProbeResult> {
        let entry = self.0.probe(table_key(pos), 0)?;
        Some(ProbeResult {
            best: entry.mv.filter(|&mv| pos.is_legal(mv)),
            score: entry.score,
            depth: entry.depth as u32,
            bound: entry.bound,
        })
    }
}

impl fmt::Debug for Prober {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prober")
    }
}

/// Thinks about positions. One main thread, the caller's, and helpers that share its table.
pub struct Searcher {
    options: SearchOptions,
    table: Arc<TranspositionTable>,
    table_mb: usize,
    /// One per thread; the first is the main thread's.
    histories: Vec<Histories>,
    /// One less than the threads; none with one thread.
    helpers: Option<ThreadPool>,
    /// Searches so far: seeds the choice among moves when `randomness` is on.
    searches: u64,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Searcher {
    /// A searcher with these settings. Should there be no memory for the hash table, the largest
    /// that fits is taken.
    pub fn new(options: &SearchOptions) -> Searcher {
        let (table, table_mb) = largest_table(options.hash_mb);
        let mut searcher = Searcher {
            options: options.clone(),
            table: Arc::new(table),
            table_mb,
            histories: Vec::new(),
            helpers: None,
            searches: 0,
        };
        searcher.set_threads(options.threads);
        searcher
    }

    /// Takes over settings.
    ///
    /// # Errors
    /// No memory for the hash table: everything else is set, the largest table that fits is in use.
    pub fn set_options(&mut self, options: &SearchOptions) -> Result<(), HashError> {
        self.set_threads(options.threads);
        self.options = options.clone();
        if options.hash_mb == self.table_mb {
            return Ok(());
        }
        // The old table goes first: there may not be room for both.
        self.table = Arc::new(largest_table(1).0);
        let (table, kept) = largest_table(options.hash_mb);
        self.table = Arc::new(table);
        self.table_mb = kept;
        if kept == options.hash_mb.max(1) {
            return Ok(());
        }
        Err(HashError { wanted: options.hash_mb, kept })
    }

    /// How many lines are analysed.
    pub fn multipv(&self) -> usize {
        self.options.multipv
    }

    /// How far from the best move it may stray.
    pub fn randomness(&self) -> Level {
        self.options.randomness
    }

    fn set_threads(&mut self, threads: usize) {
        // More than the processors would take time from each other, and from the one that has to notice
        // a `stop`.
        let threads = threads.clamp(1, processors());
        if threads == self.histories.len() {
            return;
        }
        self.histories.resize_with(threads, Histories::new);
        self.helpers = (threads > 1)
            .then(|| {
                ThreadPoolBuilder::new()
                    .num_threads(threads - 1)
                    .thread_name(|n| format!("search-{}", n + 1))
                    .stack_size(STACK_BYTES)
                    .build()
                    .inspect_err(|error| log::warn!("searching with one thread: {error}"))
                    .ok()
            })
            .flatten();
        if self.helpers.is_none() {
            self.histories.truncate(1);
        }
    }

    /// Forgets everything learnt so far.
    pub fn new_game(&mut self) {
        for histories in &mut self.histories {
            *histories = Histories::new();
        }
        // A fresh table costs nothing until it is used; clearing the old one would.
        self.table = Arc::new(largest_table(1).0);
        let (table, kept) = largest_table(self.table_mb);
        self.table = Arc::new(table);
        self.table_mb = kept;
        self.searches = 0;
    }

    /// For look-ups in the table as it is now.
    pub fn prober(&self) -> Prober {
        Prober(Arc::clone(&self.table))
    }

    /// Value of a position without any search, from the side to move.
    pub fn evaluate(&self, pos: &Position) -> Score {
        static_value(pos, &self.options)
    }

    /// Thinks about `pos` until a limit is reached or `signals` says stop. The caller's thread is
    /// the main one and makes the calls of `on_event`.
    pub fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        signals: &Signals,
        on_event: &mut (dyn FnMut(SearchEvent) + Send),
    ) -> SearchReport {
        let start = Instant::now();
        let mut recent = pos.clone();
        recent.forget_before(REMEMBERED_PLIES);
        let pos = &recent;
        self.table.age();
        self.searches += 1;
        let mut moves = root_moves(pos, limits);
        if limits.search_moves.is_empty() {
            let losing = without_losing(&mut moves, pos, self.options.rules);
            for mv in losing {
                let text = format!("repetition: {mv} would lose by the rules and is left out");
                on_event(SearchEvent::Message(text));
            }
        }
        let root_moves: Vec<RootMove> = moves.into_iter().map(RootMove::new).collect();
        if root_moves.is_empty() {
            let finished = pos.is_finished();
            let eval =
                if finished { Eval::MatedIn(0) } else { Eval::from_score(self.evaluate(pos)) };
            return report(None, eval, 0, 0, start);
        }
        let lines = self.lines().min(root_moves.len());
        let options = &self.options;
        let shared = Shared {
            table: &self.table,
            signals,
            done: AtomicBool::new(false),
            nodes: self.histories.iter().map(|_| NodeCounter::default()).collect(),
            limits,
            options,
            start,
        };
        let lead = Lead {
            time: TimeManager::new(limits, options.move_overhead, options.ponder),
            on_event,
            was_pondering: signals.is_pondering(),
            last_sign_of_life: start,
        };
        let mut searches: Vec<Search<'_>> = self
            .histories
            .iter_mut()
            .enumerate()
            .map(|(thread, histories)| {
                Search::new(pos, &shared, histories, thread, root_moves.clone())
            })
            .collect();

        let (main, others) = searches.split_at_mut(1);
        let main = &mut main[0];
        main.lead = Some(lead);
        let asks_for_one_move =
            lines == 1 && limits.depth.is_none() && !limits.infinite && !signals.is_pondering();
        if !(asks_for_one_move && main.mates_by_checks()) {
            match &self.helpers {
                None => main.deepen(lines),
                Some(pool) => pool.in_place_scope(|scope| {
                    for helper in &mut *others {
                        scope.spawn(|_| helper.deepen(lines));
                    }
                    main.deepen(lines);
                    shared.done.store(true, Relaxed);
                }),
            }
            // Several lines are in an order of their own, and a depth was asked of the main thread.
            if lines == 1 && limits.depth.is_none() {
                main.follow_vote(others);
            }
        }
        let completed = main.completed;
        let nodes = shared.total_nodes();
        let chosen = choose(&main.root_moves[..lines], options.randomness, self.searches);
        let best = &main.root_moves[chosen];
        // Stopped before any move had been searched: the static value has to do.
        let score = if best.score == -INFINITE { static_value(pos, options) } else { best.score };
        let eval = proven_eval(pos, score, &best.pv);
        let mut report = report(Some(best), eval, completed as u32, nodes, start);
        report.wants_draw = wants_draw(pos, score, signals.is_draw_offered(), options);
        report.resigns = options.resign && score <= RESIGN && completed >= 6;
        report
    }

    /// Lines to search: those asked for, and some to choose from when `randomness` is on.
    fn lines(&self) -> usize {
        let asked = self.options.multipv.max(1);
        if self.options.randomness == Level::None { asked } else { asked.max(RANDOM_LINES) }
    }
}

/// Value of a position without any search, within the bounds of an evaluation.
pub fn static_value(pos: &Position, options: &SearchOptions) -> Score {
    eval::evaluate(pos, Knowledge::from(options.knowledge)).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

/// Processors that this process may use.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A table of that size, or the largest that memory allows.
fn largest_table(megabytes: usize) -> (TranspositionTable, usize) {
    let mut size = megabytes.max(1);
    loop {
        if let Some(table) = TranspositionTable::new(size) {
            return (table, size);
        }
        assert!(size > 1, "no memory for a hash table of 1 MB");
        size = size.div_ceil(2);
    }
}

/// The moves to search: all legal ones, less the banned, of those named if any are.
fn root_moves(pos: &Position, limits: &Limits) -> Vec<Move> {
    let named = |mv: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
    pos.legal_moves()
        .into_iter()
        .filter(|mv| !limits.banned_moves.contains(mv))
        .filter(named)
        .collect()
}

/// Takes the moves out that lose at once by the rules of repetition, judged in full, while others
/// remain, and returns them. (The tree itself does not look for perpetual mate threats.)
fn without_losing(moves: &mut Vec<Move>, pos: &Position, rules: RuleSet) -> Vec<Move> {
    let banned = losing_moves(pos, rules);
    let (losing, others): (Vec<Move>, Vec<Move>) = moves.iter().partition(|mv| banned.contains(mv));
    if others.is_empty() {
        return Vec::new();
    }
    *moves = others;
    losing
}

/// Which of the lines, best first, to play: the best, or by chance one that is not much worse.
fn choose(lines: &[RootMove], randomness: Level, seed: u64) -> usize {
    let margin = RANDOM_MARGIN[randomness as usize];
    let best = lines[0].score;
    if margin == 0 || is_decisive(best) {
        return 0;
    }
    let candidates = lines.iter().take_while(|line| line.score >= best - margin).count().max(1);
    RandomState::new().hash_one(seed) as usize % candidates
}

/// Accept an offered draw, or offer one where the option allows it?
fn wants_draw(pos: &Position, score: Score, offered: bool, options: &SearchOptions) -> bool {
    if offered {
        return score <= DRAW_ACCEPT + options.style.draw_worth();
    }
    options.offer_draw && score.abs() <= DRAW_OFFER && pos.quiet_plies() >= DRAW_OFFER_QUIET_PLIES
}

fn report(
    best: Option<&RootMove>,
    eval: Eval,
    depth: u32,
    nodes: u64,
    start: Instant,
) -> SearchReport {
    let pv = best.map(|root| root.pv.clone()).unwrap_or_default();
    SearchReport {
        best: best.map(|root| root.mv),
        ponder: pv.get(1).copied(),
        eval,
        depth,
        nodes,
        elapsed: start.elapsed(),
        pv,
        wants_draw: false,
        resigns: false,
    }
}
