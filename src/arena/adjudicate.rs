//! Ending games early: lost ones, level ones, endless ones. Off unless asked for.

use crate::rules::{EndReason, Verdict};
use crate::types::{Color, Eval};

use super::config::{DrawRule, ResignRule};

/// The rules for ending a game early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// Lost games.
    pub resign: Option<ResignRule>,
    /// Level games.
    pub draw: Option<DrawRule>,
    /// Games of so many plies, opening included, are drawn.
    pub max_plies: Option<u32>,
}

/// Watches the scores of one game.
pub struct Adjudicator {
    rules: Adjudication,
    /// Moves in a row with a lost, a won, a level score, of each side.
    lost: [u32; 2],
    won: [u32; 2],
    level: [u32; 2],
}

impl Adjudicator {
    /// For a new game.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, lost: [0; 2], won: [0; 2], level: [0; 2] }
    }

    /// A move was made with this score, from the mover's side; `plies` counts it in. A move without
    /// a score ends every row.
    pub fn judge(&mut self, mover: Color, score: Option<Eval>, plies: u32) -> Verdict {
        let score = score.map(Eval::to_ucci);
        let row = |rows: &mut [u32; 2], holds: bool| {
            let row = &mut rows[mover.index()];
            *row = if holds { *row + 1 } else { 0 };
            *row
        };
        if let Some(rule) = self.rules.resign {
            let lost = row(&mut self.lost, score.is_some_and(|score| score <= -rule.score));
            row(&mut self.won, score.is_some_and(|score| score >= rule.score));
            let agreed = !rule.twosided || self.won[(!mover).index()] >= rule.count;
            if lost >= rule.count && agreed {
                return Verdict::Win { winner: !mover, reason: EndReason::Adjudication };
            }
        }
        let draw = Verdict::Draw { reason: EndReason::Adjudication };
        if let Some(rule) = self.rules.draw {
            row(&mut self.level, score.is_some_and(|score| score.abs() <= rule.score));
            let is_late = plies.div_ceil(2) >= rule.number;
            if is_late && self.level.iter().all(|&level| level >= rule.count) {
                return draw;
            }
        }
        if self.rules.max_plies.is_some_and(|most| plies >= most) { draw } else { Verdict::Ongoing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds scores of Red and Black in turn; the ply that ended the game and its verdict.
    fn run(rules: Adjudication, scores: &[i32]) -> Option<(usize, Verdict)> {
        let mut adjudicator = Adjudicator::new(rules);
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let score = (score != NO_SCORE).then_some(Eval::from_ucci(score));
            let verdict = adjudicator.judge(Color::ALL[ply % 2], score, ply as u32 + 1);
            verdict.is_over().then_some((ply + 1, verdict))
        })
    }

    const NO_SCORE: i32 = i32::MAX;
    const RED_WINS: Verdict = Verdict::Win { winner: Color::Red, reason: EndReason::Adjudication };
    const DRAW: Verdict = Verdict::Draw { reason: EndReason::Adjudication };

    fn resign(twosided: bool) -> Adjudication {
        let resign = Some(ResignRule { score: 500, count: 2, twosided });
        Adjudication { resign, ..Adjudication::default() }
    }

    #[test]
    fn a_row_of_lost_scores_loses() {
        assert_eq!(run(resign(false), &[0, -500, 0, -500]), Some((4, RED_WINS)));
        assert_eq!(run(resign(false), &[0, -500, 0, -499, 0, -500]), None);
        assert_eq!(run(resign(false), &[0, -500, 0, NO_SCORE, 0, -500]), None);
        assert_eq!(run(resign(false), &[0, -500, 0, -9_990]), Some((4, RED_WINS)));
    }

    #[test]
    fn twosided_asks_the_winner_too() {
        assert_eq!(run(resign(true), &[0, -500, 0, -500]), None);
        assert_eq!(run(resign(true), &[500, -500, 500, -500]), Some((4, RED_WINS)));
    }

    #[test]
    fn a_row_of_level_scores_is_a_draw_once_it_is_late() {
        let draw = Some(DrawRule { number: 3, count: 2, score: 10 });
        let rules = Adjudication { draw, ..Adjudication::default() };
        assert_eq!(run(rules, &[0, 0, 10, -10, 0, 0]), Some((5, DRAW)));
        assert_eq!(run(rules, &[0, 0, 11, 0, 0, 0, 0]), Some((7, DRAW)));
    }

    #[test]
    fn endless_games_end() {
        let rules = Adjudication { max_plies: Some(3), ..Adjudication::default() };
        assert_eq!(run(rules, &[99, 99, NO_SCORE]), Some((3, DRAW)));
    }
}
