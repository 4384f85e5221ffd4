//! `hanxin book`: what opening books know, and making them.

mod build;
mod check;
mod export;
mod make;
mod stats;

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use hanxin::book::{Book, Builder, Compiled, source};
use hanxin::files;
use hanxin::record::encoding::decode;

use super::Error;

/// Build, check and look through opening books
///
/// docs/book.md describes the text that books are built from and the kinds of files.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Build(build::Args),
    Check(check::Args),
    Export(export::ExportArgs),
    Import(export::ImportArgs),
    Make(make::Args),
    Stats(stats::Args),
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    match &args.command {
        Command::Build(args) => build::run(args, out),
        Command::Check(args) => check::run(args, out),
        Command::Export(args) => export::export(args, out),
        Command::Import(args) => export::import(args, out),
        Command::Make(args) => make::run(args, out),
        Command::Stats(args) => stats::run(args, out),
    }
}

/// Name of the file of openings' names, which stands among the texts of a book and is none.
const NAMES: &str = "ecco.txt";

/// The book of some files: text, folders of text, or one book that is built already. Without files
/// it is the one that the binary carries.
fn read(files: &[PathBuf]) -> Result<Book, Error> {
    match files {
        [] => Ok(Book::Compiled(Compiled::embedded())),
        [file] if file.is_file() && !is_text(file) => Ok(Book::open(file)?),
        _ => read_texts(files).map(Book::Compiled),
    }
}

/// So many faults of a text are shown, and the number of the others.
const FAULTS_SHOWN: usize = 20;

/// Builds a book from text files, and from those of folders. The first faults are said.
fn read_texts(files: &[PathBuf]) -> Result<Compiled, Error> {
    let mut builder = Builder::default();
    let mut faults = 0;
    for file in texts(files)? {
        let name = file.display();
        let text = read_file(&file)
            .map_err(|cause| Error::Usage(format!("cannot read {name}: {cause}")))?;
        let text = decode(&text);
        if text.contains('\0') {
            return Err(Error::Usage(format!("{name} is no text; is it a built book?")));
        }
        for line in source::lines(&text) {
            match line {
                Ok(line) => builder.add_line(&line),
                Err(fault) => {
                    faults += 1;
                    if faults <= FAULTS_SHOWN {
                        eprintln!("{name}:{fault}");
                    }
                }
            }
        }
    }
    if faults > FAULTS_SHOWN {
        eprintln!("... and {} more", faults - FAULTS_SHOWN);
    }
    match faults {
        0 => Ok(builder.build()),
        1 => Err(Error::Failed("a line of the book could not be read".to_owned())),
        n => Err(Error::Failed(format!("{n} lines of the book could not be read"))),
    }
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    files::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The files themselves, and the texts in those that are folders.
fn texts(files: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for file in files {
        if !file.is_dir() {
            found.push(file.clone());
            continue;
        }
        let cannot_read = |cause| Error::Usage(format!("cannot read {}: {cause}", file.display()));
        for entry in fs::read_dir(file).map_err(cannot_read)? {
            let path = entry.map_err(cannot_read)?.path();
            if is_text(&path) && path.file_name().is_some_and(|name| name != NAMES) {
                found.push(path);
            }
        }
    }
    Ok(found)
}

fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|name| name.eq_ignore_ascii_case("txt"))
}

/// Writes a book as a whole or not at all.
fn write(path: &Path, book: &Compiled) -> Result<(), Error> {
    if book.records().is_empty() {
        return Err(Error::Failed(format!("no move to write into {}", path.display())));
    }
    files::replace(path, &book.encode())
        .map_err(|cause| Error::Failed(format!("cannot write {}: {cause}", path.display())))
}

/// How much is in a book, for a last line.
fn size(book: &Compiled) -> String {
    let (positions, moves) = (book.positions(), book.records().len());
    let (position, mv) = (plural(positions, "position"), plural(moves, "move"));
    format!("{positions} {position}, {moves} {mv}")
}

/// The noun as it stands behind a number.
fn plural(count: usize, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { format!("{noun}s") }
}
