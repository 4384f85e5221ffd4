//! The conversation as a pure state machine: events in, actions out. No thread, no pipe, no clock
//! but the time each event comes with, so every rule about order can be read and tested here.
//!
//! Commands are taken in order and none is lost. While a search runs, `isready`, `probe` and a
//! handshake are answered at once, `stop` and `ponderhit` go to the search, and the rest waits for
//! the answer. A `position`, a `go`, a new game and `quit` cannot be meant for a later moment: they
//! also end the search. What comes behind one of them belongs to what it starts and waits with it.

mod feed;
mod request;

use std::collections::VecDeque;
use std::time::Instant;

use super::option::{EngineOption, OPTIONS, Setting, Settings};
use super::{Command, Dialect, Go, Info, ParseCommandError, PositionText, Reply};
use crate::board::Position;
use crate::book::{BookError, BookOptions};
use crate::clock::Clock;
use crate::search::{
    Bound, HashError, Limits, ProbeResult, SearchEvent, SearchInfo, SearchOptions, SearchReport,
};
use crate::types::{Color, Eval, Move};
use feed::{Counts, Feed};

/// What happens to a session.
#[derive(Debug)]
pub enum Event {
    /// A line came in.
    Line(Result<Command, ParseCommandError>),
    /// No line will come any more.
    EndOfInput,
    /// The running search says something.
    Search(SearchEvent),
    /// The running search has ended. Nothing more comes from it.
    SearchDone(SearchReport),
    /// Answers [`Action::Evaluate`].
    Evaluated(Eval),
    /// Answers [`Action::Probe`].
    Probed(Option<ProbeResult>),
    /// [`Action::SetOptions`] found no memory for the hash table.
    NoMemory(HashError),
    /// [`Action::SetBooks`] found a book that cannot be used.
    BadBook(BookError),
}

/// What a session wants done, in order.
#[derive(Debug)]
pub enum Action {
    /// Write this line, without its end, and flush.
    Say(String),
    /// Give the engine these settings. Comes only while nothing is searched, like all that changes
    /// the engine.
    SetOptions(SearchOptions),
    /// Give the engine these books.
    SetBooks(BookOptions),
    /// Forget the former game.
    NewGame,
    /// Put this on the board.
    SetPosition(Box<Position>),
    /// Forbid these moves on this board.
    BanMoves(Vec<Move>),
    /// Search. Its events come back, [`Event::SearchDone`] last.
    Start {
        /// When to stop.
        limits: Limits,
        /// On the other side's time.
        ponder: bool,
        /// The other side offers a draw.
        draw: bool,
    },
    /// End the running search.
    Stop,
    /// The expected move was played.
    PonderHit {
        /// The other side offers a draw.
        draw: bool,
    },
    /// Evaluate the board without searching and come back at once.
    Evaluate,
    /// Look this position up in the hash table and come back at once, also while searching.
    Probe(Box<Position>),
    /// Leave. Nothing comes after it.
    Exit,
}

/// One conversation with an interface.
#[derive(Debug)]
pub struct Session {
    state: State,
    /// The later handshake decides how replies are printed.
    dialect: Dialect,
    settings: Settings,
    /// What the engine was told about books.
    books: BookOptions,
    /// Side to move on the engine's board.
    mover: Color,
    /// The engine's own clocks, by [`Color::index`], if the settings ask for them.
    clocks: Option<[Clock; 2]>,
    /// Commands that wait for the end of the running search.
    waiting: VecDeque<Command>,
    now: Instant,
    actions: Vec<Action>,
}

#[derive(Debug)]
enum State {
    /// Nobody has said hello.
    Boot,
    Idle,
    Thinking(Thinking),
    /// Left.
    Over,
}

/// A `go` that has not been answered.
#[derive(Debug)]
struct Thinking {
    /// Holds its answer until `stop`.
    infinite: bool,
    /// Ends by itself.
    is_bounded: bool,
    /// Holds its answer until `ponderhit` or `stop`.
    pondering: bool,
    /// Told to stop.
    stopped: bool,
    /// A waiting command has ended this search, so later commands are not meant for it.
    superseded: bool,
    /// The answer that is held.
    held: Option<SearchReport>,
    /// `go infinite`: looks at a position, makes no move of a game.
    is_analysis: bool,
    /// The mover's own clock runs since then.
    clock_started: Option<Instant>,
    feed: Feed,
}

impl Session {
    /// A session that waits for the first word.
    pub fn new(now: Instant) -> Session {
        Session {
            state: State::Boot,
            dialect: Dialect::Ucci,
            settings: Settings::default(),
            books: BookOptions::default(),
            mover: Color::Red,
            clocks: None,
            waiting: VecDeque::new(),
            now,
            actions: Vec::new(),
        }
    }

    /// Takes an event that happens at `now` and returns what is to be done, in order.
    pub fn on(&mut self, event: Event, now: Instant) -> Vec<Action> {
        self.now = now;
        match event {
            Event::Line(Ok(command)) => self.command(command),
            Event::Line(Err(error)) => self.bad_line(&error),
            Event::EndOfInput => self.command(Command::Quit),
            Event::Search(event) => self.search_event(event),
            Event::SearchDone(report) => self.search_done(report),
            Event::Evaluated(eval) => {
                self.say_info(Info { depth: Some(0), score: Some(eval), ..Info::default() });
                self.say(&Reply::NoBestMove);
            }
            Event::Probed(found) => self.say(&pop_hash(found)),
            Event::NoMemory(error) => {
                // What failed is not tried again with the next option.
                self.settings.search.hash_mb = error.kept;
                self.message(error.to_string());
            }
            Event::BadBook(error) => self.message(error.to_string()),
        }
        std::mem::take(&mut self.actions)
    }

    fn command(&mut self, command: Command) {
        let command = match command {
            Command::SetOption { name, .. } if is_new_game(&name) => Command::NewGame,
            other => other,
        };
        match self.state {
            State::Boot => self.command_in_boot(command),
            State::Idle => self.command_in_idle(command),
            State::Thinking(_) => self.command_in_thinking(command),
            State::Over => {}
        }
    }

    fn bad_line(&mut self, error: &ParseCommandError) {
        match (&self.state, error) {
            (State::Over, _) | (_, ParseCommandError::Blank) => {}
            (State::Boot, _) => self.hint(),
            (_, ParseCommandError::Unknown(_)) => {}
            (_, ParseCommandError::Malformed(_)) => self.message(error.to_string()),
        }
    }

    fn command_in_boot(&mut self, command: Command) {
        match command {
            Command::Handshake(dialect) => self.handshake(dialect),
            // No dialect was agreed on, so there is no word for goodbye.
            Command::Quit => self.leave(),
            _ => self.hint(),
        }
    }

    fn command_in_idle(&mut self, command: Command) {
        match command {
            Command::Handshake(dialect) => self.handshake(dialect),
            Command::IsReady => self.say(&Reply::ReadyOk),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.new_game(),
            Command::Position(text) => self.set_position(&text),
            Command::BanMoves(moves) => self.actions.push(Action::BanMoves(moves)),
            Command::Go(go) => self.go(&go),
            Command::PonderHit { .. } => {}
            // A confused UCCI interface must not wait for ever; UCI interfaces expect nothing.
            Command::Stop if self.dialect == Dialect::Ucci => self.say(&Reply::NoBestMove),
            Command::Stop => {}
            Command::Probe(text) => self.probe(&text),
            Command::Quit => {
                self.say(&Reply::Bye);
                self.leave();
            }
        }
    }

    fn command_in_thinking(&mut self, command: Command) {
        let State::Thinking(search) = &mut self.state else { return };
        if search.is_deaf(self.settings.batch) {
            return self.waiting.push_back(command);
        }
        match command {
            Command::Handshake(_) | Command::IsReady | Command::Probe(_) => {
                self.command_in_idle(command);
            }
            _ if search.superseded => self.waiting.push_back(command),
            Command::Stop => self.stop(),
            Command::PonderHit { draw } => self.ponder_hit(draw),
            Command::SetOption { .. } | Command::BanMoves(_) => self.waiting.push_back(command),
            Command::Position(_) | Command::Go(_) | Command::NewGame | Command::Quit => {
                search.superseded = true;
                self.waiting.push_back(command);
                self.stop();
            }
        }
    }

    /// Takes the commands that waited for the answer, up to one that waits for the next answer.
    fn take_waiting(&mut self) {
        let mut rest = std::mem::take(&mut self.waiting);
        while !self.is_closed() {
            let Some(command) = rest.pop_front() else { break };
            self.command(command);
        }
        // What had to wait once more came before what was not reached.
        while let Some(command) = self.waiting.pop_back() {
            rest.push_front(command);
        }
        self.waiting = rest;
    }

    /// Would every waiting command have to wait again?
    fn is_closed(&self) -> bool {
        match &self.state {
            State::Thinking(search) => search.superseded || search.is_deaf(self.settings.batch),
            State::Boot | State::Idle | State::Over => false,
        }
    }

    fn handshake(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        if matches!(self.state, State::Boot) {
            self.state = State::Idle;
        }
        for (key, text) in identity(dialect) {
            self.say(&Reply::Id { key: key.to_owned(), text });
        }
        for option in OPTIONS.iter().filter_map(|option| option.announce(dialect)) {
            self.say(&Reply::Option(option));
        }
        self.say(&Reply::HandshakeOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let Some(option) = EngineOption::find(name) else { return };
        let before = self.settings.clone();
        match option.set(&mut self.settings, value.unwrap_or_default()) {
            Ok(Setting::Clamped(taken)) if self.settings.debug => {
                self.message(format!("option {name}: out of range, {taken} taken"));
            }
            Ok(_) => {}
            Err(error) => self.message(error.to_string()),
        }
        if self.settings.search != before.search {
            self.actions.push(Action::SetOptions(self.settings.search.clone()));
        }
        self.set_books(option.names_books());
        if self.settings.stages != before.stages {
            self.reset_clocks();
        }
    }

    /// Tells the engine about books what it has not been told, or, to have the files read again, what
    /// it has. A handshake may change that too, but comes at any time.
    fn set_books(&mut self, again: bool) {
        let books = self.settings.books(self.dialect);
        if books != self.books || (again && books.enabled) {
            self.books = books.clone();
            self.actions.push(Action::SetBooks(books));
        }
    }

    fn new_game(&mut self) {
        self.reset_clocks();
        self.actions.push(Action::NewGame);
    }

    fn reset_clocks(&mut self) {
        let [first, second] = self.settings.stages;
        let clock = Clock::new(first, second);
        self.clocks = clock.is_timed().then(|| [clock.clone(), clock]);
    }

    fn set_position(&mut self, text: &PositionText) {
        if let Some(position) = self.read_position(text) {
            self.mover = position.side_to_move();
            self.actions.push(Action::SetPosition(Box::new(position)));
        }
    }

    fn probe(&mut self, text: &PositionText) {
        match self.read_position(text) {
            Some(position) => self.actions.push(Action::Probe(Box::new(position))),
            None => self.say(&pop_hash(None)),
        }
    }

    /// The position of the text, up to the first move that cannot be played; `None` without a
    /// legal board. What is wrong is said in one message.
    fn read_position(&mut self, text: &PositionText) -> Option<Position> {
        let start = match &text.fen {
            Some(fen) => Position::from_fen(fen),
            None => Ok(Position::startpos()),
        };
        let mut position = match start {
            Ok(position) => position,
            Err(error) => {
                self.message(format!("position: {error}"));
                return None;
            }
        };
        for &mv in &text.moves {
            if let Err(error) = position.play(mv) {
                self.message(format!("position: {error}"));
                return Some(position);
            }
        }
        if let Some(word) = &text.bad_move {
            self.message(format!("position: \"{word}\" is not a move"));
        }
        Some(position)
    }

    fn go(&mut self, go: &Go) {
        if !go.dropped.is_empty() {
            self.message(format!("go: \"{}\" makes no sense here", go.dropped.join(" ")));
        }
        if go.depth == Some(0) {
            return self.actions.push(Action::Evaluate);
        }
        let own_clocks = self.clocks.as_ref().map_or([None, None], |clocks| {
            [clocks[self.mover.index()].view(), clocks[(!self.mover).index()].view()]
        });
        let limits = request::limits(go, &self.settings, self.mover, own_clocks);
        if self.settings.debug {
            self.message(request::describe(&limits));
        }
        self.state = State::Thinking(Thinking {
            infinite: limits.infinite,
            is_bounded: limits.is_bounded(),
            pondering: go.ponder,
            stopped: false,
            superseded: false,
            held: None,
            is_analysis: go.infinite,
            clock_started: (!go.ponder).then_some(self.now),
            feed: Feed::new(self.settings.search.multipv > 1, self.now),
        });
        self.set_books(false);
        self.actions.push(Action::Start { limits, ponder: go.ponder, draw: go.draw });
    }

    fn stop(&mut self) {
        let State::Thinking(search) = &mut self.state else { return };
        if search.stopped {
            return;
        }
        search.stopped = true;
        match search.held.take() {
            Some(report) => self.answer(&report),
            None => self.actions.push(Action::Stop),
        }
    }

    fn ponder_hit(&mut self, draw: bool) {
        let State::Thinking(search) = &mut self.state else { return };
        if !search.pondering {
            return;
        }
        search.pondering = false;
        search.clock_started = Some(self.now);
        match search.held.take() {
            Some(report) => self.answer_or_hold(report),
            None => self.actions.push(Action::PonderHit { draw }),
        }
    }

    fn search_event(&mut self, event: SearchEvent) {
        let debug = self.settings.debug;
        let State::Thinking(search) = &mut self.state else { return };
        let infos = match event {
            SearchEvent::Lines(lines) => {
                let is_proven = lines.first().is_some_and(is_proven_mate);
                let infos = search.feed.lines(lines, self.now);
                if is_proven
                    && search.infinite
                    && !search.pondering
                    && self.dialect == Dialect::Ucci
                {
                    self.say_infos(infos);
                    return self.stop();
                }
                infos
            }
            SearchEvent::Progress { nodes, elapsed, hashfull } => {
                search.feed.progress(&Counts { nodes, elapsed, hashfull }, debug, self.now)
            }
            SearchEvent::CurrentMove { depth, mv, number } => {
                if !debug || !search.feed.has_room(self.now) {
                    return;
                }
                vec![Info {
                    depth: Some(depth),
                    current_move: Some(mv),
                    current_move_number: Some(number),
                    ..Info::default()
                }]
            }
            SearchEvent::Message(text) => return self.message(text),
        };
        self.say_infos(infos);
    }

    fn search_done(&mut self, report: SearchReport) {
        let State::Thinking(search) = &mut self.state else { return };
        let infos = search.feed.finish(&report, self.now);
        self.say_infos(infos);
        match (report.best, report.eval) {
            (Some(_), _) => {}
            (None, eval @ Eval::MatedIn(0)) => {
                self.say_info(Info { depth: Some(0), score: Some(eval), ..Info::default() });
            }
            (None, _) => self.message("every legal move is banned".to_owned()),
        }
        self.answer_or_hold(report);
    }

    fn answer_or_hold(&mut self, report: SearchReport) {
        let State::Thinking(search) = &mut self.state else { return };
        let is_decided = report.best.is_none() || !matches!(report.eval, Eval::Points(_));
        let until_stop = search.infinite && !(is_decided && self.dialect == Dialect::Ucci);
        if (search.pondering || until_stop) && !search.stopped {
            search.held = Some(report);
        } else {
            self.answer(&report);
        }
    }

    /// The one answer to the running `go`.
    fn answer(&mut self, report: &SearchReport) {
        let state = std::mem::replace(&mut self.state, State::Idle);
        if let State::Thinking(search) = state {
            self.charge_clock(&search);
        }
        self.say(&match report.best {
            Some(mv) => Reply::BestMove {
                mv,
                ponder: report.ponder,
                draw: report.wants_draw,
                resign: report.resigns,
            },
            None => Reply::NoBestMove,
        });
        self.take_waiting();
    }

    /// Charges the mover's own clock and says what the clocks show. Analysis costs nothing.
    fn charge_clock(&mut self, search: &Thinking) {
        let (Some(started), false) = (search.clock_started, search.is_analysis) else { return };
        let Some(clocks) = &mut self.clocks else { return };
        let clock = &mut clocks[self.mover.index()];
        clock.start_move(started);
        let outcome = clock.end_move(self.now);
        let shown = |clock: &Clock| clock.view().map_or("none".to_owned(), |view| view.to_string());
        let mut text = format!("clock: red {}, black {}", shown(&clocks[0]), shown(&clocks[1]));
        if let Err(flag) = outcome {
            text = format!("{text}; {} has lost: {flag}", self.mover);
        }
        self.message(text);
    }

    fn leave(&mut self) {
        self.state = State::Over;
        self.actions.push(Action::Exit);
    }

    fn hint(&mut self) {
        self.message("say \"ucci\" or \"uci\" first".to_owned());
    }

    fn message(&mut self, text: String) {
        self.say(&Reply::Message(text));
    }

    fn say_infos(&mut self, infos: Vec<Info>) {
        infos.into_iter().for_each(|info| self.say_info(info));
    }

    fn say_info(&mut self, info: Info) {
        self.say(&Reply::Info(info));
    }

    fn say(&mut self, reply: &Reply) {
        self.actions.extend(self.dialect.print_reply(reply).map(Action::Say));
    }
}

impl Thinking {
    /// Is no input taken? Not where only input could bring the answer.
    fn is_deaf(&self, batch: bool) -> bool {
        batch && self.is_bounded && !self.pondering
    }
}

fn is_new_game(name: &str) -> bool {
    EngineOption::find(name).is_some_and(EngineOption::is_new_game)
}

/// A mate that no deeper search will shorten.
fn is_proven_mate(line: &SearchInfo) -> bool {
    match line.eval {
        Eval::MateIn(plies) | Eval::MatedIn(plies) => {
            line.bound == Bound::Exact && plies <= line.depth
        }
        Eval::Points(_) => false,
    }
}

fn pop_hash(found: Option<ProbeResult>) -> Reply {
    let value = found.map(|found| (Eval::from_score(found.score).to_ucci(), found.depth));
    let is = |bounds: [Bound; 2]| found.is_some_and(|found| bounds.contains(&found.bound));
    Reply::PopHash {
        best: found.and_then(|found| found.best),
        lower: value.filter(|_| is([Bound::Lower, Bound::Exact])),
        upper: value.filter(|_| is([Bound::Upper, Bound::Exact])),
    }
}

fn identity(dialect: Dialect) -> Vec<(&'static str, String)> {
    let (name, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    let author = ("author", "the hanxin authors".to_owned());
    match dialect {
        Dialect::Ucci => vec![
            ("name", name.to_owned()),
            ("version", version.to_owned()),
            ("copyright", format!("{} license", env!("CARGO_PKG_LICENSE"))),
            author,
            ("user", "everyone".to_owned()),
        ],
        Dialect::Uci => vec![("name", format!("{name} {version}")), author],
    }
}

#[cfg(test)]
mod tests;
