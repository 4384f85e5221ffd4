//! What only a process can get wrong.

use std::io::{BufRead, BufReader, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use crate::child::{Process, number, spawn};
use crate::grammar;
use crate::slack::slack;

#[test]
fn nothing_is_said_before_the_first_command() {
    let mut process = Process::start();
    assert_eq!(process.read_within(Duration::from_millis(500)), None);
    process.send("ucci");
    let answered = process.time_to("ucciok");
    assert!(answered < Duration::from_millis(300) + slack(), "{answered:?}");
    process.finish();
}

#[test]
fn end_of_input_is_quit_without_a_word_before_the_handshake() {
    let mut process = Process::start();
    process.close_input();
    assert_eq!(process.read_line(), None);
    process.finish();
}

#[test]
fn quit_ends_a_search_at_once() {
    for end in ["quit", ""] {
        let mut process = Process::ready("ucci");
        process.send("go infinite");
        process.wait_for("info depth 3");
        let asked = Instant::now();
        if end.is_empty() {
            process.close_input();
        } else {
            process.send(end);
        }
        let lines = process.wait_for("bye");
        assert!(lines[lines.len() - 2].starts_with("bestmove"), "{lines:#?}");
        assert_eq!(process.read_line(), None);
        process.finish();
        let took = asked.elapsed();
        assert!(took < Duration::from_millis(500) + slack(), "{took:?}");
    }
}

/// Other programs may have the processor for a while, so the best of some tries counts.
#[test]
fn stop_and_isready_are_answered_within_ten_milliseconds() {
    for threads in [2, 256] {
        let mut process = Process::ready("ucci");
        process.send(&format!("setoption threads {threads}"));
        let (mut stops, mut readies) = (Vec::new(), Vec::new());
        for _ in 0..8 {
            process.send("go infinite");
            process.wait_for("info depth 5");
            thread::sleep(Duration::from_millis(100));
            process.send("isready");
            readies.push(process.time_to("readyok"));
            process.send("stop");
            stops.push(process.time_to("bestmove"));
        }
        let limit = Duration::from_millis(10) + slack();
        for times in [&stops, &readies] {
            assert!(times.iter().min() < Some(&limit), "{threads} threads: {times:?}");
        }
        process.finish();
    }
}

#[test]
fn a_pipe_closed_in_a_search_is_a_quiet_end() {
    let (mut child, mut output) = spawn();
    let mut input = child.stdin.take().expect("stdin is a pipe");
    input.write_all(b"ucci\nposition startpos\ngo infinite\n").expect("the engine listens");
    let mut start = [0; 64];
    output.read_exact(&mut start).expect("the engine answers");
    drop(output);
    // The input stays open: it is the next line of analysis that finds nobody to read it.
    let status = child.wait().expect("a status");
    let mut complaints = String::new();
    let mut stderr = child.stderr.take().expect("stderr is a pipe");
    stderr.read_to_string(&mut complaints).expect("stderr is text");
    assert!(status.success(), "{status}");
    assert_eq!(complaints, "");
}

/// The report S08: a full pipe must not hold up the search.
#[test]
fn an_interface_that_does_not_read_does_not_slow_the_search() {
    let (mut child, output) = spawn();
    let mut input = child.stdin.take().expect("stdin is a pipe");
    input
        .write_all(b"ucci\nsetoption usebook off\nposition startpos\ngo movetime 600\n")
        .expect("the engine listens");
    // More answers than a pipe holds, while nobody reads.
    input.write_all("isready\n".repeat(20_000).as_bytes()).expect("the engine listens");
    thread::sleep(Duration::from_millis(2_000));
    let reader = thread::spawn(move || {
        BufReader::new(output).lines().map_while(Result::ok).collect::<Vec<String>>()
    });
    input.write_all(b"isready\nstop\nquit\n").expect("the engine listens");
    let lines = reader.join().expect("the lines");
    assert_eq!(lines.last().map(String::as_str), Some("bye"));
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 20_001);
    let info = lines.iter().rev().find(|line| line.starts_with("info depth")).expect("a line");
    assert!(number(info, "time") < 1_500, "{info}");
    assert!(child.wait().expect("a status").success());
}

#[test]
fn lines_of_ten_megabytes_are_read() {
    let mut process = Process::ready("uci");
    process.send_bytes(&vec![b'x'; 10 << 20]);
    let mut long = b"position startpos moves".to_vec();
    for _ in 0..(10 << 20) / 24 {
        long.extend_from_slice(b" a0a1 a9a8 a1a0 a8a9 ");
    }
    process.send_bytes(&long);
    process.send("go depth 2");
    let lines = process.wait_for("bestmove");
    assert!(lines.iter().all(|line| grammar::fault(line).is_none()), "{lines:#?}");
    process.send("isready");
    process.wait_for("readyok");
    process.finish();
}

/// The report S02: the largest table may not fit; the engine plays on with a smaller one.
#[test]
fn too_large_a_table_is_said_and_survived() {
    let mut process = Process::ready("ucci");
    for line in ["setoption hashsize 1000000", "setoption hashsize 16", "position startpos"] {
        process.send(line);
        process.send("isready");
        let said = process.wait_for("readyok");
        assert!(said.len() <= 2, "{said:#?}");
    }
    process.send("go depth 4");
    process.wait_for("bestmove");
    process.finish();
}

#[test]
fn a_thinking_engine_is_never_silent_for_three_seconds() {
    let mut process = Process::ready("ucci");
    process.send("go infinite");
    let limit = Duration::from_secs(3) + slack();
    let start = Instant::now();
    let mut last = Instant::now();
    let mut count = 0;
    while start.elapsed() < Duration::from_secs(7) {
        if process.read_within(Duration::from_millis(100)).is_some() {
            last = Instant::now();
            count += 1;
        }
        assert!(last.elapsed() < limit);
    }
    assert!(count < 7 * 20, "{count} lines");
    process.send("stop");
    process.wait_for("bestmove");
    process.finish();
}
