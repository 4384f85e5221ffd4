//! The files of a match: what is no file for it is refused before a game is played, and left alone.

use std::process::Command;

use crate::harness::Match;

fn event() -> Match {
    Match::new().engine("is good", &["depth=1"]).engine("surprises", &["depth=1"]).args(&[
        "--games",
        "1",
        "--maxplies",
        "4",
    ])
}

/// The status and the only line of a match that does not begin.
#[track_caller]
fn refusal(event: &Match, args: &[&str]) -> (Option<i32>, String) {
    let output = event.command().args(args).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    assert!(event.games().is_empty());
    (output.status.code(), text.trim_end().to_owned())
}

/// None of them has an end to be read to: a match would wait for ever.
#[test]
fn pipes_and_devices_are_no_files_of_a_match() {
    let event = event();
    let pipe = event.path("pipe").display().to_string();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for option in ["--jsonl", "--pgn", "--ledger", "--report"] {
        for path in [&pipe, "/dev/null", "/dev/stdout"] {
            let (_, text) = refusal(&event, &[option, path]);
            assert!(text.ends_with(&format!("{path}: not a regular file")), "{option}: {text}");
        }
    }
}
