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
    let output = event.command_with(args).output().unwrap();
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

#[test]
fn two_files_of_a_match_are_never_one() {
    let event = event();
    let path = |name: &str| event.path(name).display().to_string();
    let [games, fresh, link] = ["games.jsonl", "fresh", "link"].map(path);
    std::os::unix::fs::symlink("fresh", &link).unwrap();
    let around = path("./fresh");
    for args in [
        &["--report", &games][..],
        &["--pgn", &games],
        &["--ledger", &games],
        &["--log", &games],
        &["--report", &fresh, "--pgn", &fresh],
        &["--report", &fresh, "--pgn", &link],
        &["--ledger", &link, "--report", &around],
        &["--report", &path("startpos.txt")],
    ] {
        let (status, text) = refusal(&event, args);
        assert!(text.contains(" are the same file: "), "{args:?}: {text}");
        assert_eq!(status, Some(2));
    }
    assert_eq!(std::fs::read_to_string(path("startpos.txt")).unwrap(), "startpos");
    // Nothing was begun, and there is no page to be made in the place of its own games.
    event.run();
    let before = std::fs::read(&games).unwrap();
    let hard = path("hard");
    std::fs::hard_link(&games, &hard).unwrap();
    for report in [&games, &hard] {
        let page = Command::new(env!("CARGO_BIN_EXE_hanxin"))
            .args(["match", "--jsonl", &games, "--report", report])
            .output()
            .unwrap();
        assert_eq!(page.status.code(), Some(2));
    }
    assert_eq!(std::fs::read(&games).unwrap(), before);
}

#[test]
fn games_begin_on_a_line_of_their_own() {
    let event = event();
    let path = event.path("diary.pgn");
    std::fs::write(&path, "my diary").unwrap();
    let event = event.args(&["--pgn", &path.display().to_string()]);
    event.run();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("my diary\n["), "{text}");
}
