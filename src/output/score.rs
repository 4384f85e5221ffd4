//! Scores for people.

use crate::types::{Color, Eval};

/// What the score means, in one phrase that names the side it speaks of.
pub fn score_words(eval: Eval, mover: Color) -> String {
    let name = |color| match color {
        Color::Red => "Red",
        Color::Black => "Black",
    };
    match eval {
        Eval::MatedIn(0) => format!("{} has lost", name(mover)),
        Eval::MateIn(plies) => format!("{} mates in {}", name(mover), plies.div_ceil(2)),
        Eval::MatedIn(plies) => format!("{} mates in {}", name(!mover), plies / 2),
        Eval::Points(points) => {
            let ahead = name(if points >= 0 { mover } else { !mover });
            // The grades players use: 均势, 先手, 优势, 胜势, 胜定.
            match points.abs() {
                0..30 => "even".to_owned(),
                30..80 => format!("{ahead} has a small edge"),
                80..200 => format!("{ahead} has the advantage"),
                200..500 => format!("{ahead} is winning"),
                _ => format!("{ahead} has a won game"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_the_side_ahead() {
        assert_eq!(score_words(Eval::Points(-29), Color::Red), "even");
        assert_eq!(score_words(Eval::Points(-120), Color::Red), "Black has the advantage");
        assert_eq!(score_words(Eval::Points(300), Color::Black), "Black is winning");
        assert_eq!(score_words(Eval::MateIn(1), Color::Black), "Black mates in 1");
        assert_eq!(score_words(Eval::MatedIn(2), Color::Black), "Red mates in 1");
        assert_eq!(score_words(Eval::MatedIn(0), Color::Red), "Red has lost");
    }
}
