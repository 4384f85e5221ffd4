//! The threads around a session: one reads lines, one searches, and the one that calls takes what
//! both say in order, asks the session, and is the only writer. So a `bestmove` cannot overtake
//! its last `info`, and the search never waits for an interface that does not read.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};
use log::{debug, trace};

use super::Command;
use super::session::{Action, Event, Session};
use crate::engine::Engine;
use crate::search::{Limits, Prober, SearchEvent, SearchReport, Signals};

/// Longest line that is read; what stands behind is dropped up to the line's end.
const MAX_LINE: u64 = 64 << 20;

/// The protocol loop on standard input and output: what an interface talks to.
///
/// # Errors
/// A thread could not be started.
pub fn run_stdio() -> io::Result<()> {
    run(io::stdin(), io::stdout())
}

/// The protocol loop, until `quit`, the end of `input`, or an `output` that takes no more. The
/// last is an end like the others, since an interface may close its pipe first.
///
/// The thread that reads `input` can outlive the call: a read cannot be called off.
///
/// # Errors
/// A thread could not be started.
pub fn run(input: impl Read + Send + 'static, output: impl Write) -> io::Result<()> {
    let (to_driver, messages) = unbounded();
    let (to_search, jobs) = unbounded();
    let engine = Mutex::new(Engine::default());
    let signals = Signals::default();
    let from_input = to_driver.clone();
    let reader = thread::Builder::new().name("input".to_owned());
    reader.spawn(move || read_lines(input, &from_input))?;
    thread::scope(|scope| {
        let search = thread::Builder::new().name("search".to_owned());
        search.spawn_scoped(scope, || search_jobs(&jobs, &engine, &signals, &to_driver))?;
        let mut driver = Driver {
            session: Session::new(Instant::now()),
            prober: lock(&engine).prober(),
            engine: &engine,
            signals: &signals,
            jobs: to_search,
            output,
            started: Instant::now(),
        };
        driver.converse(&messages);
        signals.stop();
        Ok(())
    })
}

/// What the other threads send to the driver.
enum Message {
    Line(Vec<u8>),
    EndOfInput,
    Search(SearchEvent),
    SearchDone(SearchReport),
}

struct Driver<'a, W> {
    session: Session,
    /// Free whenever the session touches it: it never does while a search runs.
    engine: &'a Mutex<Engine>,
    prober: Prober,
    signals: &'a Signals,
    jobs: Sender<Limits>,
    output: W,
    started: Instant,
}

impl<W: Write> Driver<'_, W> {
    fn converse(&mut self, messages: &Receiver<Message>) {
        for message in messages {
            let event = match message {
                Message::Line(line) => {
                    trace!("{} < {}", self.ms(), String::from_utf8_lossy(line.trim_ascii()));
                    Event::Line(Command::parse(&line))
                }
                Message::EndOfInput => Event::EndOfInput,
                Message::Search(event) => Event::Search(event),
                Message::SearchDone(report) => Event::SearchDone(report),
            };
            if self.take(event).is_break() {
                return;
            }
        }
    }

    /// Gives the session an event and does what it wants, until it wants to leave.
    fn take(&mut self, event: Event) -> ControlFlow<()> {
        for action in self.session.on(event, Instant::now()) {
            match action {
                Action::Say(line) => self.say(line)?,
                Action::SetOptions(options) => {
                    let outcome = lock(self.engine).set_options(&options);
                    self.prober = lock(self.engine).prober();
                    if let Err(error) = outcome {
                        self.take(Event::NoMemory(error))?;
                    }
                }
                Action::SetBooks(options) => {
                    let faults = lock(self.engine).set_books(&options);
                    for fault in faults {
                        self.take(Event::BadBook(fault))?;
                    }
                }
                Action::NewGame => lock(self.engine).new_game(),
                Action::SetPosition(position) => lock(self.engine).set_position(*position),
                Action::BanMoves(moves) => lock(self.engine).ban_moves(&moves),
                Action::Start { limits, ponder, draw } => {
                    self.signals.reset(ponder, draw);
                    if self.jobs.send(limits).is_err() {
                        return ControlFlow::Break(());
                    }
                }
                Action::Stop => self.signals.stop(),
                Action::PonderHit { draw } => self.signals.ponder_hit(draw),
                Action::Evaluate => {
                    let eval = lock(self.engine).evaluate();
                    self.take(Event::Evaluated(eval))?;
                }
                Action::Probe(position) => {
                    let found = self.prober.probe(&position);
                    self.take(Event::Probed(found))?;
                }
                Action::Exit => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }

    /// One line, one write, one flush.
    fn say(&mut self, mut line: String) -> ControlFlow<()> {
        trace!("{} > {line}", self.ms());
        line.push('\n');
        match self.output.write_all(line.as_bytes()).and_then(|()| self.output.flush()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                debug!("output closed: {error}");
                ControlFlow::Break(())
            }
        }
    }

    fn ms(&self) -> u128 {
        self.started.elapsed().as_millis()
    }
}

fn read_lines(input: impl Read, to_driver: &Sender<Message>) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
        if !matches!(read, Ok(count) if count > 0) {
            break;
        }
        let is_cut = line.len() as u64 == MAX_LINE && !line.ends_with(b"\n");
        if is_cut && input.skip_until(b'\n').is_err() {
            break;
        }
        if to_driver.send(Message::Line(line)).is_err() {
            return;
        }
    }
    // Nobody listens any more: nobody needs to know.
    let _ = to_driver.send(Message::EndOfInput);
}

fn search_jobs(
    jobs: &Receiver<Limits>,
    engine: &Mutex<Engine>,
    signals: &Signals,
    to_driver: &Sender<Message>,
) {
    for limits in jobs {
        let say = |event| {
            // A driver that left has also told the search to stop.
            let _ = to_driver.send(Message::Search(event));
        };
        let report = lock(engine).search(&limits, signals, say);
        if to_driver.send(Message::SearchDone(report)).is_err() {
            return;
        }
    }
}

fn lock(engine: &Mutex<Engine>) -> MutexGuard<'_, Engine> {
    engine.lock().unwrap_or_else(PoisonError::into_inner)
}
