//! `hanxin perft`: counts move sequences, the test and the yardstick of the move generator.

use std::io::Write;
use std::time::Instant;

use hanxin::Position;
use hanxin::board::perft;

use super::Error;

/// Count the legal move sequences of a given length
#[derive(clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct Args {
    /// Length in plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: u32,

    /// Count from this position instead of the start position
    #[arg(long, value_parser = Position::from_fen)]
    fen: Option<Position>,

    /// Print the count of each first move too
    #[arg(long)]
    divide: bool,

    /// Threads to count with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    let mut pos = args.fen.clone().unwrap_or_else(Position::startpos);
    let began = Instant::now();
    let nodes = if args.divide || args.threads > 1 {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(args.threads.into())
            .build()
            .map_err(|cause| Error::Failed(format!("cannot start the threads: {cause}")))?;
        let counts = pool.install(|| perft::divide(&pos, args.depth));
        if args.divide {
            for (mv, nodes) in &counts {
                writeln!(out, "{mv} {nodes}")?;
            }
        }
        counts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        perft::perft(&mut pos, args.depth)
    };
    let seconds = began.elapsed().as_secs_f64();
    writeln!(out, "nodes    {nodes}")?;
    writeln!(out, "seconds  {seconds:.3}")?;
    writeln!(out, "nodes/s  {:.0}", nodes as f64 / seconds.max(1e-9))?;
    Ok(())
}
