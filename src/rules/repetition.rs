//! Repetition, in the form the search needs at every node.
//!
//! Most nodes repeat nothing and cost a walk over a few keys. Where something recurs, checks are
//! known from the history; only when they do not decide and the rule set weighs chases are the
//! chases of the cycle looked at, newest first, and no further than it takes to clear both sides.
//!
//! The verdict is that of [`Cycle::of`](super::cycle::Cycle::of) with one exception: a side that
//! only threatens mate is not found out, its repetition is a draw here.

use super::chase::{self, MenSet};
use super::law::{Class, Law};
use super::{RuleSet, threat};
use crate::board::{Position, Undo};
use crate::types::Color;

/// What a repetition means for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// Nobody is to blame, or both are.
    Draw,
    /// The other side has been attacking all the time.
    Win,
    /// The side to move has been attacking all the time.
    Loss,
}

/// Judges the position on the board if it has occurred before.
///
/// `ply` is the distance from the root of a search: one recurrence inside the tree decides, since
/// what could be done once can be done again; positions older than the root must have occurred
/// twice, so that this is the third time. At `ply` 0 this is the rule of the game itself.
pub fn judge(pos: &Position, ply: usize, rules: RuleSet) -> Option<Repetition> {
    // Captures cannot be undone, so nothing older than the last one can recur.
    let reach = (pos.quiet_plies() as usize).min(pos.history().len());
    if reach < 4 {
        return None;
    }
    let mut earlier = 0;
    let (mut we_check, mut they_check) = (true, true);
    // From the newest ply backwards, two at a time: the other side's move, then ours.
    for (pairs, pair) in pos.history().rchunks_exact(2).take(reach / 2).enumerate() {
        let [ours, theirs] = pair else { break };
        if ours.mv.is_none() || theirs.mv.is_none() {
            break; // not across a null move
        }
        we_check &= ours.gave_check;
        they_check &= theirs.gave_check;
        if ours.key != pos.key() {
            continue;
        }
        earlier += 1;
        let plies = 2 * (pairs + 1);
        if earlier == 2 || plies <= ply {
            return Some(weigh(pos, plies, we_check, they_check, rules.law()));
        }
    }
    None
}

/// Weighs the last `plies` plies, of which it is known whether all were checks.
fn weigh(pos: &Position, plies: usize, we_check: bool, they_check: bool, law: &Law) -> Repetition {
    let us = pos.side_to_move();
    let class = |checks| if checks { Class::Check } else { Class::Idle };
    let mut classes = [class(we_check), class(they_check)];
    if us == Color::Black {
        classes.reverse();
    }
    let cycle = &pos.history()[pos.history().len() - plies..];
    let checked = cycle.iter().any(|undo| undo.gave_check);
    let chases_weigh = law.guilt(Class::ChaseOne, checked) > 0;
    if !we_check && !they_check && chases_weigh {
        classes = classes_by_chases(pos, cycle, law);
    }
    match law.loser(classes, checked) {
        None => Repetition::Draw,
        Some(loser) if loser == us => Repetition::Loss,
        Some(_) => Repetition::Win,
    }
}

/// What is known of a side while its moves are walked.
#[derive(Clone, Copy)]
struct Record {
    /// The men that every move so far has chased.
    common: MenSet,
    /// Every move so far has checked or chased.
    attacks: bool,
}

impl Record {
    /// Is the side cleared, whatever it did before?
    fn is_clear(self, law: &Law) -> bool {
        self.common == 0 && !(self.attacks && law.guilt[Class::Mixed as usize] > 0)
    }

    fn class(self) -> Class {
        match self {
            Record { common, .. } if common != 0 => Class::ChaseOne,
            Record { attacks: true, .. } => Class::Mixed,
            _ => Class::Idle,
        }
    }
}

/// The classes of Red and Black in a cycle in which neither side checks all the time.
fn classes_by_chases(pos: &Position, cycle: &[Undo], law: &Law) -> [Class; 2] {
    let mut records = [Record { common: !0, attacks: true }; 2];
    let mut board = pos.snapshot();
    for undo in cycle.iter().rev() {
        let mut passed = board.clone();
        board.revert(undo);
        let record = &mut records[board.side_to_move().index()];
        if record.is_clear(law) {
            continue;
        }
        passed.make_null();
        let victims = chase::made_between(&mut board, &mut passed, law).victims();
        record.common &= victims;
        record.attacks &= undo.gave_check || victims != 0;
        if records.iter().all(|record| record.is_clear(law)) {
            return [Class::Idle; 2];
        }
    }
    let mut classes = records.map(Record::class);
    for color in Color::ALL {
        let class = &mut classes[color.index()];
        let other_attacks = records[(!color).index()].class() != Class::Idle;
        if *class == Class::Idle && other_attacks && attacks_by_threats(pos, cycle, color, law) {
            *class = Class::Mixed;
        }
    }
    classes
}

/// Where mate threats weigh as much as chases: is every move of `color` an attack once they are
/// counted too? Looked at only when the other side would lose otherwise.
fn attacks_by_threats(pos: &Position, cycle: &[Undo], color: Color, law: &Law) -> bool {
    if law.guilt[Class::Threat as usize] == 0 {
        return false;
    }
    let mut after = pos.snapshot();
    for undo in cycle.iter().rev() {
        let mut before = after.clone();
        before.revert(undo);
        if before.side_to_move() == color && !undo.gave_check {
            let mut passed = after.clone();
            passed.make_null();
            let chases = !chase::made_between(&mut before, &mut passed, law).is_empty();
            if !chases && !undo.mv.is_some_and(|mv| threat::makes_mate_threat(&after, undo, mv)) {
                return false;
            }
        }
        after = before;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Verdict;
    use crate::rules::cycle::Cycle;

    fn after(fen: &str, moves: &str) -> Position {
        let mut pos = Position::from_fen(fen).unwrap();
        for mv in moves.split_whitespace() {
            pos.play(mv.parse().unwrap()).unwrap();
        }
        pos
    }

    #[test]
    fn the_third_occurrence_counts() {
        let shuffle = "a0a1 a9a8 a1a0 a8a9 ";
        let start = crate::board::START_FEN;
        for (_, rules) in RuleSet::NAMED {
            assert_eq!(judge(&after(start, shuffle), 0, rules), None);
            let twice = after(start, &shuffle.repeat(2));
            assert_eq!(judge(&twice, 0, rules), Some(Repetition::Draw));
            // Inside the tree the second time is enough.
            assert_eq!(judge(&after(start, shuffle), 4, rules), Some(Repetition::Draw));
            assert_eq!(judge(&after(start, shuffle), 3, rules), None);
        }
    }

    #[test]
    fn perpetual_check_loses() {
        let checks = "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9";
        let fen = "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1";
        for (_, rules) in RuleSet::NAMED {
            let or_draw = |r| Some(if rules == RuleSet::Off { Repetition::Draw } else { r });
            assert_eq!(judge(&after(fen, checks), 0, rules), or_draw(Repetition::Win));
            let pos = after(fen, &format!("{checks} e9e8"));
            assert_eq!(judge(&pos, 0, rules), or_draw(Repetition::Loss));
        }
    }

    #[test]
    fn perpetual_chase_loses_where_the_rules_say_so() {
        let fen = "4k4/9/9/9/1c7/9/9/9/9/1R1K5 b - - 0 1";
        let lap = "b5c5 b0c0 c5b5 c0b0 ";
        for (_, rules) in RuleSet::NAMED {
            let weighs = !matches!(rules, RuleSet::Simple | RuleSet::Off);
            let verdict = if weighs { Repetition::Win } else { Repetition::Draw };
            assert_eq!(judge(&after(fen, &lap.repeat(2)), 0, rules), Some(verdict), "{rules:?}");
            assert_eq!(judge(&after(fen, lap), 4, rules), Some(verdict), "{rules:?}");
        }
    }

    /// In the tree and in full: the same verdict on all public cases, mate threats apart.
    #[test]
    fn agrees_with_the_full_judgement() {
        for line in include_str!("../../tests/data/rules_public.jsonl").lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let moves: Vec<&str> =
                case["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
            let pos = after(case["fen"].as_str().unwrap(), &moves.join(" "));
            for (name, rules) in RuleSet::NAMED {
                let fast = judge(&pos, 0, rules);
                let full = Cycle::of(&pos, rules);
                assert_eq!(fast.is_some(), full.is_some(), "{} {name}", case["id"]);
                let (Some(fast), Some(full)) = (fast, full) else { continue };
                let expected = match full.verdict {
                    Verdict::Win { winner, .. } if winner == pos.side_to_move() => Repetition::Win,
                    Verdict::Win { .. } => Repetition::Loss,
                    _ => Repetition::Draw,
                };
                let by_threats = full.deeds.iter().any(|deed| deed.threatens_mate);
                assert!(
                    fast == expected || by_threats && fast == Repetition::Draw,
                    "{} {name}: {fast:?}, in full {expected:?}",
                    case["id"]
                );
            }
        }
    }
}
