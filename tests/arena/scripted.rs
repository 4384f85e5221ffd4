//! An engine that does as its script says: plays legal moves, and one thing wrong.
//!
//! The runner starts this very test program again, with the script in the environment; the runner
//! has to bear the lines the test framework prints first, as it bears any banner.

use std::fs::File;
use std::io::{BufRead, Write};
use std::process::exit;
use std::time::Duration;
use std::{env, io, thread};

use hanxin::protocol::{Command, Go, PositionText};
use hanxin::{Move, Position};

pub const SCRIPT: &str = "HANXIN_TEST_SCRIPT";
pub const TRANSCRIPT: &str = "HANXIN_TEST_TRANSCRIPT";

#[test]
#[ignore = "it is the engine of the other tests"]
fn scripted_engine() {
    let Ok(script) = env::var(SCRIPT) else { return };
    if script == "dies at start" {
        exit(3);
    }
    let log = env::var(TRANSCRIPT).ok().map(|path| File::create(path).unwrap());
    let (position, banned) = (Position::startpos(), Vec::new());
    let mut engine = Scripted { script, position, banned, searches: 0, go: None, log };
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if let Some(log) = &mut engine.log {
            writeln!(log, "{line}").unwrap();
        }
        match Command::parse(line.as_bytes()) {
            Ok(command) => engine.obey(&command),
            Err(_) if engine.does("dies of unknown words") => exit(4),
            Err(_) if engine.does("grumbles") => say("unknown command"),
            Err(_) => {}
        }
    }
    engine.leave();
}

struct Scripted {
    script: String,
    position: Position,
    banned: Vec<Move>,
    searches: usize,
    /// The search it owes an answer for.
    go: Option<Go>,
    log: Option<File>,
}

impl Scripted {
    fn does(&self, script: &str) -> bool {
        self.script == script
    }

    fn obey(&mut self, command: &Command) {
        match command {
            Command::Handshake(dialect) => self.shake_hands(&format!("{dialect:?}").to_lowercase()),
            Command::IsReady if self.does("never ready") => {}
            Command::IsReady if self.does("is deaf while thinking") && self.go.is_some() => {}
            Command::IsReady => say("readyok"),
            Command::SetOption { name, .. }
                if name == "level" && self.does("dies of an option") =>
            {
                exit(5);
            }
            Command::Position(text) => {
                self.position = self.set_up(text);
                self.banned.clear();
            }
            Command::BanMoves(_) if self.does("ignores bans") => {}
            Command::BanMoves(moves) => self.banned.clone_from(moves),
            Command::Go(go) => {
                self.searches += 1;
                self.go = Some(go.clone());
                let ponders = go.ponder && !self.does("answers while pondering");
                if !ponders && !go.infinite {
                    self.search(go.draw);
                }
            }
            Command::PonderHit { .. } if self.does("ignores ponderhit") => {}
            Command::PonderHit { draw } => self.search(*draw),
            Command::Stop if self.does("ignores stop") => {}
            Command::Stop if self.does("stalls") || self.does("prints rubbish only") => {}
            Command::Stop if self.go.is_some() || self.does("answers every stop") => {
                self.answer("");
            }
            Command::Quit => self.leave(),
            _ => {}
        }
    }

    fn shake_hands(&self, dialect: &str) {
        if self.does("hangs at start") {
            return;
        }
        if self.does("starts slowly") {
            thread::sleep(Duration::from_millis(700));
        }
        say("id name Scripted");
        say("option ponder type check default false");
        say("option usemillisec type check default true");
        say("option newgame type button");
        let level = if self.does("announces nonsense") { 9 } else { 3 };
        say(&format!("option level type spin min 1 max 5 default {level}"));
        say(&format!("{dialect}ok"));
        if self.does("does not read") {
            thread::sleep(Duration::from_secs(600));
        }
    }

    /// The third search is where it goes wrong.
    fn search(&mut self, draw_offered: bool) {
        let is_third = self.searches == 3;
        match self.script.as_str() {
            "crashes" if is_third => exit(7),
            "stalls" if is_third => {}
            "moves late" if is_third => {}
            "plays an illegal move" if is_third => say("bestmove a0a5"),
            "plays for the other side" if is_third => {
                let mv = if self.is_red() { "a9a8" } else { "a0a1" };
                say(&format!("bestmove {mv}"));
            }
            "sees no move" if is_third => say("nobestmove"),
            "sees no move in UCI" if is_third => say("bestmove (none)"),
            "prints rubbish only" if is_third => say("\u{7f}\u{1}%&$ 42"),
            "answers rubbish" if is_third => say("bestmove rubbish"),
            "counts ranks from one" if is_third => say("bestmove h10g8"),
            "answers nothing" if is_third => say("bestmove"),
            "floods" => {
                (0..200_000).for_each(|n| println!("rubbish {n}"));
                self.answer("");
            }
            "talks on stderr" => {
                eprintln!("bestmove a0a5");
                self.answer("");
            }
            "is a little late" if is_third => {
                thread::sleep(Duration::from_millis(400));
                self.answer("");
            }
            "ignores nodes" if self.go.as_ref().is_some_and(|go| go.nodes.is_some()) => {}
            "thinks too long" if self.go.as_ref().is_some_and(|go| go.time.is_some()) => {
                thread::sleep(Duration::from_millis(2500));
                self.answer("");
            }
            "thinks" => {
                thread::sleep(Duration::from_millis(4));
                self.answer("");
            }
            "resigns" if is_third => self.answer(" resign"),
            "offers a draw" if is_third => self.answer(" draw"),
            "accepts draws" if draw_offered => self.answer(" draw"),
            _ => self.answer(""),
        }
    }

    fn is_red(&self) -> bool {
        self.position.side_to_move() == hanxin::Color::Red
    }

    /// A legal move, one that depends on the position alone, and the answer it expects.
    fn answer(&mut self, more: &str) {
        self.go = None;
        let skipped = usize::from(self.does("surprises"));
        let Some(mv) = choose(&self.position, &self.banned, skipped) else {
            return self.give_up();
        };
        let mut next = self.position.clone();
        next.play(mv).unwrap();
        let ponder = choose(&next, &[], 0).map_or(String::new(), |mv| format!(" ponder {mv}"));
        let ponder = if more.is_empty() { ponder } else { String::new() };
        let dream = if self.does("dreams") { " a0a5" } else { "" };
        let head = match self.script.as_str() {
            "puts depth last" => "score 10 nodes 1000 depth 5",
            "stutters" => "depth 5  score 10 nodes 1000",
            _ => "depth 5 score 10 nodes 1000",
        };
        say(&format!("info {head} pv {mv}{dream}"));
        say(&format!("bestmove {mv}{ponder}{more}"));
    }

    /// There is no move.
    fn give_up(&self) {
        if self.does("plays on when mated") {
            return say("bestmove e9e8");
        }
        if !self.does("keeps mate to itself") {
            say("info depth 0 score -10000");
        }
        say("nobestmove");
    }

    fn set_up(&self, text: &PositionText) -> Position {
        const ELSEWHERE: &str = "4k4/9/9/9/9/9/9/9/9/R2K5 b - - 0 1";
        let is_start = text.fen.is_none() && text.moves.is_empty();
        let mut position = match &text.fen {
            Some(_) if self.does("takes no FEN") => return Position::startpos(),
            None if is_start && self.does("starts elsewhere") => {
                Position::from_fen(ELSEWHERE).unwrap()
            }
            Some(fen) => Position::from_fen(fen).unwrap(),
            None => Position::startpos(),
        };
        if !self.does("takes no moves") {
            text.moves.iter().for_each(|&mv| position.play(mv).unwrap());
        }
        position
    }

    fn leave(&self) {
        if self.does("ignores quit") {
            thread::sleep(Duration::from_secs(600));
        }
        exit(0);
    }
}

fn say(line: &str) {
    println!("{line}");
    io::stdout().flush().unwrap();
}

/// The move that the key of the position points at, or one of those behind it.
fn choose(position: &Position, banned: &[Move], skipped: usize) -> Option<Move> {
    // In an order that does not depend on the way the position came about.
    let mut moves = position.legal_moves().to_vec();
    moves.retain(|mv| !banned.contains(mv));
    moves.sort();
    let index = (position.key() as usize % 1_000 + skipped) % moves.len().max(1);
    moves.get(index).copied()
}
