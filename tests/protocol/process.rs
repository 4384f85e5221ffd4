//! The binary behind pipes: what only a process can get wrong.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};

use crate::grammar;

/// Longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine. Ends with the test.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    pub fn start() -> Process {
        let (mut child, output) = spawn();
        let (sender, lines) = unbounded();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if line.is_err() || sender.send(line.unwrap_or_default()).is_err() {
                    break;
                }
            }
        });
        Process { input: child.stdin.take(), child, lines }
    }

    /// Past the handshake.
    fn ready(handshake: &str) -> Process {
        let mut process = Process::start();
        process.send(handshake);
        process.wait_for(&format!("{handshake}ok"));
        process
    }

    pub fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("the input is still open");
        // An engine that has left takes no more, as the test will notice.
        let _ = input.write_all(&[line, b"\n"].concat()).and_then(|()| input.flush());
    }

    fn send(&mut self, text: &str) {
        self.send_bytes(text.as_bytes());
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line, without its end; `None` when there are no more.
    pub fn read_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the engine has fallen silent"),
        }
    }

    /// Reads up to a line that begins like this and returns all.
    fn wait_for(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.read_line().unwrap_or_else(|| panic!("no {start} in {lines:#?}"));
            let is_last = line.starts_with(start);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// Ends the input and makes sure that the process leaves well: status 0, silent stderr.
    pub fn finish(mut self) {
        self.close_input();
        let status = self.child.wait().expect("a status");
        let mut complaints = String::new();
        let mut stderr = self.child.stderr.take().expect("stderr is a pipe");
        stderr.read_to_string(&mut complaints).expect("stderr is text");
        assert!(status.success(), "{status}: {complaints}");
        assert_eq!(complaints, "");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail when the process has ended, as it should have.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn() -> (Child, ChildStdout) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hanxin"))
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let output = child.stdout.take().expect("stdout is a pipe");
    (child, output)
}

/// The number behind a word of a line.
fn number(line: &str, word: &str) -> u64 {
    let mut words = line.split(' ').skip_while(|&other| other != word);
    words.nth(1).and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{word}: {line}"))
}

#[test]
fn nothing_is_said_before_the_first_command() {
    let mut process = Process::start();
    let silence = process.lines.recv_timeout(Duration::from_millis(500));
    assert_eq!(silence, Err(RecvTimeoutError::Timeout));
    let asked = Instant::now();
    process.send("ucci");
    process.wait_for("ucciok");
    assert!(asked.elapsed() < Duration::from_millis(300), "{:?}", asked.elapsed());
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
        assert!(asked.elapsed() < Duration::from_millis(500), "{:?}", asked.elapsed());
    }
}

/// Other programs may have the processor for a while, so the best of some tries counts.
#[test]
fn stop_and_isready_are_answered_within_ten_milliseconds() {
    let mut process = Process::ready("ucci");
    process.send("setoption threads 2");
    let mut stops = Vec::new();
    let mut readies = Vec::new();
    for _ in 0..8 {
        process.send("go infinite");
        process.wait_for("info depth 5");
        thread::sleep(Duration::from_millis(100));
        let asked = Instant::now();
        process.send("isready");
        process.wait_for("readyok");
        readies.push(asked.elapsed());
        let asked = Instant::now();
        process.send("stop");
        process.wait_for("bestmove");
        stops.push(asked.elapsed());
    }
    for times in [&stops, &readies] {
        assert!(times.iter().min() < Some(&Duration::from_millis(10)), "{times:?}");
    }
    process.finish();
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
    input.write_all(b"ucci\nposition startpos\ngo movetime 600\n").expect("the engine listens");
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
    let start = Instant::now();
    let mut last = Instant::now();
    let mut count = 0;
    while start.elapsed() < Duration::from_secs(7) {
        if process.lines.recv_timeout(Duration::from_millis(100)).is_ok() {
            last = Instant::now();
            count += 1;
        }
        assert!(last.elapsed() < Duration::from_secs(3));
    }
    assert!(count < 7 * 20, "{count} lines");
    process.send("stop");
    process.wait_for("bestmove");
    process.finish();
}
