//! What is asked of a match: its engines and how each is run, the event, and when games end early.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use thiserror::Error;

use crate::protocol::Dialect;

use super::tc::{ParseTimeError, TimeControl, parse_limit, parse_time, time_text};

/// One engine of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EngineConfig {
    /// Its name in all reports; the program's own name where none is given.
    pub name: String,
    /// The program, with its first arguments if need be.
    pub command: Vec<String>,
    /// More arguments.
    pub args: Vec<String>,
    /// Folder it runs in.
    pub dir: Option<PathBuf>,
    /// What it speaks; `None` finds out.
    pub dialect: Option<Dialect>,
    /// Names and values, set once at its start.
    pub options: Vec<(String, String)>,
    /// What a move may take.
    pub limits: EngineLimits,
    /// Does it think on the other side's time?
    pub ponder: bool,
    /// How much later than its time a move may come.
    pub time_margin: Option<Duration>,
    /// Does it count the ranks from 1 to 10?
    pub ranks_from_one: bool,
}

/// What a move may take; all limits hold at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineLimits {
    /// A clock.
    pub clock: Option<TimeControl>,
    /// Time for every move.
    pub move_time: Option<Duration>,
    /// Nodes for every move.
    pub nodes: Option<u64>,
    /// Depth for every move.
    pub depth: Option<u32>,
}

/// A setting of an engine that cannot be.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ConfigError {
    /// Not `key=value`.
    #[error("\"{0}\" is not key=value")]
    NoValue(String),
    /// No such setting.
    #[error("no setting \"{0}\" (one of {keys})", keys = EngineConfig::KEYS.join(", "))]
    Key(String),
    /// The value is none of those the key allows.
    #[error("{key}={value}: {expected}")]
    Value {
        /// The setting.
        key: String,
        /// What was given.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// A text with a quote that does not end.
    #[error("{0}: a quote is not closed")]
    Quote(String),
    /// An engine without a program.
    #[error("engine {0} has no cmd=")]
    NoCommand(String),
    /// Nothing tells an engine when to move.
    #[error("engine {0} has no limit: give tc=, st=, nodes= or depth=")]
    NoLimit(String),
    /// A name that would be taken for orders by a terminal.
    #[error("engine name {0:?} has a character that cannot be shown")]
    Name(String),
    /// Two engines with the same name.
    #[error("two engines are called {0}: give one another name=")]
    SameName(String),
    /// Not enough engines.
    #[error("a match needs at least two engines")]
    TooFew,
}

impl EngineConfig {
    /// All settings of [`EngineConfig::set`].
    pub const KEYS: [&str; 13] = [
        "name",
        "cmd",
        "args",
        "dir",
        "proto",
        "option.NAME",
        "tc",
        "st",
        "nodes",
        "depth",
        "ponder",
        "timemargin",
        "ranks",
    ];

    /// Takes one setting in the form `key=value`.
    ///
    /// # Errors
    /// The key is unknown, or the value is none it allows.
    pub fn set_text(&mut self, text: &str) -> Result<(), ConfigError> {
        let (key, value) =
            text.split_once('=').ok_or_else(|| ConfigError::NoValue(text.to_owned()))?;
        self.set(key, value)
    }

    /// Takes one setting.
    ///
    /// # Errors
    /// As [`EngineConfig::set_text`].
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let bad = |expected: &str| ConfigError::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
        };
        let time = |text: &str| parse_time(text).map_err(|error| bad(&error.to_string()));
        if let Some(option) = key.strip_prefix("option.") {
            self.options.retain(|(name, _)| !name.eq_ignore_ascii_case(option));
            self.options.push((option.to_owned(), value.to_owned()));
            return Ok(());
        }
        match key {
            "name" => self.name = value.to_owned(),
            "cmd" => self.command = words(value)?,
            "args" => self.args = words(value)?,
            "dir" => self.dir = Some(value.into()),
            "proto" => {
                self.dialect = match value {
                    "auto" => None,
                    "ucci" => Some(Dialect::Ucci),
                    "uci" => Some(Dialect::Uci),
                    _ => return Err(bad("one of ucci, uci, auto")),
                }
            }
            "tc" => {
                let control =
                    value.parse().map_err(|error: ParseTimeError| bad(&error.to_string()))?;
                self.limits.clock = Some(control);
            }
            "st" => {
                let limit = parse_limit(value).map_err(|error| bad(&error.to_string()))?;
                self.limits.move_time = Some(limit);
            }
            "nodes" => {
                let nodes: NonZeroU64 = value.parse().map_err(|_| bad("a number from 1"))?;
                self.limits.nodes = Some(nodes.get());
            }
            "depth" => {
                let depth: NonZeroU32 = value.parse().map_err(|_| bad("a number from 1"))?;
                self.limits.depth = Some(depth.get());
            }
            "ponder" => self.ponder = parse_bool(value).ok_or_else(|| bad("on or off"))?,
            // A bare number is in milliseconds, as the older runners have it.
            "timemargin" => {
                self.time_margin = Some(match value.parse() {
                    Ok(ms) => Duration::from_millis(ms),
                    Err(_) => time(value)?,
                });
            }
            "ranks" => {
                self.ranks_from_one = match value {
                    "0" => false,
                    "1" => true,
                    _ => return Err(bad("0 for ranks 0 to 9, 1 for ranks 1 to 10")),
                }
            }
            _ => return Err(ConfigError::Key(key.to_owned())),
        }
        Ok(())
    }

    /// How much later than its time a move may come. Where the whole time is meant to be used up,
    /// a little is allowed by default.
    pub fn margin(&self) -> Duration {
        const FOR_MOVE_TIME: Duration = Duration::from_millis(50);
        let default = if self.limits.move_time.is_some() { FOR_MOVE_TIME } else { Duration::ZERO };
        self.time_margin.unwrap_or(default)
    }
}

impl EngineLimits {
    fn is_none(&self) -> bool {
        *self == EngineLimits::default()
    }

    /// The tag `TimeControl` of a PGN file, in seconds: a clock as in `300+3`, or a time for each
    /// move as in `1/1.5`, or `-` without either.
    pub fn pgn_text(&self) -> String {
        let for_each = |time: Duration| format!("1/{}", time.as_secs_f64());
        let clock = self.clock.map(|clock| clock.pgn_text());
        clock.or(self.move_time.map(for_each)).unwrap_or("-".to_owned())
    }

    /// For people, as in `1s+10ms` or `5000 nodes`.
    pub fn describe(&self) -> String {
        let limits = [
            self.clock.map(|clock| clock.to_string()),
            self.move_time.map(|time| format!("{} a move", time_text(time))),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        limits.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Checks a field of engines, and gives a name to those that have none.
///
/// # Errors
/// The first engine that cannot play.
pub fn complete(engines: &mut [EngineConfig]) -> Result<(), ConfigError> {
    if engines.len() < 2 {
        return Err(ConfigError::TooFew);
    }
    let mut names: Vec<String> = Vec::new();
    for (index, engine) in engines.iter_mut().enumerate() {
        let number = format!("{}", index + 1);
        let program = engine.command.first().ok_or(match engine.name.is_empty() {
            true => ConfigError::NoCommand(number),
            false => ConfigError::NoCommand(engine.name.clone()),
        })?;
        if engine.name.is_empty() {
            let file = std::path::Path::new(program).file_name().unwrap_or_default();
            engine.name = file.to_string_lossy().into_owned();
        }
        if engine.name.contains(char::is_control) {
            return Err(ConfigError::Name(engine.name.clone()));
        }
        if engine.limits.is_none() {
            return Err(ConfigError::NoLimit(engine.name.clone()));
        }
        if names.contains(&engine.name) {
            return Err(ConfigError::SameName(engine.name.clone()));
        }
        names.push(engine.name.clone());
    }
    Ok(())
}

/// Splits a command line at blanks; quotes keep words together.
fn words(text: &str) -> Result<Vec<String>, ConfigError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(ConfigError::Quote(text.to_owned()));
    }
    words.extend(word);
    Ok(words)
}

/// A yes or no in any of the usual words.
pub(crate) fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "true" | "on" | "yes" | "1" => Some(true),
        "false" | "off" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// How long an engine is waited for, beside its clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// From its start to the ok line.
    pub start: Duration,
    /// From `isready` to `readyok`.
    pub ready: Duration,
    /// Behind the end of its time, and for the answer to `stop` and `quit`.
    pub answer: Duration,
    /// For a move that is limited by nodes or depth alone.
    pub untimed: Duration,
}

impl Default for Waiting {
    fn default() -> Waiting {
        Waiting {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(60),
            answer: Duration::from_secs(5),
            untimed: Duration::from_secs(600),
        }
    }
}

/// Ends a lost game early: so many moves in a row with so bad a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ResignRule {
    /// At least so bad, in centi-pieces.
    pub score: i32,
    /// So many moves of the losing side in a row.
    pub count: u32,
    /// Must the winning side agree?
    pub twosided: bool,
}

/// Ends a level game early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct DrawRule {
    /// Not before this move number.
    pub number: u32,
    /// So many moves of each side in a row.
    pub count: u32,
    /// At most so far from 0, in centi-pieces.
    pub score: i32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(settings: &[&str]) -> Result<EngineConfig, ConfigError> {
        let mut config = EngineConfig::default();
        settings.iter().try_for_each(|setting| config.set_text(setting))?;
        Ok(config)
    }

    #[test]
    fn settings_are_read() {
        let config = engine(&[
            "cmd='my engines/a b' --quiet",
            "args=x \"y z\"",
            "proto=uci",
            "option.Hash=64",
            "option.EvalFile=a=b",
            "tc=1+0.01",
            "nodes=5000",
            "ponder=on",
            "timemargin=20",
            "ranks=1",
        ])
        .unwrap();
        assert_eq!(config.command, ["my engines/a b", "--quiet"]);
        assert_eq!(config.args, ["x", "y z"]);
        assert_eq!(config.options[1], ("EvalFile".to_owned(), "a=b".to_owned()));
        assert_eq!(config.margin(), Duration::from_millis(20));
        assert_eq!(config.limits.describe(), "1s+10ms, 5000 nodes");
        assert!(config.ponder && config.ranks_from_one);
    }

    #[test]
    fn limits_are_written_as_pgn_has_them() {
        for (settings, tag) in [
            (&["tc=5m+3s", "st=9"][..], "300+3"),
            (&["tc=40/90m:20/30m"], "40/5400:20/1800"),
            (&["tc=20/10s+0.1s:5m"], "20/10+0.1:300"),
            (&["st=1500ms", "depth=9"], "1/1.5"),
            (&["nodes=9"], "-"),
        ] {
            assert_eq!(engine(settings).unwrap().limits.pgn_text(), tag);
        }
    }

    #[test]
    fn faults_say_what_is_allowed() {
        for (setting, message) in [
            ("tc", "\"tc\" is not key=value"),
            ("proto=xboard", "proto=xboard: one of ucci, uci, auto"),
            ("tc=x", "tc=x: not a time: \"x\" (as in 500ms, 3s, 5m or 1.5)"),
            ("tc=0", "tc=0: \"0\" is no time at all"),
            ("st=0", "st=0: \"0\" is no time at all"),
            ("nodes=0", "nodes=0: a number from 1"),
            ("depth=0", "depth=0: a number from 1"),
            ("cmd='a", "'a: a quote is not closed"),
            ("ranks=2", "ranks=2: 0 for ranks 0 to 9, 1 for ranks 1 to 10"),
        ] {
            assert_eq!(engine(&[setting]).unwrap_err().to_string(), message);
        }
        let message = engine(&["hash=1"]).unwrap_err().to_string();
        assert!(message.starts_with("no setting \"hash\" (one of name, cmd, "), "{message}");
    }

    #[test]
    fn a_field_is_named_and_checked() {
        let good = ["cmd=/usr/games/fairy-stockfish", "depth=1"];
        let mut field = [engine(&good).unwrap(), engine(&good).unwrap()];
        let error = complete(&mut field).unwrap_err();
        assert_eq!(error, ConfigError::SameName("fairy-stockfish".to_owned()));
        field[1].name = "other".to_owned();
        assert_eq!(complete(&mut field), Ok(()));
        field[1].limits = EngineLimits::default();
        assert_eq!(complete(&mut field), Err(ConfigError::NoLimit("other".to_owned())));
        assert_eq!(complete(&mut field[..1]), Err(ConfigError::TooFew));
    }
}
