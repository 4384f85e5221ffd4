//! The full judgement of a repetition: every move of the cycle classified, both sides weighed.

use super::law::{Class, Law};
use super::threat::{self, Deed, Nature};
use super::{EndReason, RuleSet, Verdict};
use crate::board::Position;
use crate::types::Color;

/// The moves between the occurrences of a position, judged.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// What each move was, oldest first. One lap only where the laps are the same.
    pub deeds: Vec<Deed>,
    /// How Red's and Black's moves go together.
    pub classes: [Class; 2],
    /// What follows from them.
    pub verdict: Verdict,
}

impl Cycle {
    /// The cycle that ends in the position on the board, if the position has now occurred three
    /// times.
    pub fn of(pos: &Position, rules: RuleSet) -> Option<Cycle> {
        let plies = plies_to_judge(pos)?;
        Some(Cycle::judged(deeds(pos, plies, rules.law())?, rules.law()))
    }

    fn judged(deeds: Vec<Deed>, law: &Law) -> Cycle {
        let sides = Color::ALL.map(|color| deeds.iter().filter(|d| d.mover == color).collect());
        let classes = sides.each_ref().map(|side: &Vec<&Deed>| class_of(side));
        let checked = deeds.iter().any(|deed| deed.nature == Nature::Check);
        let verdict = law.verdict(classes, checked, drawn_reason(&sides));
        Cycle { deeds, classes, verdict }
    }
}

/// Plies back to the first of three occurrences, or to the second when both laps are the same
/// moves and so of the same nature.
fn plies_to_judge(pos: &Position) -> Option<usize> {
    let reach = (pos.quiet_plies() as usize).min(pos.history().len());
    let line = &pos.history()[pos.history().len() - reach..];
    let mut earlier = (1..=reach).filter(|&back| line[reach - back].key == pos.key());
    let (lap, all) = (earlier.next()?, earlier.next()?);
    let moves = |from: usize, to: usize| line[reach - from..reach - to].iter().map(|undo| undo.mv);
    Some(if moves(all, lap).eq(moves(lap, 0)) { lap } else { all })
}

/// The last `plies` moves, oldest first; `None` when a pass of the search is among them.
fn deeds(pos: &Position, plies: usize, law: &Law) -> Option<Vec<Deed>> {
    let mut after = pos.snapshot();
    let mut deeds = Vec::with_capacity(plies);
    for undo in pos.history().iter().rev().take(plies) {
        let deed = threat::classify(&after, undo, undo.mv?, law);
        after = deed.before.snapshot();
        deeds.push(deed);
    }
    deeds.reverse();
    Some(deeds)
}

fn class_of(side: &[&Deed]) -> Class {
    let checks = |deed: &&Deed| deed.nature == Nature::Check;
    let chases = |deed: &&Deed| deed.victims != 0;
    let threatens = |deed: &&Deed| deed.threatens_mate;
    let common = side.iter().fold(!0, |common, deed| common & deed.victims);
    if side.iter().all(checks) {
        Class::Check
    } else if common != 0 {
        Class::ChaseOne
    } else if side.iter().all(threatens) {
        Class::Threat
    } else if side.iter().all(chases) {
        Class::ChaseMany
    } else if side.iter().all(|deed| checks(deed) || chases(deed) || threatens(deed)) {
        Class::Mixed
    } else {
        Class::Idle
    }
}

/// What a repetition is called in which neither side attacked all the time. The sharpest name
/// that fits either side.
fn drawn_reason(sides: &[Vec<&Deed>; 2]) -> EndReason {
    let any = |nature| sides.iter().any(|side| side.iter().any(|deed| deed.nature == nature));
    let all = |nature| sides.iter().any(|side| side.iter().all(|deed| deed.nature == nature));
    if any(Nature::Check) {
        EndReason::CheckAndIdle
    } else if any(Nature::Chase) {
        EndReason::ChaseAndIdle
    } else if all(Nature::Exchange) {
        EndReason::PerpetualExchange
    } else if all(Nature::Offer) {
        EndReason::PerpetualOffer
    } else if all(Nature::Block) {
        EndReason::PerpetualBlock
    } else if all(Nature::Follow) {
        EndReason::PerpetualFollow
    } else {
        EndReason::Repetition
    }
}
