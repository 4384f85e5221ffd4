//! The options: one table that the announcement, the parser, the README and the tests read.

use std::fmt::Write;
use std::time::Duration;

use thiserror::Error;

use super::{Dialect, OptionKind, OptionLine};
use crate::book::BookOptions;
use crate::clock::Stage;
use crate::rules::RuleSet;
use crate::search::{Level, SearchOptions, Style, processors};

/// Everything that `setoption` can change. The defaults of the options are the values here.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What the search is told.
    pub search: SearchOptions,
    /// Play from books; `None` where nobody has said so, which means yes in UCCI and no in UCI.
    pub use_book: Option<bool>,
    /// Which books, see [`BookOptions::files`].
    pub book_files: String,
    /// Plies after which they are left.
    pub book_depth: u32,
    /// The engine's own clock: first and second stage.
    pub stages: [Stage; 2],
    /// Times of `go` are in milliseconds, else in seconds.
    pub millisec: bool,
    /// Take no input while thinking.
    pub batch: bool,
    /// Say more than the interface needs.
    pub debug: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            search: SearchOptions::default(),
            use_book: None,
            book_files: String::new(),
            book_depth: BookOptions::default().depth,
            stages: [Stage::default(); 2],
            millisec: true,
            batch: false,
            debug: false,
        }
    }
}

impl Settings {
    /// What the engine is told about books.
    pub fn books(&self, dialect: Dialect) -> BookOptions {
        BookOptions {
            enabled: self.use_book.unwrap_or(uses_book(dialect)),
            files: self.book_files.clone(),
            depth: self.book_depth,
        }
    }
}

/// UCI interfaces bring books of their own.
fn uses_book(dialect: Dialect) -> bool {
    dialect == Dialect::Ucci
}

/// A row of the table.
#[derive(Debug)]
pub struct EngineOption {
    /// Name in UCCI, one lower-case word. Not announced there without one.
    pub ucci: Option<&'static str>,
    /// Name in UCI. Not announced there without one.
    pub uci: Option<&'static str>,
    /// What it does, for people.
    pub help: &'static str,
    kind: Kind,
}

/// Type and bounds of an option, and where in the settings its value is.
#[derive(Debug)]
enum Kind {
    Check(fn(&mut Settings) -> &mut bool),
    /// Its default depends on the dialect.
    UseBook,
    Text(fn(&mut Settings) -> &mut String),
    Spin {
        min: u32,
        max: u32,
        get: fn(&Settings) -> u32,
        set: fn(&mut Settings, u32),
    },
    Level(fn(&mut Settings) -> &mut Level),
    Style(fn(&mut Settings) -> &mut Style),
    RuleSet(fn(&mut Settings) -> &mut RuleSet),
    /// A combo with a single choice.
    Only(&'static str),
    /// The only button: a new game.
    NewGame,
}

/// All options, in the order in which they are announced.
pub const OPTIONS: &[EngineOption] = &[
    EngineOption {
        ucci: Some("usemillisec"),
        uci: None,
        help: "times of `go` are in milliseconds, else in seconds",
        kind: Kind::Check(|s| &mut s.millisec),
    },
    EngineOption {
        ucci: Some("batch"),
        uci: None,
        help: "take no input while thinking, so that a script can pipe `go` after `go`",
        kind: Kind::Check(|s| &mut s.batch),
    },
    EngineOption {
        ucci: Some("debug"),
        uci: None,
        help: "more `info` lines: root moves, progress each second, how `go` was understood",
        kind: Kind::Check(|s| &mut s.debug),
    },
    EngineOption {
        ucci: Some("ponder"),
        uci: Some("Ponder"),
        help: "the interface will use `go ponder`; only changes how time is shared out",
        kind: Kind::Check(|s| &mut s.search.ponder),
    },
    EngineOption {
        ucci: Some("usebook"),
        uci: Some("OwnBook"),
        help: "play from books, except in analysis: `go infinite`, `go mate`, more than one line",
        kind: Kind::UseBook,
    },
    EngineOption {
        ucci: Some("bookfiles"),
        uci: Some("BookFiles"),
        help: "book files, `;` between them, beside the binary or with full path; none is the embedded book",
        kind: Kind::Text(|s| &mut s.book_files),
    },
    EngineOption {
        ucci: Some("bookdepth"),
        uci: Some("BookDepth"),
        help: "plies from the start of the game after which books are left",
        kind: Kind::Spin { min: 0, max: 200, get: |s| s.book_depth, set: |s, v| s.book_depth = v },
    },
    EngineOption {
        ucci: Some("hashsize"),
        uci: Some("Hash"),
        help: "hash table in MB; 0 takes a sixteenth of the free memory, from 16 to 1024 MB",
        kind: Kind::Spin {
            min: 0,
            max: 65_536,
            get: |s| s.search.hash_mb as u32,
            set: |s, v| s.search.hash_mb = if v == 0 { automatic_hash_mb() } else { v as usize },
        },
    },
    EngineOption {
        ucci: Some("threads"),
        uci: Some("Threads"),
        help: "threads that search, at most one for each processor core; 0 takes them all",
        kind: Kind::Spin {
            min: 0,
            max: 256,
            get: |s| s.search.threads as u32,
            set: |s, v| s.search.threads = if v == 0 { processors() } else { v as usize },
        },
    },
    EngineOption {
        ucci: Some("multipv"),
        uci: Some("MultiPV"),
        help: "how many lines are analysed",
        kind: Kind::Spin {
            min: 1,
            max: 128,
            get: |s| s.search.multipv as u32,
            set: |s, v| s.search.multipv = v as usize,
        },
    },
    EngineOption {
        ucci: Some("moveoverhead"),
        uci: Some("Move Overhead"),
        help: "milliseconds of each move kept back for the delay of the interface",
        kind: Kind::Spin {
            min: 0,
            max: 5_000,
            get: |s| s.search.move_overhead.as_millis() as u32,
            set: |s, v| s.search.move_overhead = Duration::from_millis(v.into()),
        },
    },
    EngineOption {
        ucci: Some("idle"),
        uci: Some("Idle"),
        help: "how much processor time is left to other programs",
        kind: Kind::Level(|s| &mut s.search.idle),
    },
    EngineOption {
        ucci: Some("pruning"),
        uci: Some("Pruning"),
        help: "how selective the search is",
        kind: Kind::Level(|s| &mut s.search.pruning),
    },
    EngineOption {
        ucci: Some("knowledge"),
        uci: Some("Knowledge"),
        help: "how much the evaluation knows; `none` is material and piece squares only",
        kind: Kind::Level(|s| &mut s.search.knowledge),
    },
    EngineOption {
        ucci: Some("randomness"),
        uci: Some("Randomness"),
        help: "how far from the best move it may stray",
        kind: Kind::Level(|s| &mut s.search.randomness),
    },
    EngineOption {
        ucci: Some("style"),
        uci: Some("Style"),
        help: "`solid` likes a draw, `risky` avoids it",
        kind: Kind::Style(|s| &mut s.search.style),
    },
    EngineOption {
        ucci: Some("ruleset"),
        uci: Some("Ruleset"),
        help: "which repetition rules; `off` calls every repetition a draw",
        kind: Kind::RuleSet(|s| &mut s.search.rules),
    },
    EngineOption {
        ucci: Some("resign"),
        uci: None,
        help: "may resign a lost game",
        kind: Kind::Check(|s| &mut s.search.resign),
    },
    EngineOption {
        ucci: Some("offerdraw"),
        uci: None,
        help: "may offer a draw unasked",
        kind: Kind::Check(|s| &mut s.search.offer_draw),
    },
    EngineOption {
        ucci: Some("firsttime"),
        uci: Some("firsttime"),
        help: "first stage of the engine's own clock, in minutes; 0 is no clock",
        kind: Kind::Spin {
            min: 0,
            max: MAX_MINUTES,
            get: |s| to_minutes(s.stages[0].time),
            set: |s, v| s.stages[0].time = from_minutes(v),
        },
    },
    EngineOption {
        ucci: Some("firstmoves"),
        uci: Some("firstmoves"),
        help: "moves to be made in the first stage; 0 is the rest of the game",
        kind: Kind::Spin {
            min: 0,
            max: MAX_MOVES,
            get: |s| s.stages[0].moves.unwrap_or(0),
            set: |s, v| s.stages[0].moves = (v > 0).then_some(v),
        },
    },
    EngineOption {
        ucci: Some("secondtime"),
        uci: Some("secondtime"),
        help: "second and every later stage of that clock, in minutes; 0 is no clock",
        kind: Kind::Spin {
            min: 0,
            max: MAX_MINUTES,
            get: |s| to_minutes(s.stages[1].time),
            set: |s, v| s.stages[1].time = from_minutes(v),
        },
    },
    EngineOption {
        ucci: Some("secondmoves"),
        uci: Some("secondmoves"),
        help: "moves to be made in each later stage; 0 is the rest of the game",
        kind: Kind::Spin {
            min: 0,
            max: MAX_MOVES,
            get: |s| s.stages[1].moves.unwrap_or(0),
            set: |s, v| s.stages[1].moves = (v > 0).then_some(v),
        },
    },
    EngineOption {
        ucci: Some("newgame"),
        uci: Some("Clear Hash"),
        help: "new game: clears the hash table, what the search has learnt, and the clocks",
        kind: Kind::NewGame,
    },
    EngineOption {
        ucci: None,
        uci: Some("UCI_Variant"),
        help: "tells interfaces which game is played",
        kind: Kind::Only("xiangqi"),
    },
];

/// Most minutes of a stage.
const MAX_MINUTES: u32 = 180;

/// Most moves of a stage.
const MAX_MOVES: u32 = 200;

/// What setting an option led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// The settings hold the value.
    Stored,
    /// The number was out of range; the settings hold this one instead.
    Clamped(u32),
}

/// An option that exists was given a value that it cannot have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("option {option}: \"{value}\" is not {expected}")]
pub struct SettingError {
    /// Name of the option.
    pub option: &'static str,
    /// The value given.
    pub value: String,
    /// What would do.
    pub expected: String,
}

impl EngineOption {
    /// The option of that name in either family, whatever the case.
    pub fn find(name: &str) -> Option<&'static EngineOption> {
        OPTIONS.iter().find(|option| option.names().any(|own| own.eq_ignore_ascii_case(name)))
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.ucci.into_iter().chain(self.uci)
    }

    /// How the dialect announces the option, if it does.
    pub fn announce(&self, dialect: Dialect) -> Option<OptionLine> {
        let name = match dialect {
            Dialect::Ucci => self.ucci,
            Dialect::Uci => self.uci,
        }?;
        Some(OptionLine { name: name.to_owned(), kind: self.kind.announce(dialect) })
    }

    /// Is it the button that starts a new game? That is not a setting but a command.
    pub fn is_new_game(&self) -> bool {
        matches!(self.kind, Kind::NewGame)
    }

    /// Does it name the files of books? They may change though their names do not.
    pub fn names_books(&self) -> bool {
        self.ucci == Some("bookfiles")
    }

    /// Stores the value written in `text`. Numbers out of range are clamped; a button has none.
    ///
    /// # Errors
    /// [`SettingError`] when the text is no value of this type; the settings stay as they are.
    pub fn set(&self, settings: &mut Settings, text: &str) -> Result<Setting, SettingError> {
        let text = text.trim();
        let stored = match self.kind {
            Kind::NewGame => true,
            Kind::Check(field) => store(field(settings), parse_bool(text)),
            Kind::UseBook => store(&mut settings.use_book, parse_bool(text).map(Some)),
            Kind::Text(field) => store(field(settings), Some(text.to_owned())),
            Kind::Level(field) => store(field(settings), find_word(&Level::NAMED, text)),
            Kind::Style(field) => store(field(settings), find_word(&Style::NAMED, text)),
            Kind::RuleSet(field) => store(field(settings), find_word(&RuleSet::NAMED, text)),
            Kind::Only(word) => word.eq_ignore_ascii_case(text),
            Kind::Spin { min, max, set, .. } => {
                let number = parse_number(text).ok_or_else(|| self.error(text))?;
                let value = number.clamp(min.into(), max.into());
                set(settings, value as u32);
                if value != number {
                    return Ok(Setting::Clamped(value as u32));
                }
                true
            }
        };
        if stored { Ok(Setting::Stored) } else { Err(self.error(text)) }
    }

    fn error(&self, text: &str) -> SettingError {
        let expected = match self.kind {
            Kind::Check(_) | Kind::UseBook => "true or false".to_owned(),
            Kind::Text(_) => "a text".to_owned(),
            Kind::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            Kind::Level(_) => words(&Level::NAMED).join(", "),
            Kind::Style(_) => words(&Style::NAMED).join(", "),
            Kind::RuleSet(_) => words(&RuleSet::NAMED).join(", "),
            Kind::Only(word) => word.to_owned(),
            Kind::NewGame => "a button".to_owned(),
        };
        let option = self.names().next().unwrap_or_default();
        SettingError { option, value: text.to_owned(), expected }
    }
}

impl Kind {
    fn announce(&self, dialect: Dialect) -> OptionKind {
        let mut defaults = Settings::default();
        let combo = |default: &str, words: Vec<&str>| OptionKind::Combo {
            default: default.to_owned(),
            values: words.into_iter().map(str::to_owned).collect(),
        };
        match *self {
            Kind::Check(field) => OptionKind::Check(*field(&mut defaults)),
            Kind::UseBook => OptionKind::Check(uses_book(dialect)),
            Kind::Text(field) => OptionKind::String(field(&mut defaults).clone()),
            Kind::Spin { min, max, get, .. } => OptionKind::Spin {
                default: get(&defaults).into(),
                min: min.into(),
                max: max.into(),
            },
            Kind::Level(field) => {
                combo(word_for(&Level::NAMED, *field(&mut defaults)), words(&Level::NAMED))
            }
            Kind::Style(field) => {
                combo(word_for(&Style::NAMED, *field(&mut defaults)), words(&Style::NAMED))
            }
            Kind::RuleSet(field) => {
                combo(word_for(&RuleSet::NAMED, *field(&mut defaults)), words(&RuleSet::NAMED))
            }
            Kind::Only(word) => combo(word, vec![word]),
            Kind::NewGame => OptionKind::Button,
        }
    }
}

/// The table for the README.
pub fn markdown_table() -> String {
    let mut table = String::from(
        "| UCCI | UCI | values | default | what it does |\n| --- | --- | --- | --- | --- |\n",
    );
    for option in OPTIONS {
        let name = |name: Option<&str>| name.map_or("-".to_owned(), |name| format!("`{name}`"));
        let kind = option.kind.announce(Dialect::Ucci);
        let in_uci = option.kind.announce(Dialect::Uci);
        let (values, default) = match kind {
            OptionKind::Check(default) if kind != in_uci => {
                ("true, false".to_owned(), format!("{default}, in UCI {}", !default))
            }
            OptionKind::Check(default) => ("true, false".to_owned(), default.to_string()),
            OptionKind::Spin { default, min, max } => {
                (format!("{min} to {max}"), default.to_string())
            }
            OptionKind::Combo { default, values } => (values.join(", "), default),
            OptionKind::Button => ("button".to_owned(), String::new()),
            OptionKind::String(default) | OptionKind::Label(default) => {
                ("text".to_owned(), default)
            }
        };
        let (ucci, uci, help) = (name(option.ucci), name(option.uci), option.help);
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| {ucci} | {uci} | {values} | {default} | {help} |");
    }
    table
}

fn store<T>(field: &mut T, value: Option<T>) -> bool {
    value.is_some_and(|value| {
        *field = value;
        true
    })
}

fn words<T>(named: &[(&'static str, T)]) -> Vec<&'static str> {
    named.iter().map(|&(word, _)| word).collect()
}

fn find_word<T: Copy>(named: &[(&str, T)], text: &str) -> Option<T> {
    named.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|&(_, value)| value)
}

fn word_for<T: PartialEq>(named: &[(&'static str, T)], value: T) -> &'static str {
    named.iter().find(|(_, named)| *named == value).map_or("", |&(word, _)| word)
}

fn parse_bool(text: &str) -> Option<bool> {
    const WORDS: [(&str, bool); 8] = [
        ("true", true),
        ("false", false),
        ("on", true),
        ("off", false),
        ("1", true),
        ("0", false),
        ("yes", true),
        ("no", false),
    ];
    find_word(&WORDS, text)
}

/// A whole number; one too large for any bound saturates.
fn parse_number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -size } else { size })
}

fn to_minutes(time: Option<Duration>) -> u32 {
    time.map_or(0, |time| (time.as_secs() / 60) as u32)
}

fn from_minutes(minutes: u32) -> Option<Duration> {
    (minutes > 0).then(|| Duration::from_secs(60 * u64::from(minutes)))
}

/// A sixteenth of the memory that is free now; where that cannot be found out, the default.
fn automatic_hash_mb() -> usize {
    let free_kb = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok()
    });
    free_kb.map_or(SearchOptions::default().hash_mb, |kb| (kb / 1024 / 16).clamp(16, 1024))
}

#[cfg(test)]
mod tests;
