//! `hanxin tune`: fits the weights of the evaluation to games.

use std::io::Write;
use std::path::{Path, PathBuf};

use hanxin::arena::journal;
use hanxin::tune::fit::{Examples, HELD_OUT, Losses, Settings, fit};
use hanxin::tune::matches;
use hanxin::tune::sample::{SampleError, SampleReader};
use rayon::ThreadPoolBuilder;

use super::options::CoreArgs;
use super::{Error, progress};

/// Fit the weights of the evaluation to games
///
/// Begins with the weights this binary plays with and prints the mean loss after each pass, on
/// the positions that are fitted and on every tenth game, which is held out. The same data and
/// options give the same weights. To play with them, write them to src/eval/weights.in and build.
#[derive(clap::Args)]
pub struct Args {
    /// Files of datagen, and of matches (`hanxin match --jsonl`) when they end in .jsonl
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Leave the moves of this engine of a match out, whose scores mean something else
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,

    /// Passes over the data
    #[arg(long, value_name = "N", default_value_t = 100)]
    epochs: u32,

    /// Size of the first steps in centi-pieces; it falls to nothing in the end
    #[arg(long, value_name = "R", default_value_t = 0.5, value_parser = positive)]
    rate: f64,

    /// Share of the game's result in what is learnt; the rest is the score's
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    lambda: f64,

    /// How far off the weights before are thought to be, in centi-pieces
    ///
    /// Weights that few positions speak about stay near them.
    #[arg(long, value_name = "D", default_value_t = 15.0, value_parser = positive)]
    prior: f64,

    /// Seed of the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Where to write the weights
    #[arg(long, value_name = "FILE", default_value = "weights.in")]
    out: PathBuf,

    #[command(flatten)]
    cores: CoreArgs,
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&rate| rate > 0.0 && rate < 1e6).ok_or("not a positive number".into())
}

fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or("not a number from 0 to 1".into())
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    ThreadPoolBuilder::new()
        .num_threads(args.cores.count())
        .build_global()
        .map_err(|cause| Error::Failed(format!("cannot start the threads: {cause}")))?;
    let mut examples = Examples::default();
    for path in &args.data {
        match path.extension().is_some_and(|extension| extension == "jsonl") {
            true => read_match(path, &args.without, &mut examples)?,
            false => read(path, &mut examples)?,
        }
    }
    if examples.games() < HELD_OUT {
        let games = examples.games();
        return Err(Error::Usage(format!("{games} games are too few: {HELD_OUT} are needed")));
    }
    writeln!(out, "{} positions of {} games", examples.positions(), examples.games())?;

    let settings = Settings {
        epochs: args.epochs,
        rate: args.rate,
        lambda: args.lambda,
        prior: args.prior,
        seed: args.seed,
    };
    let bar = progress::bar(args.epochs as usize);
    let mut written = Ok(());
    let fit = fit(&examples, &settings, |losses| {
        bar.inc(1);
        let line = format!("epoch {:>4}  {}", bar.position(), text(losses));
        if written.is_ok() {
            written = bar.suspend(|| writeln!(out, "{line}"));
        }
    });
    written?;
    bar.finish_and_clear();
    writeln!(out, "before      {}", text(fit.before))?;
    writeln!(out, "after       {}", text(fit.after))?;
    writeln!(
        out,
        "odds of e to 1: {:.1} by search, {:.1} by evaluation before",
        fit.score_scale, fit.eval_scale
    )?;
    std::fs::write(&args.out, fit.weights.to_string())
        .map_err(|cause| Error::Failed(format!("{}: {cause}", args.out.display())))?;
    Ok(())
}

fn read(path: &Path, examples: &mut Examples) -> Result<(), Error> {
    let failed = |fault: String| Error::Usage(format!("{}: {fault}", path.display()));
    let reader = SampleReader::open(path).map_err(|fault| failed(fault.to_string()))?;
    for (sample, number) in reader.zip(1..) {
        let sample: Result<_, SampleError> = sample;
        let sample = sample.map_err(|fault| failed(fault.to_string()))?;
        examples.add(&sample).map_err(|fault| failed(format!("sample {number}: {fault}")))?;
    }
    Ok(())
}

fn read_match(path: &Path, without: &[String], examples: &mut Examples) -> Result<(), Error> {
    let past = journal::read(path).map_err(|fault| Error::Usage(fault.to_string()))?;
    for game in &past.games {
        for sample in matches::samples(game, without) {
            let fault =
                |cause| Error::Usage(format!("{}: game {}: {cause}", path.display(), game.game));
            examples.add(&sample).map_err(fault)?;
        }
    }
    Ok(())
}

fn text(losses: Losses) -> String {
    format!("fitted {:.6}  held out {:.6}", losses.fitted, losses.held_out)
}
