//! Time controls as people write them: `5m+3s`, `40/90m:20/30m`, `1+0.01`.
//!
//! ```text
//! control = stage [":" stage]         every later stage repeats the last one
//! stage   = [moves "/"] time ["+" increment]
//! time    = number ["ms" | "s" | "m" | "h"]     without a unit: seconds
//! ```
//!
//! A stage of no time has no clock, and one of no moves lasts for the rest of the game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::clock::{Clock, Stage};

/// The longest time of a stage, 180 minutes (the rules' limit).
pub const LONGEST_STAGE: Duration = Duration::from_secs(180 * 60);

/// The longest time that can be read, about thirty years.
const MOST_MICROS: f64 = 1e15;

/// A game's time for one side, in one or two stages.
///
/// ```
/// use hanxin::arena::TimeControl;
///
/// let control: TimeControl = "40/90m:20/30m".parse()?;
/// assert_eq!(control.clock().view().map(|view| view.moves_to_go), Some(Some(40)));
/// assert_eq!(control.to_string(), "40/90m:20/30m");
/// # Ok::<(), hanxin::arena::ParseTimeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// 第一时限.
    pub first: Stage,
    /// 第二时限, repeated for the rest of the game.
    pub second: Stage,
}

/// The text is no time or time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseTimeError {
    /// Not a number with a unit.
    #[error("not a time: \"{0}\" (as in 500ms, 3s, 5m or 1.5)")]
    Time(String),
    /// Not a number of moves.
    #[error("not a number of moves: \"{0}\"")]
    Moves(String),
    /// More than two stages.
    #[error("\"{0}\" has more than two stages")]
    Stages(String),
    /// A stage longer than 180 minutes.
    #[error("\"{0}\" is longer than 180 minutes")]
    TooLong(String),
    /// No time where there has to be some.
    #[error("\"{0}\" is no time at all")]
    Zero(String),
    /// An increment in a stage without a clock.
    #[error("\"{0}\" adds to no time")]
    IncrementAlone(String),
    /// A second stage that never begins.
    #[error(
        "\"{0}\" has a second stage but no moves for the first (as in 40/90m:20/30m; for a minute \
         and a half say 90s or 1.5m)"
    )]
    EndlessFirst(String),
}

impl TimeControl {
    /// As a PGN file has it, in seconds: `300+3` or `40/5400:20/1800`.
    pub fn pgn_text(&self) -> String {
        self.text(|time| time.as_secs_f64().to_string())
    }

    fn text(&self, time: fn(Duration) -> String) -> String {
        let first = stage_text(&self.first, time);
        match self.first == self.second {
            true => first,
            false => format!("{first}:{}", stage_text(&self.second, time)),
        }
    }

    /// The clock of one side at the start of a game.
    pub fn clock(&self) -> Clock {
        Clock::new(self.first, self.second)
    }
}

impl FromStr for TimeControl {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeError> {
        let mut stages = text.split(':');
        let first = parse_stage(stages.next().unwrap_or_default())?;
        let later = stages.next().map(parse_stage).transpose()?;
        let control = TimeControl { first, second: later.unwrap_or(first) };
        let text = || text.to_owned();
        match stages.next() {
            Some(_) => Err(ParseTimeError::Stages(text())),
            None if later.is_some() && first.moves.is_none() => {
                Err(ParseTimeError::EndlessFirst(text()))
            }
            None if !control.clock().is_timed() => Err(ParseTimeError::Zero(text())),
            None => Ok(control),
        }
    }
}

fn parse_stage(text: &str) -> Result<Stage, ParseTimeError> {
    let (moves, rest) = match text.split_once('/') {
        None => (0, text),
        Some((moves, rest)) => {
            let number = moves.parse().map_err(|_| ParseTimeError::Moves(moves.to_owned()))?;
            (number, rest)
        }
    };
    let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let (time, increment) = (parse_time(time)?, parse_time(increment)?);
    if time > LONGEST_STAGE || increment > LONGEST_STAGE {
        return Err(ParseTimeError::TooLong(rest.to_owned()));
    }
    if time.is_zero() && !increment.is_zero() {
        return Err(ParseTimeError::IncrementAlone(rest.to_owned()));
    }
    let (moves, time) = ((moves > 0).then_some(moves), (!time.is_zero()).then_some(time));
    Ok(Stage { time, moves, increment })
}

/// A number and its unit; without a unit seconds.
///
/// # Errors
/// Not a number that is zero or more, or an unknown unit.
pub fn parse_time(text: &str) -> Result<Duration, ParseTimeError> {
    let refuse = || ParseTimeError::Time(text.to_owned());
    let (number, unit) = text.split_at(text.trim_end_matches(char::is_alphabetic).len());
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(refuse()),
    };
    let number: f64 = number.parse().map_err(|_| refuse())?;
    // Whole microseconds, so that 0.1 is a tenth and not a bit more or less.
    let micros = (number * seconds * 1e6).round();
    if (0.0..=MOST_MICROS).contains(&micros) {
        Ok(Duration::from_micros(micros as u64))
    } else {
        Err(refuse())
    }
}

/// As [`parse_time`], for a limit: nothing can be done in no time.
///
/// # Errors
/// Not a time, or zero.
pub fn parse_limit(text: &str) -> Result<Duration, ParseTimeError> {
    match parse_time(text)? {
        Duration::ZERO => Err(ParseTimeError::Zero(text.to_owned())),
        time => Ok(time),
    }
}

/// A time in the largest unit that says it in whole numbers, else in seconds.
pub fn time_text(time: Duration) -> String {
    match time.as_millis() {
        0 => "0s".to_owned(),
        ms if ms % 60_000 == 0 => format!("{}m", ms / 60_000),
        ms if ms % 1_000 == 0 => format!("{}s", ms / 1_000),
        ms if ms < 1_000 && time.subsec_micros().is_multiple_of(1_000) => format!("{ms}ms"),
        _ => format!("{}s", time.as_secs_f64()),
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(time_text))
    }
}

fn stage_text(stage: &Stage, time: fn(Duration) -> String) -> String {
    let moves = stage.moves.map_or(String::new(), |moves| format!("{moves}/"));
    let mut text = moves + &time(stage.time.unwrap_or_default());
    if !stage.increment.is_zero() {
        text += &format!("+{}", time(stage.increment));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (u64, u64, u32) {
        let stage = text.parse::<TimeControl>().unwrap().first;
        let ms = |time: Duration| time.as_millis() as u64;
        (ms(stage.time.unwrap_or_default()), ms(stage.increment), stage.moves.unwrap_or(0))
    }

    #[test]
    fn the_usual_forms() {
        assert_eq!(read("5m+3s"), (300_000, 3_000, 0));
        assert_eq!(read("1+0.01"), (1_000, 10, 0));
        assert_eq!(read("1s+0.01s"), (1_000, 10, 0));
        assert_eq!(read("500ms"), (500, 0, 0));
        assert_eq!(read("40/90m:20/30m"), (5_400_000, 0, 40));
        assert_eq!(read("40/1.5h+2s"), (5_400_000, 2_000, 40));
    }

    #[test]
    fn two_stages_and_the_meaning_of_zero() {
        let control: TimeControl = "40/90m:20/30m".parse().unwrap();
        assert_eq!(control.second.moves, Some(20));
        assert_eq!(control.second.time, Some(Duration::from_secs(1_800)));
        let untimed: TimeControl = "10/0:5/1m".parse().unwrap();
        assert_eq!((untimed.first.time, untimed.first.moves), (None, Some(10)));
        let rest: TimeControl = "0/5m".parse().unwrap();
        assert_eq!(rest.first.moves, None);
    }

    #[test]
    fn prints_what_it_reads() {
        for text in
            ["5m+3s", "40/90m:20/30m", "1s+10ms", "500ms", "1.5s", "10/0s:5m", "20/10s+1s:5m"]
        {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_text_is_refused() {
        for (text, message) in [
            ("", "not a time: \"\" (as in 500ms, 3s, 5m or 1.5)"),
            ("5x", "not a time: \"5x\" (as in 500ms, 3s, 5m or 1.5)"),
            ("-1s", "not a time: \"-1s\" (as in 500ms, 3s, 5m or 1.5)"),
            ("infs", "not a time: \"infs\" (as in 500ms, 3s, 5m or 1.5)"),
            ("x/5m", "not a number of moves: \"x\""),
            ("1m:1m:1m", "\"1m:1m:1m\" has more than two stages"),
            ("0", "\"0\" is no time at all"),
            ("0+0", "\"0+0\" is no time at all"),
            ("0/0ms", "\"0/0ms\" is no time at all"),
            ("5/0:0", "\"5/0:0\" is no time at all"),
            ("0+1s", "\"0+1s\" adds to no time"),
            ("181m", "\"181m\" is longer than 180 minutes"),
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap_err().to_string(), message);
        }
        // Minutes and seconds as other runners have them, which would be a clock of one second.
        let message = "1:30".parse::<TimeControl>().unwrap_err().to_string();
        assert!(message.contains("say 90s or 1.5m"), "{message}");
        assert_eq!(parse_limit("0ms"), Err(ParseTimeError::Zero("0ms".to_owned())));
    }
}
