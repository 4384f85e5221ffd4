//! No engine outlives the runner, however the runner ends.
//!
//! Every engine runs in a process group of its own, and the leader of that group is a guard: this
//! program again, waiting for the end of a pipe that only the runner holds. When the runner is gone
//! (`kill -9` included) the pipe ends and the guard kills its whole group: the engine, whatever the
//! engine started, and itself. The guard is there before the engine, so there is no moment without.

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{
    Pid, Signal, getpgrp, getpid, kill_current_process_group, kill_process_group,
};

/// How the guard is started: a program that calls [`keep_guard`].
#[derive(Clone, Debug)]
pub struct GuardProgram {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl GuardProgram {
    /// This very program with an argument that makes it call [`keep_guard`].
    ///
    /// # Errors
    /// The system does not know what is running.
    pub fn this_program(arg: &str) -> io::Result<GuardProgram> {
        // The link leads to the running program even when its file has been replaced since.
        let link = Path::new("/proc/self/exe");
        let program = if link.exists() { link.to_owned() } else { std::env::current_exe()? };
        Ok(GuardProgram { program, args: vec![arg.into()] })
    }
}

/// The guard's whole life: waits for the end of stdin, then kills its process group.
///
/// Does nothing where the process does not lead its group, so that nobody starts it by hand and
/// loses a shell.
pub fn keep_guard() {
    if getpgrp() != getpid() {
        return;
    }
    let mut nothing = [0; 64];
    let mut pipe = io::stdin().lock();
    loop {
        match pipe.read(&mut nothing) {
            Ok(0) => break,
            Err(error) if error.kind() != io::ErrorKind::Interrupted => break,
            _ => {}
        }
    }
    // Only an empty group could refuse, and we are in it.
    let _ = kill_current_process_group(Signal::KILL);
}

/// A process group with its guard.
pub(super) struct Group {
    leader: Pid,
    /// Holds the pipe whose end the guard waits for.
    guard: Option<Child>,
}

impl Group {
    /// Starts an engine in a new group, under a guard if there is one.
    pub(super) fn spawn(
        mut engine: Command,
        guard: Option<&GuardProgram>,
    ) -> io::Result<(Child, Group)> {
        let guard = guard.map(start_guard).transpose()?;
        let leader = guard.as_ref().and_then(|guard| Pid::from_raw(guard.id() as i32));
        engine.process_group(leader.map_or(0, Pid::as_raw_pid));
        let child = engine.spawn();
        // Without an engine it is only the guard that has to go.
        let lead = leader.or_else(|| child.as_ref().ok().map(Pid::from_child));
        let group = lead.map(|leader| Group { leader, guard });
        match (child, group) {
            (Ok(child), Some(group)) => Ok((child, group)),
            (Ok(_), None) => Err(io::Error::other("a process without a number")),
            (Err(cause), group) => {
                group.into_iter().for_each(Group::kill);
                Err(cause)
            }
        }
    }

    /// Kills all that is left of the group. To be called before the engine is waited for by anyone
    /// else: until then the number of the group cannot have passed to another.
    pub(super) fn kill(mut self) {
        // The group may be empty already, which is what we want.
        let _ = kill_process_group(self.leader, Signal::KILL);
        if let Some(guard) = &mut self.guard {
            let _ = guard.wait();
        }
    }
}

fn start_guard(guard: &GuardProgram) -> io::Result<Child> {
    Command::new(&guard.program)
        .args(&guard.args)
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}
