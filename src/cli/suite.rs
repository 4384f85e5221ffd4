//! `hanxin suite`: what of a test suite the engine solves, and how fast.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use hanxin::epd::{self, Entry};
use hanxin::output::json::{Record, Score};
use hanxin::suite::{Outcome, solve};

use super::options::{EngineArgs, LimitArgs};
use super::{Error, progress};

const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Solve the positions of an EPD file
///
/// Every position is searched as a new game, so the order does not matter; without a limit each
/// gets one second.
///
/// An entry with `dm` is solved when the final answer claims a mate for the side to move, its line
/// played out takes as many plies as claimed and leaves the other side without a move, and its
/// first move is one of `bm` where the file says `bm complete`. The search ends early once a mate
/// in `dm` moves or fewer is proven. Any other entry is solved when the final move is one of `bm`.
/// Depth, nodes and time are those of the first iteration after which the answer stayed right.
#[derive(clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct Args {
    /// EPD file: FEN ; bm MOVES ; dm N ; exact ; bm complete ; id TEXT
    file: PathBuf,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    engine: EngineArgs,

    /// Print JSON lines; docs/json.md describes them
    #[arg(long)]
    json: bool,
}

#[derive(Default)]
struct Totals {
    entries: usize,
    faults: usize,
    unsolved: Vec<usize>,
    nodes: u64,
    elapsed: Duration,
    solution_times: Vec<Duration>,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    let path = args.file.display();
    let text = std::fs::read(&args.file)
        .map_err(|cause| Error::Usage(format!("cannot read {path}: {cause}")))?;
    let text = String::from_utf8_lossy(&text);
    let mut engine = args.engine.engine(1)?;
    let limits = args.limits.limits(DEFAULT_TIME);

    let mut totals = Totals::default();
    let bar = progress::bar(epd::read(&text).count());
    for (line, entry) in epd::read(&text) {
        match entry {
            Ok(entry) => {
                let outcome = solve(&mut engine, &entry, &limits);
                totals.add(line, &outcome);
                bar.suspend(|| match args.json {
                    true => record(line, &entry, &outcome).write(out),
                    false => writeln!(out, "{}", row(line, &entry, &outcome)),
                })?;
            }
            Err(fault) => {
                totals.faults += 1;
                bar.suspend(|| eprintln!("hanxin: {path}: line {line}: {fault}"));
            }
        }
        out.flush()?;
        bar.set_message(format!("{} solved", totals.solution_times.len()));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if totals.entries + totals.faults == 0 {
        return Err(Error::Failed(format!("{path}: no position in it")));
    }
    match args.json {
        true => totals.record().write(out)?,
        false => writeln!(out, "\n{}", totals.text())?,
    }
    match totals.faults {
        0 => Ok(()),
        n => Err(Error::Failed(format!("{path}: {n} lines could not be read"))),
    }
}

fn row(line: usize, entry: &Entry, outcome: &Outcome) -> String {
    let report = &outcome.report;
    let best = report.best.map_or("none".to_owned(), |mv| mv.to_string());
    let known = entry.mate.map_or(String::new(), |mate| {
        format!(" (dm {}{})", if mate.exact { "" } else { "≤ " }, mate.moves)
    });
    let score = report.eval.to_string() + &known;
    let verdict = match (outcome.solution, outcome.failure) {
        (Some(at), _) => format!(
            "solved  depth {:>2}  {:>9} nodes  {:>6.3} s",
            at.depth,
            at.nodes,
            at.elapsed.as_secs_f64()
        ),
        (None, Some(failure)) => format!("NOT     {failure}{}", expected(entry)),
        (None, None) => "NOT".to_owned(),
    };
    let name = entry.name.as_deref().unwrap_or("");
    format!("{line:>3}  {best}  {score:<14}  {verdict}  {name}").trim_end().to_owned()
}

fn expected(entry: &Entry) -> String {
    let moves: Vec<String> = entry.best_moves.iter().map(|mv| mv.to_string()).collect();
    if moves.is_empty() { String::new() } else { format!(", expected {}", moves.join(" or ")) }
}

fn record(line: usize, entry: &Entry, outcome: &Outcome) -> Record {
    Record::Entry {
        position: line,
        name: entry.name.clone(),
        solved: outcome.solution.is_some(),
        failure: outcome.failure.map(|failure| failure.to_string()),
        best: outcome.report.best.map(|mv| mv.to_string()),
        score: Score::from(outcome.report.eval),
        nodes: outcome.report.nodes,
        time_ms: outcome.report.elapsed.as_millis() as u64,
        solution_depth: outcome.solution.map(|at| at.depth),
        solution_nodes: outcome.solution.map(|at| at.nodes),
        solution_time_ms: outcome.solution.map(|at| at.elapsed.as_millis() as u64),
    }
}

impl Totals {
    fn add(&mut self, line: usize, outcome: &Outcome) {
        self.entries += 1;
        self.nodes += outcome.report.nodes;
        self.elapsed += outcome.report.elapsed;
        match outcome.solution {
            Some(solution) => self.solution_times.push(solution.elapsed),
            None => self.unsolved.push(line),
        }
    }

    fn record(&self) -> Record {
        Record::Summary {
            entries: self.entries,
            solved: self.solution_times.len(),
            faults: self.faults,
            nodes: self.nodes,
            time_ms: self.elapsed.as_millis() as u64,
        }
    }

    fn text(&self) -> String {
        let solved = self.solution_times.len();
        let seconds = self.elapsed.as_secs_f64();
        let mut text = format!(
            "solved {solved} of {} in {seconds:.1} s, {} nodes, {:.0} nodes/s",
            self.entries,
            self.nodes,
            self.nodes as f64 / seconds.max(1e-9)
        );
        let mut times = self.solution_times.clone();
        times.sort();
        if let (Some(middle), Some(longest)) = (times.get(times.len() / 2), times.last()) {
            let (middle, longest) = (middle.as_secs_f64(), longest.as_secs_f64());
            text += &format!("\ntime to solution: median {middle:.3} s, longest {longest:.3} s");
        }
        if !self.unsolved.is_empty() {
            let lines: Vec<String> = self.unsolved.iter().map(usize::to_string).collect();
            text += &format!("\nnot solved: lines {}", lines.join(" "));
        }
        text
    }
}
