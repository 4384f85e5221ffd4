//! The file of games: one line for the event, then one for each finished game, written through to
//! the disk before the next is begun. Opened again, it tells which games are still to be played.

use std::collections::HashSet;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::board::Position;
use crate::types::Move;

use super::append::{AppendError, AppendFile};
use super::record::{FaultRecord, GameRecord};

/// One line of the file.
#[derive(Serialize, Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Entry {
    /// What is played; always first. The id tells it from all other matches.
    Event { id: String, settings: Value },
    /// A finished game.
    Game(GameRecord),
    /// A fault between the games.
    Fault(FaultRecord),
}

/// The file of games cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] AppendError),
    /// A line that no match has written.
    #[error("{path}: line {line}: {cause}")]
    Line {
        /// Its name.
        path: String,
        /// From 1.
        line: usize,
        /// What is wrong.
        cause: serde_json::Error,
    },
    /// A line that cannot stand where it stands.
    #[error("{path}: line {line}: {fault}")]
    Content {
        /// Its name.
        path: String,
        /// From 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// Nothing says what was played.
    #[error("{path} holds no match")]
    Empty {
        /// Its name.
        path: String,
    },
    /// It belongs to another match.
    #[error("{path} holds the games of another match: {key} was {was}, now {now}")]
    OtherEvent {
        /// Its name.
        path: String,
        /// What differs.
        key: String,
        /// In the file.
        was: String,
        /// Asked for.
        now: String,
    },
}

/// An open file of games; nobody else can open it as one.
pub struct Journal {
    file: AppendFile,
    id: String,
}

/// What was found in the file.
#[derive(Clone, Default, Debug)]
pub struct Past {
    /// Of the event; empty in an empty file.
    pub id: String,
    /// What is played; null in an empty file.
    pub settings: Value,
    /// Finished games, each number once.
    pub games: Vec<GameRecord>,
    /// Faults between them.
    pub faults: Vec<FaultRecord>,
}

impl Journal {
    /// Opens the file, or begins it. A last line that was not written to its end, as a power cut
    /// leaves it, is dropped: its game is played again.
    ///
    /// # Errors
    /// It cannot be opened, is in use, is no file of games, or one of a match with other settings.
    pub fn open(path: &Path, settings: &Value) -> Result<(Journal, Past), JournalError> {
        let (file, text) = AppendFile::open(path)?;
        let mut journal = Journal { file, id: new_id() };
        let (whole, torn) = split_torn(&text);
        // Nothing is changed before the file is known to be ours.
        let past = parse(path, whole)?;
        if past.settings.is_null() && !is_begun_event(torn) {
            return Err(JournalError::Empty { path: path.display().to_string() });
        }
        if !past.settings.is_null() {
            journal.compare(&past.settings, settings)?;
            journal.id.clone_from(&past.id);
        }
        if !torn.is_empty() {
            journal.file.truncate(whole.len() as u64)?;
        }
        if past.settings.is_null() {
            let id = journal.id.clone();
            journal.write(&Entry::Event { id, settings: settings.clone() })?;
        }
        Ok((journal, past))
    }

    /// The event's id, the same whenever its file is opened.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The first setting that differs is an error.
    fn compare(&self, found: &Value, asked: &Value) -> Result<(), JournalError> {
        let Some((key, was, now)) = first_difference("", found, asked) else { return Ok(()) };
        let path = self.file.path().display().to_string();
        Err(JournalError::OtherEvent { path, key, was: was.to_string(), now: now.to_string() })
    }

    /// Adds a finished game. It is on the disk when this returns.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add_game(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.write(&Entry::Game(game.clone()))
    }

    /// Adds a fault that belongs to no game.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add_fault(&mut self, fault: &FaultRecord) -> Result<(), JournalError> {
        self.write(&Entry::Fault(fault.clone()))
    }

    fn write(&mut self, entry: &Entry) -> Result<(), JournalError> {
        let mut line = serde_json::to_vec(entry)
            .map_err(|cause| AppendError::io(self.file.path(), cause.into()))?;
        line.push(b'\n');
        Ok(self.file.append(&line)?)
    }
}

/// An id for an event: no two begin in one process at the same instant.
pub(super) fn new_id() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{:x}", now.as_nanos(), std::process::id())
}

/// Reads the file of a match, which may be under way in another process.
///
/// # Errors
/// It cannot be read, or is no file of games.
pub fn read(path: &Path) -> Result<Past, JournalError> {
    let text = std::fs::read(path).map_err(|cause| AppendError::io(path, cause))?;
    let past = parse(path, split_torn(&text).0)?;
    match past.settings.is_null() {
        true => Err(JournalError::Empty { path: path.display().to_string() }),
        false => Ok(past),
    }
}

/// All whole lines, and what was not written to its end.
fn split_torn(text: &[u8]) -> (&[u8], &[u8]) {
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    text.split_at(whole)
}

/// Can this be the beginning of our first line, of which no more was written?
fn is_begun_event(torn: &[u8]) -> bool {
    const BEGIN: &[u8] = br#"{"type":"event","id":""#;
    torn.iter().zip(BEGIN).all(|(found, ours)| found == ours)
}

fn parse(path: &Path, text: &[u8]) -> Result<Past, JournalError> {
    let mut past = Past::default();
    let mut known = HashSet::new();
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (path, line_number) = (|| path.display().to_string(), index + 1);
        let entry = serde_json::from_slice(line).map_err(|cause| JournalError::Line {
            path: path(),
            line: line_number,
            cause,
        })?;
        check(&entry, &past.settings).map_err(|fault| JournalError::Content {
            path: path(),
            line: line_number,
            fault,
        })?;
        match entry {
            Entry::Event { id, settings } => (past.id, past.settings) = (id, settings),
            Entry::Game(game) => {
                past.games.extend(Some(game).filter(|game| known.insert(game.game)))
            }
            Entry::Fault(fault) => past.faults.push(fault),
        }
    }
    Ok(past)
}

/// Checks an entry against the event, null where none was read yet.
fn check(entry: &Entry, event: &Value) -> Result<(), String> {
    let is_player = |name: &str| {
        let engines = event["engines"].as_array().into_iter().flatten();
        engines.into_iter().any(|engine| engine["name"] == name)
    };
    let check_player = |name: &str| match is_player(name) {
        true => Ok(()),
        false => Err(format!("no engine of this match is called {name:?}")),
    };
    match entry {
        Entry::Event { .. } if !event.is_null() => Err("a second event".to_owned()),
        Entry::Event { settings, .. } if settings.is_object() => Ok(()),
        Entry::Event { .. } => Err("an event without settings".to_owned()),
        _ if event.is_null() => Err("the event has to come first".to_owned()),
        Entry::Fault(fault) => check_player(&fault.engine),
        Entry::Game(game) if game.red == game.black => Err("a player against itself".to_owned()),
        Entry::Game(game) => {
            check_player(&game.red)?;
            check_player(&game.black)?;
            check_moves(game)
        }
    }
}

fn check_moves(game: &GameRecord) -> Result<(), String> {
    let mut position = Position::from_fen(&game.fen).map_err(|fault| fault.to_string())?;
    for record in &game.moves {
        let mv: Move = record.mv.parse().map_err(|fault| format!("{fault}"))?;
        position.play(mv).map_err(|illegal| illegal.to_string())?;
    }
    Ok(())
}

/// Where two values first differ: the path of keys and both values.
fn first_difference<'a>(
    key: &str,
    found: &'a Value,
    asked: &'a Value,
) -> Option<(String, &'a Value, &'a Value)> {
    const NOTHING: &Value = &Value::Null;
    let inner = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
    match (found, asked) {
        (Value::Object(old), Value::Object(new)) => old.keys().chain(new.keys()).find_map(|name| {
            let (old, new) = (old.get(name).unwrap_or(NOTHING), new.get(name).unwrap_or(NOTHING));
            first_difference(&inner(name), old, new)
        }),
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            old.iter().zip(new).enumerate().find_map(|(index, (old, new))| {
                first_difference(&inner(&(index + 1).to_string()), old, new)
            })
        }
        _ => (found != asked).then(|| (key.to_owned(), found, asked)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tempfile::NamedTempFile;

    use super::super::fault::{Fault, FaultKind};
    use super::super::record::{MoveRecord, Outcome, Thought};
    use super::*;

    fn game(number: usize) -> GameRecord {
        GameRecord {
            game: number,
            round: 1,
            opening: 3,
            red: "a".to_owned(),
            black: "b".to_owned(),
            fen: crate::board::START_FEN.to_owned(),
            moves: vec![
                MoveRecord { mv: "h2e2".to_owned(), thought: None },
                MoveRecord {
                    mv: "h9g7".to_owned(),
                    thought: Some(Thought { score: Some(-3), time_us: 7, ..Thought::default() }),
                },
            ],
            verdict: Outcome::Draw,
            reason: "agreement".to_owned(),
            faults: Vec::new(),
            started: 1,
            ecco: None,
            duration_ms: 2,
        }
    }

    fn players() -> Value {
        json!({"engines": [{"name": "a"}, {"name": "b"}]})
    }

    #[test]
    fn what_was_written_is_found_event() {
        let file = NamedTempFile::new().unwrap();
        let settings = players();
        let fault =
            FaultRecord { engine: "a".to_owned(), fault: Fault::new(FaultKind::IgnoredQuit, "") };
        let (mut journal, past) = Journal::open(file.path(), &settings).unwrap();
        assert!(past.games.is_empty());
        journal.add_game(&game(2)).unwrap();
        journal.add_fault(&fault).unwrap();
        journal.add_game(&game(1)).unwrap();
        let id = journal.id().to_owned();
        drop(journal);
        let (again, past) = Journal::open(file.path(), &settings).unwrap();
        assert_eq!(again.id(), id);
        assert_eq!(past.games, [game(2), game(1)]);
        assert_eq!(past.faults, std::slice::from_ref(&fault));
        // Whoever only reads need not know the settings, and may do so at any time.
        let past = read(file.path()).unwrap();
        assert_eq!((past.settings, past.games.len(), past.faults), (settings, 2, vec![fault]));
    }

    #[test]
    fn a_torn_line_is_dropped_wherever_it_is_torn() {
        let file = NamedTempFile::new().unwrap();
        let settings = players();
        let (mut journal, _) = Journal::open(file.path(), &settings).unwrap();
        journal.add_game(&game(1)).unwrap();
        journal.add_game(&game(2)).unwrap();
        drop(journal);
        let whole = std::fs::read(&file).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&file, &whole[..length]).unwrap();
            let lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            let (mut journal, past) = Journal::open(file.path(), &settings).unwrap();
            assert_eq!(past.games.len(), lines.saturating_sub(1));
            journal.add_game(&game(9)).unwrap();
            drop(journal);
            let (_, past) = Journal::open(file.path(), &settings).unwrap();
            assert_eq!(past.games.last(), Some(&game(9)));
        }
    }

    #[test]
    fn another_match_is_refused() {
        let file = NamedTempFile::new().unwrap();
        let settings = |tc: &str| json!({"engines": [{"name": "a"}, {"name": "b", "tc": tc}]});
        let (journal, _) = Journal::open(file.path(), &settings("1s")).unwrap();
        let busy = Journal::open(file.path(), &settings("1s")).err().unwrap().to_string();
        assert!(busy.ends_with(": another match is using it"), "{busy}");
        drop(journal);
        let error = Journal::open(file.path(), &settings("2s")).err().unwrap().to_string();
        assert!(error.ends_with("another match: engines.2.tc was \"1s\", now \"2s\""), "{error}");
    }

    #[test]
    fn games_that_are_none_of_the_event_are_named_with_their_line() {
        let file = NamedTempFile::new().unwrap();
        let event = || Entry::Event { id: "1".to_owned(), settings: players() };
        let stranger = GameRecord { black: "c".to_owned(), ..game(1) };
        let alone = GameRecord { black: "a".to_owned(), ..game(1) };
        let mut cheat = game(1);
        cheat.moves[1].mv = "h9h0".to_owned();
        for (entries, message) in [
            (vec![Entry::Game(game(1))], ": line 1: the event has to come first"),
            (vec![event(), event()], ": line 2: a second event"),
            (vec![event(), Entry::Game(stranger)], ": line 2: no engine of this match is called"),
            (vec![event(), Entry::Game(alone)], ": line 2: a player against itself"),
            (
                vec![event(), Entry::Game(game(2)), Entry::Game(cheat)],
                ": line 3: illegal move h9h0",
            ),
        ] {
            let lines = entries.iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n");
            let text: String = lines.collect();
            std::fs::write(&file, &text).unwrap();
            let error = Journal::open(file.path(), &players()).err().unwrap().to_string();
            assert!(error.contains(message), "{error}");
            assert_eq!(read(file.path()).unwrap_err().to_string(), error);
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
    }

    /// With an end to its last line or without.
    #[test]
    fn what_is_not_ours_is_refused_and_stays() {
        let file = NamedTempFile::new().unwrap();
        for (text, message) in [
            ("something else\n", ": line 1: "),
            ("precious note", " holds no match"),
            ("{\"type\":\"game\"", " holds no match"),
            ("\n\nprecious note", " holds no match"),
        ] {
            std::fs::write(&file, text).unwrap();
            let error = Journal::open(file.path(), &players()).err().unwrap().to_string();
            assert!(error.contains(message), "{error}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
    }
}
