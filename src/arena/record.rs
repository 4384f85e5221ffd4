//! One finished game as it is kept: who played what, how long it took, and why it ended.

use serde::{Deserialize, Serialize};

use crate::board::Position;
use crate::book::{Ecco, Opening};
use crate::rules::EndReason;
use crate::types::{Color, Move};

use super::fault::Fault;

/// A finished game. Its JSON form is one line of the file of games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number in the event, from 1.
    pub game: usize,
    /// Round of the event, from 1.
    pub round: usize,
    /// Number of the opening, from 0; the two games of a pair share it.
    pub opening: usize,
    /// Red's name.
    pub red: String,
    /// Black's name.
    pub black: String,
    /// Where the game began.
    pub fen: String,
    /// All moves, those of the opening first.
    pub moves: Vec<MoveRecord>,
    /// Code and Chinese name of the opening that was played, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ecco: Option<String>,
    /// `red_wins`, `black_wins` or `draw`.
    pub verdict: Outcome,
    /// Why, as the word of [`crate::rules::EndReason`].
    pub reason: String,
    /// What the engines did wrong, the decisive fault last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultRecord>,
    /// When it began, in seconds since 1970 (UTC).
    pub started: u64,
    /// How long it took.
    pub duration_ms: u64,
}

/// One move of a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MoveRecord {
    /// In coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the engine said and took; `None` for a move of the opening.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub thought: Option<Thought>,
}

/// What an engine said of its move, and how long it took.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Thought {
    /// From the mover's side, as the bare integer of UCCI: a mate is 10000 less its plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// In plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// By the runner's watch, in microseconds.
    pub time_us: u64,
    /// Left on the clock after the move and its increment; `None` without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Red won.
    RedWins,
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
}

/// A fault and whose it was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The engine's name.
    pub engine: String,
    /// The fault.
    #[serde(flatten)]
    pub fault: Fault,
}

impl GameRecord {
    /// Why it ended; `None` for a word that no referee of ours says.
    pub fn end_reason(&self) -> Option<EndReason> {
        EndReason::NAMED.into_iter().find(|row| row.1 == self.reason).map(|row| row.0)
    }

    /// The opening that was played, if it has a name.
    pub fn named_opening<'a>(&self, ecco: &'a Ecco) -> Option<&'a Opening> {
        let start = Position::from_fen(&self.fen).ok()?;
        ecco.classify(&start, self.moves.iter().map_while(|record| record.mv.parse::<Move>().ok()))
    }

    /// Why it ended, for people: the reason, and what the engines did wrong.
    pub fn reason_words(&self) -> String {
        let mut words =
            self.end_reason().map_or(self.reason.clone(), |reason| reason.english().to_owned());
        for record in &self.faults {
            words += &format!("; {}: {}", record.engine, record.fault);
        }
        words
    }
}

impl Outcome {
    /// The outcome in which this side wins.
    pub fn win(winner: Color) -> Outcome {
        match winner {
            Color::Red => Outcome::RedWins,
            Color::Black => Outcome::BlackWins,
        }
    }

    /// Half points of a side: 2 for a win, 1 for a draw.
    pub fn half_points(self, side: Color) -> usize {
        match self {
            Outcome::Draw => 1,
            won if won == Outcome::win(side) => 2,
            _ => 0,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub fn score(self) -> &'static str {
        match self {
            Outcome::RedWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
        }
    }
}
