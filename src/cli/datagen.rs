//! `hanxin datagen`: self-play games for tuning.

use std::io::Write;
use std::path::PathBuf;

use clap::value_parser;
use hanxin::tune::datagen::{Plan, generate};
use hanxin::tune::sample::{Header, SampleError, SampleFile};

use super::Error;
use super::options::CoreArgs;
use super::progress::LongJob;

/// Play games against itself and keep their quiet positions
///
/// Each game begins with some random moves and is played at a fixed number of nodes a move. The
/// file depends on seed, nodes and number of games alone. Started again with the same seed and
/// nodes, the command goes on where it was interrupted; docs/tuning.md describes the file.
#[derive(clap::Args)]
pub struct Args {
    /// File to create or to continue
    file: PathBuf,

    /// Games that the file shall hold in the end
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u64,

    /// Nodes to search for each move
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,

    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    cores: CoreArgs,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    let path = args.file.display();
    let header = Header { seed: args.seed, nodes: args.nodes };
    let mut file = SampleFile::resume(&args.file, header).map_err(|error| match error {
        SampleError::Io(_) | SampleError::Damaged(_) => Error::Failed(format!("{path}: {error}")),
        SampleError::Magic | SampleError::OtherSettings { .. } => {
            Error::Usage(format!("{path}: {error}"))
        }
    })?;
    let plan = Plan {
        seed: args.seed,
        nodes: args.nodes,
        first: file.games(),
        end: args.games,
        threads: args.cores.count(),
    };
    let mut job = LongJob::new(args.games, file.games());
    generate(&plan, |game| {
        file.append(&game)?;
        job.step(format!("{} positions", file.samples()));
        Ok(())
    })
    .map_err(|cause| Error::Failed(format!("{path}: {cause}")))?;
    job.finish();
    writeln!(out, "{} games, {} positions", file.games(), file.samples())?;
    Ok(())
}
