//! Fits the weights to samples: gradient descent (Adam) on a logistic loss.
//!
//! The evaluation, times a constant, is taken for the logit of Red's expected points. What it
//! should be is a mix of the game's result and of what the search's score promises. All sums run
//! over chunks of fixed size in a fixed order, so the number of threads changes no bit of them.

use rayon::prelude::*;

use super::sample::Sample;
use crate::board::{FenError, Position};
use crate::eval::{LinearForm, WEIGHTS, Weights};
use crate::random::SplitMix64;
use crate::types::{Color, PieceId, S};

/// The values of all weights, middle game and endgame, in the order of [`Weights::from_fn`].
type Values = Vec<[f64; 2]>;

/// One game in so many is held out: the fit never sees it, the losses on it are told. So these are
/// the fewest games to fit to.
pub const HELD_OUT: u64 = 10;

/// Examples to a step of the descent, and to a part of it that one thread does.
const BATCH: usize = 8192;
const CHUNK: usize = 512;

/// Average value of a horse or cannon where it stands, in centi-pieces: the unit of all scores.
const UNIT: f64 = 100.0;

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Passes over all examples.
    pub epochs: u32,
    /// Size of the first steps in centi-pieces; it falls to nothing in the end.
    pub rate: f64,
    /// Share of the result in what is learnt, 0 to 1; the rest is the score's.
    pub lambda: f64,
    /// How far off the weights before are thought to be, in centi-pieces: those that few positions
    /// speak about stay near them.
    pub prior: f64,
    /// Seed of the order of the examples.
    pub seed: u64,
}

/// A sample as the fit sees it.
#[derive(Clone, Debug)]
struct Example {
    form: LinearForm,
    score: f64,
    points: f64,
}

/// What the weights are fitted to.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    fitted: Vec<Example>,
    held_out: Vec<Example>,
    games: u64,
    /// Sum of what horses and cannons are worth where they stand, and their number.
    unit: Values,
    units: f64,
}

/// Mean loss in nats a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// On the examples that are fitted.
    pub fitted: f64,
    /// On those that are held out.
    pub held_out: f64,
}

/// The outcome of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The new weights.
    pub weights: Weights,
    /// What a score of the search promises: at this many centi-pieces, odds of e to 1.
    pub score_scale: f64,
    /// The same for the evaluation before.
    pub eval_scale: f64,
    /// With the weights before.
    pub before: Losses,
    /// With the new weights as they are written: rounded.
    pub after: Losses,
}

impl Examples {
    /// Adds the next sample of a file; samples are in the order of their games.
    ///
    /// # Errors
    /// The sample's position cannot be; the sample is left out.
    pub fn add(&mut self, sample: &Sample) -> Result<(), FenError> {
        let position = Position::from_setup(&sample.setup)?;
        self.unit.resize(WEIGHTS.iter().count(), [0.0; 2]);
        for color in Color::ALL {
            for id in [PieceId::knights(color), PieceId::cannons(color)].into_iter().flatten() {
                if let Some(man) = LinearForm::of_man(&position, id) {
                    man.add_gradient(1.0, 1.0, &mut self.unit);
                    self.units += 1.0;
                }
            }
        }
        let example = Example {
            form: LinearForm::new(&position),
            score: sample.score.into(),
            points: sample.outcome.red_points(),
        };
        if self.games % HELD_OUT == HELD_OUT - 1 {
            self.held_out.push(example);
        } else {
            self.fitted.push(example);
        }
        self.games += u64::from(sample.last_of_game);
        Ok(())
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.fitted.len() + self.held_out.len()
    }

    /// Number of games, the last one counting when it is complete.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Average worth of a horse or cannon.
    fn unit(&self, weights: &Values) -> f64 {
        let products = self.unit.iter().zip(weights).map(|(n, w)| n[0] * w[0] + n[1] * w[1]);
        products.sum::<f64>() / self.units
    }

    fn losses(&self, weights: &Values, goal: &Goal) -> Losses {
        Losses {
            fitted: goal.mean_loss(&self.fitted, weights),
            held_out: goal.mean_loss(&self.held_out, weights),
        }
    }
}

/// Fits the weights, beginning with those the engine plays with. Tells the losses after each
/// epoch.
pub fn fit(examples: &Examples, settings: &Settings, on_epoch: impl FnMut(Losses)) -> Fit {
    let start: Values = WEIGHTS.iter().map(|w| [w.mg().into(), w.eg().into()]).collect();
    let goal = Goal::new(&examples.fitted, &start, settings.lambda);
    let before = examples.losses(&start, &goal);
    let values = descend(examples, &goal, &start, settings, on_epoch);

    let stretch = match examples.unit(&values) {
        unit if unit > 0.0 => UNIT / unit,
        _ => 1.0,
    };
    let rounded: Values =
        values.iter().map(|pair| pair.map(|value| (value * stretch).round())).collect();
    let stretched = Goal { eval: goal.eval / stretch, ..goal };
    let mut next = rounded.iter();
    let weights = Weights::from_fn(|| {
        let [mg, eg] = next.next().copied().unwrap_or_default();
        S(mg as i32, eg as i32)
    });
    Fit {
        weights,
        score_scale: 1.0 / goal.score,
        eval_scale: 1.0 / goal.eval,
        before,
        after: examples.losses(&rounded, &stretched),
    }
}

/// What is to be learnt: the constants that turn scores and evaluations into logits, and the share
/// of the result.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Goal {
    score: f64,
    eval: f64,
    lambda: f64,
}

impl Goal {
    /// Takes the constants under which scores best foretell results, and the weights at the start
    /// the goal.
    fn new(examples: &[Example], start: &Values, lambda: f64) -> Goal {
        let score = minimize(|k| mean(examples, |e| loss(k * e.score, e.points)));
        let goal = Goal { score, eval: score, lambda };
        let values: Vec<(f64, f64)> =
            examples.par_iter().map(|e| (e.form.value(start), goal.target(e))).collect();
        Goal {
            eval: minimize(|k| mean(&values, |&(value, target)| loss(k * value, target))),
            ..goal
        }
    }

    fn target(&self, example: &Example) -> f64 {
        self.lambda * example.points + (1.0 - self.lambda) * logistic(self.score * example.score)
    }

    fn mean_loss(&self, examples: &[Example], weights: &Values) -> f64 {
        mean(examples, |e| loss(self.eval * e.form.value(weights), self.target(e)))
    }

    /// Adds the derivative of the example's loss by every weight.
    fn add_gradient(&self, example: &Example, weights: &Values, gradient: &mut Values) {
        let value = example.form.value(weights);
        let error = logistic(self.eval * value) - self.target(example);
        example.form.add_gradient(value, self.eval * error, gradient);
    }
}

/// The descent itself.
fn descend(
    examples: &Examples,
    goal: &Goal,
    start: &Values,
    settings: &Settings,
    mut on_epoch: impl FnMut(Losses),
) -> Values {
    let fitted = &examples.fitted;
    let mut weights = start.clone();
    let mut adam = Adam::new(weights.len());
    let mut random = SplitMix64::new(settings.seed);
    let mut order: Vec<usize> = (0..fitted.len()).collect();
    let steps = f64::from(settings.epochs) * fitted.len().div_ceil(BATCH) as f64;
    let pull = 1.0 / (settings.prior * settings.prior * fitted.len() as f64);
    let mut step = 0.0;
    for _ in 0..settings.epochs {
        random.shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            let mut gradient = batch_gradient(fitted, batch, goal, &weights);
            for ((by, weight), start) in gradient.iter_mut().zip(&weights).zip(start) {
                by[0] += pull * (weight[0] - start[0]);
                by[1] += pull * (weight[1] - start[1]);
            }
            adam.step(&mut weights, &gradient, settings.rate * (1.0 - step / steps));
            step += 1.0;
        }
        on_epoch(examples.losses(&weights, goal));
    }
    weights
}

fn batch_gradient(fitted: &[Example], batch: &[usize], goal: &Goal, weights: &Values) -> Values {
    let parts: Vec<Values> = batch
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut part = vec![[0.0; 2]; weights.len()];
            for &number in chunk {
                goal.add_gradient(&fitted[number], weights, &mut part);
            }
            part
        })
        .collect();
    let share = 1.0 / batch.len() as f64;
    let mut sum = vec![[0.0; 2]; weights.len()];
    for part in &parts {
        for (sum, part) in sum.iter_mut().zip(part) {
            sum[0] += share * part[0];
            sum[1] += share * part[1];
        }
    }
    sum
}

/// Adam (Kingma and Ba, 2014): steps of about equal size in every direction whose slope keeps its
/// sign, small ones elsewhere.
struct Adam {
    slope: Values,
    square: Values,
    /// The decay rates to the power of the number of steps.
    powers: [f64; 2],
}

impl Adam {
    const DECAY: [f64; 2] = [0.9, 0.999];
    const EPSILON: f64 = 1e-12;

    fn new(len: usize) -> Adam {
        Adam { slope: vec![[0.0; 2]; len], square: vec![[0.0; 2]; len], powers: [1.0; 2] }
    }

    fn step(&mut self, weights: &mut Values, gradient: &Values, rate: f64) {
        let [b1, b2] = Adam::DECAY;
        self.powers = [self.powers[0] * b1, self.powers[1] * b2];
        let [unbias1, unbias2] = self.powers.map(|power| 1.0 / (1.0 - power));
        let moments = self.slope.as_flattened_mut().iter_mut().zip(self.square.as_flattened_mut());
        let weights = weights.as_flattened_mut().iter_mut().zip(gradient.as_flattened());
        for ((slope, square), (weight, by)) in moments.zip(weights) {
            *slope = b1 * *slope + (1.0 - b1) * by;
            *square = b2 * *square + (1.0 - b2) * by * by;
            *weight -= rate * *slope * unbias1 / ((*square * unbias2).sqrt() + Adam::EPSILON);
        }
    }
}

fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// Cross entropy of a target and a prediction: ln(1 + e^logit) - target · logit.
fn loss(logit: f64, target: f64) -> f64 {
    logit.max(0.0) + (-logit.abs()).exp().ln_1p() - target * logit
}

/// Mean over items, in chunks of fixed size.
fn mean<T: Sync>(items: &[T], of: impl Fn(&T) -> f64 + Sync) -> f64 {
    let sums: Vec<f64> =
        items.par_chunks(CHUNK).map(|chunk| chunk.iter().map(&of).sum::<f64>()).collect();
    sums.iter().sum::<f64>() / items.len().max(1) as f64
}

/// Where a function with one minimum has it, for a constant that turns centi-pieces into logits:
/// golden section on a logarithmic scale.
fn minimize(of: impl Fn(f64) -> f64) -> f64 {
    let section = (5f64.sqrt() - 1.0) / 2.0;
    let at = |log: f64| of(log.exp());
    let (mut low, mut high) = (1e-5f64.ln(), 1f64.ln());
    let (mut left, mut right) = (high - section * (high - low), low + section * (high - low));
    let (mut at_left, mut at_right) = (at(left), at(right));
    while high - low > 1e-5 {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - section * (high - low);
            at_left = at(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + section * (high - low);
            at_right = at(right);
        }
    }
    ((low + high) / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::*;
    use crate::tune::datagen::{Plan, generate};

    const TRUTH: [[f64; 2]; 3] = [[120.0, 80.0], [-30.0, 15.0], [7.0, 0.0]];

    /// Positions of a game with three weights, whose results are as likely as `TRUTH` says.
    fn synthetic() -> Examples {
        let mut random = SplitMix64::new(5);
        let mut example = || {
            let counts = (0..3).map(|number| (number, random.below(7) as i16 - 3)).collect();
            let phase = random.below(33) as f64 / 32.0;
            let form = LinearForm { counts, phase, scale: [1.0, 0.5] };
            let score = form.value(&TRUTH);
            Example { form, score, points: logistic(score / 200.0) }
        };
        let fitted = (0..40_000).map(|_| example()).collect();
        Examples { fitted, ..Examples::default() }
    }

    const SETTINGS: Settings =
        Settings { epochs: 60, rate: 3.0, lambda: 1.0, prior: 1000.0, seed: 1 };

    #[test]
    fn the_descent_finds_the_weights_behind_the_results() {
        let examples = synthetic();
        let goal = Goal { score: 1.0, eval: 1.0 / 200.0, lambda: 1.0 };
        let mut losses = Vec::new();
        let start = vec![[20.0; 2]; 3];
        let found = descend(&examples, &goal, &start, &SETTINGS, |l| losses.push(l.fitted));
        for (found, truth) in found.as_flattened().iter().zip(TRUTH.as_flattened()) {
            assert!((found - truth).abs() < 1.0, "{found} {truth}");
        }
        assert_eq!(losses.len(), 60);
        let best = goal.mean_loss(&examples.fitted, &TRUTH.to_vec());
        assert!(losses[0] > best + 0.01 && losses[59] < best + 1e-4, "{losses:?} {best}");
    }

    #[test]
    fn scores_are_trusted_as_far_as_they_foretell_results() {
        let examples = synthetic();
        let goal = Goal::new(&examples.fitted, &TRUTH.to_vec(), 0.5);
        assert!((1.0 / goal.score - 200.0).abs() < 0.5, "{goal:?}");
        assert!((1.0 / goal.eval - 200.0).abs() < 0.5, "{goal:?}");
    }

    #[test]
    fn the_loss_is_least_on_target_and_slopes_by_the_error() {
        for target in [0.0, 0.3, 1.0] {
            for logit in [-40.0, -2.0, 0.0, 0.7, 40.0] {
                let slope = (loss(logit + 1e-6, target) - loss(logit - 1e-6, target)) / 2e-6;
                assert!((slope - (logistic(logit) - target)).abs() < 1e-6, "{logit} {target}");
            }
        }
        assert!(loss(800.0, 1.0) < 1e-9 && loss(-800.0, 0.0) < 1e-9);
    }

    #[test]
    fn the_first_step_of_adam_has_the_size_of_the_rate() {
        let mut weights = vec![[1.0, 1.0], [1.0, 1.0]];
        let gradient = vec![[0.3, -200.0], [1e-6, 0.0]];
        Adam::new(2).step(&mut weights, &gradient, 0.25);
        for (weight, expected) in weights.as_flattened().iter().zip([0.75, 1.25, 0.75, 1.0]) {
            assert!((weight - expected).abs() < 1e-5, "{weights:?}");
        }
    }

    #[test]
    fn games_become_weights_whatever_the_threads() {
        let mut examples = Examples::default();
        let plan = Plan { seed: 2, nodes: 50, first: 0, end: 20, threads: 2 };
        generate(&plan, |game| {
            game.iter().for_each(|sample| examples.add(sample).unwrap());
            Ok(())
        })
        .unwrap();
        assert_eq!(examples.games(), 20);
        assert!(
            examples.held_out.len() * 4 < examples.positions() && !examples.held_out.is_empty()
        );

        let settings = Settings { epochs: 20, lambda: 0.5, ..SETTINGS };
        let [one, three] = [1, 3].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit(&examples, &settings, |_| {}))
        });
        assert_eq!(one, three);
        assert!(one.after.fitted < one.before.fitted - 0.001, "{one:?}");
        let values: Values = one.weights.iter().map(|w| [w.mg().into(), w.eg().into()]).collect();
        assert!((examples.unit(&values) - UNIT).abs() < 1.0);
    }
}
