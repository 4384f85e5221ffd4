//! The book `.xqb` of github.com/fisherfan/xqbook: an SQLite table `book`.
//!
//! A row is a move: `key` the position, `move`, `score`, `win`, `draw` and `lost` what is known of
//! it, `valid` 1 unless it has been struck out.
//!
//! The key spells the position out, square by square from the far left corner as the side to move
//! sees it: the bit 0 for an empty square, the bit 1 and four more for a man, zeros up to a whole
//! byte. Of a position and its mirror image the one is kept that has the greater man (no man is
//! least) on the left where they first differ. A move is four hexadecimal digits in that view: row
//! and column of the source, row and column of the target.

use std::cmp::Ordering;

use rusqlite::Connection;

use super::{Finds, sqlite};
use crate::board::Position;
use crate::book::{BookFault, Entry};
use crate::types::{Color, Move, Piece, PieceType, Square};

/// The table of the moves.
pub const TABLE: &str = "book";

/// An open book.
#[derive(Debug)]
pub struct Xqb {
    connection: Connection,
    table: &'static str,
    query: String,
}

impl Xqb {
    /// The book in the table [`TABLE`].
    ///
    /// # Errors
    /// The table lacks a column, or the database is damaged.
    pub fn new(connection: Connection) -> Result<Xqb, BookFault> {
        let columns = "key, move, score, win, draw, valid";
        let table = sqlite::searchable(&connection, TABLE, "key", columns)?;
        let query =
            format!("SELECT move, score, win, draw FROM {table} WHERE key = ?1 AND valid = 1");
        connection.prepare(&query)?;
        Ok(Xqb { connection, table, query })
    }

    /// The moves known in the position.
    ///
    /// # Errors
    /// The database is damaged.
    pub fn probe(&self, pos: &Position) -> Result<Vec<Entry>, BookFault> {
        let mut finds = Finds::new(pos);
        let view = View::of(pos);
        let decode = |number| view.decode_move(number);
        let mut rows = sqlite::rows(&self.connection, &self.query, [view.key(pos)], decode)?;
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
        sqlite::count(&self.connection, self.table, "valid = 1", [])
    }

    /// How many of them are about the position or its mirror image.
    ///
    /// # Errors
    /// The database is damaged.
    pub fn rows_at(&self, pos: &Position) -> Result<u64, BookFault> {
        let key = View::of(pos).key(pos);
        sqlite::count(&self.connection, self.table, "valid = 1 AND key = ?1", [key])
    }
}

/// How a book sees a position: from the side to move, in one of two mirror images.
#[derive(Clone, Copy)]
struct View {
    side: Color,
    mirrored: bool,
}

impl View {
    fn of(pos: &Position) -> View {
        let plain = View { side: pos.side_to_move(), mirrored: false };
        let man = |row, column| plain.square(row, column).and_then(|sq| plain.code_on(pos, sq));
        let halves = (0..10).flat_map(|row| (0..4).map(move |column| (row, column)));
        let first_difference = halves
            .map(|(row, column)| man(row, 8 - column).cmp(&man(row, column)))
            .find(|order| order.is_ne());
        View { mirrored: first_difference == Some(Ordering::Greater), ..plain }
    }

    /// The square in that row from the far side and that column from the left.
    fn square(self, row: i32, column: i32) -> Option<Square> {
        let column = if self.mirrored { 8 - column } else { column };
        match self.side {
            Color::Red => Square::at(column, 9 - row),
            Color::Black => Square::at(8 - column, row),
        }
    }

    fn code_on(self, pos: &Position, square: Square) -> Option<u8> {
        pos.piece_on(square).map(|piece| self.code(piece))
    }

    fn code(self, piece: Piece) -> u8 {
        let kind = match piece.kind() {
            PieceType::Rook => 1,
            PieceType::Knight => 2,
            PieceType::Bishop => 3,
            PieceType::Advisor => 4,
            PieceType::King => 5,
            PieceType::Cannon => 6,
            PieceType::Pawn => 7,
        };
        if piece.color() == self.side { kind } else { kind + 8 }
    }

    fn key(self, pos: &Position) -> Vec<u8> {
        let mut bits = Bits::default();
        for index in 0..90 {
            match self.square(index / 9, index % 9).and_then(|square| self.code_on(pos, square)) {
                Some(code) => bits.push(1 << 4 | code, 5),
                None => bits.push(0, 1),
            }
        }
        bits.bytes
    }

    fn decode_move(self, number: u16) -> Option<Move> {
        let square = |byte: u8| self.square((byte >> 4).into(), (byte & 15).into());
        let [from, to] = number.to_be_bytes();
        Some(Move::new(square(from)?, square(to)?))
    }
}

/// Bits packed into bytes, the first the highest.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    /// Appends the lowest `count` bits of a number.
    fn push(&mut self, number: u8, count: u32) {
        for shift in (0..count).rev() {
            if self.len.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= (number >> shift & 1) << (7 - self.len % 8);
            }
            self.len += 1;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The key of the position after those moves, in hexadecimal.
    fn key(moves: &str) -> String {
        let mut pos = Position::startpos();
        for mv in moves.split_whitespace() {
            pos.play(mv.parse().unwrap()).unwrap();
        }
        View::of(&pos).key(&pos).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn keys_are_those_of_the_format() {
        let start = "ceb7cef37ac801e079f7df7df00002ebaebaeb02c004653a56939440";
        assert_eq!(key(""), start, "from the book that comes with xqbook");
        // The rest was computed by a program of its own.
        let central = "ceb7cef37ac801e3c1f7df7df00002ebaebaeb02c004653a56939440";
        assert_eq!((key("h2e2"), key("b2e2")), (central.into(), central.into()));
        let screen = "ceb7cef36c801e0d79f7df7df00002ebaebaeb160004653a56939440";
        assert_eq!((key("h2e2 h9g7"), key("b2e2 b9c7")), (screen.into(), screen.into()));
    }

    #[test]
    fn moves_are_seen_by_the_side_to_move() {
        let red = View { side: Color::Red, mirrored: false };
        assert_eq!(red.decode_move(0x7774), "h2e2".parse().ok(), "炮二平五");
        assert_eq!(red.decode_move(0x6656), "g3g4".parse().ok(), "兵三进一");
        let black = View { side: Color::Black, mirrored: false };
        assert_eq!(black.decode_move(0x7774), "b7e7".parse().ok(), "炮２平５");
        let mirrored = View { side: Color::Red, mirrored: true };
        assert_eq!(mirrored.decode_move(0x7774), "b2e2".parse().ok());
        assert_eq!(red.decode_move(0xa774), None);
        assert_eq!(red.decode_move(0x7974), None);
    }
}
