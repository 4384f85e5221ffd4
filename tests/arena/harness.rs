//! A match through the binary: its command line, its output, its file of games.

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use serde_json::Value;

use crate::scripted::{SCRIPT, TRANSCRIPT};

/// Marks all processes of one match: they inherit it from the runner.
const MARK: &str = "HANXIN_TEST_MATCH";

pub struct Match {
    /// Options with the values that they have where a test gives no other.
    defaults: Vec<(&'static str, String)>,
    args: Vec<String>,
    /// A name for everything that belongs to this match.
    mark: String,
    folder: PathBuf,
}

impl Match {
    /// A match from the start position, where tests do not name openings.
    pub fn new() -> Match {
        let mut event = Match::with_built_in_openings();
        let openings = event.path("startpos.txt");
        fs::write(&openings, "startpos").expect("a file");
        event.defaults.push(("--openings", openings.display().to_string()));
        event
    }

    pub fn with_built_in_openings() -> Match {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mark = format!("hanxin-match-{}-{number}", std::process::id());
        let folder = env::temp_dir().join(&mark);
        fs::create_dir_all(&folder).expect("a temporary folder");
        let games = folder.join("games.jsonl").display().to_string();
        let defaults = [
            ("--answer-limit", "300ms"),
            ("--start-limit", "2s"),
            ("--ready-limit", "2s"),
            ("--move-limit", "30s"),
            ("--jsonl", &games),
        ];
        let defaults = defaults.map(|(option, value)| (option, value.to_owned())).into();
        Match { defaults, args: Vec::new(), mark, folder }
    }

    pub fn args(mut self, args: &[&str]) -> Match {
        self.args.extend(args.iter().map(|&arg| arg.to_owned()));
        self
    }

    /// Adds an engine that follows a script and is called by its name.
    pub fn engine(self, script: &str, settings: &[&str]) -> Match {
        let command = self.script(script);
        self.args(&["--engine", &format!("name={script}"), &format!("cmd={command}")])
            .args(settings)
    }

    /// The command that runs a script.
    pub fn script(&self, script: &str) -> String {
        let program = env::current_exe().expect("this program");
        let transcript = self.path(&format!("{script}.txt"));
        format!(
            "env '{SCRIPT}={script}' '{TRANSCRIPT}={}' '{}' --ignored --exact \
             scripted::scripted_engine --nocapture",
            transcript.display(),
            program.display()
        )
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// What an engine was told.
    pub fn transcript(&self, script: &str) -> String {
        fs::read_to_string(self.path(&format!("{script}.txt"))).expect("a transcript")
    }

    pub fn command(&self) -> Command {
        self.command_with(&[])
    }

    /// The command with more arguments.
    pub fn command_with(&self, args: &[&str]) -> Command {
        let args: Vec<&str> = self.args.iter().map(String::as_str).chain(args.to_vec()).collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_hanxin"));
        command.arg("match").env(MARK, &self.mark).env_remove("RUST_LOG");
        let defaults = self.defaults.iter().filter(|(option, _)| !args.contains(option));
        defaults.for_each(|(option, value)| _ = command.args([option, value.as_str()]));
        command.args(args);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn start(&self) -> Child {
        self.command().stdout(Stdio::null()).spawn().expect("the match starts")
    }

    /// Runs the match to its end, which has to be a good one.
    #[track_caller]
    pub fn run(&self) -> Output {
        let output = self.command().output().expect("the match runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        assert!(self.is_over(), "something is left running");
        output
    }

    /// The games in the file.
    pub fn games(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path("games.jsonl")).unwrap_or_default();
        // A killed runner may leave its last line unfinished.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines = whole.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        lines.filter(|line| line["type"] == "game").collect()
    }

    /// Waits until no process of the match is left: engines, their guards, the runner.
    pub fn is_over(&self) -> bool {
        let deadline = Instant::now() + Duration::from_secs(10);
        while Instant::now() < deadline {
            if self.processes() == 0 {
                return true;
            }
            thread::sleep(Duration::from_millis(5));
        }
        false
    }

    fn processes(&self) -> usize {
        let mark = format!("{MARK}={}", self.mark).into_bytes();
        let processes = fs::read_dir("/proc").expect("a process table").flatten();
        processes
            .filter_map(|process| fs::read(process.path().join("environ")).ok())
            .filter(|environ| environ.split(|&byte| byte == 0).any(|entry| entry == mark))
            .count()
    }
}

impl Drop for Match {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The kinds of fault in a game, with whose they are.
pub fn faults(game: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let faults = game["faults"].as_array().into_iter().flatten();
    faults.map(|fault| (text(&fault["engine"]), text(&fault["kind"]))).collect()
}
