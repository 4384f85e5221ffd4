//! Engines under examination: hanxin passes everything, and every faulty engine fails where it is
//! at fault.

use std::process::{Command, Output};
use std::thread;

use hanxin::arena::comply::{POINTS, Point};
use serde_json::Value;

use crate::harness::Match;

const BANNER: &str = "silent before the first command";

const BURST: &str = "stop, position, go in one write";

const THIRD_SEARCH: &[&str] = &["go depth", "one answer for each go"];

/// What each scripted engine fails, in the order of the examination.
const FAULTY: [(&str, &[&str]); 30] = [
    ("is good", &[]),
    ("dies at start", &["ok line"]),
    ("hangs at start", &["ok line"]),
    ("announces nonsense", &["option lines well-formed"]),
    ("never ready", &["isready"]),
    ("dies of an option", &["options accepted"]),
    ("dies of unknown words", &["survives unknown commands", "silent on unknown commands"]),
    ("grumbles", &["silent on unknown commands"]),
    (
        "starts elsewhere",
        &[
            "survives unknown commands",
            "position startpos",
            "go depth",
            "go nodes",
            "banmoves, searchmoves",
            "stop while idle",
            BURST,
            "one answer for each go",
        ],
    ),
    (
        "takes no moves",
        &[
            "position startpos moves",
            "position fen moves",
            "go movetime",
            "go on a clock",
            "ponderhit",
            "stop while pondering",
            "stop",
            BURST,
            "one answer for each go",
            "info: ASCII, single blanks, short",
            "info: depth first",
            "info: legal pv",
        ],
    ),
    (
        "takes no FEN",
        &[
            "position fen",
            "position fen moves",
            "mated: no move",
            "stalemated: no move",
            "mated: score line",
        ],
    ),
    ("crashes", THIRD_SEARCH),
    (
        "stalls",
        &[
            "go depth",
            "stop while pondering",
            "stop",
            "isready while thinking",
            BURST,
            "one answer for each go",
        ],
    ),
    ("plays an illegal move", THIRD_SEARCH),
    ("answers rubbish", THIRD_SEARCH),
    ("sees no move", THIRD_SEARCH),
    ("ignores nodes", &["go nodes"]),
    ("thinks too long", &["go movetime", "go on a clock", "ponderhit"]),
    ("plays on when mated", &["mated: no move", "stalemated: no move", "mated: score line"]),
    ("keeps mate to itself", &["mated: score line"]),
    ("ignores bans", &["banmoves, searchmoves"]),
    ("answers while pondering", &["ponderhit", "stop while pondering"]),
    ("ignores ponderhit", &["ponderhit"]),
    ("ignores stop", &["stop while pondering", "stop", "isready while thinking", BURST]),
    ("answers every stop", &["stop while idle"]),
    ("is deaf while thinking", &["isready while thinking"]),
    ("stutters", &["info: ASCII, single blanks, short"]),
    ("puts depth last", &["info: depth first"]),
    ("dreams", &["info: legal pv"]),
    (
        "ignores quit",
        &["quit", "quit while thinking", "end of input", "end of input while thinking"],
    ),
];

fn comply(engine: &str, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hanxin"));
    command.args(["comply", engine]).args(more).env_remove("RUST_LOG");
    command.output().expect("the examination runs")
}

fn records(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The points that the scripted engine fails, and the exit status.
fn failed(script: &str) -> (Vec<String>, Option<i32>) {
    let place = Match::new();
    let limits = ["proto=ucci", "--answer-limit=1s", "--start-limit=3s", "--json"];
    let output = comply(&place.script(script), &limits);
    let failed = records(&output).into_iter().filter(|record| record["outcome"] == "fail");
    let names = failed.map(|record| record["point"].as_str().unwrap_or_default().to_owned());
    // The test framework that the engine runs in says something before it does.
    (names.filter(|name| name != BANNER).collect(), output.status.code())
}

#[test]
fn hanxin_passes_every_point_in_both_dialects() {
    for dialect in ["ucci", "uci"] {
        let setting = format!("proto={dialect}");
        let engine = env!("CARGO_BIN_EXE_hanxin");
        let output = comply(engine, &[&setting, "--answer-limit=20s", "--json"]);
        let records = records(&output);
        let (summary, points) = records.split_last().expect("a summary");
        for point in points {
            assert_eq!(point["outcome"], "pass", "{dialect}: {point}");
        }
        assert_eq!(summary["dialect"], dialect);
        assert_eq!(summary["passed"], points.len());
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn faulty_engines_fail_where_they_are_at_fault() {
    thread::scope(|scope| {
        for (script, points) in FAULTY {
            scope.spawn(move || {
                let (found, status) = failed(script);
                assert_eq!(found, points, "{script}");
                let is_broken = |point: &&Point| point.mandatory && points.contains(&point.name);
                assert_eq!(status, Some(POINTS.iter().any(|p| is_broken(&p)).into()), "{script}");
            });
        }
    });
}

#[test]
fn every_point_has_an_engine_that_fails_it() {
    for point in &POINTS {
        let is_failed = FAULTY.iter().any(|(_, points)| points.contains(&point.name));
        assert!(is_failed || point.name == BANNER, "{}", point.name);
    }
}

#[test]
fn the_findings_are_told_to_people() {
    let place = Match::new();
    let output = comply(&place.script("never ready"), &["--start-limit=1s"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("\nFAIL  isready "), "{text}");
    assert!(text.contains("\nskip  go depth "), "{text}");
    assert!(
        text.ends_with("\nUCCI: 2 passed, 2 failed, 1 of them mandatory, 29 skipped\n"),
        "{text}"
    );
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.ends_with(": 1 mandatory points failed\n"), "{error}");
    let output = comply("/nowhere/engine", &[]);
    assert_eq!(output.status.code(), Some(2));
}
