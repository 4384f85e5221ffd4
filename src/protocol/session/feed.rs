//! Which lines of analysis go out, and when: often enough to show life, seldom enough that no
//! interface drowns, and never a `bestmove` without a line that explains it.

use std::time::{Duration, Instant};

use crate::protocol::Info;
use crate::search::{Bound, SearchInfo, SearchReport};

/// What one line costs: a steady stream has ten lines a second.
const LINE_COST: Duration = Duration::from_millis(100);

/// Ten lines may come at once, so that no second has more than twenty.
const BURST: Duration = Duration::from_millis(1_000);

/// After this silence the newest lines are said whatever they cost. Progress is reported about
/// once a second, on a busy machine later: twice this has to stay well below three seconds.
const SILENCE: Duration = Duration::from_millis(1_200);

/// The analysis of one search on its way to the interface.
#[derive(Debug)]
pub(super) struct Feed {
    multipv: bool,
    /// Newest lines, best first.
    newest: Vec<SearchInfo>,
    /// The newest lines have not been said yet.
    is_pending: bool,
    /// All lines said so far are paid for at this time.
    paid_at: Instant,
    last_said: Instant,
}

impl Feed {
    pub(super) fn new(multipv: bool, now: Instant) -> Feed {
        Feed { multipv, newest: Vec::new(), is_pending: false, paid_at: now, last_said: now }
    }

    /// The lines of a finished iteration; returns what to say now.
    pub(super) fn lines(&mut self, mut lines: Vec<SearchInfo>, now: Instant) -> Vec<Info> {
        lines.retain(|line| line.bound == Bound::Exact);
        if lines.is_empty() {
            return Vec::new();
        }
        self.newest = lines;
        self.is_pending = true;
        self.say_if_due(now)
    }

    /// The search is alive; returns what to say now. Without anything new the newest lines are
    /// said again with these counts, when it has been silent or `always`.
    pub(super) fn progress(&mut self, counts: &Counts, always: bool, now: Instant) -> Vec<Info> {
        if !self.is_pending && (always || self.is_silent(now)) {
            for line in &mut self.newest {
                line.nodes = counts.nodes;
                line.elapsed = counts.elapsed;
                line.hashfull = counts.hashfull;
            }
            self.is_pending = !self.newest.is_empty();
        }
        self.say_if_due(now)
    }

    /// May a line of little weight be said? Counts it as said.
    pub(super) fn has_room(&mut self, now: Instant) -> bool {
        let has_room = self.paid_at <= now;
        if has_room {
            self.pay(1, now);
        }
        has_room
    }

    /// The search has ended: returns what was not said yet, or a line made from the report when no
    /// line begins with the move to be played.
    pub(super) fn finish(&mut self, report: &SearchReport, now: Instant) -> Vec<Info> {
        let explained = self.newest.iter().any(|line| line.pv.first() == report.best.as_ref());
        if !explained && report.best.is_some() {
            self.newest = vec![line_of(report)];
            self.is_pending = true;
        }
        if self.is_pending { self.say(now) } else { Vec::new() }
    }

    fn say_if_due(&mut self, now: Instant) -> Vec<Info> {
        let affordable = self.paid_at + LINE_COST <= now + BURST;
        if self.is_pending && (affordable || self.is_silent(now)) {
            self.say(now)
        } else {
            Vec::new()
        }
    }

    fn say(&mut self, now: Instant) -> Vec<Info> {
        self.is_pending = false;
        self.pay(self.newest.len() as u32, now);
        self.newest.iter().map(|line| info(line, self.multipv)).collect()
    }

    fn pay(&mut self, lines: u32, now: Instant) {
        self.paid_at = self.paid_at.max(now) + LINE_COST * lines;
        self.last_said = now;
    }

    fn is_silent(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.last_said) >= SILENCE
    }
}

/// How far the search has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) nodes: u64,
    pub(super) elapsed: Duration,
    pub(super) hashfull: u32,
}

fn line_of(report: &SearchReport) -> SearchInfo {
    let best = report.best;
    let pv = if report.pv.first() == best.as_ref() {
        report.pv.clone()
    } else {
        best.into_iter().collect()
    };
    SearchInfo {
        depth: report.depth,
        seldepth: report.depth,
        multipv: 1,
        eval: report.eval,
        bound: Bound::Exact,
        nodes: report.nodes,
        elapsed: report.elapsed,
        hashfull: 0,
        pv,
    }
}

fn info(line: &SearchInfo, multipv: bool) -> Info {
    Info {
        depth: Some(line.depth),
        seldepth: Some(line.seldepth),
        multipv: multipv.then_some(line.multipv),
        score: Some(line.eval),
        nodes: Some(line.nodes),
        nps: Some(line.nps()),
        hashfull: Some(line.hashfull),
        time: Some(line.elapsed),
        pv: line.pv.clone(),
        ..Info::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Eval, Move, Square};

    const MOVE: Move = Move::new(Square::H2, Square::E2);

    fn line(depth: u32, multipv: u32) -> SearchInfo {
        SearchInfo {
            depth,
            seldepth: depth,
            multipv,
            eval: Eval::Points(3),
            bound: Bound::Exact,
            nodes: 100,
            elapsed: Duration::from_millis(10),
            hashfull: 0,
            pv: vec![MOVE],
        }
    }

    fn report() -> SearchReport {
        SearchReport {
            best: Some(MOVE),
            ponder: None,
            eval: Eval::Points(3),
            depth: 9,
            nodes: 200,
            elapsed: Duration::from_millis(20),
            pv: Vec::new(),
            wants_draw: false,
            resigns: false,
        }
    }

    fn after(start: Instant, ms: u64) -> Instant {
        start + Duration::from_millis(ms)
    }

    #[test]
    fn no_second_has_more_than_twenty_lines_and_the_last_is_said() {
        let start = Instant::now();
        let mut feed = Feed::new(false, start);
        let mut said = Vec::new();
        for ms in 0..5_000 {
            let lines = feed.lines(vec![line(ms as u32 + 1, 1)], after(start, ms));
            said.extend(lines.iter().map(|_| ms));
        }
        assert_eq!(said[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        for second in 0..4_000 {
            let count = said.iter().filter(|&&ms| (second..second + 1_000).contains(&ms)).count();
            assert!((9..=20).contains(&count), "{count} lines from {second} ms on");
        }
        let last = feed.finish(&report(), after(start, 5_000));
        assert_eq!(last.iter().map(|info| info.depth).collect::<Vec<_>>(), [Some(5_000)]);
    }

    #[test]
    fn a_long_iteration_is_not_silent() {
        for period in [1_000, 1_050, 1_190, 1_500, 1_800, 2_500] {
            let start = Instant::now();
            let mut feed = Feed::new(false, start);
            assert_eq!(feed.lines(vec![line(1, 1)], start).len(), 1);
            let mut said = vec![0];
            for nodes in 1..=20 {
                let counts = Counts { nodes, elapsed: Duration::from_secs(nodes), hashfull: 7 };
                for info in feed.progress(&counts, false, after(start, nodes * period)) {
                    assert_eq!(
                        (info.depth, info.nodes, info.hashfull),
                        (Some(1), Some(nodes), Some(7))
                    );
                    said.push(nodes * period);
                }
            }
            assert!(said.windows(2).all(|pair| pair[1] - pair[0] <= 2_500), "{period}: {said:?}");
            assert!(said.len() <= 21);
        }
    }

    #[test]
    fn a_block_of_lines_goes_out_whole() {
        let start = Instant::now();
        let mut feed = Feed::new(true, start);
        let mut said = 0;
        for ms in 0..3_000 {
            let block = (1..=8).map(|k| line(ms as u32 + 1, k)).collect();
            let infos = feed.lines(block, after(start, ms));
            assert!(infos.is_empty() || infos.len() == 8);
            assert!(infos.iter().zip(1..).all(|(info, k)| info.multipv == Some(k)));
            said += infos.len();
        }
        assert!((32..=48).contains(&said), "{said}");
    }

    #[test]
    fn every_answer_is_explained_by_a_line() {
        let start = Instant::now();
        let mut feed = Feed::new(false, start);
        let infos = feed.finish(&report(), start);
        assert_eq!(infos.len(), 1);
        assert_eq!((infos[0].depth, &infos[0].pv), (Some(9), &vec![MOVE]));
        assert!(feed.finish(&report(), start).is_empty());

        let mut other = line(8, 1);
        other.pv = vec![Move::new(Square::A0, Square::A1)];
        let mut feed = Feed::new(false, start);
        assert_eq!(feed.lines(vec![other], start).len(), 1);
        assert_eq!(feed.finish(&report(), start)[0].pv, [MOVE]);
    }

    #[test]
    fn lines_of_a_failed_window_are_kept_back() {
        let start = Instant::now();
        let mut feed = Feed::new(false, start);
        let failed = SearchInfo { bound: Bound::Lower, ..line(3, 1) };
        assert!(feed.lines(vec![failed], start).is_empty());
        assert!(feed.lines(vec![line(3, 1)], start).len() == 1);
    }

    #[test]
    fn lines_of_little_weight_give_way() {
        let start = Instant::now();
        let mut feed = Feed::new(false, start);
        assert!(feed.has_room(start));
        assert!(!feed.has_room(after(start, 50)));
        assert!(feed.has_room(after(start, 100)));
    }
}
