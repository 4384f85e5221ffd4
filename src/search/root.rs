//! The root: iterative deepening, aspiration windows, several lines.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::limits::{Bound, SearchEvent, SearchInfo};
use super::mate::MateSearch;
use super::node::{Search, table_key};
use super::params::{
    ASPIRATION_DELTA, ASPIRATION_DEPTH, MATE_NODES, MATE_NODES_LEAST, MATE_SHARE, VOTE_BASE,
};
use crate::board::{KingGuard, Position};
use crate::rules::{MOVE_LIMIT, RuleSet, repetition};
use crate::types::score::{INFINITE, MATE, RULE_WIN, is_decisive, is_mate, mate_in};
use crate::types::{Eval, MAX_PLY, Move, Score};

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Value in this iteration; `-INFINITE` when it is only known to be no better.
    pub score: Score,
    /// Value in the iteration before.
    pub previous: Score,
    /// `Exact` unless the search ended in a window that failed.
    pub bound: Bound,
    /// The line, this move first.
    pub pv: Vec<Move>,
    /// Deepest ply of its search.
    pub seldepth: usize,
    /// Nodes spent on it in all iterations.
    pub nodes: u64,
}

impl RootMove {
    /// Nothing known yet.
    pub fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Exact,
            pv: vec![mv],
            seldepth: 0,
            nodes: 0,
        }
    }
}

impl Search<'_> {
    /// Deepens until a limit is reached. `completed` is the last completed depth then, `root_moves`
    /// are in order, best first.
    pub fn deepen(&mut self, lines: usize) {
        let max_depth = self.shared.limits.depth.map_or(MAX_PLY as i32 - 1, |d| d as i32);
        let max_depth = max_depth.clamp(1, MAX_PLY as i32 - 1);
        // Helpers begin at different depths, so that they do not all do the same.
        let first = 1 + (self.thread as i32 & 1).min(max_depth - 1);
        let mut told: Option<(i32, Vec<Move>)> = None;
        for depth in first..=max_depth {
            self.root_depth = depth;
            for root in &mut self.root_moves {
                root.previous = root.score;
            }
            let best_before = self.root_moves[0].mv;
            for index in 0..lines {
                self.pv_index = index;
                self.seldepth = 0;
                self.aspirate(depth);
                // Moves before are settled; the sort is stable, so ties keep their order.
                self.root_moves[index..].sort_by_key(|root| -root.score);
                self.root_moves[..=index].sort_by_key(|root| -root.score);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
            self.tell_lines(depth, lines);
            told = Some((depth, self.root_moves[0].pv.clone()));
            if self.is_enough(depth, lines, best_before) {
                break;
            }
        }
        // A better move may have been found in the iteration that was cut off.
        if told.is_none_or(|(_, pv)| pv != self.root_moves[0].pv) {
            self.tell_lines(self.completed.max(1), lines);
        }
    }

    /// Every thread votes for its best move, see [`elect`]; this thread takes over what the winner found.
    pub fn follow_vote(&mut self, others: &[Search<'_>]) {
        let ballot = |search: &Search<'_>| {
            let best = &search.root_moves[0];
            Ballot { mv: best.mv, score: best.score, depth: search.completed }
        };
        let ballots: Vec<Ballot> =
            std::iter::once(ballot(self)).chain(others.iter().map(ballot)).collect();
        let Some(winner) = elect(&ballots).checked_sub(1) else { return };
        self.root_moves = others[winner].root_moves.clone();
        self.completed = others[winner].completed;
        self.tell_lines(self.completed.max(1), 1);
    }

    /// Before anything else: does a mate by checks alone settle the move? `true` if the best line is
    /// one, shortest among its like. A small share of the nodes or of the time is spent on it.
    pub fn mates_by_checks(&mut self) -> bool {
        let limits = self.shared.limits;
        let budget = limits.nodes.map_or(MATE_NODES, |nodes| (nodes / MATE_SHARE).min(MATE_NODES));
        if budget < MATE_NODES_LEAST {
            return false;
        }
        let time = self.lead.as_ref().and_then(|lead| lead.time.as_ref());
        let time = time.map_or(Duration::MAX, |time| time.optimum() / MATE_SHARE as u32);
        let shared = self.shared;
        let stop = || shared.signals.is_stopped() || shared.start.elapsed() > time;
        let mut search = MateSearch::new(&self.pos, budget, &stop);
        let line = search.run();
        self.nodes = search.nodes;
        shared.nodes[self.thread].0.store(self.nodes, Relaxed);
        let Some(line) = line else { return false };
        let score = mate_in(line.len());
        // An earlier search may have seen a shorter mate, with a quiet move in it.
        let known = self.probe(table_key(&self.pos), 0).filter(|entry| entry.bound != Bound::Upper);
        if known.is_some_and(|entry| entry.score > score) {
            return false;
        }
        let in_time = limits.mate.is_none_or(|moves| line.len().div_ceil(2) <= moves as usize);
        let is_mate = matches!(proven_eval(&self.pos, score, &line), Eval::MateIn(_));
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == line[0]) else {
            return false;
        };
        if !in_time || !is_mate {
            return false;
        }
        self.completed = line.len() as i32;
        *root = RootMove { score, seldepth: line.len(), pv: line, ..RootMove::new(root.mv) };
        self.root_moves.sort_by_key(|root| -root.score);
        self.tell_lines(self.completed, 1);
        true
    }

    /// One line at one depth: a narrow window around the last value, widened where it fails.
    fn aspirate(&mut self, depth: i32) {
        let guard = KingGuard::new(&self.pos);
        let expected = self.root_moves[self.pv_index].previous;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut delta = ASPIRATION_DELTA;
        if depth >= ASPIRATION_DEPTH && !is_decisive(expected) && expected > -INFINITE {
            alpha = expected - delta;
            beta = expected + delta;
        }
        let mut reduced = 0;
        loop {
            let searched = (depth - reduced).max(1);
            let score = self.search::<true, true>(alpha, beta, searched, 0, &guard, false);
            if self.stopped {
                return;
            }
            let index = self.pv_index;
            self.root_moves[index..].sort_by_key(|root| -root.score);
            delta += delta / 2 + 2;
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = if delta > 300 || is_decisive(score) { -INFINITE } else { score - delta };
                reduced = 0;
            } else if score >= beta {
                beta = if delta > 300 || is_decisive(score) { INFINITE } else { score + delta };
                reduced = (reduced + 1).min(3);
            } else {
                return;
            }
        }
    }

    /// Notes what the search of a root move brought.
    pub(super) fn note_root_move(
        &mut self,
        mv: Move,
        score: Score,
        number: usize,
        window: (Score, Score),
        nodes: u64,
    ) {
        let seldepth = self.seldepth;
        let line = self.stack[1].line();
        let (low, high) = window;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if number == 1 || score > low {
            root.score = score;
            root.bound = match score {
                s if s >= high => Bound::Lower,
                s if s <= low => Bound::Upper,
                _ => Bound::Exact,
            };
            root.seldepth = seldepth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(line);
        } else {
            // Only known to be no better: the sort keeps its place among its like.
            root.score = -INFINITE;
        }
    }

    /// After a completed iteration: is another one worth it?
    fn is_enough(&mut self, depth: i32, lines: usize, best_before: Move) -> bool {
        let limits = self.shared.limits;
        let best = &self.root_moves[0];
        let (score, changed) = (best.score, best.mv != best_before);
        if let Some(moves) = limits.mate
            && let Eval::MateIn(plies) = Eval::from_score(score)
            && plies.div_ceil(2) <= moves
        {
            return true;
        }
        // A mate that every deeper iteration can only repeat.
        let mate_is_near = is_mate(score) && MATE - score.abs() <= depth;
        if mate_is_near && lines == 1 && limits.depth.is_none() && limits.mate.is_none() {
            return true;
        }
        let only_move = self.root_moves.len() == 1;
        let effort = (best.nodes * 100 / self.nodes.max(1)) as u32;
        let Some(lead) = &mut self.lead else { return false };
        if self.shared.signals.is_pondering() || limits.infinite {
            return false;
        }
        if lead.was_pondering {
            // The hit came since the last look at the clock.
            lead.was_pondering = false;
            if let Some(time) = &mut lead.time {
                time.restart();
            }
        }
        lead.time.as_mut().is_some_and(|time| time.enough(changed, score, effort, only_move))
    }

    /// Tells which root move is being searched, once the search takes longer than a second.
    pub(super) fn tell_current_move(&mut self, mv: Move, number: usize) {
        let depth = self.root_depth.max(1) as u32;
        let number = (number + self.pv_index) as u32;
        if let Some(lead) = &mut self.lead
            && self.shared.start.elapsed() > Duration::from_secs(1)
        {
            (lead.on_event)(SearchEvent::CurrentMove { depth, mv, number });
        }
    }

    /// Sends the lines of an iteration, best first.
    fn tell_lines(&mut self, depth: i32, lines: usize) {
        if self.lead.is_none() {
            return;
        }
        for index in 0..lines {
            self.extend_line(index);
        }
        let nodes = self.shared.total_nodes();
        let elapsed = self.shared.start.elapsed();
        let hashfull = self.shared.table.hashfull();
        // With `randomness` more lines are searched than were asked for.
        let asked = lines.min(self.shared.options.multipv.max(1));
        let infos = self.root_moves[..asked]
            .iter()
            .filter(|root| root.score > -INFINITE)
            .zip(1..)
            .map(|(root, multipv)| SearchInfo {
                depth: depth as u32,
                seldepth: root.seldepth.max(1) as u32,
                multipv,
                eval: proven_eval(&self.pos, root.score, &root.pv),
                bound: root.bound,
                nodes,
                elapsed,
                hashfull,
                pv: root.pv.clone(),
            })
            .collect::<Vec<_>>();
        if infos.is_empty() {
            return;
        }
        if let Some(lead) = &mut self.lead {
            (lead.on_event)(SearchEvent::Lines(infos));
        }
    }

    /// Follows the table where a line was cut short: to the answer to ponder on, or to the end of a
    /// mate.
    fn extend_line(&mut self, index: usize) {
        let RootMove { score, ref pv, .. } = self.root_moves[index];
        if score == -INFINITE {
            return; // not searched
        }
        let wanted = if is_mate(score) { (MATE - score.abs()) as usize } else { 2 };
        let mut pv = pv.clone();
        let mut pos = self.pos.clone();
        if pv.iter().any(|&mv| pos.play(mv).is_err()) {
            return;
        }
        while pv.len() < wanted {
            let entry = self.shared.table.probe(table_key(&pos), pv.len());
            let Some(mv) = entry.and_then(|entry| entry.mv) else { break };
            if pos.play(mv).is_err() {
                break;
            }
            pv.push(mv);
        }
        self.root_moves[index].pv = pv;
    }
}

/// The meaning of a root score. A mate is only called one when the line behind it ends in it, and the
/// game not before.
pub fn proven_eval(pos: &Position, score: Score, pv: &[Move]) -> Eval {
    let eval = Eval::from_score(score);
    match eval {
        Eval::MateIn(plies) | Eval::MatedIn(plies) if !is_mating_line(pos, pv, plies as usize) => {
            Eval::from_score(score.signum() * RULE_WIN)
        }
        _ => eval,
    }
}

/// Does the line, all of it legal, take that many plies and end in mate, with neither a repetition
/// nor the move limit before?
fn is_mating_line(pos: &Position, line: &[Move], plies: usize) -> bool {
    let counts_moves = pos.quiet_plies() < MOVE_LIMIT;
    let mut pos = pos.clone();
    let is_over = |pos: &Position| {
        counts_moves && pos.quiet_plies() >= MOVE_LIMIT
            || repetition::judge(pos, 0, RuleSet::Off).is_some()
    };
    line.len() == plies
        && line
            .iter()
            .enumerate()
            .all(|(played, &mv)| (played == 0 || !is_over(&pos)) && pos.play(mv).is_ok())
        && pos.is_finished()
}

/// What a thread has found.
struct Ballot {
    mv: Move,
    score: Score,
    depth: i32,
}

/// The thread whose move and line are played: of those for the move with the most votes the one with
/// the most of its own. A vote weighs more the deeper the thread has searched and the better it finds
/// its move; the first thread's move stands unless another has more.
fn elect(ballots: &[Ballot]) -> usize {
    // A thread that was stopped before its first score has no opinion.
    let scores = ballots.iter().map(|ballot| ballot.score);
    let Some(lowest) = scores.filter(|&score| score > -INFINITE).min() else { return 0 };
    let weight =
        |ballot: &Ballot| i64::from((ballot.score - lowest + VOTE_BASE).max(0) * ballot.depth);
    let votes =
        |mv: Move| -> i64 { ballots.iter().filter(|ballot| ballot.mv == mv).map(weight).sum() };
    let own = votes(ballots[0].mv);
    (0..ballots.len())
        .filter(|&thread| ballots[thread].mv != ballots[0].mv && votes(ballots[thread].mv) > own)
        .max_by_key(|&thread| (votes(ballots[thread].mv), weight(&ballots[thread])))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_elect_the_move_of_depth_and_score() {
        let ballot = |mv: &str, score, depth| Ballot { mv: mv.parse().unwrap(), score, depth };
        let (a, b) = ("h2e2", "b0c2");
        assert_eq!(elect(&[ballot(a, 10, 12)]), 0);
        assert_eq!(elect(&[ballot(a, 10, 12), ballot(b, 10, 12)]), 0, "the first thread's stands");
        assert_eq!(elect(&[ballot(a, 10, 12), ballot(b, 40, 12)]), 1, "a better score");
        assert_eq!(elect(&[ballot(a, 10, 10), ballot(b, 10, 13)]), 1, "more depth");
        let two_of_three = [ballot(a, 10, 12), ballot(b, 10, 11), ballot(b, 10, 12)];
        assert_eq!(elect(&two_of_three), 2);
        let stopped_at_once = ballot(b, -INFINITE, 0);
        assert_eq!(elect(&[ballot(a, -50, 3), stopped_at_once]), 0);
    }
}
