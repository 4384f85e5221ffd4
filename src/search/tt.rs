//! The transposition table: what earlier searches found out about a position.
//!
//! Lockless: an entry is two words, the data and the key XOR the data. A reader that meets a
//! half-written entry computes a key that does not match and sees nothing. Four entries share a
//! bucket of 64 bytes, one cache line.
//!
//! ```text
//! data, from the lowest bit:  move 14 | score 16 | eval 16 | depth 8 | bound 2 | pv 1 | generation 5
//! ```

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::hints;
use super::limits::Bound;
use crate::types::score::{MATE_BOUND, is_mate};
use crate::types::{Move, Score};

/// Entries in a bucket.
const BUCKET: usize = 4;

/// Words in a bucket.
const WORDS: usize = 2 * BUCKET;

/// Generations are counted modulo this.
const GENERATIONS: u8 = 32;

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move found.
    pub mv: Option<Move>,
    /// Value, mates counted from this position.
    pub score: Score,
    /// Static evaluation; [`TtEntry::NO_EVAL`] in check.
    pub eval: Score,
    /// Remaining depth of the search behind it.
    pub depth: i32,
    /// Which side of the true value `score` lies on.
    pub bound: Bound,
    /// Was it on the principal variation?
    pub pv: bool,
}

impl TtEntry {
    /// Stands for "not evaluated".
    pub const NO_EVAL: Score = i16::MIN as Score;

    fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        u64::from(self.mv.map_or(0, Move::pack))
            | u64::from(self.score as i16 as u16) << 14
            | u64::from(self.eval as i16 as u16) << 30
            | (self.depth.clamp(0, 255) as u64) << 46
            | bound << 54
            | u64::from(self.pv) << 56
            | u64::from(generation) << 57
    }

    fn unpack(data: u64) -> Option<TtEntry> {
        let bound = match data >> 54 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(TtEntry {
            mv: Move::unpack((data & 0x3fff) as u16),
            score: Score::from((data >> 14) as i16),
            eval: Score::from((data >> 30) as i16),
            depth: (data >> 46 & 0xff) as i32,
            bound,
            pv: data >> 56 & 1 != 0,
        })
    }
}

/// A fixed number of buckets, shared by all threads.
pub struct TranspositionTable {
    words: Box<[AtomicU64]>,
    /// First word at a cache line's start.
    offset: usize,
    buckets: usize,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of `megabytes` (2^20 bytes each, at least one). The system hands out zeroed pages
    /// as they are first touched, so even a gigabyte is ready at once.
    /// `None` when the memory cannot be had.
    pub fn new(megabytes: usize) -> Option<TranspositionTable> {
        let bytes = megabytes.max(1).checked_mul(1 << 20)?;
        let buckets = bytes / (8 * WORDS) - 1;
        // One bucket less and up to seven words more leave room to start at a cache line. (An
        // element type that is aligned to 64 bytes would have the allocator clear it by hand.)
        let words: Box<[AtomicU64]> =
            bytemuck::allocation::try_zeroed_slice_box((buckets + 1) * WORDS).ok()?;
        hints::want_huge_pages(&words);
        let misaligned = words.as_ptr() as usize / 8 % WORDS;
        let offset = (WORDS - misaligned) % WORDS;
        Some(TranspositionTable { words, offset, buckets, generation: AtomicU8::new(0) })
    }

    /// A new search begins: what is in the table ages.
    pub fn age(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let start = self.offset + index * WORDS;
        &self.words[start..start + WORDS]
    }

    /// Asks the processor to fetch the bucket of a key before it is needed.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        hints::prefetch(&self.bucket(key)[0]);
    }

    /// Looks a position up. `ply` is its distance from the root, to which mates are counted back.
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        for slot in self.bucket(key).chunks_exact(2) {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == key
                && let Some(mut entry) = TtEntry::unpack(data)
            {
                entry.score = from_node(entry.score, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Remembers a position. An old entry of the same position keeps its move when the new one
    /// has none, and gives way unless it is clearly deeper.
    pub fn store(&self, key: u64, ply: usize, mut entry: TtEntry) {
        let generation = self.generation.load(Relaxed);
        entry.score = to_node(entry.score, ply);

        let mut target = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key).chunks_exact(2) {
            let data = slot[1].load(Relaxed);
            let old = TtEntry::unpack(data);
            if slot[0].load(Relaxed) ^ data == key
                && let Some(old) = old
            {
                entry.mv = entry.mv.or(old.mv);
                let same_search = data >> 57 == u64::from(generation);
                if entry.bound != Bound::Exact && same_search && old.depth > entry.depth + 4 {
                    return;
                }
                target = Some(slot);
                break;
            }
            let worth = old.map_or(i32::MIN, |old| {
                let age = (GENERATIONS + generation - (data >> 57) as u8) % GENERATIONS;
                old.depth - 8 * i32::from(age) + 2 * i32::from(old.bound == Bound::Exact)
            });
            if worth < least || target.is_none() {
                (least, target) = (worth, Some(slot));
            }
        }
        if let Some([check, word]) = target {
            let data = entry.pack(generation);
            check.store(key ^ data, Relaxed);
            word.store(data, Relaxed);
        }
    }

    /// How full the table is with entries of this search, in permill of a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = u64::from(self.generation.load(Relaxed));
        let sample = self.buckets.min(250);
        let words = &self.words[self.offset..self.offset + sample * WORDS];
        let used = words
            .chunks_exact(2)
            .map(|slot| slot[1].load(Relaxed))
            .filter(|&data| TtEntry::unpack(data).is_some() && data >> 57 == generation)
            .count();
        (used * 1000 / (sample * BUCKET)) as u32
    }
}

/// A mate score as seen from the node itself instead of the root.
fn to_node(score: Score, ply: usize) -> Score {
    match score {
        s if s >= MATE_BOUND => s + ply as Score,
        s if is_mate(s) => s - ply as Score,
        s => s,
    }
}

/// The inverse of [`to_node`].
fn from_node(score: Score, ply: usize) -> Score {
    match score {
        s if s >= MATE_BOUND => s - ply as Score,
        s if is_mate(s) => s + ply as Score,
        s => s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{mate_in, mated_in};

    fn entry(score: Score, depth: i32) -> TtEntry {
        let mv = "h2e2".parse().ok();
        TtEntry { mv, score, eval: -7, depth, bound: Bound::Exact, pv: true }
    }

    #[test]
    fn keeps_what_was_stored() {
        let table = TranspositionTable::new(1).unwrap();
        for key in (0..1000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
            for score in [0, -123, 8_999, -9_000] {
                let stored = entry(score, 12);
                table.store(key, 3, stored);
                assert_eq!(table.probe(key, 3), Some(stored));
            }
        }
        assert_eq!(table.probe(1, 0), None);
    }

    #[test]
    fn mates_are_counted_from_the_node() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(42, 10, entry(mate_in(13), 5));
        assert_eq!(table.probe(42, 4).unwrap().score, mate_in(7));
        table.store(43, 10, entry(mated_in(12), 5));
        assert_eq!(table.probe(43, 0).unwrap().score, mated_in(2));
    }

    #[test]
    fn shallow_entries_give_way_first() {
        let table = TranspositionTable::new(1).unwrap();
        // Keys of one bucket differ only far below the bits that choose it.
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
            table.store(key, 0, entry(0, depth));
        }
        assert_eq!(table.probe(2, 0), None);
        for key in [1, 3, 4, 5] {
            assert!(table.probe(key, 0).is_some(), "{key}");
        }
        table.age();
        table.store(6, 0, entry(0, 1));
        assert!(table.probe(6, 0).is_some(), "an old entry has given way");
    }

    #[test]
    fn a_gigabyte_is_ready_at_once() {
        let start = std::time::Instant::now();
        let table = TranspositionTable::new(1024).unwrap();
        assert!(start.elapsed().as_millis() < 100, "{:?}", start.elapsed());
        assert_eq!(table.probe(u64::MAX, 0), None);
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn too_much_memory_is_refused() {
        assert!(TranspositionTable::new(usize::MAX >> 20).is_none());
        assert!(TranspositionTable::new(usize::MAX).is_none());
    }
}
