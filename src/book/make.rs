//! Books from games that were played.

use std::collections::HashMap;

use super::compiled::{Compiled, Record};
use super::key::BookKey;
use crate::board::Position;
use crate::record::GameResult;
use crate::types::Move;

/// What of the games goes into the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MakeOptions {
    /// Plies of each game that count.
    pub plies: u16,
    /// A move that fewer games have is left out.
    pub min_games: u32,
}

/// Counts the moves of games.
///
/// The weight of a move is the points it brought to the side that played it, two for a win and one
/// for a draw. So a move that only lost is left out.
#[derive(Debug)]
pub struct Maker {
    options: MakeOptions,
    tallies: HashMap<(u64, Move), Tally>,
    games: u64,
}

/// What is known of one move.
#[derive(Debug)]
struct Tally {
    ply: u16,
    games: u32,
    points: u32,
}

impl Maker {
    /// Nothing counted yet.
    pub fn new(options: MakeOptions) -> Maker {
        Maker { options, tallies: HashMap::new(), games: 0 }
    }

    /// Counts a game; one without a result does not count, nor does what comes after an illegal
    /// move.
    pub fn add(
        &mut self,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
        result: GameResult,
    ) {
        let points = match result {
            GameResult::RedWins => [2, 0],
            GameResult::BlackWins => [0, 2],
            GameResult::Draw => [1, 1],
            GameResult::Unknown => return,
        };
        self.games += 1;
        let mut position = start.clone();
        for (ply, mv) in (0..self.options.plies).zip(moves) {
            let key = BookKey::of(&position);
            let points = points[position.side_to_move().index()];
            if position.play(mv).is_err() {
                return;
            }
            let tally = self.tallies.entry((key.key, key.fold(mv)));
            let tally = tally.or_insert(Tally { ply, games: 0, points: 0 });
            tally.ply = tally.ply.min(ply);
            tally.games += 1;
            tally.points += points;
        }
    }

    /// Games that were counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The book.
    pub fn build(self) -> Compiled {
        let min_games = self.options.min_games;
        let kept = self
            .tallies
            .into_iter()
            .filter(|(_, tally)| tally.games >= min_games && tally.points > 0);
        Compiled::new(
            kept.map(|((key, mv), Tally { ply, points, .. })| Record {
                key,
                mv,
                ply,
                weight: points,
            })
            .collect(),
        )
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_points_of_the_mover() {
        let mut maker = Maker::new(MakeOptions { plies: 2, min_games: 2 });
        let start = Position::startpos();
        for (moves, result) in [
            ("h2e2 h9g7 h0g2", GameResult::RedWins),
            ("b2e2 b9c7 b0c2", GameResult::Draw),
            ("h2e2 h7e7 h0g2", GameResult::RedWins),
            ("h2e2 h7e7 h0g2", GameResult::RedWins),
            ("g3g4", GameResult::RedWins),
            ("a0a1 a9a8", GameResult::Unknown),
        ] {
            maker.add(&start, moves.split(' ').map(|mv| mv.parse().unwrap()), result);
        }
        assert_eq!(maker.games(), 5);
        let book = maker.build();
        let probe = |pos: &Position| -> Vec<(String, u32)> {
            book.probe(pos).iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect()
        };
        assert_eq!(probe(&start), [("h2e2".to_owned(), 7)], "one game has g3g4");
        let mut pos = start;
        pos.play("b2e2".parse().unwrap()).unwrap();
        assert_eq!(probe(&pos), [("b9c7".to_owned(), 1)], "h7e7 only lost");
    }
}
