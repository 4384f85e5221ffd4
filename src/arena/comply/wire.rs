//! The conversation with an engine under examination: everything it says is kept as it was said.

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;

use crate::board::Position;
use crate::protocol::{Command, Dialect, Go, GoTime, OptionKind, OptionLine, PositionText, Reply};
use crate::types::Move;

use super::super::config::EngineConfig;
use super::super::engine::{House, spawn};
use super::super::process::Process;
use super::super::ranks;

/// What a check finds, or what was seen instead.
pub type Check<T = ()> = Result<T, String>;

/// An engine that runs, and what is known of it.
pub struct Wire<'a> {
    config: &'a EngineConfig,
    house: &'a House,
    process: Process,
    dialect: Dialect,
    /// The options it has announced.
    pub options: Vec<OptionLine>,
    /// Every line it has said, without its end.
    pub heard: Vec<Vec<u8>>,
}

impl<'a> Wire<'a> {
    /// Starts the engine and says nothing yet.
    pub fn start(config: &'a EngineConfig, dialect: Dialect, house: &'a House) -> Check<Wire<'a>> {
        let process =
            spawn(config, house).map_err(|cause| format!("cannot be started: {cause}"))?;
        let (options, heard) = (Vec::new(), Vec::new());
        Ok(Wire { config, house, process, dialect, options, heard })
    }

    /// Starts the engine, shakes hands, sets the options asked for and waits until it is ready.
    pub fn ready(config: &'a EngineConfig, dialect: Dialect, house: &'a House) -> Check<Wire<'a>> {
        let mut wire = Wire::start(config, dialect, house)?;
        wire.shake_hands()?;
        if dialect == Dialect::Ucci && wire.announces("usemillisec") {
            wire.set("usemillisec", Some("true"))?;
        }
        for (name, value) in &config.options {
            wire.set(name, Some(value))?;
        }
        wire.be_ready()?;
        Ok(wire)
    }

    /// What it is spoken to in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// How long an answer may take that needs no search.
    pub fn patience(&self) -> Duration {
        self.house.waiting.answer
    }

    /// Says the word of its dialect and waits for the ok line.
    pub fn shake_hands(&mut self) -> Check {
        self.tell(&Command::Handshake(self.dialect))?;
        let ok = match self.dialect {
            Dialect::Ucci => "ucciok",
            Dialect::Uci => "uciok",
        };
        let mut options = Vec::new();
        self.wait_for(ok, self.house.waiting.start, |line| {
            if let Ok(Reply::Option(option)) = Reply::parse(line) {
                options.push(option);
            }
            (line.trim_ascii() == ok.as_bytes()).then_some(())
        })?;
        self.options = options;
        Ok(())
    }

    /// Does it announce an option of this name?
    pub fn announces(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option in the spelling in which it was announced.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Check {
        let known = self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let is_button = known.is_some_and(|option| option.kind == OptionKind::Button);
        let name = known.map_or(name, |option| &option.name).to_owned();
        let value = value.filter(|_| !is_button).map(str::to_owned);
        self.tell(&Command::SetOption { name, value })
    }

    /// Asks whether it is ready and waits for the answer.
    pub fn be_ready(&mut self) -> Check {
        self.tell(&Command::IsReady)?;
        self.wait_for("readyok", self.house.waiting.ready, |line| {
            (line.trim_ascii() == b"readyok").then_some(())
        })
    }

    /// Has it search a position of a game, and gives its answer, which has to be legal there.
    pub fn search(&mut self, game: &PositionText, go: Go) -> Check<Option<Move>> {
        self.begin(game, go)?;
        let limit = self.house.waiting.untimed;
        let answer = self.answer(limit)?;
        legal_in(game, answer)
    }

    /// Has it begin a search.
    pub fn begin(&mut self, game: &PositionText, go: Go) -> Check {
        let text = self.line(&Command::Position(game.clone())) + &self.line(&Command::Go(go));
        self.write(&text)
    }

    /// The answer to `go`: a move, or that there is none.
    pub fn answer(&mut self, limit: Duration) -> Check<Option<Move>> {
        self.wait_for("answer", limit, |line| match Reply::parse(line) {
            Ok(Reply::BestMove { mv, .. }) => Some(Ok(Some(mv))),
            Ok(Reply::NoBestMove) => Some(Ok(None)),
            Err(error) if is_answer(line) => Some(Err(error.to_string())),
            _ => None,
        })?
    }

    /// Tells it to stop; gives the answer and how long it took.
    pub fn stop(&mut self) -> Check<(Option<Move>, Duration)> {
        let began = Instant::now();
        self.tell(&Command::Stop)?;
        let answer = self.answer(self.patience())?;
        Ok((answer, began.elapsed()))
    }

    /// Listens for a while; whatever `is_wrong` is said too much.
    pub fn listen(&mut self, time: Duration, is_wrong: impl Fn(&[u8]) -> bool) -> Check {
        let deadline = Instant::now() + time;
        while let Some(line) = self.next(deadline)? {
            if is_wrong(&line) {
                return Err(format!("says \"{}\"", shown(&line)));
            }
        }
        Ok(())
    }

    /// A go that takes so many milliseconds, in the words of its dialect.
    pub fn timed(&self, milliseconds: i64) -> Go {
        let time = Some(GoTime(milliseconds));
        match self.dialect {
            Dialect::Ucci => Go { time, moves_to_go: Some(1), ..Go::default() },
            Dialect::Uci => Go { move_time: time, ..Go::default() },
        }
    }

    /// A go on a clock with so many milliseconds for each side.
    pub fn clocked(&self, milliseconds: i64) -> Go {
        let (time, increment) = (Some(GoTime(milliseconds)), Some(GoTime(10)));
        match self.dialect {
            Dialect::Ucci => Go { time, increment, ..Go::default() },
            Dialect::Uci => Go {
                red_time: time,
                black_time: time,
                red_increment: increment,
                black_increment: increment,
                ..Go::default()
            },
        }
    }

    /// Says one command.
    pub fn tell(&mut self, command: &Command) -> Check {
        let line = self.line(command);
        self.write(&line)
    }

    /// The command as it is said, with its end.
    pub fn line(&self, command: &Command) -> String {
        let line = self.dialect.print_command(command);
        match self.config.ranks_from_one {
            true => ranks::from_zero_to_one(&line) + "\n",
            false => line + "\n",
        }
    }

    /// Says any text, in one write.
    pub fn write(&mut self, text: &str) -> Check {
        self.process.write(text).map_err(|cause| match self.process.wait(Duration::ZERO) {
            Some(status) => format!("ended: {status}"),
            None => format!("does not read: {cause}"),
        })
    }

    /// Closes its input.
    pub fn close(&mut self) {
        // It may end at once, which is what it is told to.
        let _ = self.process.wait(Duration::ZERO);
    }

    /// Waits for its end. Its input stays open, so that the last command alone has to do.
    pub fn end(&mut self) -> Check<ExitStatus> {
        let limit = self.patience();
        let deadline = Instant::now() + limit;
        let lines = self.process.lines();
        while !matches!(lines.recv_deadline(deadline), Err(RecvTimeoutError::Disconnected)) {
            if Instant::now() >= deadline {
                return Err(format!("still runs {limit:?} later"));
            }
        }
        self.process.wait(limit).ok_or_else(|| format!("still runs {limit:?} later"))
    }

    /// Reads on until a line gives what is wanted.
    pub fn wait_for<T>(
        &mut self,
        what: &str,
        limit: Duration,
        mut pick: impl FnMut(&[u8]) -> Option<T>,
    ) -> Check<T> {
        let deadline = Instant::now() + limit;
        while let Some(line) = self.next(deadline)? {
            if let Some(found) = pick(&line) {
                return Ok(found);
            }
        }
        Err(format!("no {what} within {limit:?}"))
    }

    /// The next line with its moves counted from 0; `None` when none comes before the deadline.
    fn next(&mut self, deadline: Instant) -> Check<Option<Vec<u8>>> {
        let line = match self.process.lines().recv_deadline(deadline) {
            Ok(line) => line.bytes,
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                let end = self.process.wait(Duration::from_millis(500));
                return Err(end.map_or("closed its output".into(), |end| format!("ended: {end}")));
            }
        };
        let end = line.strip_suffix(b"\n").unwrap_or(&line);
        self.heard.push(end.strip_suffix(b"\r").unwrap_or(end).to_vec());
        Ok(Some(self.counted_from_zero(&line)))
    }

    /// The line with its moves as we count ranks.
    pub fn counted_from_zero(&self, line: &[u8]) -> Vec<u8> {
        if self.config.ranks_from_one { ranks::from_one_to_zero(line) } else { line.to_vec() }
    }
}

/// Is the line an answer to `go`, be it a sound one or not?
pub fn is_answer(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"bestmove") || line.starts_with(b"nobestmove")
}

/// The answer again, if it can be played at the end of this game.
pub fn legal_in(game: &PositionText, answer: Option<Move>) -> Check<Option<Move>> {
    let position = position(game)?;
    match answer {
        Some(mv) if !position.legal_moves().contains(&mv) => {
            Err(format!("answers {mv}, which is illegal in {}", position.to_fen()))
        }
        None if !position.legal_moves().is_empty() => {
            Err(format!("finds no move in {}", position.to_fen()))
        }
        _ => Ok(answer),
    }
}

/// The position at the end of a game of ours.
pub fn position(game: &PositionText) -> Check<Position> {
    let start = game.fen.as_deref().map_or(Ok(Position::startpos()), Position::from_fen);
    let mut position = start.map_err(|cause| cause.to_string())?;
    for &mv in &game.moves {
        position.play(mv).map_err(|cause| cause.to_string())?;
    }
    Ok(position)
}

/// A line as it can be shown to people: printable, and no longer than fits.
pub fn shown(line: &[u8]) -> String {
    line.trim_ascii()
        .iter()
        .take(60)
        .copied()
        .flat_map(std::ascii::escape_default)
        .map(char::from)
        .collect()
}
