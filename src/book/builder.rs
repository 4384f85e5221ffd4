//! Putting a book together, move by move.

use std::collections::BTreeMap;

use super::compiled::{Compiled, Record};
use super::key::BookKey;
use super::source::SourceLine;
use crate::board::Position;
use crate::types::Move;

/// Moves that become a book. What is put in twice has the sum of both weights, so the order of
/// lines and of files does not matter.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    records: BTreeMap<(u64, Move), Record>,
}

impl Builder {
    /// Adds weight, which must not be 0, to a move in a position, after `ply` moves.
    pub fn add(&mut self, pos: &Position, mv: Move, ply: usize, weight: u32) {
        let key = BookKey::of(pos);
        let mv = key.fold(mv);
        let ply = u16::try_from(ply).unwrap_or(u16::MAX);
        self.records
            .entry((key.key, mv))
            .and_modify(|record| {
                record.weight = record.weight.saturating_add(weight);
                record.ply = record.ply.min(ply);
            })
            .or_insert(Record { key: key.key, mv, ply, weight });
    }

    /// Adds the weight of a line to each of its moves. A move that several lines begin with so has
    /// the sum of their weights.
    pub fn add_line(&mut self, line: &SourceLine) {
        let mut position = Position::startpos();
        for (ply, &mv) in line.moves.iter().enumerate() {
            if ply >= line.lead {
                self.add(&position, mv, ply, line.weight);
            }
            if position.play(mv).is_err() {
                return;
            }
        }
    }

    /// The book.
    pub fn build(self) -> Compiled {
        Compiled::new(self.records.into_values().collect())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::source;
    use super::*;

    fn build(text: &str) -> Compiled {
        let mut builder = Builder::default();
        source::lines(text).for_each(|line| builder.add_line(&line.unwrap()));
        builder.build()
    }

    fn probe(book: &Compiled, moves: &str) -> Vec<(String, u32)> {
        let mut pos = Position::startpos();
        moves.split_whitespace().for_each(|mv| pos.play(mv.parse().unwrap()).unwrap());
        book.probe(&pos).iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect()
    }

    #[test]
    fn weights_of_common_moves_add_up() {
        let book = build("h2e2 h9g7 h0g2 ; 20\nb2e2 b9c7 b0a2 ; 4\nh2e2 | h7e7 ; 1");
        assert_eq!(probe(&book, ""), [("h2e2".to_owned(), 24)]);
        let answers = probe(&book, "b2e2");
        assert_eq!(answers, [("b7e7".to_owned(), 1), ("b9c7".to_owned(), 24)]);
        let third = probe(&book, "h2e2 h9g7");
        assert_eq!(third, [("h0g2".to_owned(), 20), ("h0i2".to_owned(), 4)]);
    }

    #[test]
    fn the_ply_is_that_of_the_shortest_way() {
        let book = build("h2e2 ; 1\na0a1 a9a8 a1a0 a8a9 h2e2 ; 1");
        let plies: Vec<u16> = book.records().iter().map(|record| record.ply).collect();
        assert_eq!(plies.iter().filter(|&&ply| ply == 0).count(), 2, "{plies:?}");
    }

    #[test]
    fn the_order_of_lines_does_not_matter() {
        let (a, b) = ("h2e2 h9g7 ; 2\n", "g3g4 h9g7 h2e2 ; 3\n");
        assert_eq!(build(&[a, b].concat()), build(&[b, a].concat()));
    }
}
