//! Golden transcripts: what clients sent, and what they must be told, run against the session in
//! this process and against the binary.
//!
//! A file holds conversations. `= NAME` begins one. `< ` is a line sent (with `\r`, `\t`, `\\` and
//! `\xHH`), `> ` a line said exactly, `~ ` a line that matches (`*` any text, `?` any character),
//! `+ ` one line or more that match, `$` the end of input. `! MS LINE` is sent to the process only,
//! so many milliseconds later. `#` is a comment. Lines without an answer between them are sent in
//! one burst; nothing else may be said.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use hanxin::protocol::{Action, Command, Event, Session};
use hanxin::{Engine, Limits, Signals};

use crate::child::Process;
use crate::grammar;

struct Conversation {
    name: String,
    steps: Vec<Step>,
}

enum Step {
    Send(Vec<u8>),
    EndOfInput,
    Later(Duration, Vec<u8>),
    Expect(Expected),
}

enum Expected {
    Exactly(String),
    Matching(String),
    OneOrMore(String),
}

/// Somebody to talk to.
trait Engines {
    fn send(&mut self, line: &[u8]);
    fn end_input(&mut self);
    fn later(&mut self, delay: Duration, line: &[u8]);
    /// The next line said; `None` when no more comes.
    fn hear(&mut self) -> Option<String>;
}

#[test]
fn the_session_speaks_as_written() {
    for conversation in conversations() {
        conversation.run(&mut Inline::new());
    }
}

#[test]
fn the_process_speaks_as_written() {
    let all: Vec<_> = conversations();
    thread::scope(|scope| {
        for half in all.chunks(all.len().div_ceil(2)) {
            scope.spawn(move || {
                for conversation in half {
                    let mut process = Process::start();
                    conversation.run(&mut process);
                    process.finish();
                }
            });
        }
    });
}

fn conversations() -> Vec<Conversation> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/transcripts");
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| parse(path)).collect()
}

fn parse(path: &Path) -> Vec<Conversation> {
    let mut found: Vec<Conversation> = Vec::new();
    for (number, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
        let place = format!("{}:{}", path.display(), number + 1);
        let text = line.get(2..).unwrap_or_default();
        let step = match line.get(..1) {
            None | Some("#") => continue,
            Some("=") => {
                found.push(Conversation { name: format!("{place} {text}"), steps: Vec::new() });
                continue;
            }
            Some("<") => Step::Send(unescape(text)),
            Some("$") => Step::EndOfInput,
            Some("!") => {
                let (ms, line) = text.split_once(' ').expect(&place);
                Step::Later(Duration::from_millis(ms.parse().expect(&place)), unescape(line))
            }
            Some(">") => Step::Expect(Expected::Exactly(text.to_owned())),
            Some("~") => Step::Expect(Expected::Matching(text.to_owned())),
            Some("+") => Step::Expect(Expected::OneOrMore(text.to_owned())),
            Some(_) => panic!("{place}: {line}"),
        };
        found.last_mut().expect(&place).steps.push(step);
    }
    found
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let (byte, tail) = match rest {
            [b'\\', b'r', tail @ ..] => (b'\r', tail),
            [b'\\', b't', tail @ ..] => (b'\t', tail),
            [b'\\', b'\\', tail @ ..] => (b'\\', tail),
            [b'\\', b'x', high, low, tail @ ..] => {
                let digits = [*high, *low];
                let hex = std::str::from_utf8(&digits).unwrap();
                (u8::from_str_radix(hex, 16).expect(text), tail)
            }
            _ => (*first, tail),
        };
        bytes.push(byte);
        rest = tail;
    }
    bytes
}

fn matches(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', rest @ ..] => (0..=text.len()).any(|start| matches(rest, &text[start..])),
        [first, rest @ ..] => {
            text.first().is_some_and(|byte| *first == b'?' || first == byte)
                && matches(rest, &text[1..])
        }
    }
}

impl Conversation {
    fn run(&self, other: &mut impl Engines) {
        let mut ahead = None;
        let mut said = Vec::new();
        for step in &self.steps {
            match step {
                Step::Send(line) => other.send(line),
                Step::EndOfInput => other.end_input(),
                Step::Later(delay, line) => other.later(*delay, line),
                Step::Expect(expected) => {
                    let mut hear = || {
                        let line = ahead.take().or_else(|| other.hear());
                        said.extend(line.clone());
                        line
                    };
                    let line = hear();
                    let is_met = line.as_ref().is_some_and(|line| expected.is_met(line));
                    assert!(is_met, "{}: {expected} not met, said was {said:#?}", self.name);
                    if let Expected::OneOrMore(_) = expected {
                        ahead = loop {
                            match hear() {
                                Some(line) if expected.is_met(&line) => {}
                                other => break other,
                            }
                        };
                        if ahead.is_some() {
                            said.pop();
                        }
                    }
                }
            }
        }
        other.end_input();
        let rest: Vec<String> =
            ahead.into_iter().chain(std::iter::from_fn(|| other.hear())).collect();
        assert!(rest.iter().all(|line| line == "bye"), "{}: said more: {rest:#?}", self.name);
        for line in said {
            assert_eq!(grammar::fault(&line), None, "{}: {line}", self.name);
        }
    }
}

impl Expected {
    fn is_met(&self, line: &str) -> bool {
        match self {
            Expected::Exactly(text) => text == line,
            Expected::Matching(text) | Expected::OneOrMore(text) => {
                matches(text.as_bytes(), line.as_bytes())
            }
        }
    }
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expected::Exactly(text) => write!(f, "> {text}"),
            Expected::Matching(text) => write!(f, "~ {text}"),
            Expected::OneOrMore(text) => write!(f, "+ {text}"),
        }
    }
}

impl Engines for Process {
    fn send(&mut self, line: &[u8]) {
        self.send_bytes(line);
    }

    fn end_input(&mut self) {
        self.close_input();
    }

    fn later(&mut self, delay: Duration, line: &[u8]) {
        thread::sleep(delay);
        self.send_bytes(line);
    }

    fn hear(&mut self) -> Option<String> {
        self.read_line()
    }
}

/// A session and an engine without threads: every search is shallow and over at once.
struct Inline {
    session: Session,
    engine: Engine,
    said: VecDeque<String>,
    has_ended: bool,
}

impl Inline {
    fn new() -> Inline {
        Inline {
            session: Session::new(Instant::now()),
            engine: Engine::default(),
            said: VecDeque::new(),
            has_ended: false,
        }
    }

    fn take(&mut self, event: Event) {
        for action in self.session.on(event, Instant::now()) {
            match action {
                Action::Say(line) => self.said.push_back(line),
                Action::SetOptions(options) => self.engine.set_options(&options).unwrap(),
                Action::SetBooks(options) => {
                    for fault in self.engine.set_books(&options) {
                        self.take(Event::BadBook(fault));
                    }
                }
                Action::NewGame => self.engine.new_game(),
                Action::SetPosition(position) => self.engine.set_position(*position),
                Action::BanMoves(moves) => self.engine.ban_moves(&moves),
                Action::Start { limits, .. } => self.search(&limits),
                Action::Stop | Action::PonderHit { .. } => {}
                Action::Evaluate => {
                    let eval = self.engine.evaluate();
                    self.take(Event::Evaluated(eval));
                }
                Action::Probe(position) => {
                    let found = self.engine.prober().probe(&position);
                    self.take(Event::Probed(found));
                }
                Action::Exit => self.has_ended = true,
            }
        }
    }

    fn search(&mut self, limits: &Limits) {
        let shallow = Limits { depth: Some(limits.depth.unwrap_or(3).min(3)), ..limits.clone() };
        let mut events = Vec::new();
        let report = self.engine.search(&shallow, &Signals::default(), |event| events.push(event));
        events.into_iter().for_each(|event| self.take(Event::Search(event)));
        self.take(Event::SearchDone(report));
    }
}

impl Engines for Inline {
    fn send(&mut self, line: &[u8]) {
        self.take(Event::Line(Command::parse(line)));
    }

    fn end_input(&mut self) {
        self.take(Event::EndOfInput);
    }

    fn later(&mut self, _delay: Duration, _line: &[u8]) {}

    fn hear(&mut self) -> Option<String> {
        self.said.pop_front()
    }
}

#[test]
fn globs() {
    for (pattern, text, expected) in [
        ("a*c", "abbc", true),
        ("a*c", "ac", true),
        ("a*c", "acb", false),
        ("a?c", "abc", true),
        ("a?c", "ac", false),
        ("*", "", true),
    ] {
        assert_eq!(matches(pattern.as_bytes(), text.as_bytes()), expected, "{pattern} {text}");
    }
    assert_eq!(unescape(r"a\r\t\\\xff"), b"a\r\t\\\xff");
}
