//! `hanxin bench`: the signature of the search and its speed.

use std::io::Write;

use hanxin::bench;

use super::options::EngineArgs;
use super::{Error, progress};

/// Search fixed positions to a fixed depth and print nodes and speed
///
/// With one thread the number of nodes is the same on every machine and changes only when the
/// search or the evaluation does.
#[derive(clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct Args {
    /// Depth in plies
    #[arg(long, value_name = "N", default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=128))]
    depth: u32,

    #[command(flatten)]
    engine: EngineArgs,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    let mut engine = args.engine.engine(1)?;
    let bar = progress::bar(bench::POSITIONS.len());
    let totals = bench::run(&mut engine, args.depth, |_| bar.inc(1))
        .map_err(|fault| Error::Failed(format!("a bench position is wrong: {fault}")))?;
    bar.finish_and_clear();
    let nps = totals.nodes as f64 / totals.elapsed.as_secs_f64().max(1e-9);
    writeln!(out, "{} nodes {nps:.0} nps", totals.nodes)?;
    Ok(())
}
