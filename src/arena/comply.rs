//! Does an engine keep to its protocol? A walk from its start to `quit`, point by point, each with
//! a freshly started engine, so that one failure does not hide the next.

mod checks;
mod wire;

use std::time::Duration;

use serde::Serialize;

use crate::protocol::Dialect;

use super::config::{EngineConfig, Waiting};
use super::engine::House;

use self::wire::{Check, Wire};

/// One thing an engine has to do right.
pub struct Point {
    /// In a few words.
    pub name: &'static str,
    /// Does an engine that fails it break the protocol, or only lack polish?
    pub mandatory: bool,
    /// Without it there is nothing else to be examined.
    is_gate: bool,
    check: fn(&Examination) -> Check<Pass>,
}

/// A point that was not failed.
enum Pass {
    /// It holds; what was seen of it, which may be empty.
    Passed(String),
    /// It does not concern this engine; why.
    Skipped(&'static str),
}

/// How a point came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It holds.
    Pass,
    /// It does not.
    Fail,
    /// It does not concern this engine, or could not be looked at.
    Skip,
}

/// A point with its outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The point's name.
    pub point: &'static str,
    /// Is it one of those that count?
    pub mandatory: bool,
    /// How it came out.
    pub outcome: Outcome,
    /// What was seen; may be empty.
    pub detail: String,
}

/// All points, in the order of a game.
pub const POINTS: [Point; 33] = [
    must("ok line", checks::ok_line).gate(),
    should("silent before the first command", checks::silent_at_start),
    must("option lines well-formed", checks::option_lines),
    must("isready", checks::is_ready).gate(),
    must("options accepted", checks::options_accepted),
    must("survives unknown commands", checks::survives_rubbish),
    should("silent on unknown commands", checks::silent_on_rubbish),
    must("position startpos", checks::start_position),
    must("position startpos moves", checks::moves),
    must("position fen", checks::fen),
    must("position fen moves", checks::fen_with_moves),
    must("go depth", checks::go_depth),
    must("go nodes", checks::go_nodes),
    must("go movetime", checks::go_move_time),
    must("go on a clock", checks::go_on_a_clock),
    must("mated: no move", checks::mated),
    must("stalemated: no move", checks::stalemated),
    should("mated: score line", checks::mate_score_line),
    must("banmoves, searchmoves", checks::root_moves),
    must("ponderhit", checks::ponder_hit),
    must("stop while pondering", checks::ponder_stop),
    must("stop", checks::stop),
    must("stop while idle", checks::idle_stop),
    should("isready while thinking", checks::ready_while_thinking),
    must("stop, position, go in one write", checks::burst),
    must("one answer for each go", checks::one_answer_each),
    should("info: ASCII, single blanks, short", checks::info_text),
    should("info: depth first", checks::info_depth_first),
    must("info: legal pv", checks::info_pv),
    must("quit", checks::quit),
    must("quit while thinking", checks::quit_while_thinking),
    must("end of input", checks::end_of_input),
    must("end of input while thinking", checks::end_while_thinking),
];

const fn must(name: &'static str, check: fn(&Examination) -> Check<Pass>) -> Point {
    Point { name, mandatory: true, is_gate: false, check }
}

const fn should(name: &'static str, check: fn(&Examination) -> Check<Pass>) -> Point {
    Point { name, mandatory: false, is_gate: false, check }
}

impl Point {
    const fn gate(self) -> Point {
        Point { is_gate: true, ..self }
    }
}

/// An engine with the dialect it is examined in.
pub struct Examination<'a> {
    config: &'a EngineConfig,
    house: &'a House,
    dialect: Dialect,
}

impl<'a> Examination<'a> {
    /// Where the configuration names no dialect, it is UCCI if the engine answers `ucci`, else UCI.
    pub fn new(config: &'a EngineConfig, house: &'a House) -> Examination<'a> {
        const PROBE: Duration = Duration::from_secs(2);
        let waiting = Waiting { start: PROBE, ..house.waiting };
        let probe = House { waiting, ..house.clone() };
        let speaks_ucci = || {
            let wire = Wire::start(config, Dialect::Ucci, &probe);
            wire.is_ok_and(|mut wire| wire.shake_hands().is_ok())
        };
        let guess = || if speaks_ucci() { Dialect::Ucci } else { Dialect::Uci };
        Examination { config, house, dialect: config.dialect.unwrap_or_else(guess) }
    }

    /// What the engine is spoken to in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Goes through all points and tells each finding as it is made.
    pub fn run(&self, mut tell: impl FnMut(&Finding)) {
        let mut closed = None;
        for point in &POINTS {
            let (outcome, detail) = match closed {
                Some(gate) => (Outcome::Skip, format!("not without \"{gate}\"")),
                None => match (point.check)(self) {
                    Ok(Pass::Passed(detail)) => (Outcome::Pass, detail),
                    Ok(Pass::Skipped(reason)) => (Outcome::Skip, reason.to_owned()),
                    Err(detail) => (Outcome::Fail, detail),
                },
            };
            if point.is_gate && outcome == Outcome::Fail {
                closed = Some(point.name);
            }
            tell(&Finding { point: point.name, mandatory: point.mandatory, outcome, detail });
        }
    }

    /// The engine, started and silent.
    fn start(&self) -> Check<Wire<'_>> {
        Wire::start(self.config, self.dialect, self.house)
    }

    /// The engine, ready to search.
    fn ready(&self) -> Check<Wire<'_>> {
        Wire::ready(self.config, self.dialect, self.house)
    }
}
