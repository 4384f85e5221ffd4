//! How long to think.
//!
//! Two bounds: after the *optimum* no new iteration begins, adjusted by how settled the search is;
//! at the *maximum* the search ends wherever it is.

use std::time::{Duration, Instant};

use super::limits::Limits;
use crate::types::Score;

/// Moves the rest of the game is planned for when the clock does not say.
const HORIZON: u32 = 32;

/// Time that should be left on the clock, and five increments more.
const RESERVE: Duration = Duration::from_millis(300);

/// How many optimum times one move may take at most.
const STRETCH: u32 = 5;

/// The time limits of one move.
#[derive(Clone, Debug)]
pub struct TimeManager {
    start: Instant,
    optimum: Duration,
    maximum: Duration,
    /// Stop between iterations by [`TimeManager::enough`]; a fixed time per move is used up.
    adjusts: bool,
    /// Iterations since the best move changed.
    stability: u32,
    last_score: Option<Score>,
}

impl TimeManager {
    /// The bounds for these limits, if they have to do with time. `overhead` is kept back for the
    /// interface; with `ponder` time is shared out more freely, since some moves cost nothing.
    pub fn new(limits: &Limits, overhead: Duration, ponder: bool) -> Option<TimeManager> {
        let usable = |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1));
        let mut bounds: Option<(Duration, Duration)> = None;
        if let Some(clock) = limits.clock {
            let left = usable(clock.remaining);
            let moves = clock.moves_to_go.unwrap_or(HORIZON).clamp(1, HORIZON);
            // A machine may stand still for a tenth of a second. Below a reserve for that everything is
            // scaled down, by the square of how far below.
            let reserve = if moves == 1 { left } else { RESERVE + clock.increment * 5 };
            let ease = left.div_duration_f64(reserve.max(left)).powi(2);
            let share = (left / moves + clock.increment * 3 / 4).mul_f64(ease);
            let share = if ponder { share * 5 / 4 } else { share };
            let (most, last) = match moves {
                1 => (left * 4 / 5, left),
                _ => (left / 2, (left / 2).mul_f64(ease)),
            };
            let optimum = share.min(most).min(last);
            bounds = Some((optimum, (optimum * STRETCH).min(last)));
        }
        let adjusts = bounds.is_some();
        if let Some(time) = limits.move_time {
            let time = usable(time);
            bounds = Some(bounds.map_or((time, time), |(o, m)| (o.min(time), m.min(time))));
        }
        let (optimum, maximum) = bounds?;
        let start = Instant::now();
        Some(TimeManager { start, optimum, maximum, adjusts, stability: 0, last_score: None })
    }

    /// The time the move is meant to take.
    pub fn optimum(&self) -> Duration {
        self.optimum
    }

    /// The clock starts now and not when thinking began: the other side has played the expected
    /// move.
    pub fn restart(&mut self) {
        self.start = Instant::now();
    }

    /// Is the time over?
    pub fn is_over(&self) -> bool {
        self.start.elapsed() >= self.maximum
    }

    /// An iteration is complete. Is it better to move than to begin another? `effort` is the share of
    /// all nodes that the best move took, in percent.
    pub fn enough(
        &mut self,
        best_changed: bool,
        score: Score,
        effort: u32,
        only_move: bool,
    ) -> bool {
        if !self.adjusts {
            return self.is_over();
        }
        self.stability = if best_changed { 0 } else { self.stability + 1 };
        let drop = self.last_score.map_or(0, |last| (last - score).clamp(0, 30));
        self.last_score = Some(score);
        // In percent: a move that keeps changing is worth up to 60 % more, one that has not
        // changed for five iterations 40 % less; a falling score up to 60 % more. Where nearly all
        // nodes went into one move, the others are out of the question.
        let settled = 160 - 20 * self.stability.min(5);
        let focused = (150 - effort.min(100)).clamp(55, 130);
        let percent = settled * (100 + 2 * drop as u32) / 100 * focused / 100;
        let percent = if only_move { percent / 8 } else { percent };
        self.start.elapsed() >= (self.optimum * percent / 100).min(self.maximum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ClockView;

    fn manager(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeManager {
        let clock = ClockView {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        TimeManager::new(&limits, Duration::from_millis(30), false).unwrap()
    }

    #[test]
    fn never_plans_beyond_the_clock() {
        for remaining in [0, 1, 31, 50, 100, 1_000, 60_000, 5_400_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(1_000)] {
                    let time = manager(remaining, increment, moves);
                    let left = Duration::from_millis(remaining.saturating_sub(30).max(1));
                    assert!(time.optimum <= time.maximum);
                    assert!(time.maximum <= left, "{remaining} {increment} {moves:?}: {time:?}");
                }
            }
        }
    }

    #[test]
    fn a_game_without_increment_never_runs_out() {
        let mut remaining = Duration::from_secs(60);
        for _ in 0..300 {
            let time = manager(remaining.as_millis() as u64, 0, None);
            remaining = remaining.saturating_sub(time.optimum.max(Duration::from_millis(1)));
            assert!(remaining > Duration::ZERO);
        }
    }

    #[test]
    fn the_last_move_before_the_control_may_use_most_of_the_time() {
        let time = manager(10_000, 0, Some(1));
        assert!(time.optimum > Duration::from_secs(7));
        assert!(manager(10_000, 0, Some(10)).optimum < Duration::from_secs(2));
    }

    #[test]
    fn a_fixed_time_is_kept_less_the_overhead() {
        let limits = Limits::move_time(Duration::from_millis(500));
        let time = TimeManager::new(&limits, Duration::from_millis(30), false).unwrap();
        assert_eq!((time.optimum.as_millis(), time.maximum.as_millis()), (470, 470));
        assert!(TimeManager::new(&Limits::depth(3), Duration::ZERO, false).is_none());
    }

    #[test]
    fn a_settled_search_stops_earlier() {
        let mut time = manager(100_000, 0, None);
        time.start = Instant::now() - time.optimum * 4 / 5;
        assert!(!time.enough(true, 0, 50, false));
        for _ in 0..4 {
            time.enough(false, 0, 50, false);
        }
        assert!(time.enough(false, 0, 50, false));
        assert!(!time.enough(false, -30, 50, false), "a falling score asks for more time");
    }
}
