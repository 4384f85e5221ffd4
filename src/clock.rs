//! One side's clock: stages, increment, moves to go. Used by the engine and the match runner.
//!
//! The clock never asks what time it is: its user says when a move starts and ends, so that
//! tests and the runner decide what counts.

use std::fmt;
use std::time::{Duration, Instant};

use thiserror::Error;

/// What a clock shows to the side that is about to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockView {
    /// Time left in this stage.
    pub remaining: Duration,
    /// Credited after the move.
    pub increment: Duration,
    /// Moves until more time comes, this one included; `None` is the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl fmt::Display for ClockView {
    /// Minutes, seconds and tenths, as in `4:57.3 for 12 moves`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.remaining.as_millis() / 100;
        write!(f, "{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)?;
        match self.moves_to_go {
            Some(1) => write!(f, " for 1 move"),
            Some(moves) => write!(f, " for {moves} moves"),
            None => Ok(()),
        }
    }
}

/// One stage of a game's time (时限).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stage {
    /// Time for the whole stage; `None` means that the stage is not timed.
    pub time: Option<Duration>,
    /// Moves to be made in it; `None` means that it lasts for the rest of the game.
    pub moves: Option<u32>,
    /// Credited after each move.
    pub increment: Duration,
}

/// The time was over before the move was made: the side has lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("time exceeded by {} ms", .over.as_millis())]
pub struct Flag {
    /// By how much.
    pub over: Duration,
}

/// One side's clock in two stages (第一时限, 第二时限); every later stage repeats the second and
/// unused time is carried into it.
///
/// ```
/// use std::time::{Duration, Instant};
/// use hanxin::clock::{Clock, Stage};
///
/// let minutes = |n: u64, moves| Stage {
///     time: Some(Duration::from_secs(60 * n)),
///     moves: Some(moves),
///     ..Stage::default()
/// };
/// let mut clock = Clock::new(minutes(90, 40), minutes(30, 20));
/// let start = Instant::now();
/// clock.start_move(start);
/// clock.end_move(start + Duration::from_secs(10))?;
/// assert_eq!(clock.view().map(|view| view.to_string()), Some("89:50.0 for 39 moves".into()));
/// # Ok::<(), hanxin::clock::Flag>(())
/// ```
#[derive(Clone, Debug)]
pub struct Clock {
    stage: Stage,
    next: Stage,
    /// Moves made in this stage.
    made: u32,
    remaining: Duration,
    move_started: Option<Instant>,
}

impl Clock {
    /// A clock at the beginning of a game.
    pub fn new(first: Stage, second: Stage) -> Clock {
        Clock {
            stage: first,
            next: second,
            made: 0,
            remaining: first.time.unwrap_or_default(),
            move_started: None,
        }
    }

    /// The usual clock: a base time for the whole game and an increment a move.
    pub fn with_increment(base: Duration, increment: Duration) -> Clock {
        let stage = Stage { time: Some(base), moves: None, increment };
        Clock::new(stage, stage)
    }

    /// Will this clock ever run? Not when no stage that the game can reach is timed.
    pub fn is_timed(&self) -> bool {
        self.stage.time.is_some() || (self.stage.moves.is_some() && self.next.time.is_some())
    }

    /// What the side to move sees; `None` in a stage that is not timed.
    pub fn view(&self) -> Option<ClockView> {
        self.stage.time?;
        Some(ClockView {
            remaining: self.remaining,
            increment: self.stage.increment,
            moves_to_go: self.stage.moves.map(|moves| moves.saturating_sub(self.made).max(1)),
        })
    }

    /// The side begins to think.
    pub fn start_move(&mut self, now: Instant) {
        self.move_started = Some(now);
    }

    /// The side has moved: charges the time since [`Clock::start_move`], then credits the
    /// increment or, behind the last move of a stage, the time of the next one.
    ///
    /// # Errors
    /// [`Flag`] when the time was over. Nothing is left on the clock then.
    pub fn end_move(&mut self, now: Instant) -> Result<(), Flag> {
        let started = self.move_started.take().unwrap_or(now);
        let outcome = self.charge(now.saturating_duration_since(started));
        self.made += 1;
        if self.stage.moves.is_some_and(|moves| self.made >= moves) {
            self.stage = self.next;
            self.made = 0;
            self.remaining += self.stage.time.unwrap_or_default();
        }
        outcome
    }

    fn charge(&mut self, spent: Duration) -> Result<(), Flag> {
        if self.stage.time.is_none() {
            return Ok(());
        }
        match self.remaining.checked_sub(spent) {
            Some(left) => {
                self.remaining = left + self.stage.increment;
                Ok(())
            }
            None => {
                let over = spent - self.remaining;
                self.remaining = Duration::ZERO;
                Err(Flag { over })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn stage(seconds: u64, moves: u32) -> Stage {
        Stage {
            time: (seconds > 0).then_some(secs(seconds)),
            moves: (moves > 0).then_some(moves),
            increment: Duration::ZERO,
        }
    }

    /// Makes a move that takes so many seconds.
    fn play(clock: &mut Clock, seconds: u64) -> Result<(), Flag> {
        let start = Instant::now();
        clock.start_move(start);
        clock.end_move(start + secs(seconds))
    }

    fn shown(clock: &Clock) -> Option<(u64, Option<u32>)> {
        clock.view().map(|view| (view.remaining.as_secs(), view.moves_to_go))
    }

    #[test]
    fn unused_time_is_carried_into_every_later_stage() {
        let mut clock = Clock::new(stage(100, 3), stage(40, 2));
        for (spent, left) in [
            (10, (90, Some(2))),
            (20, (70, Some(1))),
            (30, (80, Some(2))), // 40 unused + 40
            (50, (30, Some(1))),
            (30, (40, Some(2))), // nothing unused + 40
            (1, (39, Some(1))),
        ] {
            assert_eq!(play(&mut clock, spent), Ok(()));
            assert_eq!(shown(&clock), Some(left));
        }
    }

    #[test]
    fn the_last_instant_is_still_in_time() {
        let mut clock = Clock::new(stage(10, 2), stage(10, 2));
        assert_eq!(play(&mut clock, 10), Ok(()));
        assert_eq!(play(&mut clock, 3), Err(Flag { over: secs(3) }));
        assert_eq!(Flag { over: secs(3) }.to_string(), "time exceeded by 3000 ms");
    }

    #[test]
    fn a_flag_leaves_nothing() {
        let mut clock = Clock::with_increment(secs(5), secs(2));
        assert_eq!(play(&mut clock, 9), Err(Flag { over: secs(4) }));
        assert_eq!(shown(&clock), Some((0, None)));
    }

    #[test]
    fn increment_is_credited_behind_the_move() {
        let mut clock = Clock::with_increment(secs(60), secs(3));
        assert_eq!(play(&mut clock, 10), Ok(()));
        assert_eq!(shown(&clock), Some((53, None)));
        assert_eq!(clock.view().map(|view| view.increment), Some(secs(3)));
    }

    #[test]
    fn no_moves_means_the_rest_of_the_game() {
        let mut clock = Clock::new(stage(60, 0), stage(99, 9));
        for left in [59, 58, 57] {
            assert_eq!(play(&mut clock, 1), Ok(()));
            assert_eq!(shown(&clock), Some((left, None)));
        }
    }

    #[test]
    fn no_minutes_means_no_clock() {
        let mut clock = Clock::new(stage(0, 0), stage(30, 5));
        assert!(!clock.is_timed());
        assert_eq!(play(&mut clock, 100_000), Ok(()));
        assert_eq!(shown(&clock), None);
        assert!(!Clock::new(stage(0, 7), stage(0, 7)).is_timed());
    }

    #[test]
    fn an_untimed_stage_may_stand_before_or_behind_a_timed_one() {
        let mut clock = Clock::new(stage(0, 2), stage(30, 5));
        assert!(clock.is_timed());
        assert_eq!(play(&mut clock, 500), Ok(()));
        assert_eq!(shown(&clock), None);
        assert_eq!(play(&mut clock, 500), Ok(()));
        assert_eq!(shown(&clock), Some((30, Some(5))));

        let mut clock = Clock::new(stage(30, 1), stage(0, 0));
        assert_eq!(play(&mut clock, 20), Ok(()));
        assert_eq!(shown(&clock), None);
        assert_eq!(play(&mut clock, 500), Ok(()));
    }

    #[test]
    fn a_move_that_was_never_started_costs_nothing() {
        let mut clock = Clock::with_increment(secs(5), Duration::ZERO);
        assert_eq!(clock.end_move(Instant::now()), Ok(()));
        assert_eq!(shown(&clock), Some((5, None)));
    }

    #[test]
    fn prints_as_a_clock() {
        let view = |ms, moves_to_go| {
            ClockView { remaining: Duration::from_millis(ms), moves_to_go, ..ClockView::default() }
                .to_string()
        };
        assert_eq!(view(297_399, Some(12)), "4:57.3 for 12 moves");
        assert_eq!(view(59_999, Some(1)), "0:59.9 for 1 move");
        assert_eq!(view(10_800_000, None), "180:00.0");
    }
}
