//! The evaluation as a linear form of its weights, for the tuner.
//!
//! Made by the code that evaluates, so that the two cannot drift apart.

use std::sync::LazyLock;

use super::psqt::{FULL_PHASE, place};
use super::scale::{FULL_SCALE, scale};
use super::terms::{Tally, Terms};
use super::weights::Weights;
use super::{Knowledge, side_terms};
use crate::board::Position;
use crate::types::{Color, PieceId, Square};

/// The number of each weight, in the order of [`Weights::from_fn`].
static NUMBERS: LazyLock<Weights<u16>> = LazyLock::new(|| {
    let mut numbers = 0..;
    Weights::from_fn(|| numbers.next().unwrap_or(u16::MAX))
});

/// How often each weight counts in the evaluation of one position.
#[derive(Clone, PartialEq, Debug)]
pub struct LinearForm {
    /// Number of a weight and how often it counts for Red, less for Black. Ordered, never 0.
    pub(crate) counts: Box<[(u16, i16)]>,
    /// Share of the middle game, 0 to 1.
    pub(crate) phase: f64,
    /// Share of a lead that counts, for Red's and for Black's.
    pub(crate) scale: [f64; 2],
}

impl Tally for Vec<(u16, i32)> {
    type Weight = u16;

    fn add(&mut self, weight: u16, times: i32) {
        self.push((weight, times));
    }
}

impl LinearForm {
    /// Of the evaluation with full knowledge.
    pub fn new(pos: &Position) -> LinearForm {
        let terms: Terms<Vec<(u16, i32)>> = Terms::new(pos, &NUMBERS);
        let mut sides = [Vec::new(), Vec::new()];
        for color in Color::ALL {
            let side = &mut sides[color.index()];
            for &id in PieceId::of(color) {
                if let Some(square) = pos.square_of(id) {
                    add_man(side, id, square);
                }
            }
            side_terms(&terms, color, Knowledge::Large, |_, term| side.extend(term));
        }
        let [red, black] = sides;
        LinearForm {
            counts: gather(red.into_iter().chain(black.into_iter().map(|(w, n)| (w, -n)))),
            phase: phase(pos),
            scale: Color::ALL.map(|ahead| f64::from(scale(&terms, ahead)) / f64::from(FULL_SCALE)),
        }
    }

    /// Of what a man is worth where it stands, to its own side; `None` when it is off the board.
    pub fn of_man(pos: &Position, id: PieceId) -> Option<LinearForm> {
        let mut counts = Vec::new();
        add_man(&mut counts, id, pos.square_of(id)?);
        Some(LinearForm { counts: gather(counts), phase: phase(pos), scale: [1.0; 2] })
    }

    /// The evaluation from Red's side, without rounding and limit. The weights are pairs of middle
    /// game and endgame in the order of [`Weights::from_fn`].
    pub fn value(&self, weights: &[[f64; 2]]) -> f64 {
        let (mut mg, mut eg) = (0.0, 0.0);
        for &(number, count) in &self.counts {
            let [weight_mg, weight_eg] = weights[usize::from(number)];
            mg += weight_mg * f64::from(count);
            eg += weight_eg * f64::from(count);
        }
        let blend = mg * self.phase + eg * (1.0 - self.phase);
        blend * self.scale_of(blend)
    }

    /// Adds the derivative of [`LinearForm::value`] by every weight, `times` times. `value` is what
    /// that returned.
    pub fn add_gradient(&self, value: f64, times: f64, gradient: &mut [[f64; 2]]) {
        let times = times * self.scale_of(value);
        let (mg, eg) = (times * self.phase, times * (1.0 - self.phase));
        for &(number, count) in &self.counts {
            let [by_mg, by_eg] = &mut gradient[usize::from(number)];
            *by_mg += mg * f64::from(count);
            *by_eg += eg * f64::from(count);
        }
    }

    /// The share that counts of a lead, 0 of none: a value of 0 does not tell whose it might be.
    fn scale_of(&self, lead: f64) -> f64 {
        match lead {
            _ if lead > 0.0 => self.scale[0],
            _ if lead < 0.0 => self.scale[1],
            _ => 0.0,
        }
    }
}

fn add_man(counts: &mut Vec<(u16, i32)>, id: PieceId, square: Square) {
    counts.add(NUMBERS.material[id.kind().index()], 1);
    if let Some(place) = place(&NUMBERS, id.piece(), square) {
        counts.add(place, 1);
    }
}

fn phase(pos: &Position) -> f64 {
    f64::from(pos.phase()) / f64::from(FULL_PHASE)
}

/// Sums what belongs to the same weight.
fn gather(counts: impl IntoIterator<Item = (u16, i32)>) -> Box<[(u16, i16)]> {
    let mut counts: Vec<(u16, i32)> = counts.into_iter().collect();
    counts.sort_unstable();
    counts
        .chunk_by(|a, b| a.0 == b.0)
        .map(|same| (same[0].0, same.iter().map(|&(_, n)| n).sum::<i32>() as i16))
        .filter(|&(_, n)| n != 0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::POSITIONS;
    use crate::eval::WEIGHTS;

    #[test]
    fn gradient_is_what_a_change_of_one_weight_does() {
        let weights: Vec<[f64; 2]> =
            WEIGHTS.iter().map(|w| [w.mg().into(), w.eg().into()]).collect();
        for fen in POSITIONS {
            let form = LinearForm::new(&Position::from_fen(fen).unwrap());
            let value = form.value(&weights);
            if value.abs() < 1.0 {
                continue; // where the lead changes hands there is no slope
            }
            let mut gradient = vec![[0.0; 2]; weights.len()];
            form.add_gradient(value, 2.0, &mut gradient);
            for (number, half) in (0..weights.len()).flat_map(|n| [(n, 0), (n, 1)]) {
                let mut changed = weights.clone();
                changed[number][half] += 1e-3;
                let slope = (form.value(&changed) - value) / 1e-3;
                assert!((2.0 * slope - gradient[number][half]).abs() < 1e-6, "{number} {fen}");
            }
        }
    }
}
