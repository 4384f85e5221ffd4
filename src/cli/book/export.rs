//! `hanxin book export` and `hanxin book import`: books as text, and foreign books as ours.

use std::io::Write;
use std::path::PathBuf;

use hanxin::book::{Builder, Walk};

use super::super::{Error, progress};

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
/// It is walked through from the start position on; what cannot be reached from there is left out.
#[derive(clap::Args)]
pub struct ImportArgs {
    /// The book
    file: PathBuf,

    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
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
    let spinner = progress::counter("positions");
    for known in Walk::new(&book) {
        let known = known?;
        for entry in &known.entries {
            builder.add(&known.position, entry.mv, known.line.len(), entry.weight);
        }
        spinner.inc(1);
    }
    spinner.finish_and_clear();
    let book = builder.build();
    super::write(&args.output, &book)?;
    writeln!(out, "{}", super::size(&book))?;
    Ok(())
}
