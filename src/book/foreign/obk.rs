//! The books `.obk` of 兵河五四 and `.pfBook` of 鹏飞象棋: SQLite tables `bhobk` and `pfBook`.
//!
//! A row is a move: `vkey` the position, `vmove` the source times 256 plus the target (see
//! [`grid`]), `vscore`, `vwin`, `vdraw` and `vlost` what is known of it, `vvalid` 1 unless it has
//! been struck out. The key is the exclusive or of a number for each man on its square and, when
//! Red is to move, one more. A position may be in the table as it is, mirrored, or as both.
//!
//! Some writers keep a key with the top bit set as the floating-point number of the same bits, and
//! leave an index behind in which such keys, and others beside them, are not found.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::sqlite::{self, Row};
use super::{Finds, grid, images};
use crate::board::Position;
use crate::book::{BookFault, Entry};
use crate::types::{Color, Move, Square};

/// The tables such a book may have; all else is the same.
pub const TABLES: [&str; 2] = ["bhobk", "pfBook"];

/// In when Red is to move.
const RED_TO_MOVE: u64 = 0xa0ce_2af9_0c45_2f58;

/// The numbers of the format: pieces in the order of [`Piece::ALL`](crate::types::Piece::ALL),
/// squares as a FEN lists them, `a9` first.
#[rustfmt::skip]
static NUMBERS: [[u64; 90]; 14] = include!("obk_keys.in");

/// An open book.
#[derive(Debug)]
pub struct Obk {
    connection: Connection,
    table: &'static str,
    query: String,
}

impl Obk {
    /// A book in the table of that name.
    ///
    /// # Errors
    /// The table lacks a column, or the database is damaged.
    pub fn new(connection: Connection, table: &'static str) -> Result<Obk, BookFault> {
        let columns = "vkey, vmove, vscore, vwin, vdraw, vvalid";
        let table = sqlite::searchable(&connection, table, "vkey", columns)?;
        let query = format!(
            "SELECT vmove, vscore, vwin, vdraw FROM {table} \
             WHERE vkey IN (?1, ?2) AND vvalid = 1"
        );
        connection.prepare(&query)?;
        Ok(Obk { connection, table, query })
    }

    /// The moves known in the position.
    ///
    /// # Errors
    /// The database is damaged.
    pub fn probe(&self, pos: &Position) -> Result<Vec<Entry>, BookFault> {
        let mut finds = Finds::new(pos);
        let mut rows = Vec::new();
        for &mirrored in images(pos) {
            rows.extend(self.find(pos, mirrored)?);
        }
        rows.retain(|row| finds.is_legal(row.mv));
        for (mv, weight) in sqlite::weights(&rows) {
            finds.add(mv, weight);
        }
        Ok(finds.into_entries())
    }

    /// How many rows the table has, those that are struck out aside.
    ///
    /// # Errors
    /// The database is damaged.
    pub fn rows(&self) -> Result<u64, BookFault> {
        sqlite::count(&self.connection, self.table, "vvalid = 1", [])
    }

    /// How many of them are about the position or its mirror image.
    ///
    /// # Errors
    /// The database is damaged.
    pub fn rows_at(&self, pos: &Position) -> Result<u64, BookFault> {
        let [(a, b), (c, d)] = [false, true].map(|mirrored| stored_forms(key(pos, mirrored)));
        let about_it = "vvalid = 1 AND vkey IN (?1, ?2, ?3, ?4)";
        sqlite::count(&self.connection, self.table, about_it, (a, b, c, d))
    }

    fn find(&self, pos: &Position, mirrored: bool) -> Result<Vec<Row>, BookFault> {
        let key = key(pos, mirrored);
        let decode = |number| decode_move(number, mirrored);
        sqlite::rows(&self.connection, &self.query, stored_forms(key), decode)
    }
}

/// The key as writers of books store it: an integer, or, with the top bit set, perhaps a float.
fn stored_forms(key: u64) -> (Value, Value) {
    let integer = Value::Integer(key.cast_signed());
    let top_bit = key >> 63 != 0;
    (integer.clone(), if top_bit { Value::Real(f64::from_bits(key)) } else { integer })
}

/// The key of the position or of its mirror image.
fn key(pos: &Position, mirrored: bool) -> u64 {
    let side = if pos.side_to_move() == Color::Red { RED_TO_MOVE } else { 0 };
    Square::ALL.iter().fold(side, |key, &square| match pos.piece_on(square) {
        Some(piece) => {
            let seen = if mirrored { square.mirror() } else { square };
            key ^ NUMBERS[piece.index()][seen.flip().index()]
        }
        None => key,
    })
}

fn decode_move(number: u16, mirrored: bool) -> Option<Move> {
    let [from, to] = number.to_be_bytes();
    let mv = Move::new(grid::square(from)?, grid::square(to)?);
    Some(if mirrored { mv.mirror() } else { mv })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_other_programs() {
        let start = Position::startpos();
        assert_eq!(key(&start, false), 0x628d_04d7_c9c1_44ae, "as PikaDesk tests it");
        assert_eq!(key(&start, true), key(&start, false));
        let mut pos = start;
        pos.play("h2e2".parse().unwrap()).unwrap();
        // From here on computed with the PyPI package cchess.
        assert_eq!(key(&pos, false), 0xa1ea_d1f6_470e_07ee);
        assert_eq!(key(&pos, true), 0x29d4_30b1_d3af_9b9e);
        pos.play("h9g7".parse().unwrap()).unwrap();
        assert_eq!(key(&pos, false), 0x377a_45b3_f4da_aee9);
    }
}
