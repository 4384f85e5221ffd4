//! Ratings over matches: kept with every game, each game once, whatever happens to the runner.

use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

use serde_json::Value;

use crate::harness::Match;

fn ratings(args: &[&str]) -> std::process::Output {
    let command = Command::new(env!("CARGO_BIN_EXE_hanxin")).arg("ratings").args(args).output();
    command.expect("the ratings are printed")
}

fn players(file: &str) -> Vec<Value> {
    let output = ratings(&[file, "--json"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn games(file: &str) -> Vec<u64> {
    players(file).iter().filter_map(|player| player["games"].as_u64()).collect()
}

fn with_ledger(event: Match) -> (Match, String) {
    let file = event.path("ratings.toml").display().to_string();
    (event.args(&["--ledger", &file]), file)
}

#[test]
fn a_match_is_rated_by_the_rules() {
    // At the third search: too early to count.
    let event = Match::new().engine("resigns", &["depth=1"]).engine("is good", &["depth=1"]);
    let (event, file) = with_ledger(event.args(&["--resignations", "--games", "1"]));
    event.run();
    assert_eq!(event.games()[0]["reason"], "resignation");
    for player in players(&file) {
        assert_eq!(player["rating"], 800.0);
        assert_eq!((&player["games"], &player["points"]), (&1.into(), &0.into()));
    }
    // An illegal move loses as early: 800 + 30 × ½.
    let event = Match::new().engine("plays an illegal move", &["depth=1"]);
    let event =
        event.engine("is good", &["depth=1"]).args(&["--games", "1"]).args(&["--ledger", &file]);
    event.run();
    let winner = &players(&file)[0];
    assert_eq!((&winner["name"], &winner["rating"]), (&"is good".into(), &815.0.into()));
    assert_eq!((&winner["games"], &winner["points"]), (&2.into(), &10.into()));
}

#[test]
fn a_killed_match_is_rated_once() {
    let event = Match::new().engine("thinks", &["tc=5s+1s"]).engine("is good", &["tc=5s+1s"]);
    let event = event.args(&["--rounds", "10", "--concurrency", "2", "--maxplies", "12"]);
    let (event, file) = with_ledger(event);
    let mut pause = 37;
    for _ in 0..8 {
        let mut runner = event.start();
        pause = pause * 31 % 211;
        thread::sleep(Duration::from_millis(40 + pause));
        runner.kill().unwrap();
        runner.wait().unwrap();
        assert!(event.is_over());
    }
    event.run();
    assert_eq!(games(&file), [20, 20]);
    let text = fs::read_to_string(&file).unwrap();
    event.run();
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // The same games in the same order make the same ratings.
    fs::remove_file(&file).unwrap();
    event.run();
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn titles_are_granted() {
    let event = Match::new().engine("thinks", &["depth=1"]).engine("is good", &["depth=1"]);
    let (event, file) = with_ledger(event.args(&["--maxplies", "4"]));
    event.run();
    let grant = |name, title| ratings(&["grant", name, title, "--ledger", &file]);
    assert!(grant("thinks", "大将军").status.success());
    let table = String::from_utf8(ratings(&[&file]).stdout).unwrap();
    let row = table.lines().find(|line| line.contains("thinks")).unwrap();
    assert!(
        row.contains("大将军") && row.contains("  10  ") && row.ends_with("beginner"),
        "{table}"
    );
    for (name, title, reason) in [
        ("nobody", "大将军", "ratings.toml: no player \"nobody\"\n"),
        (
            "thinks",
            "兵卒",
            "ratings.toml: no title to be granted \"兵卒\" (one of 大将军, 骠骑将军)\n",
        ),
    ] {
        let output = grant(name, title);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.ends_with(reason), "{error}");
    }
}

#[test]
fn a_file_that_is_none_stops_the_match_before_it_begins() {
    let event = Match::new().engine("thinks", &["depth=1"]).engine("is good", &["depth=1"]);
    let (event, file) = with_ledger(event);
    fs::write(&file, "players = 3").unwrap();
    let output = event.command().output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(event.games().is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("ratings.toml: no file of ratings: "));
}
