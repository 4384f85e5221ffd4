//! Opening books: which moves are known in a position, and how often each is to be played.
//!
//! A book is asked for a position and answers with legal moves and their weights. Positions are
//! known by their own key, see [`key`], under which a position and its left-right mirror image
//! are one. `docs/book.md` describes the files.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod builder;
pub mod check;
pub mod compiled;
pub mod ecco;
pub mod foreign;
pub mod key;
pub mod make;
pub mod shelf;
pub mod source;
pub mod walk;

use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use crate::board::Position;
use crate::files;
use crate::types::Move;
pub use builder::Builder;
pub use compiled::Compiled;
pub use ecco::{Ecco, Opening};
pub use foreign::Foreign;
use key::BookKey;
pub use shelf::{BookOptions, Shelf};
pub use walk::Walk;

/// A move that a book knows in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The move, legal in the position asked for.
    pub mv: Move,
    /// How often it is to be played beside the other moves of the position, at least 1.
    pub weight: u32,
}

/// A file is no book, or a damaged one.
#[derive(Debug, Error)]
#[error("book {}: {fault}", end_of(file))]
pub struct BookError {
    /// Its name.
    pub file: String,
    /// What is wrong.
    pub fault: BookFault,
}

/// The last letters of a name: the reason that follows has to fit on the line too.
fn end_of(name: &str) -> String {
    const LETTERS: usize = 120;
    match name.chars().count().saturating_sub(LETTERS) {
        0 => name.to_owned(),
        more => format!("...{}", name.chars().skip(more).collect::<String>()),
    }
}

/// What is wrong with a book.
#[derive(Debug, Error)]
pub enum BookFault {
    /// The file cannot be read, or is a folder, a device or a pipe.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file begins like no kind of book.
    #[error("no kind of book that is known")]
    UnknownKind,
    /// A book of a known kind that holds what it must not.
    #[error("damaged at byte {offset}: {what}")]
    Damaged {
        /// From the beginning of the file.
        offset: u64,
        /// In a few words.
        what: &'static str,
    },
    /// A database that is no book.
    #[error("a database without a table of moves (bhobk, pfBook or book)")]
    NoTable,
    /// A database that other programs do not take for a book either.
    #[error("its table {table} has no column {column}")]
    NoColumn {
        /// The table of moves.
        table: &'static str,
        /// What it lacks.
        column: String,
    },
    /// A database whose last changes are in a file beside it, SQLite's write-ahead log.
    #[error("changes wait in {0}: open it in the program that wrote it and close it there")]
    Unmerged(String),
    /// A database that is damaged, or holds something else than it should.
    #[error("database: {0}")]
    Database(#[from] rusqlite::Error),
}

/// An open book.
#[derive(Debug)]
pub enum Book {
    /// Our own kind of file.
    Compiled(Compiled),
    /// The file of another program.
    Foreign(Foreign),
}

impl Book {
    /// Opens a file; its first bytes say of which kind it is.
    ///
    /// # Errors
    /// It cannot be read, is of no known kind, or is damaged.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        open(path).map_err(|fault| BookError { file: path.display().to_string(), fault })
    }

    /// The moves known in the position, all of them legal, each once.
    ///
    /// # Errors
    /// The file turns out to be damaged where the position is looked up.
    pub fn probe(&self, pos: &Position) -> Result<Vec<Entry>, BookError> {
        match self {
            Book::Compiled(book) => Ok(book.probe(pos)),
            Book::Foreign(book) => book.probe(pos),
        }
    }

    /// How many rows the file has, those that are struck out aside.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn rows(&self) -> Result<u64, BookError> {
        match self {
            Book::Compiled(book) => Ok(book.records().len() as u64),
            Book::Foreign(book) => book.rows(),
        }
    }

    /// How many of these rows are about the position or its mirror image, whether or not their moves
    /// can be played.
    ///
    /// # Errors
    /// The file turns out to be damaged where the position is looked up.
    pub fn rows_at(&self, pos: &Position) -> Result<u64, BookError> {
        match self {
            Book::Compiled(book) => Ok(book.records_at(BookKey::of(pos)).len() as u64),
            Book::Foreign(book) => book.rows_at(pos),
        }
    }
}

fn open(path: &Path) -> Result<Book, BookFault> {
    let mut head = Vec::new();
    files::open(path)?.take(compiled::MAGIC.len() as u64).read_to_end(&mut head)?;
    if head == compiled::MAGIC {
        return Ok(Book::Compiled(Compiled::decode(&std::fs::read(path)?)?));
    }
    Foreign::open(path).map(Book::Foreign)
}
