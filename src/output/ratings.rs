//! The table of ratings.

use std::fmt::Write;

use crate::arena::ratings::{Rated, Ratings};

/// The players from first to last: rating, title, K, games, lottery points, room.
pub fn ratings_table(ratings: &Ratings) -> String {
    let ranking = ratings.ranking();
    let names = ranking.iter().map(|(name, _)| name.chars().count());
    let width = names.max().unwrap_or(0).max("player".len());
    let mut text = format!(
        "{:>3}  {:<width$}  {:>6}  {}  {:>2}  {:>5}  {:>6}  room\n",
        "",
        "player",
        "rating",
        in_columns("title"),
        "K",
        "games",
        "points",
    );
    for (rank, (name, player)) in ranking.into_iter().enumerate() {
        let Rated { rating, games, points, .. } = player;
        let title = player.title();
        let _ = writeln!(
            text,
            "{:>3}  {name:<width$}  {rating:>6.0}  {}  {:>2}  {games:>5}  {points:>6}  {}",
            rank + 1,
            in_columns(title.name),
            title.k,
            player.room(),
        );
    }
    text
}

/// Filled up to the width of the longest title. A Chinese character takes two columns.
fn in_columns(title: &str) -> String {
    const WIDTH: usize = 10;
    let columns: usize = title.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    format!("{title}{}", " ".repeat(WIDTH.saturating_sub(columns)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_ranked_and_aligned() {
        let mut ratings = Ratings::default();
        let player = |rating, points| Rated { rating, points, games: 7, granted: None };
        ratings.players.insert("hanxin".to_owned(), player(1234.5, 110));
        ratings.players.insert("A".to_owned(), player(-12.4, 0));
        ratings.players.insert("master".to_owned(), player(2410.0, 1000));
        ratings.grant("master", "骠骑将军").unwrap();
        let expected = "     player  rating  title        K  games  points  room
  1  master    2410  骠骑将军    10      7    1000  advanced
  2  hanxin    1234  虎贲中郎将  20      7     110  middle
  3  A          -12  兵卒        50      7       0  beginner
";
        assert_eq!(ratings_table(&ratings), expected);
    }
}
