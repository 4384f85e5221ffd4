//! `hanxin book build`: from text to the file that the engine reads.

use std::io::Write;
use std::path::PathBuf;

use super::super::Error;

/// Compile a book from its text
///
/// The same text gives the same bytes, whatever the order of lines and files. A line that cannot be
/// read is named by file, line and column, and then nothing is written.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hanxin book build book --output book/hanxin.book")]
pub struct Args {
    /// Text files, or folders of them (*.txt, less ecco.txt)
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    let book = super::read_texts(&args.files)?;
    super::write(&args.output, &book)?;
    writeln!(out, "{}", super::size(&book))?;
    Ok(())
}
