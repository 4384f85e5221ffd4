//! `hanxin eval`: the evaluation taken apart.

use std::io::Write;

use hanxin::{Position, eval};

use super::Error;

/// Print the terms of the static evaluation, both sides
#[derive(clap::Args)]
pub struct Args {
    /// The position, instead of the start position
    #[arg(long, value_parser = Position::from_fen)]
    fen: Option<Position>,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    let position = args.fen.clone().unwrap_or_else(Position::startpos);
    writeln!(out, "{}", eval::trace(&position))?;
    Ok(())
}
