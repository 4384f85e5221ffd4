//! The games of a match in a PGN file: what an engine said of each move, and why the game ended.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use thiserror::Error;

use crate::board::Position;
use crate::book::Ecco;
use crate::record::pgn::{FIRST_TAG, MoveText, write};
use crate::record::{Game, GameResult, Ply};
use crate::types::Eval;

use super::append::{AppendError, AppendFile};
use super::config::EngineConfig;
use super::record::{GameRecord, MoveRecord, Outcome, Thought};

/// A PGN file that is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnOutput {
    /// Its name.
    pub path: PathBuf,
    /// How moves are written.
    pub moves: MoveText,
}

/// A game cannot be added.
#[derive(Debug, Error)]
pub enum PgnFileError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] AppendError),
    /// The file of games holds a game that cannot have been played.
    #[error("game {game}: {fault}")]
    Game {
        /// Its number.
        game: usize,
        /// What is wrong with it, as one line.
        fault: String,
    },
}

/// An open PGN file to which games are added. What was in it stays.
pub struct PgnFile {
    file: AppendFile,
    writer: Writer,
}

/// What the text of a game depends on beside the game.
struct Writer {
    moves: MoveText,
    ecco: Ecco,
    /// What each engine's moves may take, by its name, as the tag `TimeControl`.
    limits: HashMap<String, String>,
}

impl PgnFile {
    /// Opens the file, or begins it, and adds what it lacks of the games that were finished before.
    ///
    /// A game has one text, so it is there when its text is. A game that was not written to its end
    /// is cut off and written again; what is not ours is never cut.
    ///
    /// # Errors
    /// The file cannot be used, or one of the games cannot have been played.
    pub fn open(
        output: &PgnOutput,
        engines: &[EngineConfig],
        past: &[GameRecord],
    ) -> Result<PgnFile, PgnFileError> {
        let (file, bytes) = AppendFile::open(&output.path)?;
        let mut pgn = PgnFile { file, writer: Writer::new(output.moves, engines) };
        let texts = past.iter().map(|game| pgn.writer.text(game)).collect::<Result<Vec<_>, _>>()?;
        let torn = texts.iter().map(|text| torn_length(&bytes, text.as_bytes())).max();
        let (whole, torn) = bytes.split_at(bytes.len() - torn.unwrap_or(0));
        if !torn.is_empty() {
            pgn.file.truncate(whole.len() as u64)?;
        }
        // A tag begins a line.
        if whole.last().is_some_and(|&byte| byte != b'\n') {
            pgn.file.append(b"\n")?;
        }
        let content = String::from_utf8_lossy(whole);
        let known: HashSet<&str> = content.split(FIRST_TAG).collect();
        let is_known =
            |text: &&String| text.strip_prefix(FIRST_TAG).is_some_and(|rest| known.contains(rest));
        let mut missing = texts.iter().filter(|text| !is_known(text));
        missing.try_for_each(|text| pgn.file.append(text.as_bytes()))?;
        Ok(pgn)
    }

    /// Adds a finished game. It is on the disk when this returns.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), PgnFileError> {
        Ok(self.file.append(self.writer.text(game)?.as_bytes())?)
    }
}

/// How much of the beginning of a piece stands at the end of the file, on lines of its own.
fn torn_length(file: &[u8], piece: &[u8]) -> usize {
    let is_torn = |&length: &usize| {
        let before = piece.get(..length).and_then(|begun| file.strip_suffix(begun));
        before.is_some_and(|before| before.last().is_none_or(|&byte| byte == b'\n'))
    };
    (1..piece.len()).rev().find(is_torn).unwrap_or(0)
}

impl Writer {
    fn new(moves: MoveText, engines: &[EngineConfig]) -> Writer {
        let limits = engines.iter().map(|engine| (engine.name.clone(), engine.limits.pgn_text()));
        Writer { moves, ecco: Ecco::embedded(), limits: limits.collect() }
    }

    fn text(&self, record: &GameRecord) -> Result<String, PgnFileError> {
        let fault = |fault: String| PgnFileError::Game { game: record.game, fault };
        let game = self.to_game(record).map_err(fault)?;
        write(&game, self.moves).map_err(|illegal| fault(illegal.to_string()))
    }

    /// The game with everything that PGN has a place for.
    fn to_game(&self, record: &GameRecord) -> Result<Game, String> {
        let start = Position::from_fen(&record.fen).map_err(|fault| fault.to_string())?;
        let mut game = Game::new(start);
        let reason = record.reason_words();
        for (name, value) in [
            ("Event", "hanxin match".to_owned()),
            ("Date", date(record.started)),
            // Rounds have several games: the second number is that of the game.
            ("Round", format!("{}.{}", record.round, record.game)),
            ("Red", record.red.clone()),
            ("Black", record.black.clone()),
            ("PlyCount", record.moves.len().to_string()),
            ("Termination", reason.clone()),
        ] {
            game.set_tag(name, value);
        }
        let [red, black] = [&record.red, &record.black].map(|name| self.limits.get(name));
        let limits = match red == black {
            true => [("TimeControl", red), ("TimeControl", black)],
            false => [("RedTimeControl", red), ("BlackTimeControl", black)],
        };
        for (name, limit) in limits {
            limit.into_iter().for_each(|limit| game.set_tag(name, limit.as_str()));
        }
        game.result = match record.verdict {
            Outcome::RedWins => GameResult::RedWins,
            Outcome::BlackWins => GameResult::BlackWins,
            Outcome::Draw => GameResult::Draw,
        };
        game.line.plies = record.moves.iter().map(to_ply).collect::<Result<_, _>>()?;
        if let Some(opening) = record.named_opening(&self.ecco) {
            game.set_tag("ECCO", opening.code.as_str());
            game.set_tag("Opening", opening.name.as_str());
        }
        match game.line.plies.last_mut() {
            Some(last) => last.comment = format!("{}, {reason}", last.comment),
            None => game.line.comment = reason,
        }
        Ok(game)
    }
}

fn to_ply(record: &MoveRecord) -> Result<Ply, String> {
    let mv = record.mv.parse().map_err(|fault| format!("{fault}"))?;
    let comment = record.thought.as_ref().map_or("book".to_owned(), thought_text);
    Ok(Ply { comment, ..Ply::new(mv) })
}

/// Score from the mover's side, depth, time and what is left on a clock, as in
/// `+0.25/12 0.31s [%clk 0:04:59.690]`.
fn thought_text(thought: &Thought) -> String {
    let score = thought.score.map(|score| Eval::from_ucci(score).to_string()).unwrap_or_default();
    let depth = thought.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let time = thought.time_us as f64 / 1e6;
    let clock = thought.clock_ms.map(clock_text).unwrap_or_default();
    format!("{score}{depth} {time:.2}s{clock}").trim_start().to_owned()
}

fn clock_text(ms: u64) -> String {
    let (seconds, ms) = (ms / 1000, ms % 1000);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    format!(" [%clk {}:{:02}:{seconds:02}.{ms:03}]", minutes / 60, minutes % 60)
}

/// The day in which a moment lies (UTC), from its seconds since 1970, as in `2026.11.30`.
fn date(seconds: u64) -> String {
    const LAST_SECOND: u64 = 253_402_300_799; // of the year 9999
    let mut days = seconds.min(LAST_SECOND) / 86_400;
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}.{month:02}.{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::pgn::read;

    fn record(number: usize) -> GameRecord {
        let (score, depth, clock_ms) = (Some(25), Some(12), Some(3_725_040));
        let thought = Thought { score, depth, nodes: None, time_us: 310_000, clock_ms };
        GameRecord {
            game: number,
            round: 2,
            opening: 0,
            red: "红".to_owned(),
            black: "b".to_owned(),
            fen: crate::board::START_FEN.to_owned(),
            moves: vec![
                MoveRecord { mv: "h2e2".to_owned(), thought: None },
                MoveRecord { mv: "h9g7".to_owned(), thought: Some(thought) },
            ],
            verdict: Outcome::RedWins,
            reason: "illegal_move".to_owned(),
            faults: Vec::new(),
            started: 1_796_050_000,
            ecco: None,
            duration_ms: 2,
        }
    }

    /// The players, each with a setting.
    fn engines(settings: [&str; 2]) -> Vec<EngineConfig> {
        let named = |(name, setting): (&str, &str)| {
            let mut engine = EngineConfig { name: name.to_owned(), ..EngineConfig::default() };
            engine.set_text(setting).unwrap();
            engine
        };
        ["红", "b"].into_iter().zip(settings).map(named).collect()
    }

    #[test]
    fn tags_and_comments_say_what_the_record_says() {
        let writer = Writer::new(MoveText::Chinese, &engines(["tc=5m+3s", "tc=5m+3s"]));
        let text = writer.text(&record(7)).unwrap();
        let game = read(&text).next().unwrap().unwrap();
        let tags = ["Date", "Round", "Red", "Termination"].map(|name| game.tag(name).unwrap());
        assert_eq!(tags, ["2026.11.30", "2.7", "红", "illegal move"]);
        let opening = writer.ecco.classify(&game.start, game.moves()).unwrap();
        assert_eq!(game.tag("ECCO"), Some(&*opening.code));
        assert_eq!(game.tag("Opening"), Some(&*opening.name));
        assert_eq!(game.line.plies[0].comment, "book");
        assert_eq!(game.line.plies[1].comment, "+0.25/12 0.31s [%clk 1:02:05.040], illegal move");
        assert_eq!(game.result, GameResult::RedWins);
        let mut unplayable = record(7);
        unplayable.moves.reverse();
        let error = writer.text(&unplayable).unwrap_err().to_string();
        assert!(error.starts_with("game 7: illegal move h9g7 for red"), "{error}");
    }

    #[test]
    fn limits_have_one_tag_where_they_are_the_same() {
        let tags = |settings| {
            let writer = Writer::new(MoveText::Iccs, &engines(settings));
            let game = writer.to_game(&record(1)).unwrap();
            ["TimeControl", "RedTimeControl", "BlackTimeControl"]
                .map(|name| game.tag(name).map(str::to_owned))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(tags(["tc=5m+3s", "tc=300+3"]), [some("300+3"), None, None]);
        assert_eq!(tags(["tc=5m+3s", "nodes=9"]), [None, some("300+3"), some("-")]);
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        let days = [(0, "1970.01.01"), (951_782_400, "2000.02.29"), (951_868_800, "2000.03.01")];
        for (seconds, day) in days {
            assert_eq!(date(seconds), day);
        }
        assert_eq!(date(1_735_689_599), "2024.12.31");
        assert_eq!(date(1_735_689_600), "2025.01.01");
        assert_eq!(date(u64::MAX), "9999.12.31");
    }

    /// However little of the last game was written, each game is there once in the end, and what
    /// others had written before stays.
    #[test]
    fn a_torn_game_is_written_again_wherever_it_is_torn() {
        let scratch = tempfile::NamedTempFile::new().unwrap();
        let output = PgnOutput { path: scratch.path().to_owned(), moves: MoveText::Iccs };
        let games = [record(1), record(2), record(3)];
        let foreign = "[Event \"mine\"]\n\n1. h2e2 *\n";
        std::fs::write(&output.path, foreign).unwrap();
        let mut file = PgnFile::open(&output, &[], &games[..1]).unwrap();
        games[1..].iter().for_each(|game| file.add(game).unwrap());
        drop(file);
        let whole = std::fs::read(&output.path).unwrap();
        for length in foreign.len()..=whole.len() {
            std::fs::write(&output.path, &whole[..length]).unwrap();
            drop(PgnFile::open(&output, &[], &games).unwrap());
            assert!(std::fs::read(&output.path).unwrap() == whole, "torn behind {length} bytes");
        }
    }
}
