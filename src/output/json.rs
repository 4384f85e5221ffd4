//! JSON lines: one object a line, told apart by `type`. The schema is written down in
//! `docs/json.md`; fields may be added to it, none changes its meaning or goes away.

use std::io::{self, Write};

use serde::Serialize;

#[cfg(unix)]
use crate::arena::{comply::Outcome, ratings::Rated};
use crate::notation::chinese;
use crate::rules::EndReason;
use crate::rules::referee::Referee;
use crate::rules::threat::Deed;
use crate::search::{Bound, SearchInfo, SearchReport};
use crate::types::{Eval, Move};

/// One line of output.
#[derive(Serialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Record {
    /// A line of analysis at the end of an iteration.
    Line {
        position: usize,
        depth: u32,
        seldepth: u32,
        multipv: u32,
        score: Score,
        bound: &'static str,
        nodes: u64,
        nps: u64,
        time_ms: u64,
        hashfull: u32,
        pv: Vec<String>,
    },
    /// The outcome of the analysis of one position.
    Result {
        position: usize,
        fen: String,
        best: Option<String>,
        ponder: Option<String>,
        score: Score,
        depth: u32,
        nodes: u64,
        time_ms: u64,
        pv: Vec<String>,
    },
    /// A position that could not be read.
    Error { position: usize, message: String },
    /// One entry of a test suite.
    Entry {
        position: usize,
        name: Option<String>,
        solved: bool,
        failure: Option<String>,
        best: Option<String>,
        score: Score,
        nodes: u64,
        time_ms: u64,
        solution_depth: Option<u32>,
        solution_nodes: Option<u64>,
        solution_time_ms: Option<u64>,
    },
    /// A game judged.
    Game {
        /// As in the input, of whatever type.
        id: serde_json::Value,
        verdict: &'static str,
        reason: Option<&'static str>,
        plies: usize,
        cycle: Vec<CycleMove>,
    },
    /// One player of a file of ratings.
    Player {
        name: String,
        rating: f64,
        title: &'static str,
        k: f64,
        games: u64,
        points: u64,
        room: &'static str,
    },
    /// One point of an engine's examination.
    #[cfg(unix)]
    Point { point: &'static str, mandatory: bool, outcome: Outcome, detail: String },
    /// The end of an engine's examination.
    #[cfg(unix)]
    Compliance {
        dialect: &'static str,
        passed: usize,
        failed: usize,
        broken: usize,
        skipped: usize,
    },
    /// How much an opening book knows.
    Book {
        positions: usize,
        moves: usize,
        choices: usize,
        depth: usize,
        openings: usize,
        covered: usize,
    },
    /// The end of a test suite.
    Summary { entries: usize, solved: usize, faults: usize, nodes: u64, time_ms: u64 },
}

/// One move of a repetition.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct CycleMove {
    pub side: &'static str,
    #[serde(rename = "move")]
    pub mv: String,
    pub chinese: String,
    pub class: &'static str,
    pub mate_threat: bool,
    pub chases: Vec<Chase>,
}

/// One man that chases another: FEN letters and squares.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Chase {
    pub attacker: char,
    pub from: String,
    pub victim: char,
    pub on: String,
}

impl From<&Deed> for CycleMove {
    fn from(deed: &Deed) -> CycleMove {
        let chases = deed.chases.iter().map(|chase| Chase {
            attacker: chase.attacker.letter(),
            from: chase.from.to_string(),
            victim: chase.victim.letter(),
            on: chase.on.to_string(),
        });
        CycleMove {
            side: deed.mover.name(),
            mv: deed.mv.to_string(),
            chinese: chinese::write(&deed.before, deed.mv),
            class: deed.nature.word(),
            mate_threat: deed.threatens_mate,
            chases: chases.collect(),
        }
    }
}

/// A score from the mover's side.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Score {
    Points(i32),
    MateInPlies(u32),
    MatedInPlies(u32),
}

impl From<Eval> for Score {
    fn from(eval: Eval) -> Score {
        match eval {
            Eval::Points(points) => Score::Points(points),
            Eval::MateIn(plies) => Score::MateInPlies(plies),
            Eval::MatedIn(plies) => Score::MatedInPlies(plies),
        }
    }
}

impl Record {
    /// A line of analysis of the position of that number.
    pub fn line(position: usize, info: &SearchInfo) -> Record {
        Record::Line {
            position,
            depth: info.depth,
            seldepth: info.seldepth,
            multipv: info.multipv,
            score: info.eval.into(),
            bound: match info.bound {
                Bound::Upper => "upper",
                Bound::Lower => "lower",
                Bound::Exact => "exact",
            },
            nodes: info.nodes,
            nps: info.nps(),
            time_ms: info.elapsed.as_millis() as u64,
            hashfull: info.hashfull,
            pv: texts(&info.pv),
        }
    }

    /// The outcome for the position of that number.
    pub fn result(position: usize, fen: String, report: &SearchReport) -> Record {
        Record::Result {
            position,
            fen,
            best: report.best.map(|mv| mv.to_string()),
            ponder: report.ponder.map(|mv| mv.to_string()),
            score: report.eval.into(),
            depth: report.depth,
            nodes: report.nodes,
            time_ms: report.elapsed.as_millis() as u64,
            pv: texts(&report.pv),
        }
    }

    /// A game as its referee sees it.
    pub fn game(id: serde_json::Value, referee: &Referee) -> Record {
        let verdict = referee.verdict();
        Record::Game {
            id,
            verdict: verdict.name(),
            reason: verdict.reason().map(EndReason::word),
            plies: referee.moves().len(),
            cycle: referee
                .explain()
                .iter()
                .flat_map(|cycle| &cycle.deeds)
                .map(CycleMove::from)
                .collect(),
        }
    }

    /// A player with all that follows from rating and points.
    #[cfg(unix)]
    pub fn player(name: &str, player: &Rated) -> Record {
        let title = player.title();
        Record::Player {
            name: name.to_owned(),
            rating: player.rating,
            title: title.name,
            k: title.k,
            games: player.games,
            points: player.points,
            room: player.room(),
        }
    }

    /// Writes the record as one line.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        writeln!(out)
    }
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_schema_stands() {
        let info = SearchInfo {
            depth: 3,
            seldepth: 5,
            multipv: 1,
            eval: Eval::MateIn(3),
            bound: Bound::Exact,
            nodes: 1000,
            elapsed: Duration::from_millis(2),
            hashfull: 0,
            pv: vec!["h2e2".parse().unwrap()],
        };
        let mut text = Vec::new();
        Record::line(1, &info).write(&mut text).unwrap();
        let expected = r#"{"type":"line","position":1,"depth":3,"seldepth":5,"multipv":1,"score":{"mate_in_plies":3},"bound":"exact","nodes":1000,"nps":500000,"time_ms":2,"hashfull":0,"pv":["h2e2"]}"#;
        assert_eq!(String::from_utf8(text).unwrap().trim_end(), expected);
    }
}
