//! Random conversations against a model: whatever comes in whatever order, every `go` gets exactly
//! one answer, order is kept, `isready` is answered at once and the engine is never touched while
//! it searches.

use std::time::{Duration, Instant};

use hanxin::protocol::{Action, Command, Event, Session};
use hanxin::search::ProbeResult;
use hanxin::{Bound, Eval, Move, SearchEvent, SearchInfo, SearchReport, Square};

use crate::grammar;

const SEQUENCES: u64 = 10_000;
const STEPS: usize = 40;

const BEST: Move = Move::new(Square::H2, Square::E2);

/// Splitmix64: the same sequences on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// What the engine was told before a search: the mark each command carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Marks {
    position: u64,
    hash: u64,
    go: u64,
}

struct Model {
    session: Session,
    random: Random,
    now: Instant,
    /// All that was sent, for the report of a failure.
    log: Vec<String>,
    /// What was sent last.
    sent: Marks,
    /// What the engine must know at each start, in order of the `go`s sent.
    expected: Vec<Marks>,
    /// What the engine was told last.
    told: Marks,
    started: usize,
    searching: bool,
    stopped: bool,
    shaken: bool,
    left: bool,
    best_moves: usize,
    readies: usize,
    readies_sent: usize,
}

#[test]
fn random_conversations_keep_order_and_answer_everything() {
    for seed in 0..SEQUENCES {
        Model::new(seed).run();
    }
}

impl Model {
    fn new(seed: u64) -> Model {
        let now = Instant::now();
        Model {
            session: Session::new(now),
            random: Random(seed),
            now,
            log: vec![format!("seed {seed}")],
            sent: Marks { hash: 64, ..Marks::default() },
            expected: Vec::new(),
            told: Marks { hash: 64, ..Marks::default() },
            started: 0,
            searching: false,
            stopped: false,
            shaken: false,
            left: false,
            best_moves: 0,
            readies: 0,
            readies_sent: 0,
        }
    }

    fn run(&mut self) {
        for _ in 0..STEPS {
            self.now += Duration::from_millis(self.random.below(300));
            if self.searching && self.random.below(3) == 0 {
                self.search_something();
            } else {
                self.say_something();
            }
        }
        self.end();
    }

    /// Ends the input and lets every search end.
    fn end(&mut self) {
        self.log.push("end of input".to_owned());
        self.take(Event::EndOfInput);
        for _ in 0..=self.expected.len() {
            if self.searching {
                self.finish_search();
            }
        }
        assert!(self.left, "does not leave: {:#?}", self.log);
        assert_eq!(self.started, self.expected.len(), "a go was lost: {:#?}", self.log);
        assert_eq!(self.best_moves, self.expected.len(), "answers: {:#?}", self.log);
        assert_eq!(self.readies, self.readies_sent, "readyok: {:#?}", self.log);
    }

    fn say_something(&mut self) {
        let choice = self.random.below(16);
        let line = match choice {
            0..=3 => self.go(),
            4 | 5 => self.position(),
            6 => {
                self.sent.hash = 16 + self.random.below(200);
                format!("setoption hashsize {}", self.sent.hash)
            }
            7 | 8 => "stop".to_owned(),
            9 => "isready".to_owned(),
            10 => self.random.pick(&["ponderhit", "ponderhit draw"]).to_owned(),
            11 => self.random.pick(&["ucci", "uci"]).to_owned(),
            12 => self.random.pick(&["setoption batch true", "setoption batch false"]).to_owned(),
            13 => self.random.pick(&["newgame", "ucinewgame", "banmoves a0a1"]).to_owned(),
            14 => self.random.pick(&["probe startpos", "position fen x", "fen"]).to_owned(),
            _ => self.random.pick(&["", "xyzzy", "setoption ponder 2", "debug on"]).to_owned(),
        };
        self.send(&line);
    }

    fn go(&mut self) -> String {
        self.sent.go += 1;
        let kind = self.random.pick(&["", "ponder ", "infinite ", "draw ", "movetime 50 "]);
        // The number of nodes tells one go from the other.
        format!("go {kind}nodes {}", self.sent.go)
    }

    fn position(&mut self) -> String {
        self.sent.position += 1;
        // The move number tells one position from the other.
        format!("position fen 3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 0 {}", self.sent.position)
    }

    fn send(&mut self, line: &str) {
        self.log.push(format!("< {line}"));
        let command = Command::parse(line.as_bytes());
        match &command {
            Ok(Command::Handshake(_)) => self.shaken = true,
            Ok(_) if !self.shaken => {
                // Ignored but for a hint, so what it carried does not count.
                self.sent = Marks { go: self.sent.go, ..self.told };
            }
            Ok(Command::Go(_)) => self.expected.push(self.sent),
            Ok(Command::IsReady) => self.readies_sent += 1,
            _ => {}
        }
        let (readies, is_ready) = (self.readies, command == Ok(Command::IsReady) && self.shaken);
        let open = !self.is_batch();
        self.take(Event::Line(command));
        if is_ready && open {
            assert_eq!(self.readies, readies + 1, "not ready at once: {:#?}", self.log);
        }
    }

    /// Was batch mode ever asked for? Then input may wait.
    fn is_batch(&self) -> bool {
        self.log.iter().any(|line| line == "< setoption batch true")
    }

    fn search_something(&mut self) {
        let eval = match self.random.below(4) {
            0 => Eval::MateIn(3),
            _ => Eval::Points(17),
        };
        match self.random.below(5) {
            0 => self.take(Event::Search(SearchEvent::Lines(vec![line(eval)]))),
            1 => {
                let mv = SearchEvent::CurrentMove { depth: 3, mv: BEST, number: 1 };
                self.take(Event::Search(mv));
            }
            2 if !self.stopped => {
                let progress = SearchEvent::Progress {
                    nodes: 5,
                    elapsed: Duration::from_secs(1),
                    hashfull: 1,
                };
                self.take(Event::Search(progress));
            }
            _ => self.finish_search(),
        }
    }

    fn finish_search(&mut self) {
        self.searching = false;
        self.log.push("search done".to_owned());
        self.take(Event::SearchDone(report()));
    }

    fn take(&mut self, event: Event) {
        assert!(!self.left, "still asked after leaving: {:#?}", self.log);
        for action in self.session.on(event, self.now) {
            self.perform(action);
        }
    }

    fn perform(&mut self, action: Action) {
        assert!(!self.left, "{action:?} after leaving: {:#?}", self.log);
        match action {
            Action::Say(line) => self.hear(&line),
            Action::Start { limits, .. } => {
                self.assert_idle("start");
                self.told.go = limits.nodes.unwrap_or_default();
                let expected = self.expected.get(self.started);
                assert_eq!(Some(&self.told), expected, "order: {:#?}", self.log);
                self.log.push(format!("[start {}]", self.told.go));
                self.started += 1;
                self.searching = true;
                self.stopped = false;
            }
            Action::Stop => self.stopped = true,
            Action::SetPosition(position) => {
                self.assert_idle("position");
                let fen = position.to_fen();
                let number = fen.rsplit(' ').next().and_then(|word| word.parse().ok());
                self.told.position = number.unwrap_or_default();
            }
            Action::SetOptions(options) => {
                self.assert_idle("options");
                self.told.hash = options.hash_mb as u64;
            }
            Action::SetBooks(_) => self.assert_idle("books"),
            Action::NewGame => self.assert_idle("new game"),
            Action::BanMoves(_) => self.assert_idle("bans"),
            Action::Evaluate => {
                self.assert_idle("evaluate");
                self.take(Event::Evaluated(Eval::Points(1)));
            }
            Action::Probe(_) => {
                let found =
                    ProbeResult { best: Some(BEST), score: 1, depth: 2, bound: Bound::Upper };
                self.take(Event::Probed(Some(found)));
            }
            Action::PonderHit { .. } => {}
            Action::Exit => self.left = true,
        }
    }

    fn hear(&mut self, line: &str) {
        self.log.push(format!("> {line}"));
        assert_eq!(grammar::fault(line), None, "{:#?}", self.log);
        if !self.shaken {
            assert!(line.starts_with("info message say"), "{line}");
        }
        if line.starts_with("bestmove h2e2") {
            self.best_moves += 1;
            assert_eq!(self.best_moves, self.started, "answers: {:#?}", self.log);
            assert!(!self.searching, "answered too early: {:#?}", self.log);
        }
        self.readies += usize::from(line == "readyok");
    }

    fn assert_idle(&self, what: &str) {
        assert!(!self.searching, "{what} while searching: {:#?}", self.log);
    }
}

fn line(eval: Eval) -> SearchInfo {
    SearchInfo {
        depth: 5,
        seldepth: 6,
        multipv: 1,
        eval,
        bound: Bound::Exact,
        nodes: 100,
        elapsed: Duration::from_millis(10),
        hashfull: 1,
        pv: vec![BEST],
    }
}

fn report() -> SearchReport {
    SearchReport {
        best: Some(BEST),
        ponder: None,
        eval: Eval::Points(17),
        depth: 5,
        nodes: 100,
        elapsed: Duration::from_millis(10),
        pv: vec![BEST],
        wants_draw: false,
        resigns: false,
    }
}
