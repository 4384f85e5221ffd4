//! ElephantEye's `BOOK.DAT`, which XQWizard and its relatives read too.
//!
//! Records of eight bytes, least byte first: the lock of a position (4), a move (2) and its weight
//! (2), in the order of the locks. A move is its source plus 256 times its target, see
//! [`grid`]. A position and its mirror image have one entry, under either lock.
//!
//! The lock is the exclusive or of a number for each man on its square and, when Black is to move,
//! one more. The numbers are drawn from the RC4 stream of the key 00 00 00 00, twelve bytes each,
//! of which the last four count: first the one for Black to move, then 256 for each piece.

use super::{Finds, grid, images};
use crate::board::Position;
use crate::book::{BookFault, Entry};
use crate::types::{Color, Move, Piece, Square};

/// Bytes of a record.
const RECORD: usize = 8;

/// Longest file that is read: eight million moves, a hundred times the books known.
pub const MAX_LEN: u64 = 64 << 20;

/// A book in memory.
#[derive(Debug)]
pub struct ElephantEye {
    locks: Box<Locks>,
    records: Vec<Record>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    lock: u32,
    mv: u16,
    weight: u16,
}

impl ElephantEye {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// They are too many, no whole records, or records out of order: then this is something else,
    /// for the file has no mark of its own.
    pub fn decode(bytes: &[u8]) -> Result<ElephantEye, BookFault> {
        if bytes.len() as u64 > MAX_LEN {
            return Err(BookFault::UnknownKind);
        }
        let (records, rest) = bytes.as_chunks::<RECORD>();
        let records: Vec<Record> = records.iter().map(Record::decode).collect();
        if records.is_empty() || !rest.is_empty() || !records.is_sorted_by_key(|r| r.lock) {
            return Err(BookFault::UnknownKind);
        }
        Ok(ElephantEye { locks: Box::new(Locks::generate()), records })
    }

    /// The moves known in the position, with the weights of the file.
    pub fn probe(&self, pos: &Position) -> Vec<Entry> {
        let mut finds = Finds::new(pos);
        for &mirrored in images(pos) {
            for record in self.records_at(self.locks.of(pos, mirrored)) {
                if let Some(mv) = decode_move(record.mv) {
                    finds.add(if mirrored { mv.mirror() } else { mv }, record.weight.into());
                }
            }
        }
        finds.into_entries()
    }

    /// How many records the file has.
    pub fn rows(&self) -> u64 {
        self.records.len() as u64
    }

    /// How many of them are about the position or its mirror image.
    pub fn rows_at(&self, pos: &Position) -> u64 {
        let locks = images(pos).iter().map(|&mirrored| self.locks.of(pos, mirrored));
        locks.map(|lock| self.records_at(lock).len() as u64).sum()
    }

    fn records_at(&self, lock: u32) -> &[Record] {
        let first = self.records.partition_point(|record| record.lock < lock);
        let records = &self.records[first..];
        &records[..records.partition_point(|record| record.lock == lock)]
    }
}

impl Record {
    fn decode(&[a, b, c, d, e, f, g, h]: &[u8; RECORD]) -> Record {
        Record {
            lock: u32::from_le_bytes([a, b, c, d]),
            mv: u16::from_le_bytes([e, f]),
            weight: u16::from_le_bytes([g, h]),
        }
    }
}

fn decode_move(number: u16) -> Option<Move> {
    let [from, to] = number.to_le_bytes();
    Some(Move::new(grid::square(from)?, grid::square(to)?))
}

#[derive(Debug)]
struct Locks {
    black_to_move: u32,
    pieces: [[u32; 90]; 14],
}

impl Locks {
    fn generate() -> Locks {
        let mut stream = Rc4::new();
        let mut next = || {
            let mut bytes = [0; 12];
            bytes.fill_with(|| stream.next_byte());
            let [.., a, b, c, d] = bytes;
            u32::from_le_bytes([a, b, c, d])
        };
        let mut locks = Locks { black_to_move: next(), pieces: [[0; 90]; 14] };
        for piece in Piece::ALL {
            for number in 0..=u8::MAX {
                let lock = next();
                if let Some(square) = grid::square(number) {
                    locks.pieces[piece.index()][square.index()] = lock;
                }
            }
        }
        locks
    }

    /// The lock of the position or of its mirror image.
    fn of(&self, pos: &Position, mirrored: bool) -> u32 {
        let side = if pos.side_to_move() == Color::Black { self.black_to_move } else { 0 };
        Square::ALL.iter().fold(side, |lock, &square| match pos.piece_on(square) {
            Some(piece) => {
                let seen = if mirrored { square.mirror() } else { square };
                lock ^ self.pieces[piece.index()][seen.index()]
            }
            None => lock,
        })
    }
}

/// The stream cipher RC4 under a key of zeros.
struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    fn new() -> Rc4 {
        let mut state = [0; 256];
        let mut j: u8 = 0;
        for (byte, i) in state.iter_mut().zip(0..=u8::MAX) {
            *byte = i;
        }
        for i in 0..256 {
            j = j.wrapping_add(state[i]);
            state.swap(i, j.into());
        }
        Rc4 { state, i: 0, j: 0 }
    }

    fn next_byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        let (i, a) = (usize::from(self.i), self.state[usize::from(self.i)]);
        self.j = self.j.wrapping_add(a);
        let b = self.state[usize::from(self.j)];
        self.state.swap(i, self.j.into());
        self.state[usize::from(a.wrapping_add(b))]
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_a_zero_key() {
        let mut stream = Rc4::new();
        let bytes: Vec<u8> = (0..8).map(|_| stream.next_byte()).collect();
        assert_eq!(bytes, [0xde, 0x18, 0x89, 0x41, 0xa3, 0x37, 0x5d, 0x3a], "as published");
    }

    /// The numbers of XQWLight's book, in which locks are halved.
    #[test]
    fn locks_are_those_of_real_books() {
        let locks = Locks::generate();
        let of = |moves: &str, mirrored| {
            let mut pos = Position::startpos();
            for mv in moves.split_whitespace() {
                pos.play(mv.parse().unwrap()).unwrap();
            }
            locks.of(&pos, mirrored) >> 1
        };
        assert_eq!((of("", false), of("", true)), (43_199_338, 43_199_338));
        assert_eq!((of("b2e2", false), of("h2e2", true)), (701_182_503, 701_182_503));
        assert_eq!(of("b2d2 a9a8", false), 45_310_802);
    }
}
