//! What a score is worth: Elo with its error, normalised Elo, likelihood of superiority, and the
//! sequential probability ratio test.
//!
//! Where games come in pairs (one opening, both colours) the pair is the sample, since its two games
//! depend on each other: five outcomes, 0 to 2 points in halves. The formulas are those published by
//! Michel Van den Bergh for the generalized SPRT, also in its form for normalised Elo, and the usual
//! logistic Elo scale.

use serde::{Deserialize, Serialize};

/// Points per unit of the logistic Elo scale, 800 / ln 10; it also scales normalised Elo.
const ELO_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// Half the width of a 95 % interval in standard deviations.
const SIGMAS_95: f64 = 1.959_963_984_540_054;

/// Outcomes of a pair of games.
const PAIR: usize = 5;

/// An empty class counts as this much, so that no outcome is called impossible.
const NEXT_TO_NOTHING: f64 = 1e-3;

/// Counts of one engine's results against one other, or against all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Pairs by the points they brought: 0, ½, 1, 1½, 2.
    pub pairs: [u32; PAIR],
}

/// An estimate with half the width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The value; infinite when all games were won or lost.
    pub value: f64,
    /// Half the width of the interval; infinite when nothing is known.
    pub margin: f64,
}

/// Mean and variance of one sample's score, as a share of its points, and how many there are.
#[derive(Clone, Copy, Debug)]
struct Sample {
    mean: f64,
    variance: f64,
    count: f64,
    /// Games in one sample.
    games: f64,
}

impl Tally {
    /// Adds a game by the half points it brought: 0, 1 or 2.
    pub fn add_game(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Adds a complete pair by the half points it brought: 0 to 4. Its games are added one by one
    /// as well.
    pub fn add_pair(&mut self, half_points: usize) {
        if let Some(count) = self.pairs.get_mut(half_points) {
            *count += 1;
        }
    }

    /// Games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points won.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + 0.5 * f64::from(self.draws)
    }

    /// Points won, as a share of the games; a half where there is none.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / f64::from(self.games()) }
    }

    /// Share of drawn games.
    pub fn draw_ratio(&self) -> f64 {
        f64::from(self.draws) / f64::from(self.games().max(1))
    }

    /// Elo by the logistic scale. Samples that are all the same tell nothing of the error.
    pub fn elo(&self) -> Estimate {
        let (sample, mean) = (self.sample(), self.score());
        let half = SIGMAS_95 * (sample.variance / sample.count).sqrt();
        let margin = (elo(mean + half) - elo(mean - half)) / 2.0;
        let is_known = sample.variance > 0.0 && !margin.is_nan();
        Estimate { value: elo(mean), margin: if is_known { margin } else { f64::INFINITY } }
    }

    /// Normalised Elo: the score's distance from a half in standard deviations of one game.
    pub fn normalized_elo(&self) -> Estimate {
        let sample = self.sample();
        let per_game = (sample.variance * sample.games).sqrt();
        let value = (sample.mean - 0.5) / per_game * ELO_UNIT;
        let margin = SIGMAS_95 / (sample.count * sample.games).sqrt() * ELO_UNIT;
        Estimate { value: if value.is_nan() { 0.0 } else { value }, margin }
    }

    /// Likelihood of superiority: how probable it is that the engine is the stronger one; `None`
    /// without games.
    pub fn los(&self) -> Option<f64> {
        let sample = self.sample();
        let deviation = (sample.variance / sample.count).sqrt();
        // Samples that are all the same have no spread: then a game that was not drawn is a toss.
        let sigmas = match deviation > 0.0 {
            true => (sample.mean - 0.5) / deviation,
            false => {
                let (wins, losses) = (f64::from(self.wins), f64::from(self.losses));
                (wins - losses) / (wins + losses).max(1.0).sqrt()
            }
        };
        (self.games() > 0).then(|| normal_cdf(sigmas))
    }

    /// The pairs, or where there is none the single games.
    fn sample(&self) -> Sample {
        let outcomes = self.outcomes();
        let count: f64 = outcomes.iter().map(|outcome| outcome.1).sum();
        let (mean, variance) = moments(&normalized(&outcomes));
        let games = if self.has_pairs() { 2.0 } else { 1.0 };
        Sample { mean, variance, count, games }
    }

    fn has_pairs(&self) -> bool {
        self.pairs.iter().any(|&count| count > 0)
    }

    /// Score and count of each outcome of a sample.
    fn outcomes(&self) -> Vec<(f64, f64)> {
        let games = [self.losses, self.draws, self.wins];
        let counts = if self.has_pairs() { &self.pairs[..] } else { &games[..] };
        let last = (counts.len() - 1) as f64;
        let score = |index: usize| index as f64 / last;
        counts.iter().enumerate().map(|(index, &count)| (score(index), f64::from(count))).collect()
    }
}

/// Expected score for an advantage in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Advantage in Elo for a score between 0 and 1.
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// On which scale the bounds of a test are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EloModel {
    /// Normalised Elo, which needs as many games whatever the draw ratio is.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
}

impl EloModel {
    /// All models with the words that name them.
    pub const NAMED: [(&'static str, EloModel); 2] =
        [("normalized", EloModel::Normalized), ("logistic", EloModel::Logistic)];

    /// Its word.
    pub fn name(self) -> &'static str {
        let [first, ..] = EloModel::NAMED;
        EloModel::NAMED.into_iter().find(|row| row.1 == self).unwrap_or(first).0
    }
}

/// A sequential probability ratio test: is the advantage rather `elo1` than `elo0`?
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// Advantage under the null hypothesis.
    pub elo0: f64,
    /// Advantage under the alternative.
    pub elo1: f64,
    /// Probability of accepting the alternative wrongly.
    pub alpha: f64,
    /// Probability of accepting the null hypothesis wrongly.
    pub beta: f64,
    /// The scale of both advantages.
    pub model: EloModel,
}

/// What a test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The null hypothesis: no such advantage.
    H0,
    /// The alternative: the advantage is there.
    H1,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The log-likelihood ratio of the alternative to the null hypothesis; 0 without games.
    pub fn llr(&self, tally: &Tally) -> f64 {
        let outcomes = tally.outcomes();
        let count: f64 = outcomes.iter().map(|outcome| outcome.1).sum();
        if count == 0.0 {
            return 0.0;
        }
        let fill = |&(score, count): &(f64, f64)| (score, count.max(NEXT_TO_NOTHING));
        let found = normalized(&outcomes.iter().map(fill).collect::<Vec<_>>());
        let games = if tally.has_pairs() { 2.0 } else { 1.0 };
        let most_likely = |elo: f64| match self.model {
            EloModel::Logistic => with_mean(&found, expected_score(elo)),
            EloModel::Normalized => with_distance(&found, elo / ELO_UNIT * f64::sqrt(games)),
        };
        let (under0, under1) = (most_likely(self.elo0), most_likely(self.elo1));
        let ratio = found.iter().zip(under1.iter().zip(&under0));
        count * ratio.map(|(found, (one, zero))| found.1 * (one.1 / zero.1).ln()).sum::<f64>()
    }

    /// What the test says; `None` while it has to go on.
    pub fn decide(&self, tally: &Tally) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        let llr = self.llr(tally);
        if llr >= upper {
            Some(Decision::H1)
        } else if llr <= lower {
            Some(Decision::H0)
        } else {
            None
        }
    }
}

/// Scores with their probabilities.
type Distribution = Vec<(f64, f64)>;

fn normalized(outcomes: &[(f64, f64)]) -> Distribution {
    let total: f64 = outcomes.iter().map(|outcome| outcome.1).sum();
    outcomes.iter().map(|&(score, count)| (score, count / total)).collect()
}

fn moments(distribution: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = distribution.iter().map(|&(score, p)| p * score).sum();
    let variance = distribution.iter().map(|&(score, p)| p * (score - mean).powi(2)).sum();
    (mean, variance)
}

/// The distribution with this mean under which what was found is most likely.
fn with_mean(found: &Distribution, mean: f64) -> Distribution {
    let values: Vec<f64> = found.iter().map(|&(score, _)| score - mean).collect();
    tilted(found, &values)
}

/// The distribution whose mean lies so many of its standard deviations above a half, and under which
/// what was found is most likely. The constraint is not linear, so it is replaced by its tangent at
/// the last solution until nothing moves.
fn with_distance(found: &Distribution, distance: f64) -> Distribution {
    const ROUNDS: usize = 20;
    const STILL: f64 = 1e-12;
    let even = 1.0 / found.len() as f64;
    let mut solution: Distribution = found.iter().map(|&(score, _)| (score, even)).collect();
    for _ in 0..ROUNDS {
        let (mean, variance) = moments(&solution);
        let sigma = variance.sqrt();
        let tangent = |score: f64| {
            score - 0.5 - distance * sigma * (1.0 + ((mean - score) / sigma).powi(2)) / 2.0
        };
        let values: Vec<f64> = found.iter().map(|&(score, _)| tangent(score)).collect();
        let next = tilted(found, &values);
        let moved = |(old, new): (&(f64, f64), &(f64, f64))| (old.1 - new.1).abs() > STILL;
        let moves = solution.iter().zip(&next).any(moved);
        solution = next;
        if !moves {
            break;
        }
    }
    solution
}

/// The distribution under which `values` have mean 0 and what was found is most likely: by Lagrange
/// its probabilities are p / (1 + θ·value), with the one θ that makes the mean 0.
fn tilted(found: &Distribution, values: &[f64]) -> Distribution {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return found.clone(); // no distribution has that mean
    }
    let mean = |theta: f64| -> f64 {
        found.iter().zip(values).map(|(&(_, p), v)| p * v / (1.0 + theta * v)).sum()
    };
    // The mean falls from +∞ to −∞ between the poles, so halving always finds its zero.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if mean(middle) > 0.0 { low = middle } else { high = middle }
    }
    let theta = (low + high) / 2.0;
    found.iter().zip(values).map(|(&(score, p), v)| (score, p / (1.0 + theta * v))).collect()
}

#[cfg(test)]
mod tests;
