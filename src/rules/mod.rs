//! The rules that end a game: who has won, or why it is drawn.

mod chase;
pub mod cycle;
mod law;
pub mod mate_threat;
pub mod referee;
pub mod repetition;
pub mod threat;
pub mod upcoming;

pub use law::Class;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::types::Color;

/// Plies without a capture after which the game is drawn: sixty rounds.
pub const MOVE_LIMIT: u32 = 120;

/// Which repetition rules are in force; the table is in `docs/rules.md`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RuleSet {
    /// Chinese national rules.
    #[default]
    Cxa,
    /// Asian and world rules.
    Axf,
    /// The rule of engine matches.
    Computer,
    /// Small servers: only perpetual check loses.
    Simple,
    /// Every repetition is a draw; for analysis.
    Off,
}

impl RuleSet {
    /// All rule sets with the words that name them, in index order.
    pub const NAMED: [(&'static str, RuleSet); 5] = [
        ("cxa", RuleSet::Cxa),
        ("axf", RuleSet::Axf),
        ("computer", RuleSet::Computer),
        ("simple", RuleSet::Simple),
        ("off", RuleSet::Off),
    ];
}

impl fmt::Display for RuleSet {
    /// The word that names it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(RuleSet::NAMED[*self as usize].0)
    }
}

/// The text names no rule set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no rule set \"{0}\" (one of cxa, axf, computer, simple, off)")]
pub struct ParseRuleSetError(pub String);

impl FromStr for RuleSet {
    type Err = ParseRuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, ParseRuleSetError> {
        RuleSet::NAMED
            .into_iter()
            .find(|(name, _)| text.eq_ignore_ascii_case(name))
            .map(|(_, rule_set)| rule_set)
            .ok_or_else(|| ParseRuleSetError(text.to_owned()))
    }
}

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Not over.
    Ongoing,
    /// One side has won.
    Win {
        /// Which.
        winner: Color,
        /// Why.
        reason: EndReason,
    },
    /// Nobody has won.
    Draw {
        /// Why.
        reason: EndReason,
    },
}

impl Verdict {
    /// Is the game over?
    pub fn is_over(self) -> bool {
        self != Verdict::Ongoing
    }

    /// `red_wins`, `black_wins`, `draw` or `ongoing`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Ongoing => "ongoing",
            Verdict::Win { winner: Color::Red, .. } => "red_wins",
            Verdict::Win { winner: Color::Black, .. } => "black_wins",
            Verdict::Draw { .. } => "draw",
        }
    }

    /// Why it is over.
    pub fn reason(self) -> Option<EndReason> {
        match self {
            Verdict::Ongoing => None,
            Verdict::Win { reason, .. } | Verdict::Draw { reason } => Some(reason),
        }
    }
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndReason {
    /// 将死: in check without an answer.
    Checkmate,
    /// 困毙: no legal move, which loses.
    Stalemate,
    /// 长将 by one side.
    PerpetualCheck,
    /// 长捉 by one side.
    PerpetualChase,
    /// 长杀 by one side.
    PerpetualThreat,
    /// 一将一要杀 and other mixtures of attacks, by one side.
    MixedAttack,
    /// Both sides check, or attack in the same degree.
    MutualPerpetual,
    /// 长跟.
    PerpetualFollow,
    /// 长兑.
    PerpetualExchange,
    /// 长拦.
    PerpetualBlock,
    /// 长献.
    PerpetualOffer,
    /// 一将一闲.
    CheckAndIdle,
    /// 一捉一闲.
    ChaseAndIdle,
    /// A repetition in which nobody attacked perpetually.
    Repetition,
    /// Sixty rounds without a capture.
    MoveLimit,
    /// Neither side has the force to mate.
    BareForces,
    /// Both agreed to a draw.
    Agreement,
    /// 认输.
    Resignation,
    /// 超时.
    Time,
    /// A move against the rules.
    IllegalMove,
    /// Left the game: crashed, stalled or disconnected.
    Leaving,
    /// 裁定: ended early by the referee of a match.
    Adjudication,
}

impl EndReason {
    /// Every reason with its machine word, its English and its Chinese name.
    pub const NAMED: [(EndReason, &'static str, &'static str, &'static str); 22] = {
        use EndReason as R;
        [
            (R::Checkmate, "checkmate", "checkmate", "将死"),
            (R::Stalemate, "stalemate", "stalemate", "困毙"),
            (R::PerpetualCheck, "perpetual_check", "perpetual check", "长将"),
            (R::PerpetualChase, "perpetual_chase", "perpetual chase", "长捉"),
            (R::PerpetualThreat, "perpetual_threat", "perpetual mate threat", "长杀"),
            (R::MixedAttack, "mixed_attack", "checks, threats and chases in turn", "一将一要杀"),
            (R::MutualPerpetual, "mutual_perpetual", "both attack perpetually", "双方长打"),
            (R::PerpetualFollow, "perpetual_follow", "perpetual following", "长跟"),
            (R::PerpetualExchange, "perpetual_exchange", "perpetual exchange offer", "长兑"),
            (R::PerpetualBlock, "perpetual_block", "perpetual blocking", "长拦"),
            (R::PerpetualOffer, "perpetual_offer", "perpetual sacrifice offer", "长献"),
            (R::CheckAndIdle, "check_and_idle", "check and idle move in turn", "一将一闲"),
            (R::ChaseAndIdle, "chase_and_idle", "chase and idle move in turn", "一捉一闲"),
            (R::Repetition, "repetition", "repetition", "不变作和"),
            (R::MoveLimit, "move_limit", "sixty rounds without a capture", "六十回合"),
            (R::BareForces, "bare_forces", "neither side can mate", "双方无力取胜"),
            (R::Agreement, "agreement", "agreement", "议和"),
            (R::Resignation, "resignation", "resignation", "认输"),
            (R::Time, "time", "time forfeit", "超时"),
            (R::IllegalMove, "illegal_move", "illegal move", "违例"),
            (R::Leaving, "leaving", "left the game", "退出"),
            (R::Adjudication, "adjudication", "adjudication", "裁定"),
        ]
    };

    fn row(self) -> (&'static str, &'static str, &'static str) {
        let [.., last] = EndReason::NAMED;
        let row = EndReason::NAMED.into_iter().find(|row| row.0 == self).unwrap_or(last);
        (row.1, row.2, row.3)
    }

    /// One lower-case word for machines, as in `perpetual_check`.
    pub fn word(self) -> &'static str {
        self.row().0
    }

    /// The English name, as in `perpetual check`.
    pub fn english(self) -> &'static str {
        self.row().1
    }

    /// The Chinese term.
    pub fn chinese(self) -> &'static str {
        self.row().2
    }
}

impl fmt::Display for EndReason {
    /// English with the Chinese term, as in `perpetual check (长将)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, english, chinese) = self.row();
        write!(f, "{english} ({chinese})")
    }
}
