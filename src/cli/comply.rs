//! `hanxin comply`: does an engine keep to its protocol?

use std::io::Write;
use std::time::Duration;

use hanxin::arena::comply::{Examination, Finding, Outcome};
use hanxin::arena::config::{EngineConfig, Waiting};
use hanxin::arena::engine::{House, can_start};
use hanxin::arena::{GuardProgram, parse_limit};
use hanxin::output::json::Record;
use hanxin::protocol::Dialect;

use super::Error;

/// Examine whether an engine keeps to its protocol, UCCI or UCI
///
/// Walks the engine from its start to quit and prints pass, FAIL or skip for each point. It
/// complies if no mandatory point fails; a point marked (optional) is good manners.
#[derive(clap::Args)]
pub struct Args {
    /// The program, with its arguments if need be
    engine: String,

    /// Settings as in match: proto=ucci or uci, ranks=1, option.NAME=, dir=
    #[arg(value_name = "KEY=VALUE")]
    settings: Vec<String>,

    /// How long an answer may take that needs no search: to stop, quit and the like
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse_limit)]
    answer_limit: Duration,

    /// How long the engine may take to start, to be ready, and for a small search
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_limit)]
    start_limit: Duration,

    /// Print JSON lines; docs/json.md describes them
    #[arg(long)]
    json: bool,
}

/// How many points came out how.
#[derive(Default)]
struct Totals {
    passed: usize,
    failed: usize,
    /// Mandatory points that were failed.
    broken: usize,
    skipped: usize,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    let config = args.config()?;
    let house = House {
        waiting: Waiting {
            start: args.start_limit,
            ready: args.start_limit,
            answer: args.answer_limit,
            untimed: args.start_limit,
        },
        guard: Some(GuardProgram::this_program(super::match_::GUARD)?),
        ..House::default()
    };
    can_start(&config, house.guard.as_ref())
        .map_err(|cause| Error::Usage(format!("{} cannot be started: {cause}", args.engine)))?;
    let examination = Examination::new(&config, &house);
    let mut totals = Totals::default();
    let mut written = Ok(());
    examination.run(|finding| {
        totals.add(finding);
        if written.is_ok() {
            written = show(finding, args.json, out);
        }
    });
    written?;
    let dialect = match examination.dialect() {
        Dialect::Ucci => "ucci",
        Dialect::Uci => "uci",
    };
    let Totals { passed, failed, broken, skipped } = totals;
    match args.json {
        true => Record::Compliance { dialect, passed, failed, broken, skipped }.write(out)?,
        false => writeln!(
            out,
            "\n{}: {passed} passed, {failed} failed, {broken} of them mandatory, {skipped} skipped",
            dialect.to_uppercase()
        )?,
    }
    match broken {
        0 => Ok(()),
        n => Err(Error::Failed(format!("{}: {n} mandatory points failed", args.engine))),
    }
}

fn show(finding: &Finding, json: bool, out: &mut impl Write) -> std::io::Result<()> {
    let Finding { point, mandatory, outcome, detail } = finding;
    if json {
        let (mandatory, outcome, detail) = (*mandatory, *outcome, detail.clone());
        return Record::Point { point, mandatory, outcome, detail }.write(out);
    }
    let word = match outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "FAIL",
        Outcome::Skip => "skip",
    };
    let mark = if *mandatory { "" } else { " (optional)" };
    let line = format!("{word}  {:<47}  {detail}", format!("{point}{mark}"));
    writeln!(out, "{}", line.trim_end())?;
    out.flush()
}

impl Args {
    fn config(&self) -> Result<EngineConfig, Error> {
        let mut config = EngineConfig::default();
        let usage = |cause: hanxin::arena::config::ConfigError| Error::Usage(cause.to_string());
        config.set("cmd", &self.engine).map_err(usage)?;
        self.settings.iter().try_for_each(|text| config.set_text(text)).map_err(usage)?;
        Ok(config)
    }
}

impl Totals {
    fn add(&mut self, finding: &Finding) {
        match finding.outcome {
            Outcome::Pass => self.passed += 1,
            Outcome::Skip => self.skipped += 1,
            Outcome::Fail => {
                self.failed += 1;
                self.broken += usize::from(finding.mandatory);
            }
        }
    }
}
