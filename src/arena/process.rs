//! A child process that is talked to in lines: written to without blocking, read by a thread that
//! notes when each line came.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::guard::{Group, GuardProgram};

/// What is longer is cut: no line of the protocols comes near.
const LONGEST_LINE: u64 = 1 << 16;

/// Unread lines that are kept; a child that floods us has to wait with the rest.
const MOST_LINES: usize = 50_000;

/// How often a process that ought to end is looked at.
const GLANCE: Duration = Duration::from_millis(1);

/// One line of output.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) bytes: Vec<u8>,
    /// When it came.
    pub(super) at: Instant,
}

/// A running child with both pipes. Dropping it kills its whole process group.
pub(super) struct Process {
    child: Child,
    group: Option<Group>,
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    reader: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts the program. Its stderr is dropped unless the log shows details.
    pub(super) fn spawn(mut command: Command, guard: Option<&GuardProgram>) -> io::Result<Process> {
        let errors =
            if log::log_enabled!(log::Level::Debug) { Stdio::inherit } else { Stdio::null };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors());
        let (mut child, group) = Group::spawn(command, guard)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = bounded(MOST_LINES);
        let mut process = Process { child, group: Some(group), stdin, lines, reader: None };
        if let Some(stdin) = &process.stdin {
            fcntl_setfl(stdin, fcntl_getfl(stdin)? | OFlags::NONBLOCK)?;
        }
        if let Some(stdout) = stdout {
            let reader = thread::Builder::new().name("engine output".into());
            process.reader = Some(reader.spawn(move || read_lines(stdout, &sender))?);
        }
        Ok(process)
    }

    /// Writes whole lines, or fails.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] when the child does not read: its pipe is full.
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        match &mut self.stdin {
            Some(stdin) => stdin.write_all(text.as_bytes()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// The lines as they come; disconnected once the child has closed its output.
    pub(super) fn lines(&self) -> &Receiver<Line> {
        &self.lines
    }

    /// Closes the child's input and waits for it to end by itself.
    pub(super) fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        self.stdin = None;
        let deadline = Instant::now() + limit;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(GLANCE);
        }
    }

    fn kill(&mut self) {
        let Some(group) = self.group.take() else { return };
        self.stdin = None;
        group.kill();
        let _ = self.child.wait();
        // The reader ends with the last writer. One that left the group could hold the pipe open,
        // and is not waited for.
        const PATIENCE: Duration = Duration::from_millis(200);
        let deadline = Instant::now() + PATIENCE;
        while !matches!(self.lines.recv_deadline(deadline), Err(RecvTimeoutError::Timeout)) {
            if self.lines.is_empty() && self.reader.as_ref().is_none_or(JoinHandle::is_finished) {
                let _ = self.reader.take().map(JoinHandle::join);
                return;
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn read_lines(stdout: ChildStdout, lines: &Sender<Line>) {
    let mut stdout = BufReader::with_capacity(1 << 16, stdout);
    let mut is_rest = false;
    loop {
        let mut bytes = Vec::new();
        match stdout.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let at = Instant::now();
        let was_rest = is_rest;
        is_rest = bytes.last() != Some(&b'\n');
        if !was_rest && lines.send(Line { bytes, at }).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(20);

    fn shell(script: &str) -> Process {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Process::spawn(command, None).expect("a shell")
    }

    fn line(process: &Process) -> Option<Vec<u8>> {
        process.lines().recv_timeout(SOON).ok().map(|line| line.bytes)
    }

    #[test]
    fn lines_go_both_ways() {
        let mut process = shell("read a; read b; echo $b; echo $a");
        process.write("one\ntwo\n").unwrap();
        assert_eq!(line(&process).as_deref(), Some(&b"two\n"[..]));
        assert_eq!(line(&process).as_deref(), Some(&b"one\n"[..]));
        assert_eq!(line(&process), None);
        assert!(process.wait(SOON).is_some_and(|status| status.success()));
    }

    #[test]
    fn an_endless_line_is_cut_and_its_rest_dropped() {
        let process = shell("head -c 200000 /dev/zero; echo; echo next");
        assert_eq!(line(&process).map(|bytes| bytes.len()), Some(1 << 16));
        assert_eq!(line(&process).as_deref(), Some(&b"next\n"[..]));
    }

    #[test]
    fn a_child_that_does_not_read_blocks_nobody() {
        let mut process = shell("sleep 60");
        let page = "x".repeat(4095) + "\n";
        let error = (0..1000).find_map(|_| process.write(&page).err());
        assert_eq!(error.map(|error| error.kind()), Some(io::ErrorKind::WouldBlock));
        assert_eq!(process.wait(Duration::from_millis(20)), None);
    }

    #[test]
    fn nothing_of_the_group_is_left() {
        let process = shell("sleep 60 & echo $!; wait");
        let pid = String::from_utf8(line(&process).unwrap()).unwrap();
        let alive = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
            stat.is_ok_and(|stat| !stat.contains(") Z "))
        };
        assert!(alive());
        drop(process);
        let deadline = Instant::now() + SOON;
        while alive() {
            assert!(Instant::now() < deadline);
            thread::sleep(GLANCE);
        }
    }
}
