//! `hanxin book export` and `hanxin book import`: books as text, and foreign books as ours.

use std::io::Write;
use std::path::PathBuf;

use clap::value_parser;
use hanxin::book::walk::Known;
use hanxin::book::{Builder, Walk};

use super::super::Error;
use super::super::progress::LongJob;

/// Write a book as text that can be built again
///
/// A record a move, those near the start first. What cannot be reached from the start position is
/// left out.
#[derive(clap::Args)]
pub struct ExportArgs {
    /// The book; the embedded one when not given
    files: Vec<PathBuf>,
}

/// Turn a foreign book into one of ours
///
/// It is walked through from the start position on, the positions near it first. Says how many of the
/// file's rows are about positions that were reached; a row may be there and yet no move, because it is
/// illegal, has no weight or says the same as another. A damaged file is an error, and then nothing is
/// written.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hanxin book import other.obk --output my.book")]
pub struct ImportArgs {
    /// The book
    file: PathBuf,

    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Plies from the start position to go; the engine asks no book after 60 unless told to
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = value_parser!(u16).range(1..))]
    plies: u16,

    /// Positions to take at most
    #[arg(long, value_name = "N", default_value_t = 1_000_000,
        value_parser = value_parser!(u32).range(1..))]
    positions: u32,
}

pub fn export(args: &ExportArgs, out: &mut impl Write) -> Result<(), Error> {
    let book = super::read(&args.files)?;
    for known in Walk::new(&book) {
        out.write_all(known?.to_source().as_bytes())?;
    }
    Ok(())
}

pub fn import(args: &ImportArgs, out: &mut impl Write) -> Result<(), Error> {
    let book = super::read(std::slice::from_ref(&args.file))?;
    let mut builder = Builder::default();
    let (rows, mut reached) = (book.rows()?, 0);
    let mut job = LongJob::new(rows, 0);
    let walk = Walk::new(&book).plies(args.plies.into()).take(args.positions as usize);
    for known in walk {
        let Known { line, position, entries } = known?;
        for entry in entries {
            builder.add(&position, entry.mv, line.len(), entry.weight);
        }
        let here = book.rows_at(&position)?;
        reached += here;
        job.advance(here, format!("rows, {} plies deep", line.len()));
    }
    job.finish();
    let book = builder.build();
    super::write(&args.output, &book)?;
    writeln!(out, "{}, {reached} of {rows} rows reached", super::size(&book))?;
    Ok(())
}
