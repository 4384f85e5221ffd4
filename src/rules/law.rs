//! Where the rule sets differ, as data: one row each.

use super::{EndReason, RuleSet, Verdict};
use crate::types::Color;

/// How the moves of one side go together over a whole cycle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Some move attacked nothing: an idle move, an offer, a block.
    Idle,
    /// Every move threatened mate.
    Threat,
    /// Every move chased, but there is no man that all of them chased.
    ChaseMany,
    /// Every move chased the same man.
    ChaseOne,
    /// Every move checked, threatened mate or chased, each of these not always.
    Mixed,
    /// Every move gave check.
    Check,
}

impl Class {
    /// The name of the end that such play leads to.
    pub(super) fn reason(self) -> EndReason {
        match self {
            Class::Idle => EndReason::Repetition,
            Class::Threat => EndReason::PerpetualThreat,
            Class::ChaseMany | Class::ChaseOne => EndReason::PerpetualChase,
            Class::Mixed => EndReason::MixedAttack,
            Class::Check => EndReason::PerpetualCheck,
        }
    }
}

/// When is a chase a new one?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Novelty {
    /// The chaser did not attack the victim before the move.
    Attack,
    /// Nobody chased the victim before the move.
    Victim,
}

/// One rule set.
#[derive(Debug)]
pub(super) struct Law {
    /// Guilt by [`Class`]: the side with more of it loses, equals draw.
    pub guilt: [u8; 6],
    /// One check by either side anywhere in the cycle excuses all chases.
    pub check_excuses: bool,
    /// What makes a chase new.
    pub novelty: Novelty,
    /// An advisor or elephant that attacks a rook, horse or cannon chases it though protected, as
    /// a horse or cannon does a rook.
    pub minors_outrank: bool,
    /// Checks of a side that count as plies without capture; `None`: all.
    pub counted_checks: Option<u32>,
}

const fn chases_of_one() -> Law {
    Law {
        guilt: [0, 0, 0, 1, 0, 2],
        check_excuses: false,
        novelty: Novelty::Attack,
        minors_outrank: false,
        counted_checks: None,
    }
}

/// The rows, in index order of [`RuleSet`].
static LAWS: [Law; 5] = [
    // Cxa: any attack is an attack; won by gain is what counts.
    Law { guilt: [0, 1, 1, 1, 1, 2], minors_outrank: true, ..chases_of_one() },
    // Axf
    chases_of_one(),
    // Computer
    Law {
        check_excuses: true,
        novelty: Novelty::Victim,
        minors_outrank: true,
        counted_checks: Some(10),
        ..chases_of_one()
    },
    // Simple
    Law { guilt: [0, 0, 0, 0, 0, 1], ..chases_of_one() },
    // Off
    Law { guilt: [0; 6], ..chases_of_one() },
];

impl RuleSet {
    pub(super) fn law(self) -> &'static Law {
        &LAWS[self as usize]
    }
}

impl Law {
    /// How much is a class held against a side, `checked` telling whether the cycle has a check?
    pub(super) fn guilt(&self, class: Class, checked: bool) -> u8 {
        if self.check_excuses && checked && class != Class::Check {
            return 0;
        }
        self.guilt[class as usize]
    }

    /// The side that loses, if one does. `classes` are Red's and Black's.
    pub(super) fn loser(&self, classes: [Class; 2], checked: bool) -> Option<Color> {
        let [red, black] = classes.map(|class| self.guilt(class, checked));
        match red.cmp(&black) {
            std::cmp::Ordering::Greater => Some(Color::Red),
            std::cmp::Ordering::Less => Some(Color::Black),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The verdict on a cycle; `drawn` names a draw in which neither side attacked all the time.
    pub(super) fn verdict(&self, classes: [Class; 2], checked: bool, drawn: EndReason) -> Verdict {
        if let Some(loser) = self.loser(classes, checked) {
            let reason = classes[loser.index()].reason();
            return Verdict::Win { winner: !loser, reason };
        }
        let reason = match classes {
            [Class::Idle, Class::Idle] => drawn,
            [Class::Idle, other] | [other, Class::Idle] => other.reason(),
            _ => EndReason::MutualPerpetual,
        };
        Verdict::Draw { reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Class::*;

    /// Rows and columns of the table in `docs/rules.md`: who of (first, second) loses.
    #[test]
    fn the_table_of_rule_sets() {
        let first = Some(Color::Red);
        let rows: [([Class; 2], [Option<Color>; 5]); 12] = [
            // cxa, axf, computer, simple, off
            ([Check, Idle], [first, first, first, first, None]),
            ([Check, Check], [None; 5]),
            ([Check, ChaseOne], [first, first, first, first, None]),
            ([Check, Mixed], [first, first, first, first, None]),
            ([ChaseOne, Idle], [first, first, first, None, None]),
            ([ChaseMany, Idle], [first, None, None, None, None]),
            ([ChaseOne, ChaseOne], [None; 5]),
            ([ChaseOne, Threat], [None, first, first, None, None]),
            ([Threat, Idle], [first, None, None, None, None]),
            ([Mixed, Idle], [first, None, None, None, None]),
            ([Threat, Mixed], [None; 5]),
            ([Idle, Idle], [None; 5]),
        ];
        for (classes, losers) in rows {
            for ((name, rules), loser) in RuleSet::NAMED.into_iter().zip(losers) {
                assert_eq!(rules.law().loser(classes, false), loser, "{name} {classes:?}");
                let swapped = [classes[1], classes[0]];
                assert_eq!(rules.law().loser(swapped, false), loser.map(|c| !c), "{name}");
            }
        }
    }

    #[test]
    fn a_check_excuses_chases_in_engine_matches_only() {
        for (_, rules) in RuleSet::NAMED {
            let loser = rules.law().loser([ChaseOne, Idle], true);
            let chase_loses = matches!(rules, RuleSet::Cxa | RuleSet::Axf);
            assert_eq!(loser, chase_loses.then_some(Color::Red), "{rules:?}");
        }
        assert_eq!(RuleSet::Computer.law().loser([Check, ChaseOne], true), Some(Color::Red));
    }

    #[test]
    fn a_verdict_carries_the_name_of_the_attack() {
        let law = RuleSet::Axf.law();
        let verdict = |red, black| law.verdict([red, black], false, EndReason::PerpetualBlock);
        assert_eq!(
            verdict(ChaseOne, Idle),
            Verdict::Win { winner: Color::Black, reason: EndReason::PerpetualChase }
        );
        assert_eq!(verdict(Idle, Threat), Verdict::Draw { reason: EndReason::PerpetualThreat });
        assert_eq!(verdict(Idle, Idle), Verdict::Draw { reason: EndReason::PerpetualBlock });
        assert_eq!(verdict(Check, Check), Verdict::Draw { reason: EndReason::MutualPerpetual });
    }
}
