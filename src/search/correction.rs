//! Correction history: by how much searches found the static evaluation wrong in positions that have
//! a part in common, see [`Position::part_keys`]. What the evaluation misses in a structure it misses
//! in all positions with that structure.

use crate::board::{PARTS, Position};
use crate::types::Score;

/// Entries of a table.
const ENTRIES: usize = 1 << 14;

/// Corrections are kept in this fraction of a centi-piece.
const GRAIN: i32 = 128;

/// No entry is larger, in centi-pieces.
const LIMIT: Score = 24;

/// An error counts no more than this, in centi-pieces.
const ERROR_LIMIT: Score = 4 * LIMIT;

/// What a position's corrections together are divided by.
const DIVISOR: i32 = 2;

/// The corrections of one thread, kept between the searches of a game.
pub struct Corrections {
    /// By side to move and part: the mean error, of late errors more than of early ones.
    tables: Box<[[[i16; ENTRIES]; PARTS]; 2]>,
}

impl Corrections {
    /// All zero.
    pub fn new() -> Corrections {
        Corrections { tables: bytemuck::zeroed_box() }
    }

    /// What to add to the static evaluation, in centi-pieces, from the side to move.
    #[inline]
    pub fn of(&self, pos: &Position) -> Score {
        let tables = &self.tables[pos.side_to_move().index()];
        let parts = tables.iter().zip(pos.part_keys());
        let sum: i32 = parts.map(|(table, key)| i32::from(table[index(key)])).sum();
        sum / (DIVISOR * GRAIN)
    }

    /// A search of that depth found a value that differs by `error` from the corrected evaluation.
    pub fn update(&mut self, pos: &Position, depth: i32, error: Score) {
        let weight = (depth + 1).min(16);
        let target = error.clamp(-ERROR_LIMIT, ERROR_LIMIT) * GRAIN;
        let tables = &mut self.tables[pos.side_to_move().index()];
        for (table, key) in tables.iter_mut().zip(pos.part_keys()) {
            let entry = &mut table[index(key)];
            let mean = (i32::from(*entry) * (256 - weight) + target * weight) / 256;
            *entry = mean.clamp(-LIMIT * GRAIN, LIMIT * GRAIN) as i16;
        }
    }
}

fn index(key: u64) -> usize {
    (key >> 50) as usize % ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_learnt_by_the_side_to_move_and_stays_in_bounds() {
        let mut pos = Position::startpos();
        let mut corrections = Corrections::new();
        assert_eq!(corrections.of(&pos), 0);
        for _ in 0..100 {
            corrections.update(&pos, 10, 30);
        }
        let learnt = corrections.of(&pos);
        assert!(learnt > 0, "{learnt}");
        for _ in 0..1000 {
            corrections.update(&pos, 10, -Score::from(i16::MAX));
        }
        assert_eq!(corrections.of(&pos), -LIMIT * PARTS as Score / DIVISOR);
        pos.play("h2e2".parse().unwrap()).unwrap();
        assert_eq!(corrections.of(&pos), 0);
    }

    #[test]
    fn positions_with_a_part_in_common_share_what_is_learnt() {
        let mut corrections = Corrections::new();
        for _ in 0..100 {
            corrections.update(&Position::startpos(), 10, 60);
        }
        let one_horse_out = Position::from_fen(
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R w - - 0 1",
        );
        let shared = corrections.of(&one_horse_out.unwrap());
        assert!(shared > 0 && shared < corrections.of(&Position::startpos()), "{shared}");
    }
}
