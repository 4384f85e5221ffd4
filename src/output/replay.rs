//! The games of a match as data for the page that replays them: short keys, one entry a game.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::arena::GameRecord;
use crate::arena::record::MoveRecord;
use crate::board::Position;
use crate::book::{Ecco, Opening};
use crate::notation::chinese;
use crate::types::{Move, Piece};

use super::match_report::reason_name;

/// Everything the page replays.
#[derive(Debug)]
pub struct Replays<'a> {
    /// What is printed on a man, by its letter in a FEN.
    glyphs: BTreeMap<char, char>,
    games: Vec<Replay<'a>>,
}

/// One game.
#[derive(Serialize, Debug)]
struct Replay<'a> {
    n: usize,
    round: usize,
    opening: usize,
    /// Code and Chinese name of the opening that came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    ecco: Option<String>,
    red: &'a str,
    black: &'a str,
    result: &'static str,
    reason: String,
    started: u64,
    ms: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
    fen: String,
    /// Moves in coordinates and in Chinese, four characters each.
    moves: String,
    chinese: String,
    /// What the engines said of each move: `null` where they said nothing.
    score: Vec<Option<i32>>,
    depth: Vec<Option<u32>>,
    nodes: Vec<Option<u64>>,
    us: Vec<Option<u64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clock: Vec<Option<u64>>,
}

impl Replays<'_> {
    /// The games as they are in the file.
    pub fn new(games: &[GameRecord]) -> Replays<'_> {
        let ecco = Ecco::embedded();
        Replays {
            glyphs: Piece::ALL.into_iter().map(|piece| (piece.letter(), piece.glyph())).collect(),
            games: games.iter().map(|game| Replay::of(game, &ecco)).collect(),
        }
    }

    /// As the content of a `script` element: nothing in it can end the element or begin a comment.
    pub fn to_script(&self) -> serde_json::Result<String> {
        let glyphs = serde_json::to_string(&self.glyphs)?;
        // A line a game, for whoever looks into the page.
        let games: Vec<String> =
            self.games.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        let text = format!("{{\"glyphs\":{glyphs},\"games\":[\n{}\n]}}", games.join(",\n"));
        Ok(text.replace('<', "\\u003c"))
    }
}

impl<'a> Replay<'a> {
    fn of(game: &'a GameRecord, ecco: &Ecco) -> Replay<'a> {
        let line = Line::of(game);
        let told = |read: fn(&MoveRecord) -> Option<u64>| line.moves.iter().map(read).collect();
        let clock: Vec<Option<u64>> = told(|mv| mv.thought.as_ref()?.clock_ms);
        let thoughts = || line.moves.iter().map(|mv| mv.thought.as_ref());
        Replay {
            n: game.game,
            round: game.round,
            opening: game.opening + 1,
            ecco: game.named_opening(ecco).map(Opening::to_string),
            red: &game.red,
            black: &game.black,
            result: game.verdict.score(),
            reason: reason_name(&game.reason),
            started: game.started,
            ms: game.duration_ms,
            faults: game.faults.iter().map(|it| format!("{}: {}", it.engine, it.fault)).collect(),
            fen: line.fen,
            moves: line.moves.iter().map(|mv| mv.mv.as_str()).collect(),
            chinese: line.chinese.concat(),
            score: thoughts().map(|thought| thought?.score).collect(),
            depth: thoughts().map(|thought| thought?.depth).collect(),
            nodes: told(|mv| mv.thought.as_ref()?.nodes),
            us: told(|mv| Some(mv.thought.as_ref()?.time_us)),
            clock: if clock.iter().any(Option::is_some) { clock } else { Vec::new() },
        }
    }
}

/// The moves of a game that can be played on a board: all, unless the file was tampered with.
pub struct Line<'a> {
    /// Where it begins.
    pub fen: String,
    /// The moves.
    pub moves: &'a [MoveRecord],
    /// The same in Chinese.
    pub chinese: Vec<String>,
}

impl Line<'_> {
    /// Plays a game up to the first move that is none.
    pub fn of(game: &GameRecord) -> Line<'_> {
        let mut position = Position::from_fen(&game.fen).unwrap_or_else(|_| Position::startpos());
        let fen = position.to_fen();
        let mut words = Vec::new();
        for record in &game.moves {
            let Ok(mv) = record.mv.parse::<Move>() else { break };
            let name = chinese::write(&position, mv);
            if position.play(mv).is_err() {
                break;
            }
            words.push(name);
        }
        let moves = game.moves.get(..words.len()).unwrap_or_default();
        Line { fen, moves, chinese: words }
    }

    /// The moves before the engines began to think.
    pub fn opening(&self) -> &[String] {
        let length = self.moves.iter().take_while(|mv| mv.thought.is_none()).count();
        self.chinese.get(..length).unwrap_or_default()
    }
}
