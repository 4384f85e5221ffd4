//! Self-play games for tuning: varied, short searches, the same for the same seed.
//!
//! Every game draws its randomness from the seed and its own number, so neither the number of
//! threads nor their timing changes what the file holds.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use super::sample::{self, Outcome, Sample};
use crate::board::Position;
use crate::engine::Engine;
use crate::random::SplitMix64;
use crate::rules::referee::verdict_on;
use crate::rules::{RuleSet, Verdict};
use crate::search::{Limits, STACK_BYTES, SearchOptions, SearchReport, Signals};
use crate::types::{Color, Eval, Score};

/// Random plies that a game begins with: from, and how many more at most.
const OPENING_PLIES: (usize, usize) = (6, 4);

/// An opening is kept when neither side is further ahead than this, in centi-pieces.
const OPENING_MARGIN: Score = 150;

/// A game is won when all of the last searches saw more than this for the same side.
const WON: (usize, Score) = (4, 600);

/// A game of some length is drawn when the last searches saw no more than this for either side.
const DRAWN: (usize, Score) = (20, 15);
const DRAWN_AFTER: usize = 80;

/// Enough for short searches, and a new one for every game costs little.
const HASH_MB: usize = 4;

/// What to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Where all randomness comes from.
    pub seed: u64,
    /// Nodes of each search.
    pub nodes: u64,
    /// Number of the first game.
    pub first: u64,
    /// Number after the last game.
    pub end: u64,
    /// Games at a time, at least 1.
    pub threads: usize,
}

/// Plays the games and hands their samples over in the order of their numbers.
///
/// # Errors
/// What `on_game` returns, which ends the games; or a thread cannot be started.
pub fn generate(
    plan: &Plan,
    mut on_game: impl FnMut(Vec<Sample>) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicU64::new(plan.first);
    thread::scope(|scope| {
        let (to_writer, played) = crossbeam_channel::unbounded();
        for number in 1..=plan.threads.max(1) {
            let thread = thread::Builder::new().name(format!("game-{number}"));
            let (next, to_writer) = (&next, to_writer.clone());
            thread.stack_size(STACK_BYTES).spawn_scoped(scope, move || {
                let mut player = Player::new(plan);
                loop {
                    let game = next.fetch_add(1, Relaxed);
                    // A failed send means that nobody wants games any more.
                    if game >= plan.end || to_writer.send((game, player.game(game))).is_err() {
                        break;
                    }
                }
            })?;
        }
        drop(to_writer);

        let mut early = BTreeMap::new();
        let mut due = plan.first;
        for (game, samples) in &played {
            early.insert(game, samples);
            while let Some(samples) = early.remove(&due) {
                on_game(samples)?;
                due += 1;
            }
        }
        Ok(())
    })
}

/// Plays games against itself.
struct Player {
    engine: Engine,
    limits: Limits,
    seed: u64,
}

impl Player {
    fn new(plan: &Plan) -> Player {
        let options = SearchOptions { hash_mb: HASH_MB, ..SearchOptions::default() };
        Player { engine: Engine::new(&options), limits: Limits::nodes(plan.nodes), seed: plan.seed }
    }

    /// The samples of the game of that number, at least one.
    fn game(&mut self, number: u64) -> Vec<Sample> {
        let mut random = SplitMix64::new(SplitMix64::new(self.seed).next_u64() ^ number);
        loop {
            let samples = self.play(&mut random);
            if !samples.is_empty() {
                return samples;
            }
        }
    }

    fn play(&mut self, random: &mut SplitMix64) -> Vec<Sample> {
        let mut position = self.opening(random);
        let mut scores = Vec::new();
        let mut positions = Vec::new();
        let outcome = loop {
            if let Some(outcome) = ruled(&position) {
                break outcome;
            }
            let mover = position.side_to_move();
            let report = self.search(&position);
            let score = match (report.best, report.eval) {
                (Some(_), Eval::Points(score)) => score,
                (Some(_), Eval::MateIn(_)) => break Outcome::win(mover),
                (None, _) | (_, Eval::MatedIn(_)) => break Outcome::win(!mover),
            };
            let red_score = if mover == Color::Red { score } else { -score };
            scores.push(red_score);
            if let Some(outcome) = adjudicate(&scores) {
                break outcome;
            }
            if report.best.is_some_and(|best| sample::is_quiet(&position, best, score)) {
                positions.push((position.to_setup(), red_score as i16));
            }
            if report.best.is_none_or(|best| position.play(best).is_err()) {
                debug_assert!(false, "an illegal move: {report:?} in {position:?}");
                break Outcome::win(!mover);
            }
        };
        sample::of_game(positions, outcome)
    }

    /// Random plies from the start that leave both sides about equal.
    fn opening(&mut self, random: &mut SplitMix64) -> Position {
        let (least, more) = OPENING_PLIES;
        loop {
            self.engine.new_game();
            let mut position = Position::startpos();
            for _ in 0..least + random.below(more + 1) {
                let moves = position.legal_moves();
                if moves.is_empty() || position.play(moves[random.below(moves.len())]).is_err() {
                    break;
                }
            }
            let eval = self.search(&position).eval;
            if matches!(eval, Eval::Points(score) if score.abs() <= OPENING_MARGIN) {
                return position;
            }
        }
    }

    fn search(&mut self, position: &Position) -> SearchReport {
        self.engine.set_position(position.clone());
        self.engine.search(&self.limits, &Signals::default(), |_event| {})
    }
}

/// What the rules say before a move is made.
fn ruled(position: &Position) -> Option<Outcome> {
    match verdict_on(position, RuleSet::default()) {
        Verdict::Ongoing => None,
        Verdict::Win { winner, .. } => Some(Outcome::win(winner)),
        Verdict::Draw { .. } => Some(Outcome::Draw),
    }
}

/// Ends a game that is clear, by Red's scores so far.
fn adjudicate(scores: &[Score]) -> Option<Outcome> {
    let last = |count: usize| scores.len().checked_sub(count).map(|start| &scores[start..]);
    let (plies, ahead) = WON;
    if let Some(scores) = last(plies) {
        if scores.iter().all(|&score| score > ahead) {
            return Some(Outcome::RedWins);
        }
        if scores.iter().all(|&score| score < -ahead) {
            return Some(Outcome::BlackWins);
        }
    }
    let (plies, margin) = DRAWN;
    let level = last(plies)?.iter().all(|score| score.abs() <= margin);
    (level && scores.len() >= DRAWN_AFTER).then_some(Outcome::Draw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::EVAL_LIMIT;

    fn samples(threads: usize, first: u64, end: u64) -> Vec<Sample> {
        let mut all = Vec::new();
        let plan = Plan { seed: 3, nodes: 200, first, end, threads };
        generate(&plan, |game| {
            all.extend(game);
            Ok(())
        })
        .unwrap();
        all
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let once = samples(1, 0, 4);
        assert_eq!(samples(3, 0, 4), once);
        assert_eq!([samples(2, 0, 1), samples(2, 1, 4)].concat(), once);
        assert_eq!(once.iter().filter(|sample| sample.last_of_game).count(), 4);
    }

    #[test]
    fn samples_are_quiet_and_possible() {
        for sample in samples(1, 0, 3) {
            let position = Position::from_setup(&sample.setup).unwrap();
            assert!(!position.is_check() && !position.is_finished());
            assert!(Score::from(sample.score).abs() < EVAL_LIMIT);
        }
    }

    #[test]
    fn games_stop_when_the_writer_fails() {
        let plan = Plan { seed: 3, nodes: 50, first: 0, end: u64::MAX, threads: 2 };
        let result = generate(&plan, |_game| Err(io::Error::other("full")));
        assert_eq!(result.unwrap_err().to_string(), "full");
    }

    #[test]
    fn clear_games_are_adjudicated() {
        assert_eq!(adjudicate(&[0, 700, 700, 700, 700]), Some(Outcome::RedWins));
        assert_eq!(adjudicate(&[-601; 4]), Some(Outcome::BlackWins));
        assert_eq!(adjudicate(&[700; 3]), None);
        assert_eq!(adjudicate(&[700, 700, 500, 700]), None);
        assert_eq!(adjudicate(&[3; 79]), None);
        assert_eq!(adjudicate(&[3; 80]), Some(Outcome::Draw));
        assert_eq!(adjudicate(&[&[3; 80][..], &[16]].concat()), None);
    }
}
