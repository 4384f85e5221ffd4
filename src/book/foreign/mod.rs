//! Opening books of other programs, read where they lie.
//!
//! `docs/foreign-books.md` describes the kinds, and says where what is known of each comes from.

mod elephant_eye;
mod grid;
mod obk;
mod sqlite;
mod xqb;

use std::io::Read;
use std::path::Path;

use self::elephant_eye::ElephantEye;
use self::obk::Obk;
use self::xqb::Xqb;
use super::key::BookKey;
use super::{BookError, BookFault, Entry};
use crate::board::{KingGuard, Position};
use crate::files;
use crate::types::Move;

/// An open book of another program.
#[derive(Debug)]
pub struct Foreign {
    file: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    ElephantEye(ElephantEye),
    Obk(Obk),
    Xqb(Xqb),
}

impl Foreign {
    /// Opens a file. What is in it says of which kind it is, whatever its name.
    ///
    /// # Errors
    /// It cannot be read, is of no known kind, or is damaged.
    pub fn open(path: &Path) -> Result<Foreign, BookFault> {
        Ok(Foreign { file: path.display().to_string(), kind: open(path)? })
    }

    /// The moves known in the position, all of them legal, each once.
    ///
    /// # Errors
    /// The file turns out to be damaged where the position is looked up.
    pub fn probe(&self, pos: &Position) -> Result<Vec<Entry>, BookError> {
        let entries = match &self.kind {
            Kind::ElephantEye(book) => Ok(book.probe(pos)),
            Kind::Obk(book) => book.probe(pos),
            Kind::Xqb(book) => book.probe(pos),
        };
        entries.map_err(|fault| self.error(fault))
    }

    /// How many rows the file has, those that are struck out aside.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn rows(&self) -> Result<u64, BookError> {
        let rows = match &self.kind {
            Kind::ElephantEye(book) => Ok(book.rows()),
            Kind::Obk(book) => book.rows(),
            Kind::Xqb(book) => book.rows(),
        };
        rows.map_err(|fault| self.error(fault))
    }

    /// How many of these rows are about the position or its mirror image.
    ///
    /// # Errors
    /// The file turns out to be damaged where the position is looked up.
    pub fn rows_at(&self, pos: &Position) -> Result<u64, BookError> {
        let rows = match &self.kind {
            Kind::ElephantEye(book) => Ok(book.rows_at(pos)),
            Kind::Obk(book) => book.rows_at(pos),
            Kind::Xqb(book) => book.rows_at(pos),
        };
        rows.map_err(|fault| self.error(fault))
    }

    fn error(&self, fault: BookFault) -> BookError {
        BookError { file: self.file.clone(), fault }
    }
}

fn open(path: &Path) -> Result<Kind, BookFault> {
    let mut bytes = Vec::new();
    let mut file = files::open(path)?.take(elephant_eye::MAX_LEN + 1);
    file.by_ref().take(sqlite::HEADER.len() as u64).read_to_end(&mut bytes)?;
    if bytes == sqlite::HEADER {
        return open_database(path);
    }
    file.read_to_end(&mut bytes)?;
    ElephantEye::decode(&bytes).map(Kind::ElephantEye)
}

fn open_database(path: &Path) -> Result<Kind, BookFault> {
    let connection = sqlite::open(path)?;
    if let Some(table) = sqlite::find_table(&connection, &obk::TABLES)? {
        return Ok(Kind::Obk(Obk::new(connection, table)?));
    }
    match sqlite::find_table(&connection, &[xqb::TABLE])? {
        Some(_) => Ok(Kind::Xqb(Xqb::new(connection)?)),
        None => Err(BookFault::NoTable),
    }
}

/// Whether to look the mirror image up, for each look-up that a position needs. One that is its own
/// mirror image has one key, under which all its moves stand: a second look-up would count them twice.
fn images(pos: &Position) -> &'static [bool] {
    if BookKey::of(pos).is_symmetric() { &[false] } else { &[false, true] }
}

/// Gathers the moves of one position: legal ones only, each once, with the greatest weight it was
/// found with. Keys are numbers and may be those of another position, so a find may be illegal.
struct Finds<'a> {
    pos: &'a Position,
    guard: KingGuard,
    entries: Vec<Entry>,
}

impl<'a> Finds<'a> {
    fn new(pos: &'a Position) -> Finds<'a> {
        Finds { pos, guard: KingGuard::new(pos), entries: Vec::new() }
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.pos.is_pseudo_legal(mv) && self.guard.is_legal(self.pos, mv)
    }

    /// Adds a move; the weight 0 means that it is not to be played.
    fn add(&mut self, mv: Move, weight: u32) {
        if weight == 0 || !self.is_legal(mv) {
            return;
        }
        match self.entries.iter_mut().find(|entry| entry.mv == mv) {
            Some(entry) => entry.weight = entry.weight.max(weight),
            None => self.entries.push(Entry { mv, weight }),
        }
    }

    fn into_entries(self) -> Vec<Entry> {
        self.entries
    }
}
