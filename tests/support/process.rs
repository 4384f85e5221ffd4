//! The binary behind pipes.

#![allow(dead_code)] // each test binary uses its part

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};

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
    pub fn greeted(handshake: &str) -> Process {
        let mut process = Process::start();
        process.send(handshake);
        process.wait_for(&format!("{handshake}ok"));
        process
    }

    /// Past the handshake, and told to think for itself.
    pub fn ready(handshake: &str) -> Process {
        let mut process = Process::greeted(handshake);
        process.send("setoption usebook false");
        process
    }

    pub fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("the input is still open");
        // An engine that has left takes no more, as the test will notice.
        let _ = input.write_all(&[line, b"\n"].concat()).and_then(|()| input.flush());
    }

    pub fn send(&mut self, text: &str) {
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

    /// The next line, if it comes within this time.
    pub fn read_within(&mut self, time: Duration) -> Option<String> {
        self.lines.recv_timeout(time).ok()
    }

    /// Time from now until a line that begins like this.
    pub fn time_to(&mut self, start: &str) -> Duration {
        let asked = Instant::now();
        self.wait_for(start);
        asked.elapsed()
    }

    /// Memory that the process holds, in MB.
    pub fn resident_mb(&self) -> Option<u64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
    }

    /// Reads up to a line that begins like this and returns all.
    pub fn wait_for(&mut self, start: &str) -> Vec<String> {
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

pub fn spawn() -> (Child, ChildStdout) {
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
pub fn number(line: &str, word: &str) -> u64 {
    let mut words = line.split(' ').skip_while(|&other| other != word);
    words.nth(1).and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{word}: {line}"))
}
