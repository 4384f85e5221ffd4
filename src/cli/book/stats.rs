//! `hanxin book stats`: how much a book knows.

use std::io::Write;
use std::path::PathBuf;

use hanxin::book::{Ecco, Walk};
use hanxin::output::json::Record;

use super::super::Error;

/// Print how much a book knows: positions, moves, depth, named openings
///
/// An opening counts when the book knows its last move.
#[derive(clap::Args)]
pub struct Args {
    /// A book, or text files and folders of them; the embedded book when not given
    files: Vec<PathBuf>,

    /// Name each opening that the book does not know
    #[arg(long, conflicts_with = "json")]
    missing: bool,

    /// Print a JSON line; docs/json.md describes it
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    let book = super::read(&args.files)?;
    let (mut positions, mut moves, mut choices, mut depth) = (0, 0, 0, 0);
    for known in Walk::new(&book) {
        positions += 1;
        moves += known.entries.len();
        choices += usize::from(known.entries.len() > 1);
        depth = depth.max(known.line.len() + 1);
    }
    let ecco = Ecco::embedded();
    let openings = ecco.openings().len();
    let missing: Vec<_> =
        ecco.openings().iter().filter(|opening| !opening.is_known(&book)).collect();
    let covered = openings - missing.len();
    if args.json {
        let record = Record::Book { positions, moves, choices, depth, openings, covered };
        return Ok(record.write(out)?);
    }
    writeln!(out, "{positions:>7} positions, {choices} of them with a choice")?;
    writeln!(out, "{moves:>7} moves")?;
    writeln!(out, "{depth:>7} plies deep")?;
    writeln!(out, "{covered:>7} of {openings} named openings")?;
    if args.missing {
        missing.iter().try_for_each(|opening| writeln!(out, "{opening}"))?;
    }
    Ok(())
}
