//! A match that is killed or stopped: nothing goes on behind its back, and it can be taken up again.

use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};
use std::{fs, thread};

use hanxin::record::{Game, pgn};

use crate::harness::Match;

const GAMES: usize = 60;

fn event() -> Match {
    let event = Match::new().engine("thinks", &["tc=5s+1s"]).engine("is good", &["tc=5s+1s"]);
    let pgn = event.path("games.pgn").display().to_string();
    let lengths = ["--rounds", "30", "--concurrency", "2", "--maxplies", "12"];
    event.args(&lengths).args(&["--pgn", &pgn])
}

fn numbers(event: &Match) -> Vec<u64> {
    event.games().iter().map(|game| game["game"].as_u64().unwrap()).collect()
}

#[track_caller]
fn assert_complete(event: &Match) {
    let mut numbers = numbers(event);
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=GAMES as u64).collect::<Vec<_>>());
    // The same games in the other file.
    let text = fs::read_to_string(event.path("games.pgn")).unwrap();
    let number = |game: Game| game.tag("Round")?.split_once('.')?.1.parse().ok();
    let games = pgn::read(&text).map(|game| number(game.unwrap()).unwrap());
    let mut in_pgn: Vec<u64> = games.collect();
    in_pgn.sort_unstable();
    assert_eq!(in_pgn, numbers);
}

/// Killed at twenty moments that nobody chose; each time all that was finished stays, nothing is
/// left running, and in the end every game was played once.
#[test]
fn a_killed_match_goes_on() {
    let event = event();
    let mut pause = 37;
    for _ in 0..20 {
        let before = numbers(&event);
        let mut runner = event.start();
        pause = pause * 31 % 211;
        thread::sleep(Duration::from_millis(40 + pause));
        runner.kill().unwrap();
        runner.wait().unwrap();
        assert!(event.is_over(), "an engine outlived its runner");
        assert!(numbers(&event).starts_with(&before));
    }
    event.run();
    assert_complete(&event);
    // Once more: there is nothing left to play.
    let text = fs::read(event.path("games.jsonl")).unwrap();
    let output = String::from_utf8(event.run().stdout).unwrap();
    assert!(output.starts_with("goes on behind 60 of 60 games\n"), "{output}");
    assert_eq!(fs::read(event.path("games.jsonl")).unwrap(), text);
}

/// An engine that reads neither the end of its input nor anything else dies with the runner too.
#[test]
fn even_a_deaf_engine_dies_with_its_runner() {
    let event = Match::new()
        .args(&["--engine", "name=deaf", "cmd=sh -c 'sleep 600 & sleep 600'", "depth=1"])
        .engine("is good", &["depth=1"]);
    let mut runner = event.start();
    thread::sleep(Duration::from_millis(300));
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert!(event.is_over());
}

/// Waits until it is so.
#[track_caller]
fn wait_for(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "waited for too long");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Sends the signal once a game more is finished.
fn interrupt(event: &Match, signal: &str) -> ExitStatus {
    let before = numbers(event).len();
    let mut runner = event.start();
    wait_for(|| numbers(event).len() > before);
    let pid = runner.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    let status = runner.wait().unwrap();
    assert!(event.is_over());
    status
}

#[test]
fn a_stopped_match_is_saved_and_goes_on() {
    let event = event();
    assert_eq!(interrupt(&event, "-INT").code(), Some(130));
    let played = numbers(&event);
    assert!(!played.is_empty() && played.len() < GAMES, "{played:?}");
    assert_eq!(interrupt(&event, "-TERM").code(), Some(130));
    event.run();
    assert!(numbers(&event).starts_with(&played));
    assert_complete(&event);
}

#[test]
fn two_runners_do_not_share_a_file() {
    let event = event();
    let mut runner = event.start();
    wait_for(|| !numbers(&event).is_empty());
    let output = event.command().output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("another match is using it"));
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert!(event.is_over());
}

#[test]
fn a_file_of_another_match_is_refused() {
    let event = event();
    let mut runner = event.start();
    wait_for(|| !numbers(&event).is_empty());
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert!(event.is_over());
    let output = event.command().args(["--banmoves"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.ends_with("another match: ban_moves was false, now true\n"), "{text}");
}
