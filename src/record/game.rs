//! One game: tags, where it began, its moves with comments and variations, its result.

use std::fmt;
use std::str::FromStr;

use crate::board::Position;
use crate::types::Move;

/// A game as a record has it.
#[derive(Clone, Debug)]
pub struct Game {
    /// Names and values, each name once. What the other fields say is not repeated here.
    pub tags: Vec<(String, String)>,
    /// Where it began.
    pub start: Position,
    /// The moves that were played.
    pub line: Line,
    /// How it ended.
    pub result: GameResult,
}

/// Moves one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// What is said before the first move; may be empty.
    pub comment: String,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// One move and what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs, as 1 for a good move.
    pub nags: Vec<u8>,
    /// May be empty.
    pub comment: String,
    /// What could have been played instead of it.
    pub variations: Vec<Line>,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GameResult {
    /// Red won.
    RedWins,
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
    /// It is not over, or nobody knows.
    #[default]
    Unknown,
}

impl Game {
    /// A game without moves.
    pub fn new(start: Position) -> Game {
        Game { tags: Vec::new(), start, line: Line::default(), result: GameResult::Unknown }
    }

    /// The value of a tag; names are compared without case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|tag| tag.0.eq_ignore_ascii_case(name));
        tag.map(|tag| tag.1.as_str())
    }

    /// Sets a tag, in the place of one that has the name.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|tag| tag.0.eq_ignore_ascii_case(name)) {
            Some(tag) => tag.1 = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }

    /// The moves that were played, without what is said about them.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.line.plies.iter().map(|ply| ply.mv)
    }
}

impl Ply {
    /// A move about which nothing is said.
    pub fn new(mv: Move) -> Ply {
        Ply { mv, nags: Vec::new(), comment: String::new(), variations: Vec::new() }
    }
}

impl GameResult {
    /// Every result with its token.
    pub const NAMED: [(GameResult, &'static str); 4] = [
        (GameResult::RedWins, "1-0"),
        (GameResult::BlackWins, "0-1"),
        (GameResult::Draw, "1/2-1/2"),
        (GameResult::Unknown, "*"),
    ];
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [.., last] = GameResult::NAMED;
        let row = GameResult::NAMED.into_iter().find(|row| row.0 == *self);
        f.write_str(row.unwrap_or(last).1)
    }
}

/// Not a result token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a result (1-0, 0-1, 1/2-1/2 and * are)")]
pub struct ParseResultError;

impl FromStr for GameResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<GameResult, ParseResultError> {
        let row = GameResult::NAMED.into_iter().find(|row| row.1 == text);
        row.map(|row| row.0).ok_or(ParseResultError)
    }
}
