//! `hanxin book stats`: how much a book knows.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use hanxin::book::{Ecco, Walk};
use hanxin::output::json::Record;

use super::super::Error;

/// Print how much a book knows: positions, moves, depth, named openings
///
/// An opening is known when the book has the last move of one of its lines.
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
        let known = known?;
        positions += 1;
        moves += known.entries.len();
        choices += usize::from(known.entries.len() > 1);
        depth = depth.max(known.line.len() + 1);
    }
    let ecco = Ecco::embedded();
    // A code may have several lines, of which one is enough.
    let mut known = BTreeMap::new();
    for opening in ecco.openings() {
        *known.entry(opening.to_string()).or_insert(false) |= opening.is_known(&book)?;
    }
    let openings = known.len();
    let covered = known.values().filter(|&&is_known| is_known).count();
    if args.json {
        let record = Record::Book { positions, moves, choices, depth, openings, covered };
        return Ok(record.write(out)?);
    }
    let position = super::plural(positions, "position");
    writeln!(out, "{positions:>7} {position}, {choices} of them with a choice")?;
    writeln!(out, "{moves:>7} {}", super::plural(moves, "move"))?;
    writeln!(out, "{depth:>7} {} deep", if depth == 1 { "ply" } else { "plies" })?;
    writeln!(out, "{covered:>7} of {openings} named openings")?;
    if args.missing {
        let missing = known.iter().filter(|(_, is_known)| !**is_known);
        missing.map(|(opening, _)| opening).try_for_each(|opening| writeln!(out, "{opening}"))?;
    }
    Ok(())
}
