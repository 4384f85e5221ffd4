//! `hanxin book check`: whether the engine agrees with a book.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use hanxin::book::Walk;
use hanxin::book::check::{Answer, Checker, Doubt, Question, Searched};
use hanxin::book::walk::Known;
use hanxin::files;
use hanxin::notation::chinese;
use hanxin::search::{Limits, SearchOptions};
use hanxin::{Engine, Move};
use rayon::prelude::*;

use super::super::options::{CoreArgs, LimitArgs};
use super::super::progress::LongJob;
use super::Error;

const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Search every move of a book and print those that lose too much
///
/// In each position the engine's own choice is searched, and each of the book's moves alone, all
/// with the same limits and as new games. Exit status 1 if any move loses more than the tolerance.
/// With --memory nothing is searched twice, also after an interruption.
#[derive(clap::Args)]
pub struct Args {
    /// A book, or text files and folders of them; the embedded book when not given
    files: Vec<PathBuf>,

    #[command(flatten)]
    limits: LimitArgs,

    /// Search moves that seem to lose too much again, with N nodes, and believe that
    #[arg(long, value_name = "N")]
    recheck: Option<u64>,

    #[command(flatten)]
    cores: CoreArgs,

    /// Centi-pieces that a move may lose against the engine's choice
    #[arg(long, value_name = "N", default_value_t = 40)]
    tolerance: i32,

    /// File that remembers what was searched, as JSON lines
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    let book = super::read(&args.files)?;
    let positions: Vec<Known> = Walk::new(&book).collect::<Result<_, _>>()?;
    let (memory, mut file) = match &args.memory {
        Some(path) => open(path)?,
        None => Default::default(),
    };
    let limits = args.limits.limits(DEFAULT_TIME);
    let recheck = args.recheck.map(Limits::nodes);
    let checker = Checker { limits, recheck, tolerance: args.tolerance, memory };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.cores.count())
        .stack_size(hanxin::search::STACK_BYTES)
        .build()
        .map_err(|cause| Error::Failed(format!("cannot start threads: {cause}")))?;

    let mut job = LongJob::new(positions.len() as u64, 0);
    let mut found: Vec<(usize, Doubt)> = Vec::new();
    let (say, answers) = mpsc::channel();
    pool.spawn({
        let positions = positions.clone();
        move || {
            positions.par_iter().enumerate().for_each_init(engine, |engine, (number, known)| {
                // Nobody listens once the answers cannot be written.
                let _ = say.send((number, checker.check(engine, known)));
            });
        }
    });
    for (number, (doubts, searched)) in answers {
        if let (Some(file), Some(path)) = (&mut file, &args.memory) {
            remember(file, &searched).map_err(|cause| cannot_write(path, &cause))?;
        }
        found.extend(doubts.into_iter().map(|doubt| (number, doubt)));
        job.step(format!("{} doubtful", found.len()));
    }
    job.finish();
    found.sort_by_key(|(number, doubt)| (*number, doubt.mv));
    for (number, doubt) in &found {
        writeln!(out, "{}", row(&positions[*number], doubt))?;
    }
    match found.len() {
        0 => Ok(writeln!(out, "{} positions, no doubtful move", positions.len())?),
        n => Err(Error::Failed(format!("{n} moves lose more than {}", args.tolerance))),
    }
}

fn engine() -> Engine {
    Engine::new(&SearchOptions { hash_mb: 16, ..SearchOptions::default() })
}

fn row(known: &Known, doubt: &Doubt) -> String {
    let Doubt { mv, best, loss } = doubt;
    let named = |mv: Move| format!("{mv} {}", chinese::write(&known.position, mv));
    let line: Vec<String> = known.line.iter().map(Move::to_string).collect();
    let line = if line.is_empty() { "start".to_owned() } else { line.join(" ") };
    format!("{line}: {} loses {loss} against {}", named(*mv), named(*best))
}

type Memory = HashMap<Question, Answer>;

/// What a file remembers, and the file to go on with. What a power cut left of a last line is
/// dropped.
fn open(path: &Path) -> Result<(Memory, Option<std::fs::File>), Error> {
    let read = || -> std::io::Result<_> {
        files::check_regular(path)?;
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let (mut memory, mut whole) = (Memory::new(), 0);
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            let Some(text) = line.strip_suffix(b"\n") else { break };
            let Searched { question, answer } = serde_json::from_slice(text)?;
            memory.insert(question, answer);
            whole += line.len() as u64;
            line.clear();
        }
        file.set_len(whole)?;
        file.seek(std::io::SeekFrom::End(0))?;
        Ok((memory, Some(file)))
    };
    read().map_err(|cause| Error::Failed(format!("{}: {cause}", path.display())))
}

fn remember(file: &mut std::fs::File, searched: &[Searched]) -> std::io::Result<()> {
    let mut text = Vec::new();
    for line in searched {
        serde_json::to_writer(&mut text, line)?;
        text.push(b'\n');
    }
    file.write_all(&text)
}

fn cannot_write(path: &Path, cause: &std::io::Error) -> Error {
    Error::Failed(format!("cannot write {}: {cause}", path.display()))
}
