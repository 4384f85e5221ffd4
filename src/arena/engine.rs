//! One engine: started, told what to do, listened to, every wait with a limit and every fault named.

use std::io;
use std::path::Path;
use std::process::Command as Program;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never, select};
use thiserror::Error;

use crate::protocol::{
    Command, Dialect, Go, Info, OptionKind, OptionLine, ParseReplyError, PositionText, Reply,
};
use crate::types::{Eval, Move};

use super::config::{EngineConfig, Waiting};
use super::fault::{Fault, FaultKind};
use super::guard::GuardProgram;
use super::process::{Line, Process};
use super::ranks;

/// How long an engine of unknown dialect may think about `ucci` before it is tried with `uci`.
const PROBE: Duration = Duration::from_secs(2);

/// What to do about moves such as `h10g8`.
const RANKS_HINT: &str = " (an engine that counts ranks 1 to 10 needs ranks=1)";

/// What all engines of a match have in common.
#[derive(Clone)]
pub struct House {
    /// How long they are waited for.
    pub waiting: Waiting,
    /// Who makes sure that none is left behind.
    pub guard: Option<GuardProgram>,
    /// Disconnected when the match is to stop at once.
    pub stop: Receiver<()>,
}

impl Default for House {
    fn default() -> House {
        House { waiting: Waiting::default(), guard: None, stop: never() }
    }
}

/// Why an engine did not do what it was asked.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Failure {
    /// The engine's fault.
    #[error("{0}")]
    Fault(Fault),
    /// The match was stopped.
    #[error("stopped")]
    Stopped,
}

impl Failure {
    fn fault(kind: FaultKind, detail: impl Into<String>) -> Failure {
        Failure::Fault(Fault::new(kind, detail))
    }
}

/// The answer to `go`.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The move; `None` when the engine says that there is none.
    pub mv: Option<Move>,
    /// The answer it expects.
    pub ponder: Option<Move>,
    /// It offers or accepts a draw.
    pub draw: bool,
    /// It resigns.
    pub resign: bool,
    /// When it came.
    pub at: Instant,
    /// What it last said of its search.
    pub info: Summary,
}

/// The last word on depth, score and nodes of a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Summary {
    /// From the mover's side.
    pub score: Option<Eval>,
    /// In plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

/// A running engine that has said what it speaks and taken its options.
pub struct Engine {
    name: String,
    house: House,
    process: Process,
    dialect: Dialect,
    ranks_from_one: bool,
    options: Vec<OptionLine>,
    /// The move it is pondering on.
    pondering: Option<Move>,
    /// Was its last `go` not answered yet?
    searching: bool,
    /// The last line since then that no protocol knows.
    rubbish: Option<String>,
}

impl Engine {
    /// Starts the program, shakes hands and sets its options.
    ///
    /// # Errors
    /// It cannot be started, ends, or does not answer in time.
    pub fn start(config: &EngineConfig, house: &House) -> Result<Engine, Failure> {
        let process = spawn(config, house)
            .map_err(|cause| Failure::fault(FaultKind::Start, cause.to_string()))?;
        let mut engine = Engine {
            name: config.name.clone(),
            house: house.clone(),
            process,
            dialect: config.dialect.unwrap_or(Dialect::Ucci),
            ranks_from_one: config.ranks_from_one,
            options: Vec::new(),
            pondering: None,
            searching: false,
            rubbish: None,
        };
        match engine.prepare(config) {
            Err(Failure::Fault(fault)) if fault.kind == FaultKind::Crash => {
                Err(Failure::fault(FaultKind::Start, fault.detail))
            }
            result => result.map(|()| engine),
        }
    }

    fn prepare(&mut self, config: &EngineConfig) -> Result<(), Failure> {
        self.shake_hands(config.dialect.is_none())?;
        if self.dialect == Dialect::Ucci {
            self.set_if_announced("usemillisec", "true")?;
        }
        self.set_if_announced("ponder", if config.ponder { "true" } else { "false" })?;
        for (name, value) in &config.options {
            let announced = self.announced(name);
            if announced.is_none() {
                log::warn!("{}: no option \"{name}\" is announced", self.name);
            }
            if let Some(expected) = announced.and_then(|option| option.kind.expected(value)) {
                log::warn!("{}: option \"{name}\" is {expected}, not {value:?}", self.name);
            }
            self.set(name, value)?;
        }
        self.be_ready()
    }

    /// Collects what the engine says of itself up to its ok line. Where the dialect has to be found,
    /// the last ok line decides: an engine may have answered `ucci` late, and then `uci` too.
    fn shake_hands(&mut self, find_dialect: bool) -> Result<(), Failure> {
        self.tell(&Command::Handshake(self.dialect))?;
        let mut deadline = Instant::now() + self.house.waiting.start;
        let mut probe_end = find_dialect.then(|| Instant::now() + PROBE);
        loop {
            let Some(line) = self.next_line(probe_end.map_or(deadline, |end| end.min(deadline)))?
            else {
                if probe_end.take().is_none() {
                    return Err(Failure::fault(FaultKind::HangAtStart, ""));
                }
                self.try_uci()?;
                continue;
            };
            match Reply::parse(&line.bytes) {
                Ok(Reply::Option(option)) => self.options.push(option),
                Ok(Reply::HandshakeOk) => {
                    let is_uci = line.bytes.trim_ascii_start().starts_with(b"uciok");
                    if find_dialect {
                        self.dialect = if is_uci { Dialect::Uci } else { Dialect::Ucci };
                    }
                    return Ok(());
                }
                _ if probe_end.is_some() && says_unknown(&line.bytes) => {
                    probe_end = None;
                    deadline = Instant::now() + self.house.waiting.start;
                    self.try_uci()?;
                }
                _ => {}
            }
        }
    }

    fn try_uci(&mut self) -> Result<(), Failure> {
        self.dialect = Dialect::Uci;
        self.tell(&Command::Handshake(Dialect::Uci))
    }

    /// What the engine speaks.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Sets an option, in the spelling in which it was announced.
    fn set(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let option = self.announced(name);
        let is_button = option.is_some_and(|option| option.kind == OptionKind::Button);
        let name = option.map_or(name, |option| &option.name).to_owned();
        let value = (!is_button).then(|| value.to_owned());
        self.tell(&Command::SetOption { name, value })
    }

    fn set_if_announced(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        if self.announced(name).is_some() { self.set(name, value) } else { Ok(()) }
    }

    fn announced(&self, name: &str) -> Option<&OptionLine> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Announces a new game and waits until the engine is ready for it.
    ///
    /// # Errors
    /// It ends, or is not ready in time.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        // A league engine takes the option; one that has no such option has a word of its own.
        if self.dialect == Dialect::Ucci && self.announced("newgame").is_none() {
            self.write("uccinewgame\n")?;
        } else {
            self.tell(&Command::NewGame)?;
        }
        self.be_ready()
    }

    fn be_ready(&mut self) -> Result<(), Failure> {
        self.tell(&Command::IsReady)?;
        let deadline = Instant::now() + self.house.waiting.ready;
        while let Some(line) = self.next_line(deadline)? {
            match Reply::parse(&line.bytes) {
                Ok(Reply::ReadyOk) => return Ok(()),
                // The late ok line of an engine whose dialect was guessed.
                Ok(Reply::HandshakeOk) => {
                    let is_uci = line.bytes.trim_ascii_start().starts_with(b"uciok");
                    self.dialect = if is_uci { Dialect::Uci } else { Dialect::Ucci };
                }
                _ => {}
            }
        }
        Err(Failure::fault(FaultKind::NotReady, ""))
    }

    /// Sets a position and starts a search. With a move in `ponder`, which `position` ends with, it
    /// thinks on the other side's time.
    ///
    /// # Errors
    /// It ended, or does not read.
    pub fn go(
        &mut self,
        position: PositionText,
        banned: &[Move],
        go: Go,
        ponder: Option<Move>,
    ) -> Result<(), Failure> {
        // What is unread was said before this search and can be no answer to it.
        while let Ok(line) = self.process.lines().try_recv() {
            log::trace!("{} > {}", self.name, line.bytes.trim_ascii().escape_ascii());
        }
        let mut text = self.line(&Command::Position(position));
        if !banned.is_empty() {
            text += &self.line(&Command::BanMoves(banned.to_vec()));
        }
        text += &self.line(&Command::Go(Go { ponder: ponder.is_some(), ..go }));
        self.pondering = ponder;
        self.searching = true;
        self.rubbish = None;
        self.write(&text)
    }

    /// The move it is pondering on.
    pub fn pondering(&self) -> Option<Move> {
        self.pondering
    }

    /// The move it ponders on was played.
    ///
    /// # Errors
    /// It ended, or does not read.
    pub fn ponder_hit(&mut self, draw: bool) -> Result<(), Failure> {
        self.pondering = None;
        self.tell(&Command::PonderHit { draw })
    }

    /// Ends the pondering, if any, and drops its answer.
    ///
    /// # Errors
    /// It ended, or goes on in spite of `stop`.
    pub fn stop_pondering(&mut self) -> Result<(), Failure> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        self.tell(&Command::Stop)?;
        match self.read_answer(Instant::now() + self.house.waiting.answer) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(Failure::fault(FaultKind::IgnoredStop, "")),
            // It is the end of the search that matters.
            Err(Failure::Fault(fault)) if fault.kind == FaultKind::Rubbish => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// Waits for the answer of the search. Once it is due the engine is told to stop, so an answer may
    /// come late.
    ///
    /// # Errors
    /// It ends, answers rubbish, or does not even answer to `stop`.
    pub fn answer(&mut self, due: Instant) -> Result<Answer, Failure> {
        if let Some(answer) = self.read_answer(due)? {
            return Ok(answer);
        }
        self.tell(&Command::Stop)?;
        let answer = self.read_answer(Instant::now() + self.house.waiting.answer)?;
        answer.ok_or_else(|| match self.rubbish.take() {
            Some(line) => Failure::fault(FaultKind::Rubbish, line),
            None => Failure::fault(FaultKind::Stall, "no answer to stop either"),
        })
    }

    fn read_answer(&mut self, deadline: Instant) -> Result<Option<Answer>, Failure> {
        let mut summary = Summary::default();
        while let Some(line) = self.next_line(deadline)? {
            let (mv, ponder, draw, resign) = match Reply::parse(&line.bytes) {
                Ok(Reply::Info(info)) => {
                    summary.take(&info);
                    continue;
                }
                Ok(Reply::BestMove { mv, ponder, draw, resign }) => {
                    (Some(mv), ponder, draw, resign)
                }
                Ok(Reply::NoBestMove) => (None, None, false, true),
                Err(error) if line.bytes.trim_ascii_start().starts_with(b"bestmove") => {
                    let hint = if self.counts_from_one(&line.bytes) { RANKS_HINT } else { "" };
                    return Err(Failure::fault(FaultKind::Rubbish, format!("{error}{hint}")));
                }
                Err(error @ ParseReplyError::Unknown(_)) => {
                    self.rubbish = Some(format!("{error}, and no answer"));
                    continue;
                }
                _ => continue,
            };
            self.searching = false;
            return Ok(Some(Answer { mv, ponder, draw, resign, at: line.at, info: summary }));
        }
        Ok(None)
    }

    /// Would the line have a meaning, were its ranks counted from 1?
    fn counts_from_one(&self, line: &[u8]) -> bool {
        !self.ranks_from_one && Reply::parse(&ranks::from_one_to_zero(line)).is_ok()
    }

    /// Tells the engine to leave. `Some` when it has to be killed.
    pub fn quit(mut self) -> Option<Fault> {
        // It may have gone already: then there is nothing to say.
        if self.searching {
            let _ = self.tell(&Command::Stop);
        }
        let _ = self.tell(&Command::Quit);
        let limit = self.house.waiting.answer;
        match self.process.wait(limit) {
            Some(_) => None,
            None => Some(Fault::new(FaultKind::IgnoredQuit, "")),
        }
    }

    fn tell(&mut self, command: &Command) -> Result<(), Failure> {
        let line = self.line(command);
        self.write(&line)
    }

    fn line(&self, command: &Command) -> String {
        let line = self.dialect.print_command(command);
        let has_moves =
            matches!(command, Command::Position(_) | Command::BanMoves(_) | Command::Go(_));
        match self.ranks_from_one && has_moves {
            true => ranks::from_zero_to_one(&line) + "\n",
            false => line + "\n",
        }
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        for line in text.lines() {
            log::trace!("{} < {line}", self.name);
        }
        self.process.write(text).map_err(|cause| match cause.kind() {
            io::ErrorKind::WouldBlock => Failure::fault(FaultKind::Deaf, ""),
            _ => self.crash(),
        })
    }

    /// The next line; `None` when none comes before the deadline.
    fn next_line(&mut self, deadline: Instant) -> Result<Option<Line>, Failure> {
        let lines = self.process.lines();
        let stop = &self.house.stop;
        let wait = deadline.saturating_duration_since(Instant::now());
        let line = select! {
            recv(lines) -> line => line,
            recv(stop) -> _ => return Err(Failure::Stopped),
            default(wait) => return Ok(None),
        };
        let Ok(mut line) = line else { return Err(self.crash()) };
        log::trace!("{} > {}", self.name, line.bytes.trim_ascii().escape_ascii());
        if self.ranks_from_one {
            line.bytes = ranks::from_one_to_zero(&line.bytes);
        }
        Ok(Some(line))
    }

    fn crash(&mut self) -> Failure {
        const DYING: Duration = Duration::from_millis(500);
        let detail = match self.process.wait(DYING) {
            Some(status) => status.to_string(),
            None => "closed its output".to_owned(),
        };
        Failure::fault(FaultKind::Crash, detail)
    }
}

impl Summary {
    /// Takes what the line says of the first line of play.
    fn take(&mut self, info: &Info) {
        if info.multipv.is_none_or(|number| number == 1) {
            self.score = info.score.or(self.score);
            self.depth = info.depth.or(self.depth);
        }
        self.nodes = info.nodes.or(self.nodes);
    }
}

/// Starts the program. What the system says of it is told with the program and its folder.
pub(super) fn spawn(config: &EngineConfig, house: &House) -> io::Result<Process> {
    let (program, args) =
        config.command.split_first().ok_or_else(|| io::Error::other("no program is given"))?;
    let start = || {
        // A path is meant from where we are, not from the folder the engine runs in.
        let path = Path::new(program);
        let is_path = path.components().count() > 1;
        let path = if is_path && path.exists() { path.canonicalize()? } else { path.to_owned() };
        let mut command = Program::new(path);
        command.args(args).args(&config.args);
        if let Some(dir) = &config.dir {
            command.current_dir(dir);
        }
        Process::spawn(command, house.guard.as_ref())
    };
    start().map_err(|cause| {
        let place = config.dir.as_ref().map(|dir| format!(" in folder {}", dir.display()));
        let place = place.unwrap_or_default();
        io::Error::new(cause.kind(), format!("{program}{place}: {cause}"))
    })
}

/// Can the program be started at all? It runs for a moment, under the guard if there is one.
///
/// # Errors
/// What the system says.
pub fn can_start(config: &EngineConfig, guard: Option<&GuardProgram>) -> io::Result<()> {
    spawn(config, &House { guard: guard.cloned(), ..House::default() }).map(drop)
}

/// Has the engine answered that it does not know what was said?
fn says_unknown(line: &[u8]) -> bool {
    line.to_ascii_lowercase().windows(7).any(|word| word == b"unknown")
}
