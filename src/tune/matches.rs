//! Samples from the games of matches: what engines that think as we do said of quiet positions.

use super::sample::{self, Sample};
use crate::arena::GameRecord;
use crate::arena::record::Outcome;
use crate::board::Position;
use crate::types::{Color, Move};

/// The quiet positions of a game in which the mover has said a score: it is not in check, its move
/// captures nothing, the score is no mate. None of a game that a fault has ended, which its moves did
/// not. Moves of the engines named in `without` are left out.
pub fn samples(game: &GameRecord, without: &[String]) -> Vec<Sample> {
    let Ok(mut position) = Position::from_fen(&game.fen) else { return Vec::new() };
    if !game.faults.is_empty() {
        return Vec::new();
    }
    let outcome = match game.verdict {
        Outcome::RedWins => sample::Outcome::RedWins,
        Outcome::BlackWins => sample::Outcome::BlackWins,
        Outcome::Draw => sample::Outcome::Draw,
    };
    let mut positions = Vec::new();
    for record in &game.moves {
        let Ok(mv) = record.mv.parse::<Move>() else { break };
        let (sign, mover) = match position.side_to_move() {
            Color::Red => (1, &game.red),
            Color::Black => (-1, &game.black),
        };
        let score = record.thought.as_ref().and_then(|thought| thought.score);
        if let Some(score) = score.filter(|&score| sample::is_quiet(&position, mv, score))
            && !without.contains(mover)
        {
            positions.push((position.to_setup(), (sign * score) as i16));
        }
        if position.play(mv).is_err() {
            break;
        }
    }
    sample::of_game(positions, outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::fault::{Fault, FaultKind};
    use crate::arena::record::FaultRecord;

    /// A game of two engines whose moves are given with their scores.
    fn game(moves: &str) -> GameRecord {
        let moves: Vec<serde_json::Value> = moves
            .split_whitespace()
            .map(|word| match word.split_once(':') {
                Some((mv, score)) => {
                    let score: i32 = score.parse().unwrap();
                    serde_json::json!({ "move": mv, "score": score, "time_us": 1 })
                }
                None => serde_json::json!({ "move": word }),
            })
            .collect();
        serde_json::from_value(serde_json::json!({
            "game": 1, "round": 1, "opening": 0, "red": "a", "black": "b",
            "fen": crate::board::START_FEN, "moves": moves,
            "verdict": "red_wins", "reason": "adjudication", "started": 0, "duration_ms": 1,
        }))
        .unwrap()
    }

    #[test]
    fn quiet_moves_with_a_score_are_taken() {
        // A book move, three quiet ones, a capture, the answer to it, a mate in sight.
        let game = game("h2e2 h9g7:-12 h0g2:20 g6g5:3 e2e6:44 g7e6:-60 i0h0:9990");
        let scores = |without: &[String]| -> Vec<i16> {
            samples(&game, without).iter().map(|sample| sample.score).collect()
        };
        assert_eq!(scores(&[]), [12, 20, -3], "from Red's side");
        assert_eq!(scores(&["b".into()]), [20]);
        let samples = samples(&game, &[]);
        assert!(samples.iter().all(|sample| sample.outcome == sample::Outcome::RedWins));
        assert_eq!(
            samples.iter().map(|s| s.last_of_game).collect::<Vec<_>>(),
            [false, false, true]
        );
        assert_eq!(samples[0].setup.side, Color::Black);
    }

    #[test]
    fn games_that_a_fault_has_ended_are_not_taken() {
        let mut game = game("h2e2:5 h9g7:-12");
        assert_eq!(samples(&game, &[]).len(), 2);
        let fault = Fault::new(FaultKind::Crash, "");
        game.faults = vec![FaultRecord { engine: "b".to_owned(), fault }];
        assert!(samples(&game, &[]).is_empty());
    }
}
