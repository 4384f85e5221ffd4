//! The commands as a person or a script meets them: output, exit status, one-line errors.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const MATE1: &str = "3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 0 1";
const STALEMATE: &str = "3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1";

fn hanxin(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hanxin"))
        .args(args)
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A command that reads no input may have ended before the write.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the binary ends")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

fn json_lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

fn temp_file(name: &str) -> String {
    let name = format!("hanxin-{name}-{}", std::process::id());
    std::env::temp_dir().join(name).to_str().expect("UTF-8").to_owned()
}

#[test]
fn wrong_usage_is_status_2_and_one_line() {
    for args in [
        &["perft"][..],
        &["perft", "0"],
        &["perft", "x"],
        &["perft", "-1"],
        &["analyse", "--nodes", "-1"],
        &["perft", "2", "--fen", "9/9"],
        &["perf", "2"],
        &["analyse", "--moves", "h2e2", "h2e3"],
        &["analyse", "--depth", "0"],
        &["analyse", "-", "--fen", MATE1],
        &["judge", "--moves", "h2"],
        &["judge", "--ruleset", "chess"],
        &["judge", "--jsonl", "no-such-file"],
        &["judge", "--jsonl", "games", "--fen", MATE1],
        &["suite"],
        &["suite", "no-such-file"],
        &["datagen"],
        &["datagen", "Cargo.toml"],
        &["tune"],
        &["tune", "no-such-file"],
        &["tune", "Cargo.toml"],
        &["tune", "Cargo.toml", "--lambda", "1.5"],
        &["--log-level", "loud", "bench"],
        &["--log", "/no/such/folder/log", "bench"],
    ] {
        let output = hanxin(args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(stdout(&output), "", "{args:?}");
        let message = stderr(&output);
        assert!(message.starts_with("hanxin: ") && message.lines().count() == 1, "{message}");
    }
}

#[test]
fn help_and_version_are_status_0() {
    let version = hanxin(&["--version"], "");
    assert_eq!(stdout(&version), concat!("hanxin ", env!("CARGO_PKG_VERSION"), "\n"));
    for command in ["analyse", "bench", "eval", "judge", "match", "perft", "suite"] {
        let output = hanxin(&[command, "--help"], "");
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains(&format!("Usage: hanxin {command}")));
        assert!(stdout(&output).lines().all(|line| line.chars().count() <= 100));
    }
}

#[test]
fn perft_counts_and_divides() {
    let output = hanxin(&["perft", "3"], "");
    assert!(stdout(&output).starts_with("nodes    79666\n"));
    let output = hanxin(&["perft", "3", "--divide", "--threads", "2"], "");
    let counts = stdout(&output).lines().take_while(|line| !line.starts_with("nodes"));
    let sum: u64 = counts.map(|line| line[5..].parse::<u64>().expect("a count")).sum();
    assert_eq!(sum, 79_666);
}

#[test]
fn analyse_draws_and_explains() {
    let output = hanxin(&["analyse", "--fen", MATE1, "--depth", "3"], "");
    let text = stdout(&output);
    assert!(text.contains("[将]") && text.contains("(车)") && text.contains(MATE1), "{text}");
    assert!(text.contains("+M1, Red mates in 1"), "{text}");
    assert!(!text.contains('\x1b'), "no colour in a pipe");

    let output = hanxin(&["analyse", "--fen", STALEMATE, "--depth", "3", "--ascii"], "");
    assert!(stdout(&output).is_ascii());
    assert!(stdout(&output).ends_with("Black has lost: no legal move\n"));
}

#[test]
fn moves_are_read_in_any_notation_and_the_best_is_named_in_chinese() {
    let output = hanxin(&["analyse", "--moves", "炮二平五 馬8進7", "H0-G2", "--depth", "1"], "");
    let text = stdout(&output);
    assert!(text.contains("/1C2C1N2/9/RNBAKAB1R b - - 3 2\n"), "{text}");
    let output = hanxin(&["analyse", "--fen", "3k5/1R7/9/9/9/9/9/9/8R/4K4 w", "--depth", "3"], "");
    assert!(stdout(&output).contains("\nbest move  i1i9 (车一进八)\n"), "{}", stdout(&output));
    let output = hanxin(&["analyse", "--moves", "炮二平五", "马8进6"], "");
    assert_eq!(stderr(&output), "hanxin: --moves: move 2: no man of black can play \"马8进6\"\n");
}

#[test]
fn analyse_speaks_json() {
    let output = hanxin(&["analyse", "--fen", MATE1, "--depth", "3", "--json"], "");
    let records = json_lines(&output);
    let (result, lines) = records.split_last().expect("records");
    assert!(!lines.is_empty() && lines.iter().all(|line| line["type"] == "line"));
    assert_eq!((&result["type"], &result["fen"]), (&"result".into(), &MATE1.into()));
    assert_eq!(result["score"]["mate_in_plies"], 1);
    assert!(["b1b9", "b1d1"].contains(&result["best"].as_str().expect("a move")));
}

#[test]
fn many_positions_go_on_after_a_faulty_one() {
    let input = format!("{MATE1}\nrubbish\n\n{STALEMATE}\n");
    let output = hanxin(&["analyse", "-", "--depth", "2"], &input);
    assert_eq!(output.status.code(), Some(1));
    let numbers: Vec<&str> =
        stdout(&output).lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(numbers, ["1", "4"]);
    let errors: Vec<&str> = stderr(&output).lines().collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].starts_with("hanxin: line 2: fen "), "{errors:?}");

    let output = hanxin(&["analyse", "-", "--depth", "2", "--json"], &input);
    let records = json_lines(&output);
    let kinds: Vec<_> = records
        .iter()
        .filter(|record| record["type"] != "line")
        .map(|record| (record["position"].as_u64(), record["type"].as_str()))
        .collect();
    let expected = [(1, "result"), (2, "error"), (4, "result")];
    assert_eq!(kinds, expected.map(|(line, kind)| (Some(line), Some(kind))));
}

#[test]
fn eval_shows_both_sides() {
    let output = hanxin(&["eval", "--fen", MATE1], "");
    let text = stdout(&output);
    assert!(text.contains("material") && text.contains("red") && text.contains("black"), "{text}");
}

#[test]
fn judge_explains_a_repetition_in_words() {
    let chase = ["--fen", "4k4/9/9/9/1c7/9/9/9/9/1R1K5 b", "--ruleset", "axf", "--moves"];
    let moves = "b5c5 b0c0 c5b5 c0b0 b5c5 b0c0 c5b5 c0b0 b5c5";
    let output = hanxin(&[&["judge"], &chase[..], &[moves]].concat(), "");
    let text = stdout(&output);
    assert!(text.starts_with("black wins: perpetual chase (长捉), axf rules, after 8 plies"));
    assert!(text.ends_with("red    c0b0  车七平八  chase (捉)        车b0 x 炮b5\n"), "{text}");
    let output = hanxin(&[&["judge", "--ascii"], &chase[..], &[moves]].concat(), "");
    assert!(stdout(&output).is_ascii() && stdout(&output).contains("Rb0 x cb5"));
    assert_eq!(stdout(&hanxin(&["judge"], "")), "the game goes on, cxa rules, after 0 plies\n");
}

/// Each kind of end that moves alone can reach, by name.
#[test]
fn judge_knows_every_end_on_the_board() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rules_public.jsonl");
    let games = [
        (MATE1, "[\"b1b9\"]", "checkmate"),
        ("3k5/9/R8/9/9/9/9/9/9/4K4 w", "[\"车九进一\"]", "stalemate"),
        ("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 119 90", "[\"a8a7\"]", "move_limit"),
        ("3k5/9/9/9/9/9/9/9/4p4/4K4 w", "[\"e0e1\"]", "bare_forces"),
        (MATE1, "[\"a8b9\"]", "illegal_move"),
    ];
    let text: String = games
        .iter()
        .map(|(fen, moves, id)| {
            format!("{{\"id\":\"{id}\",\"fen\":\"{fen}\",\"moves\":{moves}}}\n")
        })
        .collect();
    let path = std::env::temp_dir().join(format!("hanxin-judge-{}.jsonl", std::process::id()));
    std::fs::write(&path, text + "rubbish\n").expect("a temporary file");
    let output = hanxin(&["judge", "--json", "--jsonl", path.to_str().expect("plain")], "");
    std::fs::remove_file(&path).expect("the file is ours");
    assert_eq!(output.status.code(), Some(1), "one line is no game");
    let records = json_lines(&output);
    let (error, judged) = records.split_last().expect("records");
    assert_eq!((&error["type"], &error["position"]), (&"error".into(), &6.into()));
    assert!(judged.iter().all(|game| game["reason"] == game["id"]), "{judged:?}");

    let output = hanxin(&["judge", "--json", "--jsonl", cases], "");
    let judged = json_lines(&output);
    for reason in [
        "perpetual_check",
        "perpetual_chase",
        "perpetual_threat",
        "mixed_attack",
        "mutual_perpetual",
        "perpetual_follow",
        "perpetual_exchange",
        "perpetual_block",
        "perpetual_offer",
        "check_and_idle",
        "chase_and_idle",
        "repetition",
    ] {
        let reached = |game: &Value| game["reason"] == reason && game["cycle"][0].is_object();
        assert!(judged.iter().any(reached), "{reason}");
    }
    assert!(judged.iter().any(|game| game["verdict"] == "ongoing" && game["reason"].is_null()));
}

#[test]
fn suite_reports_what_was_solved() {
    let path = std::env::temp_dir().join(format!("hanxin-suite-{}.epd", std::process::id()));
    let text = format!("{MATE1} ; bm b1b9 b1d1 ; dm 1 ; id first\n{MATE1} ; bm e0e1 ; id second\n");
    std::fs::write(&path, text).expect("a temporary file");
    let file = path.to_str().expect("a plain path");
    let output = hanxin(&["suite", file, "--depth", "2"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("\nsolved 1 of 2 in "), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("\nnot solved: lines 2\n"));
    let records = json_lines(&hanxin(&["suite", file, "--depth", "2", "--json"], ""));
    assert_eq!(records[0]["solved"], true);
    assert_eq!(records[1]["failure"], "another move");
    assert_eq!(records[2]["solved"], 1);
    std::fs::remove_file(&path).expect("the file is ours");
}

#[test]
fn a_suite_without_a_position_has_failed() {
    let output = hanxin(&["suite", "/dev/null"], "");
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""));
    assert_eq!(stderr(&output), "hanxin: /dev/null: no position in it\n");
}

/// Every field that is printed is written down, and those of `docs/json.md` alone.
#[test]
fn the_json_is_as_documented() {
    let documented = include_str!("../docs/json.md");
    let mut records = json_lines(&hanxin(
        &["analyse", "-", "--depth", "2", "--json"],
        "x\n4k4/9/9/9/9/9/9/9/9/R2K5",
    ));
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mates_public.epd");
    records.extend(json_lines(&hanxin(&["suite", suite, "--depth", "1", "--json"], "")));
    let mut kinds: Vec<&str> =
        records.iter().filter_map(|record| record["type"].as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, ["entry", "error", "line", "result", "summary"]);
    for record in &records {
        let kind = record["type"].as_str().expect("a type");
        let start = format!("## `{kind}`");
        let section =
            documented.split("\n## ").find(|text| format!("## {text}").starts_with(&start));
        let rows = section.expect("a section").lines().filter_map(|line| line.split('|').nth(1));
        let mut fields: Vec<&str> =
            rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
        fields.push("type");
        fields.sort_unstable();
        let mut printed: Vec<&String> = record.as_object().expect("an object").keys().collect();
        printed.sort_unstable();
        assert_eq!(printed, fields, "{kind}");
    }
}

#[test]
fn bench_is_the_same_twice() {
    let nodes = |output: &Output| stdout(output).split(' ').next().map(str::to_owned);
    let (first, second) =
        (hanxin(&["bench", "--depth", "2"], ""), hanxin(&["bench", "--depth", "2"], ""));
    assert_eq!(nodes(&first), nodes(&second));
    assert!(stdout(&first).ends_with(" nps\n"));
}

#[test]
fn datagen_goes_on_where_it_was_interrupted() {
    let path = temp_file("datagen");
    let path = path.as_str();
    let play = |games, threads| {
        let args = ["--nodes", "100", "--games", games, "--threads", threads];
        let output = hanxin(&[&["datagen", path], &args[..]].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stderr(&output), "");
        let told = format!("{games} games, ");
        assert!(stdout(&output).starts_with(&told), "{}", stdout(&output));
        std::fs::read(path).expect("the file is there")
    };
    let three = play("3", "2");
    // As if the disk had been full in the middle of the third game.
    std::fs::write(path, &three[..three.len() - 40]).expect("written");
    assert_eq!(play("3", "1"), three);
    let other_seed = hanxin(&["datagen", path, "--nodes", "100", "--seed", "2"], "");
    assert_eq!(other_seed.status.code(), Some(2));
    std::fs::remove_file(path).expect("removed");
}

#[test]
fn tune_writes_the_same_weights_whatever_the_threads() {
    let (data, weights) = (temp_file("tune-data"), temp_file("tune-weights"));
    let games = hanxin(&["datagen", &data, "--nodes", "50", "--games", "12"], "");
    assert_eq!(games.status.code(), Some(0), "{}", stderr(&games));
    let fit = |threads| {
        let args = ["tune", &data, "--epochs", "3", "--out", &weights, "--threads", threads];
        let output = hanxin(&args, "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = stdout(&output);
        assert_eq!(text.lines().filter(|line| line.starts_with("epoch ")).count(), 3, "{text}");
        (text.to_owned(), std::fs::read_to_string(&weights).expect("the file is there"))
    };
    let (text, file) = fit("1");
    assert!(file.contains("\nWeights {\n    material: ["), "{file}");
    assert_eq!(fit("2"), (text, file));
    std::fs::remove_file(data).and(std::fs::remove_file(weights)).expect("removed");
}
