//! One game between two engines: positions and clocks out, moves in, every move judged.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::board::Position;
use crate::book::Ecco;
use crate::clock::{Clock, ClockView};
use crate::protocol::{Dialect, Go, GoTime, PositionText};
use crate::rules::referee::Referee;
use crate::rules::{EndReason, RuleSet, Verdict};
use crate::types::{Color, Move};

use super::adjudicate::{Adjudication, Adjudicator};
use super::config::EngineConfig;
use super::engine::{Answer, Engine, Failure, House};
use super::fault::{Fault, FaultKind};
use super::openings::Opening;
use super::record::{FaultRecord, GameRecord, MoveRecord, Outcome, Thought};

/// What holds for every game of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameRules {
    /// The rules of repetition.
    pub rule_set: RuleSet,
    /// When games end early.
    pub adjudication: Adjudication,
    /// Are draw offers of UCCI engines passed on?
    pub draw_offers: bool,
    /// Do resignations of UCCI engines count?
    pub resignations: bool,
    /// Are UCCI engines told which moves lose by repetition?
    pub ban_moves: bool,
}

/// A place at the board: an engine that is started when it has to play, and again after a fault.
pub struct Seat {
    config: EngineConfig,
    house: House,
    engine: Option<Engine>,
}

impl Seat {
    /// A place for this engine; nothing is started yet.
    pub fn new(config: EngineConfig, house: House) -> Seat {
        Seat { config, house, engine: None }
    }

    /// The engine, started if need be and ready for a new game.
    fn prepare(&mut self) -> Result<(), Failure> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::start(&self.config, &self.house)?,
        };
        engine.new_game()?;
        self.engine = Some(engine);
        Ok(())
    }

    fn engine(&mut self) -> Result<&mut Engine, Failure> {
        let gone = || Failure::Fault(Fault::new(FaultKind::Crash, "not running"));
        self.engine.as_mut().ok_or_else(gone)
    }

    fn speaks(&self, dialect: Dialect) -> bool {
        self.engine.as_ref().is_some_and(|engine| engine.dialect() == dialect)
    }

    /// Lets the engine leave.
    pub fn close(&mut self) -> Option<FaultRecord> {
        let fault = self.engine.take()?.quit()?;
        Some(self.blame(fault))
    }

    fn blame(&self, fault: Fault) -> FaultRecord {
        FaultRecord { engine: self.config.name.clone(), fault }
    }
}

/// The game was stopped from outside and does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Plays one game. `number`, `round` and the index of the opening only go into the record.
///
/// # Errors
/// The match was stopped.
pub fn play(
    [number, round, opening_index]: [usize; 3],
    opening: &Opening,
    rules: &GameRules,
    seats: [&mut Seat; 2],
) -> Result<GameRecord, Stopped> {
    let began = Instant::now();
    let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let [red, black] = [0, 1].map(|side: usize| seats[side].config.name.clone());
    let mut game = Game::new(opening, rules, seats);
    let (verdict, reason) = match game.run() {
        Ok(verdict) => (verdict, verdict.reason()),
        Err((_, Failure::Stopped)) => return Err(Stopped),
        Err((loser, Failure::Fault(fault))) => {
            let reason = fault.kind.end_reason();
            game.punish(loser, fault);
            (Verdict::Win { winner: !loser, reason }, Some(reason))
        }
    };
    game.end_pondering()?;
    let mut record = GameRecord {
        game: number,
        round,
        opening: opening_index,
        red,
        black,
        fen: opening.fen.clone(),
        moves: game.moves,
        verdict: match verdict {
            Verdict::Win { winner, .. } => Outcome::win(winner),
            _ => Outcome::Draw,
        },
        reason: reason.map_or(String::new(), |reason| reason.word().to_owned()),
        faults: game.faults,
        started,
        ecco: None,
        duration_ms: began.elapsed().as_millis() as u64,
    };
    record.ecco = record.named_opening(&Ecco::embedded()).map(ToString::to_string);
    Ok(record)
}

/// A failure and whose it is.
type Lost = (Color, Failure);

struct Game<'a> {
    rules: &'a GameRules,
    seats: [&'a mut Seat; 2],
    referee: Referee,
    adjudicator: Adjudicator,
    clocks: [Option<Clock>; 2],
    /// The whole game, as UCI engines are told it.
    from_start: PositionText,
    /// The game behind the last capture, as UCCI engines are told it.
    from_capture: PositionText,
    moves: Vec<MoveRecord>,
    faults: Vec<FaultRecord>,
    /// Who has offered a draw with the last move.
    offer: Option<Color>,
}

impl<'a> Game<'a> {
    fn new(opening: &Opening, rules: &'a GameRules, seats: [&'a mut Seat; 2]) -> Game<'a> {
        // The opening was read from a legal FEN; the start position stands in for what cannot be.
        let position = Position::from_fen(&opening.fen).unwrap_or_else(|_| Position::startpos());
        let told = PositionText { fen: Some(position.to_fen()), ..PositionText::default() };
        let clocks = [0, 1].map(|side: usize| {
            seats[side].config.limits.clock.as_ref().map(|control| control.clock())
        });
        let mut game = Game {
            rules,
            seats,
            referee: Referee::new(position, rules.rule_set),
            adjudicator: Adjudicator::new(rules.adjudication),
            clocks,
            from_start: told.clone(),
            from_capture: told,
            moves: Vec::new(),
            faults: Vec::new(),
            offer: None,
        };
        for &mv in &opening.moves {
            if game.make(mv).is_ok() {
                game.moves.push(MoveRecord { mv: mv.to_string(), thought: None });
            }
        }
        game
    }

    fn run(&mut self) -> Result<Verdict, Lost> {
        for side in Color::ALL {
            self.seats[side.index()].prepare().map_err(|failure| (side, failure))?;
        }
        let mut verdict = self.referee.verdict();
        while !verdict.is_over() {
            let side = self.referee.position().side_to_move();
            verdict = self.turn(side).map_err(|failure| (side, failure))?;
        }
        Ok(verdict)
    }

    /// One move of a side, from the other side's move to its own.
    fn turn(&mut self, side: Color) -> Result<Verdict, Failure> {
        let began = Instant::now();
        let view = self.view(side);
        let allowed = self.allowed(side, view);
        let seat = &self.seats[side.index()];
        let untimed = seat.house.waiting.untimed;
        let due = began + allowed.map_or(untimed, |time| time + seat.config.margin());
        self.ask(side)?;
        let answer = self.seats[side.index()].engine()?.answer(due)?;
        let mut spent = answer.at.saturating_duration_since(began);
        match allowed {
            Some(time) if answer.at > due => {
                let over = 1000.0 * (spent - time).as_secs_f64();
                return Err(fault(FaultKind::LateMove, format!("{over:.1} ms over its time")));
            }
            // What the margin forgives does not count.
            Some(time) => spent = spent.min(time),
            None if answer.at > due => {
                return Err(fault(FaultKind::Stall, "no move before it was stopped"));
            }
            None => {}
        }
        if let Some(clock) = &mut self.clocks[side.index()] {
            clock.start_move(began);
            if let Err(flag) = clock.end_move(began + spent) {
                return Err(fault(FaultKind::LateMove, flag.to_string()));
            }
        }
        self.take_answer(side, &answer, answer.at.saturating_duration_since(began))
    }

    /// Has the side start to think, or go on with what it was pondering on.
    fn ask(&mut self, side: Color) -> Result<(), Failure> {
        let draw = self.offer == Some(!side);
        let last = self.from_start.moves.last().copied();
        let engine = self.seats[side.index()].engine()?;
        if engine.pondering().is_some() && engine.pondering() == last {
            return engine.ponder_hit(draw);
        }
        engine.stop_pondering()?;
        let dialect = engine.dialect();
        let banned = self.banned(dialect);
        let position = self.told(dialect).clone();
        let go = Go { draw: draw && dialect == Dialect::Ucci, ..self.go(side, dialect) };
        self.seats[side.index()].engine()?.go(position, &banned, go, None)
    }

    /// Judges the answer and plays its move.
    fn take_answer(
        &mut self,
        side: Color,
        answer: &Answer,
        time: Duration,
    ) -> Result<Verdict, Failure> {
        let speaks_ucci = self.seats[side.index()].speaks(Dialect::Ucci);
        if answer.resign && self.rules.resignations && speaks_ucci {
            let reason = EndReason::Resignation;
            return Ok(Verdict::Win { winner: !side, reason });
        }
        let Some(mv) = answer.mv else { return Err(fault(FaultKind::NoMove, "")) };
        let offers = answer.draw && self.rules.draw_offers && speaks_ucci;
        let agreed = offers && self.offer == Some(!side);
        let verdict = self.make(mv)?;
        self.moves.push(MoveRecord {
            mv: mv.to_string(),
            thought: Some(self.thought(side, answer, time)),
        });
        self.offer = offers.then_some(side);
        if verdict.is_over() {
            return Ok(verdict);
        }
        if agreed {
            return Ok(Verdict::Draw { reason: EndReason::Agreement });
        }
        let plies = self.moves.len() as u32;
        let verdict = self.adjudicator.judge(side, answer.info.score, plies);
        if !verdict.is_over() {
            self.ponder(side, answer.ponder)?;
        }
        Ok(verdict)
    }

    fn thought(&self, side: Color, answer: &Answer, time: Duration) -> Thought {
        Thought {
            score: answer.info.score.map(|score| score.to_ucci()),
            depth: answer.info.depth,
            nodes: answer.info.nodes,
            time_us: time.as_micros() as u64,
            clock_ms: self.view(side).map(|view| view.remaining.as_millis() as u64),
        }
    }

    /// Has the side think on the other's time, if it wants to and names a legal answer.
    fn ponder(&mut self, side: Color, expected: Option<Move>) -> Result<(), Failure> {
        let seat = &self.seats[side.index()];
        let Some(expected) = expected.filter(|_| seat.config.ponder) else { return Ok(()) };
        if !self.referee.position().legal_moves().contains(&expected) {
            return Ok(());
        }
        let dialect = self.seats[side.index()].engine()?.dialect();
        let mut position = self.told(dialect).clone();
        position.moves.push(expected);
        let go = self.go(side, dialect);
        self.seats[side.index()].engine()?.go(position, &[], go, Some(expected))
    }

    /// The game is over: who still ponders is told so. Nobody loses a finished game by it.
    fn end_pondering(&mut self) -> Result<(), Stopped> {
        for side in Color::ALL {
            let Some(engine) = &mut self.seats[side.index()].engine else { continue };
            match engine.stop_pondering() {
                Ok(()) => {}
                Err(Failure::Stopped) => return Err(Stopped),
                Err(Failure::Fault(fault)) => self.punish(side, fault),
            }
        }
        Ok(())
    }

    /// Notes a fault and ends the engine: it is started again for its next game.
    fn punish(&mut self, side: Color, fault: Fault) {
        let seat = &mut self.seats[side.index()];
        seat.engine = None;
        let record = seat.blame(fault);
        self.faults.push(record);
    }

    /// Plays a move in all accounts of the game; an illegal one in none.
    fn make(&mut self, mv: Move) -> Result<Verdict, Failure> {
        let verdict = self
            .referee
            .play(mv)
            .map_err(|illegal| fault(FaultKind::IllegalMove, illegal.to_string()))?;
        self.from_start.moves.push(mv);
        self.from_capture.moves.push(mv);
        let position = self.referee.position();
        if position.history().last().is_some_and(|last| last.captured.is_some()) {
            let fen = Some(position.to_fen());
            self.from_capture = PositionText { fen, ..PositionText::default() };
        }
        Ok(verdict)
    }

    fn told(&self, dialect: Dialect) -> &PositionText {
        match dialect {
            Dialect::Ucci => &self.from_capture,
            Dialect::Uci => &self.from_start,
        }
    }

    /// The moves an engine is told not to play. When all lose it has to choose one itself.
    fn banned(&self, dialect: Dialect) -> Vec<Move> {
        if !self.rules.ban_moves || dialect != Dialect::Ucci {
            return Vec::new();
        }
        let banned = self.referee.banned_moves();
        let all = banned.len() == self.referee.position().legal_moves().len();
        if all { Vec::new() } else { banned.to_vec() }
    }

    fn view(&self, side: Color) -> Option<ClockView> {
        self.clocks[side.index()].as_ref()?.view()
    }

    /// What the move may take by clock and by the time for each move.
    fn allowed(&self, side: Color, view: Option<ClockView>) -> Option<Duration> {
        let move_time = self.seats[side.index()].config.limits.move_time;
        view.map(|view| view.remaining).into_iter().chain(move_time).min()
    }

    /// What `go` says to this side: all its limits, and the other side's clock.
    fn go(&self, side: Color, dialect: Dialect) -> Go {
        let limits = &self.seats[side.index()].config.limits;
        let mut go = Go { nodes: limits.nodes, depth: limits.depth, ..Go::default() };
        let (own, other) = (self.view(side), self.view(!side));
        match dialect {
            Dialect::Ucci => {
                go.time = own.map(time);
                go.increment = own.filter(|view| view.moves_to_go.is_none()).map(increment);
                if own.is_some() {
                    go.opp_time = other.map(time);
                    let base = other.filter(|view| view.moves_to_go.is_none());
                    go.opp_increment = base.map(increment);
                    go.opp_moves_to_go = other.and_then(|view| view.moves_to_go);
                }
            }
            Dialect::Uci => {
                let (red, black) = if side == Color::Red { (own, other) } else { (other, own) };
                if own.is_some() {
                    (go.red_time, go.black_time) = (red.map(time), black.map(time));
                    (go.red_increment, go.black_increment) =
                        (red.map(increment), black.map(increment));
                }
            }
        }
        go.moves_to_go = own.and_then(|view| view.moves_to_go);
        self.set_move_time(&mut go, limits.move_time, dialect);
        go
    }

    /// A time for every move. UCCI has no word of its own for it: it is a clock for one move.
    fn set_move_time(&self, go: &mut Go, move_time: Option<Duration>, dialect: Dialect) {
        let Some(move_time) = move_time.map(milliseconds) else { return };
        match dialect {
            Dialect::Uci => go.move_time = Some(move_time),
            Dialect::Ucci if go.time.is_none_or(|time| time > move_time) => {
                go.time = Some(move_time);
                go.moves_to_go = Some(1);
                go.increment = None;
            }
            Dialect::Ucci => {}
        }
    }
}

fn fault(kind: FaultKind, detail: impl Into<String>) -> Failure {
    Failure::Fault(Fault::new(kind, detail))
}

/// Whole milliseconds, never zero: many engines take zero for "no limit".
fn milliseconds(time: Duration) -> GoTime {
    GoTime(i64::try_from(time.as_millis()).unwrap_or(i64::MAX).max(1))
}

fn time(view: ClockView) -> GoTime {
    milliseconds(view.remaining)
}

fn increment(view: ClockView) -> GoTime {
    GoTime(i64::try_from(view.increment.as_millis()).unwrap_or(i64::MAX))
}
