//! Faults that were reported of other engines and interfaces, one test a report: the input that
//! shows it, and what must hold. Those about words and states alone are transcripts in
//! `tests/data/transcripts/reports.txt`.

#[path = "support/process.rs"]
mod child;
#[path = "support/slack.rs"]
mod slack;

use std::thread;
use std::time::Duration;

use child::{Process, number};
use slack::slack;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const MATE1: &str = "3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 0 1";
const PERP: &str = "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1 \
                    moves a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9";

const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// Sends the lines after the handshake and returns all that is said up to the move.
fn answer(handshake: &str, lines: &[&str]) -> Vec<String> {
    let mut process = Process::ready(handshake);
    lines.iter().for_each(|line| process.send(line));
    let said = process.wait_for("bestmove");
    process.finish();
    said
}

fn best_move(said: &[String]) -> &str {
    said.last().and_then(|line| line.split(' ').nth(1)).expect("a move")
}

/// How long the lines take to be answered with a move.
fn time_of(lines: &[&str]) -> Duration {
    let mut process = Process::ready("ucci");
    process.send("isready");
    process.wait_for("readyok");
    lines.iter().for_each(|line| process.send(line));
    let time = process.time_to("bestmove");
    process.finish();
    time
}

#[test]
fn p01_bare_newgame_and_fen() {
    for word in ["newgame", "uccinewgame", "ucinewgame", "uxinewgame"] {
        let said = answer("ucci", &[word, &format!("fen {START}"), "go depth 1"]);
        assert!(said.iter().all(|line| !line.starts_with("info message")), "{said:#?}");
    }
    answer("uci", &["startpos moves h2e2", "go depth 1"]);
}

#[test]
fn p07_the_uci_form_with_cr_lf_sets_the_option() {
    let said = answer("ucci", &["setoption name multipv value 3\r", "go depth 2\r"]);
    assert!(said.iter().any(|line| line.contains(" multipv 3 ")), "{said:#?}");
}

#[test]
fn p15_startpos_is_the_game_s_own() {
    let said = answer("uci", &["position startpos", "go depth 1 searchmoves h2e2"]);
    assert_eq!(best_move(&said), "h2e2");
}

#[test]
fn p17_every_option_says_its_default() {
    let mut process = Process::start();
    process.send("ucci");
    let said = process.wait_for("ucciok");
    assert!(said.iter().any(|line| line == "option usemillisec type check default true"));
    let options = said.iter().filter(|line| line.starts_with("option "));
    assert!(options.clone().count() > 10);
    for line in options {
        assert!(line.ends_with(" type button") || line.contains(" default "), "{line}");
    }
    process.finish();
}

#[test]
fn p27_a_glued_number_is_read_to_its_digits() {
    let time = time_of(&["position startpos", "go time 300increment 3"]);
    assert!(time < ms(400) + slack(), "{time:?}");
}

#[test]
fn q03_a_ponder_search_holds_its_answer() {
    for end in ["ponderhit", "stop"] {
        let mut process = Process::ready("ucci");
        process.send(&format!("position fen {MATE1}"));
        process.send("go ponder time 60000 increment 0");
        while let Some(line) = process.read_within(ms(500)) {
            assert!(line.starts_with("info "), "{line}");
        }
        process.send(end);
        let said = process.wait_for("bestmove");
        assert!(["b1b9", "b1d1"].contains(&best_move(&said)));
        process.send("isready");
        assert_eq!(process.read_line().as_deref(), Some("readyok"), "one answer only");
        process.finish();
    }
}

#[test]
fn q07_a_new_game_in_a_search_ends_it() {
    let mut process = Process::ready("uci");
    for line in ["go infinite", "uccinewgame", "isready", "stop", "quit"] {
        process.send(line);
    }
    let mut said = Vec::new();
    while let Some(line) = process.read_line() {
        said.push(line);
    }
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{said:#?}");
    assert!(said.iter().any(|line| line == "readyok"), "{said:#?}");
    process.finish();
}

#[test]
fn q09_a_burst_is_answered_in_order() {
    let mut process = Process::ready("uci");
    process.send("position startpos\ngo infinite");
    process.wait_for("info depth 4");
    process.send("stop\nsetoption name Hash value 8\nposition startpos moves h2e2\ngo depth 3");
    let stopped = process.time_to("bestmove");
    assert!(stopped < ms(20) + slack(), "{stopped:?}");
    let said = process.wait_for("bestmove");
    assert!(best_move(&said).as_bytes()[1] >= b'5', "Black moves: {said:#?}");
    process.finish();
}

#[test]
fn q21_lines_stay_below_the_buffers_of_clients() {
    let quiet = "position fen 4k4/4a4/4ba3/p7p/9/9/P7P/4BA3/4A4/4K4 w";
    for line in answer("ucci", &[quiet, "setoption multipv 4", "go depth 40 movetime 1500"]) {
        assert!(line.len() < 999, "{line}");
    }
}

#[test]
fn q23_all_in_one_write_and_read_to_the_end() {
    let mut process = Process::ready("ucci");
    process.send("position startpos\ngo time 500\ngo depth 5\nquit");
    let mut said = Vec::new();
    while let Some(line) = process.read_line() {
        said.push(line);
    }
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove")).count(), 2, "{said:#?}");
    assert_eq!(said.last().map(String::as_str), Some("bye"));
    process.finish();
}

#[test]
fn q25_times_can_be_seconds() {
    let time = time_of(&["setoption usemillisec false", "go time 2 movestogo 1"]);
    assert!((ms(500)..ms(2_000) + slack()).contains(&time), "{time:?}");
}

/// The time that is planned must never add up to more than there is; how long a search really
/// takes is the gauntlet's business.
#[test]
fn t02_a_game_without_increment_is_not_lost_on_time() {
    let mut process = Process::ready("ucci");
    let mut left = 3_000;
    for _ in 0..150 {
        process.send(&format!("position startpos\ngo time {left} increment 0"));
        let used = process.time_to("bestmove").saturating_sub(slack() / 4);
        left -= used.as_millis() as i64;
        assert!(left > 0);
    }
    process.finish();
}

#[test]
fn t04_a_fixed_time_is_kept() {
    let time = time_of(&["position startpos", "go movetime 50"]);
    assert!(time < ms(60) + slack(), "{time:?}");
}

#[test]
fn t06_the_overhead_is_kept_back() {
    let time = time_of(&["setoption name Move Overhead value 1500", "go time 2000 increment 0"]);
    assert!(time < ms(500) + slack(), "{time:?}");
    let time = time_of(&["go time -5 increment 100"]);
    assert!(time < ms(100) + slack(), "{time:?}");
}

#[test]
fn t08_the_first_limit_reached_wins() {
    for line in ["go time 500 depth 60", "go draw time 60000 opptime 60000 movetime 500"] {
        let time = time_of(&[line]);
        assert!(time < ms(500) + slack(), "{line}: {time:?}");
    }
    let time = time_of(&["go time 60000 depth 2"]);
    assert!(time < ms(500) + slack(), "{time:?}");
}

#[test]
fn t10_a_time_alone_is_for_this_move() {
    let time = time_of(&["go time 1000"]);
    assert!((ms(300)..ms(1_000) + slack()).contains(&time), "{time:?}");
}

#[test]
fn f18_ranks_are_counted_from_0() {
    // With ranks from 1 this would be the cannon's move; from 0 nothing stands on h3.
    let said = answer("uci", &["position startpos moves h3e3", "go depth 1 searchmoves h2e2"]);
    let messages: Vec<_> = said.iter().filter(|line| line.starts_with("info string")).collect();
    assert!(messages.len() == 1 && messages[0].contains("h3e3"), "{said:#?}");
    assert_eq!(best_move(&said), "h2e2", "Red is still to move");
}

#[test]
fn r04_a_foul_of_the_other_side_is_no_mate() {
    for line in answer("uci", &[&format!("position fen {PERP} a8a9"), "go depth 6"]) {
        assert!(!line.contains("score mate"), "{line}");
    }
}

#[test]
fn r12_mate_comes_before_the_move_limit() {
    let fen = "position fen 3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 119 90";
    let said = answer("uci", &[fen, "go depth 2"]);
    assert!(said.iter().any(|line| line.contains("score mate 1 ")), "{said:#?}");
}

#[test]
fn r16_a_perpetual_check_is_not_completed() {
    let said = answer("uci", &[&format!("position fen {PERP}"), "go depth 6"]);
    assert_ne!(best_move(&said), "a8a9");
}

#[test]
fn r18_mates_have_the_right_sign_and_distance() {
    let said = answer("uci", &[&format!("position fen {MATE1}"), "go depth 4"]);
    assert!(said.iter().any(|line| line.contains("score mate 1 ")), "{said:#?}");
    let mated = format!("position fen {MATE1} moves b1b9");
    let said = answer("uci", &[&mated, "go depth 4"]);
    assert_eq!(said, ["info depth 0 score mate 0", "bestmove (none)"]);
}

#[test]
fn s04_the_hash_table_shrinks() {
    let mut process = Process::ready("ucci");
    process.send("setoption hashsize 512\ngo movetime 1500");
    process.wait_for("bestmove");
    let large = process.resident_mb();
    process.send("setoption hashsize 16\nisready");
    process.wait_for("readyok");
    let small = process.resident_mb();
    // Where the system does not say, nothing can be compared.
    assert!(large.is_none() || small < large, "{large:?} {small:?}");
    assert!(small.is_none_or(|mb| mb < 64), "{small:?}");
    process.finish();
}

#[test]
fn s06_no_file_is_needed_and_none_is_missed() {
    let said = answer("uci", &["setoption name EvalFile value nofile", "go depth 1"]);
    assert!(said.iter().all(|line| !line.starts_with("info string")), "{said:#?}");
}

#[test]
fn a02_all_lines_come_together_best_first() {
    let said = answer("ucci", &["setoption multipv 3", "go depth 8"]);
    let lines: Vec<_> = said.iter().filter(|line| line.contains(" multipv ")).collect();
    assert!(lines.len() >= 9 && lines.len() % 3 == 0, "{said:#?}");
    for block in lines.chunks(3) {
        let of = |word| block.iter().map(|line| number(line, word)).collect::<Vec<_>>();
        assert_eq!(of("multipv"), [1, 2, 3]);
        assert!(of("depth").iter().all(|&depth| depth == of("depth")[0]), "{block:#?}");
        assert!(block.is_sorted_by_key(|line| -score(line)), "{block:#?}");
    }
}

#[test]
fn a04_the_second_line_is_the_second_best_move() {
    let said = answer("ucci", &["setoption multipv 2", "go depth 8"]);
    let [first, second] = &said[said.len() - 3..said.len() - 1] else { unreachable!() };
    let start = |line: &str| line.split(" pv ").nth(1).expect("a line")[..4].to_owned();
    let best = start(first);
    let alone = answer("ucci", &[&format!("banmoves {best}"), "go depth 8"]);
    let other = score(&alone[alone.len() - 2]);
    assert!(other - score(second) <= 30, "{second}, but without {best} {other}");
}

/// UCCI's bare number.
fn score(line: &str) -> i32 {
    let mut words = line.split(' ').skip_while(|&word| word != "score");
    words.nth(1).and_then(|value| value.parse().ok()).expect("a score")
}

/// The report P25: a reply must not sit in a buffer while the input stays open.
#[test]
fn p25_replies_are_flushed() {
    let mut process = Process::start();
    process.send("ucci");
    process.wait_for("ucciok");
    thread::sleep(ms(50));
    process.send("isready");
    let time = process.time_to("readyok");
    assert!(time < ms(1_000) + slack(), "{time:?}");
    process.finish();
}
