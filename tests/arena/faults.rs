//! Every kind of fault by its name. The match goes on behind it with the engine started again.

use serde_json::Value;

use crate::harness::{Match, faults};

/// Two games of a faulty engine against a good one; both are lost by the same fault.
#[track_caller]
fn assert_fault(script: &str, settings: &[&str], opponent: &str, kind: &str, reason: &str) {
    let event = Match::new().engine(script, settings).engine(opponent, &["tc=2s+2s"]);
    let output = event.run();
    let games = event.games();
    assert_eq!(games.len(), 2, "{script}");
    for game in &games {
        assert_eq!(faults(game), [(script.to_owned(), kind.to_owned())], "{script}: {game}");
        assert_eq!(game["reason"], reason, "{script}");
        let won = if game["red"] == script { "black_wins" } else { "red_wins" };
        assert_eq!(game["verdict"], won, "{script}");
    }
    let report = String::from_utf8(output.stdout).unwrap();
    let name = kind.replace('_', " ");
    let line = format!("faults of {script}: 2 × ");
    assert!(report.contains(&line), "{name}: {report}");
    assert!(report.contains(&format!("faults of {opponent}: none")), "{report}");
}

/// As [`assert_fault`] against an engine that does nothing wrong, under a clock.
#[track_caller]
fn assert_lost(script: &str, kind: &str, reason: &str) {
    assert_fault(script, &["tc=300ms+300ms"], "is good", kind, reason);
}

#[test]
fn an_engine_that_dies_at_its_start() {
    assert_lost("dies at start", "start", "leaving");
}

#[test]
fn an_engine_that_hangs_at_its_start() {
    assert_lost("hangs at start", "hang_at_start", "leaving");
}

#[test]
fn an_engine_that_is_never_ready() {
    assert_lost("never ready", "not_ready", "leaving");
}

/// What it is told is more than a pipe holds.
#[test]
fn an_engine_that_does_not_read() {
    let option = format!("option.level={}", "x".repeat(100_000));
    assert_fault("does not read", &["tc=1s+1s", &option], "is good", "deaf", "leaving");
}

#[test]
fn a_crash() {
    assert_lost("crashes", "crash", "leaving");
}

#[test]
fn a_crash_without_a_clock_is_noticed_at_once() {
    assert_fault("crashes", &["nodes=5000"], "is good", "crash", "leaving");
}

#[test]
fn an_output_that_is_closed() {
    let event = Match::new();
    let command = format!("sh -c \"{}; exec >&-; sleep 600\"", event.script("crashes"));
    let event = event
        .args(&["--engine", "name=closed", "tc=1s+1s", &format!("cmd={command}")])
        .engine("is good", &["tc=1s+1s"]);
    event.run();
    for game in event.games() {
        assert_eq!(faults(&game), [("closed".to_owned(), "crash".to_owned())]);
    }
}

#[test]
fn a_stall() {
    assert_lost("stalls", "stall", "leaving");
}

#[test]
fn a_late_move() {
    assert_lost("moves late", "late_move", "time");
}

#[test]
fn an_illegal_move() {
    assert_lost("plays an illegal move", "illegal_move", "illegal_move");
}

#[test]
fn a_move_of_the_other_side() {
    assert_lost("plays for the other side", "illegal_move", "illegal_move");
}

#[test]
fn no_move() {
    assert_lost("sees no move", "no_move", "illegal_move");
}

#[test]
fn no_move_in_uci() {
    let settings = &["proto=uci", "tc=1s+1s"];
    assert_fault("sees no move in UCI", settings, "is good", "no_move", "illegal_move");
}

#[test]
fn an_answer_that_is_no_move() {
    assert_lost("answers rubbish", "rubbish", "illegal_move");
}

#[test]
fn rubbish_and_no_answer() {
    assert_lost("prints rubbish only", "rubbish", "illegal_move");
}

#[test]
fn an_answer_in_ranks_from_one() {
    let script = "counts ranks from one";
    let event = Match::new().engine(script, &["depth=1"]).engine("is good", &["depth=1"]);
    let output = event.args(&["--games", "1"]).run();
    let report = String::from_utf8(output.stdout).unwrap();
    let fault = "rubbish: bestmove: not a move: \"h10g8\" (an engine that counts ranks 1 to 10 ";
    assert!(report.contains(fault), "{report}");
}

#[test]
fn an_answer_without_a_move() {
    assert_lost("answers nothing", "rubbish", "illegal_move");
}

#[test]
fn stop_is_ignored_while_pondering() {
    let settings = &["ponder=on", "tc=2s+2s"];
    assert_fault("ignores stop", settings, "surprises", "ignored_stop", "leaving");
}

#[test]
fn a_value_that_an_option_does_not_take_is_a_warning() {
    let event = Match::new()
        .engine("is good", &["depth=1", "option.Level=9"])
        .engine("surprises", &["depth=1", "option.level=5"])
        .args(&["--games", "1", "--maxplies", "2"]);
    let warnings = String::from_utf8(event.run().stderr).unwrap();
    let message = "is good: option \"Level\" is a number from 1 to 5, not \"9\"";
    assert!(warnings.contains(message), "{warnings}");
    assert_eq!(warnings.lines().count(), 1, "{warnings}");
}

#[test]
fn quit_is_ignored() {
    let event = Match::new()
        .engine("ignores quit", &["depth=1"])
        .engine("is good", &["depth=1"])
        .args(&["--maxplies", "10"]);
    let output = String::from_utf8(event.run().stdout).unwrap();
    assert!(event.games().iter().all(|game| faults(game).is_empty()));
    assert!(output.contains("faults of ignores quit: 1 × ignores quit"), "{output}");
}

#[test]
fn an_illegal_move_is_not_in_the_record() {
    let script = "plays an illegal move";
    let event = Match::new().engine(script, &["depth=1"]).engine("is good", &["depth=1"]);
    event.run();
    for game in event.games() {
        let moves = game["moves"].as_array().unwrap();
        assert!(moves.iter().all(|mv| mv["move"] != "a0a5"));
        let plies = if game["red"] == script { 4 } else { 5 };
        assert_eq!(moves.len(), plies);
    }
}

/// What is odd but allowed costs nothing.
#[test]
fn oddities_are_no_faults() {
    for (script, setting) in
        [("starts slowly", "tc=2s+2s"), ("floods", "depth=1"), ("talks on stderr", "depth=1")]
    {
        let event = Match::new()
            .engine(script, &[setting])
            .engine("is good", &[setting])
            .args(&["--maxplies", "8"]);
        event.run();
        let is_fine = |game: &Value| faults(game).is_empty() && game["reason"] == "adjudication";
        assert!(event.games().iter().all(is_fine), "{script}: {:?}", event.games());
    }
}

/// Each fault costs one game: the engine is started again and plays the next.
#[test]
fn the_match_goes_on() {
    let event = Match::new()
        .engine("crashes", &["depth=1"])
        .engine("is good", &["depth=1"])
        .engine("surprises", &["depth=1"])
        .args(&["--rounds", "3", "--concurrency", "2"]);
    event.run();
    let games = event.games();
    assert_eq!(games.len(), 18);
    let lost = games.iter().filter(|game| !faults(game).is_empty()).count();
    assert_eq!(lost, 12);
}
