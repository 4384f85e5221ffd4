//! Our own book files: sorted records of sixteen bytes, searched by halving.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0–11 | `hanxin book\n` |
//! | 12–15 | version of the format, 1 |
//! | 16–23 | number of records |
//! | 24–31 | checksum: FNV-1a, 64 bits, of all records |
//! | then 16 a record | key 8, move 2, ply 2, weight 4 |
//!
//! Records come in rising order of key and move, each pair once. Key and move are those of
//! [`BookKey`], the move as [`Move::pack`] writes it. The ply is the least number of moves after
//! which the position was met; no weight is 0.

use super::key::BookKey;
use super::{BookFault, Entry};
use crate::board::Position;
use crate::types::Move;

/// The first bytes of a file.
pub const MAGIC: &[u8; 12] = b"hanxin book\n";

/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

const HEADER_BYTES: usize = 32;
const RECORD_BYTES: usize = 16;

/// One move in one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Of the position, see [`BookKey`].
    pub key: u64,
    /// As the book keeps it, see [`BookKey::fold`].
    pub mv: Move,
    /// Fewest moves of a line that led to the position.
    pub ply: u16,
    /// At least 1.
    pub weight: u32,
}

/// A book in memory, sorted by key and move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Compiled {
    records: Vec<Record>,
}

impl Compiled {
    /// The book that the binary carries. That it has no fault is a matter of a test.
    pub fn embedded() -> Compiled {
        Compiled::decode(include_bytes!("../../book/hanxin.book")).unwrap_or_default()
    }

    /// A book of these records, in any order.
    pub fn new(mut records: Vec<Record>) -> Compiled {
        records.sort_by_key(|record| (record.key, record.mv.pack()));
        debug_assert!(records.windows(2).all(|two| order(&two[0]) < order(&two[1])));
        Compiled { records }
    }

    /// The records in order.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// How many positions it knows.
    pub fn positions(&self) -> usize {
        self.records.chunk_by(|a, b| a.key == b.key).count()
    }

    /// The records of a position.
    pub fn records_at(&self, key: BookKey) -> &[Record] {
        let records = &self.records;
        let first = records.partition_point(|record| record.key < key.key);
        let count = records[first..].partition_point(|record| record.key == key.key);
        &records[first..first + count]
    }

    /// The moves known in the position that are legal.
    pub fn probe(&self, pos: &Position) -> Vec<Entry> {
        let key = BookKey::of(pos);
        self.records_at(key)
            .iter()
            .map(|record| Entry { mv: key.unfold(record.mv), weight: record.weight })
            .filter(|entry| pos.is_legal(entry.mv))
            .collect()
    }

    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + RECORD_BYTES * self.records.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.records.len() as u64).to_le_bytes());
        bytes.extend([0; 8]);
        for record in &self.records {
            bytes.extend(record.key.to_le_bytes());
            bytes.extend(record.mv.pack().to_le_bytes());
            bytes.extend(record.ply.to_le_bytes());
            bytes.extend(record.weight.to_le_bytes());
        }
        let checksum = fnv1a(&bytes[HEADER_BYTES..]);
        bytes[24..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The book of a file's bytes.
    ///
    /// # Errors
    /// They are no book of this version, or a damaged one; the fault says where.
    pub fn decode(bytes: &[u8]) -> Result<Compiled, BookFault> {
        let damaged = |offset: usize, what| BookFault::Damaged { offset: offset as u64, what };
        let short = || damaged(bytes.len(), "the file ends too early");
        let body = bytes.get(HEADER_BYTES..).ok_or_else(short)?;
        if !bytes.starts_with(MAGIC) {
            return Err(BookFault::UnknownKind);
        }
        if u32::from_le_bytes(array(bytes, 12)) != VERSION {
            return Err(damaged(12, "another version of the format"));
        }
        let (count, checksum) =
            (u64::from_le_bytes(array(bytes, 16)), u64::from_le_bytes(array(bytes, 24)));
        let length = count.saturating_mul(RECORD_BYTES as u64);
        match length.cmp(&(body.len() as u64)) {
            std::cmp::Ordering::Greater => return Err(short()),
            std::cmp::Ordering::Less => {
                return Err(damaged(HEADER_BYTES + length as usize, "more than all records"));
            }
            std::cmp::Ordering::Equal => {}
        }
        if fnv1a(body) != checksum {
            return Err(damaged(24, "the checksum is another"));
        }
        let mut records: Vec<Record> = Vec::with_capacity(body.len() / RECORD_BYTES);
        for (index, bytes) in body.chunks_exact(RECORD_BYTES).enumerate() {
            let offset = HEADER_BYTES + index * RECORD_BYTES;
            let mv = Move::unpack(u16::from_le_bytes(array(bytes, 8)))
                .ok_or_else(|| damaged(offset + 8, "no move"))?;
            let record = Record {
                key: u64::from_le_bytes(array(bytes, 0)),
                mv,
                ply: u16::from_le_bytes(array(bytes, 10)),
                weight: u32::from_le_bytes(array(bytes, 12)),
            };
            if record.weight == 0 {
                return Err(damaged(offset + 12, "a weight of 0"));
            }
            if records.last().is_some_and(|last| order(last) >= order(&record)) {
                return Err(damaged(offset, "records out of order"));
            }
            records.push(record);
        }
        Ok(Compiled { records })
    }
}

fn order(record: &Record) -> (u64, u16) {
    (record.key, record.mv.pack())
}

/// `N` bytes from `at` on; zeros where there are none.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
}

/// The checksum of Fowler, Noll and Vo (public domain).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn record(key: u64, mv: &str) -> Record {
        Record { key, mv: mv.parse().unwrap(), ply: 3, weight: 70_000 }
    }

    fn book() -> Compiled {
        Compiled::new(vec![record(u64::MAX, "h2e2"), record(5, "h2e2"), record(5, "a0a1")])
    }

    #[test]
    fn files_round_trip() {
        let book = book();
        assert_eq!(book.records()[0], record(5, "a0a1"));
        assert_eq!(book.positions(), 2);
        assert_eq!(book.encode().len(), HEADER_BYTES + 3 * RECORD_BYTES);
        assert_eq!(Compiled::decode(&book.encode()).unwrap(), book);
        let empty = Compiled::default();
        assert_eq!(Compiled::decode(&empty.encode()).unwrap(), empty);
    }

    #[test]
    fn faults_say_where() {
        let fault = |bytes: &[u8]| Compiled::decode(bytes).unwrap_err().to_string();
        let good = book().encode();
        assert_eq!(fault(b"hanxin book\n"), "damaged at byte 12: the file ends too early");
        assert_eq!(fault(&good[..79]), "damaged at byte 79: the file ends too early");
        assert_eq!(fault(&[&good[..], &[0]].concat()), "damaged at byte 80: more than all records");
        assert_eq!(fault(&[b'x'; 100]), "no kind of book that is known");
        let spoiled = |at: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[at] = value;
            fault(&bytes)
        };
        assert_eq!(spoiled(12, 2), "damaged at byte 12: another version of the format");
        assert_eq!(spoiled(40, 0), "damaged at byte 24: the checksum is another");
        // Records that a checksum covers may still be nonsense.
        let sealed = |records: Vec<Record>| fault(&Compiled { records }.encode());
        let (first, second) = (record(5, "a0a1"), record(5, "h2e2"));
        assert_eq!(sealed(vec![second, first]), "damaged at byte 48: records out of order");
        assert_eq!(sealed(vec![first, first]), "damaged at byte 48: records out of order");
        let weightless = Record { weight: 0, ..first };
        assert_eq!(sealed(vec![weightless]), "damaged at byte 44: a weight of 0");
        let mut bytes = good.clone();
        bytes[40..42].fill(0xff);
        let checksum = fnv1a(&bytes[HEADER_BYTES..]).to_le_bytes();
        bytes[24..32].copy_from_slice(&checksum);
        assert_eq!(fault(&bytes), "damaged at byte 40: no move");
    }

    #[test]
    fn moves_come_as_the_position_has_them() {
        let mut pos = Position::startpos();
        pos.play("h0g2".parse().unwrap()).unwrap();
        let key = BookKey::of(&pos);
        let known = |mv: &str| {
            let mv = key.fold(mv.parse().unwrap());
            Record { key: key.key, mv, ply: 1, weight: 2 }
        };
        // The second is no legal move there.
        let book = Compiled::new(vec![known("h9g7"), known("e9e4")]);
        let moves = |pos: &Position| -> Vec<String> {
            book.probe(pos).iter().map(|entry| entry.mv.to_string()).collect()
        };
        assert_eq!(moves(&pos), ["h9g7"]);
        let mut mirrored = Position::startpos();
        mirrored.play("b0c2".parse().unwrap()).unwrap();
        assert_eq!(moves(&mirrored), ["b9c7"]);
        assert!(moves(&Position::startpos()).is_empty());
    }
}
