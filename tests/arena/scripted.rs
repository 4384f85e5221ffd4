//! An engine that does as its script says: plays legal moves, and one thing wrong.
//!
//! The runner starts this very test program again, with the script in the environment; the runner
//! has to bear the lines the test framework prints first, as it bears any banner.

use std::fs::File;
use std::io::{BufRead, Write};
use std::process::exit;
use std::time::Duration;
use std::{env, io, thread};

use hanxin::protocol::{Command, PositionText};
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
    let mut engine = Scripted { script, position: Position::startpos(), searches: 0, log: None };
    engine.log = env::var(TRANSCRIPT).ok().map(|path| File::create(path).unwrap());
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if let Some(log) = &mut engine.log {
            writeln!(log, "{line}").unwrap();
        }
        if let Ok(command) = Command::parse(line.as_bytes()) {
            engine.obey(&command);
        }
    }
    engine.leave();
}

struct Scripted {
    script: String,
    position: Position,
    searches: usize,
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
            Command::IsReady => say("readyok"),
            Command::Position(text) => self.position = set_up(text),
            Command::Go(go) => {
                self.searches += 1;
                if !go.ponder {
                    self.search(go.draw);
                }
            }
            Command::PonderHit { draw } => self.search(*draw),
            Command::Stop if self.does("ignores stop") => {}
            Command::Stop if self.does("stalls") => {}
            Command::Stop => self.answer(""),
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
        say(&format!("{dialect}ok"));
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
            "answers rubbish" if is_third => say("bestmove rubbish"),
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
        let skipped = usize::from(self.does("surprises"));
        let Some(mv) = choose(&self.position, skipped) else { return say("nobestmove") };
        let mut next = self.position.clone();
        next.play(mv).unwrap();
        let ponder = choose(&next, 0).map_or(String::new(), |mv| format!(" ponder {mv}"));
        let ponder = if more.is_empty() { ponder } else { String::new() };
        say(&format!("info depth 5 score 10 nodes 1000 pv {mv}"));
        say(&format!("bestmove {mv}{ponder}{more}"));
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
fn choose(position: &Position, skipped: usize) -> Option<Move> {
    // In an order that does not depend on the way the position came about.
    let mut moves = position.legal_moves().to_vec();
    moves.sort();
    let index = (position.key() as usize % 1_000 + skipped) % moves.len().max(1);
    moves.get(index).copied()
}

fn set_up(text: &PositionText) -> Position {
    let mut position = match &text.fen {
        Some(fen) => Position::from_fen(fen).unwrap(),
        None => Position::startpos(),
    };
    text.moves.iter().for_each(|&mv| position.play(mv).unwrap());
    position
}
