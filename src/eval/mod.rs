//! The evaluation: what a position is worth when nobody looks ahead.
//!
//! The board keeps the sum of material and squares up to date ([`psqt`]); [`evaluate`] adds the
//! other [`Term`]s, blends middle game and endgame by the men left, and shrinks leads that
//! cannot be won. [`trace`] runs the same code and writes every term down, [`LinearForm`] the
//! weights it takes.

mod linear;
mod material;
pub mod psqt;
mod scale;
mod terms;
mod trace;
mod weights;

use crate::board::Position;
use crate::types::score::EVAL_LIMIT;
use crate::types::{Color, PieceId, Score, Tapered};
use psqt::{FULL_PHASE, PSQT};
use scale::{FULL_SCALE, scale};
use terms::{Tally, Terms};

pub use linear::LinearForm;
pub use trace::{Row, Trace};
pub use weights::{WEIGHTS, Weights};

/// How much the evaluation looks at. Each step adds to the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Knowledge {
    /// Material and squares.
    None,
    /// And mobility, pawns, the right to move.
    Small,
    /// And the mix of men, guards, rooks' files, endings that cannot be won.
    Medium,
    /// And the attack on the king, horses' legs and elephants' eyes: everything.
    Large,
}

/// A part of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// Value of the men.
    Material,
    /// Where they stand.
    Squares,
    /// Freedom of horses, rooks and cannons.
    Mobility,
    /// Pawns hand in hand, pawns free to cross.
    Pawns,
    /// The right to move.
    Tempo,
    /// The mix of men.
    Imbalance,
    /// Advisors and elephants, there or missing.
    Guards,
    /// Rooks on open and on flank files.
    Files,
    /// Rooks, cannons and king on the enemy king's lines.
    KingLines,
    /// Force gathered around the enemy palace.
    KingAttack,
    /// Blocked horse legs and elephant eyes.
    LegsAndEyes,
}

impl Term {
    /// All terms, in the order of the trace.
    pub const ALL: [Term; 11] = [
        Term::Material,
        Term::Squares,
        Term::Mobility,
        Term::Pawns,
        Term::Tempo,
        Term::Imbalance,
        Term::Guards,
        Term::Files,
        Term::KingLines,
        Term::KingAttack,
        Term::LegsAndEyes,
    ];

    /// Its name in the trace.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Material => "material",
            Term::Squares => "squares",
            Term::Mobility => "mobility",
            Term::Pawns => "pawns",
            Term::Tempo => "tempo",
            Term::Imbalance => "imbalance",
            Term::Guards => "guards",
            Term::Files => "rook files",
            Term::KingLines => "king lines",
            Term::KingAttack => "king attack",
            Term::LegsAndEyes => "legs and eyes",
        }
    }
}

/// Value of the position in centi-pieces from the side to move, strictly within
/// ±[`EVAL_LIMIT`].
pub fn evaluate(pos: &Position, knowledge: Knowledge) -> Score {
    let terms = Terms::new(pos, &WEIGHTS);
    let mut sum = pos.psq();
    if knowledge >= Knowledge::Medium {
        sum += material::imbalance(&terms);
    }
    place_terms(&terms, Color::Red, knowledge, |_, value| sum += value);
    place_terms(&terms, Color::Black, knowledge, |_, value| sum -= value);
    let (score, _) = finish(pos, &terms, sum, knowledge);
    match pos.side_to_move() {
        Color::Red => score,
        Color::Black => -score,
    }
}

/// Every term of [`evaluate`] with full knowledge.
pub fn trace(pos: &Position) -> Trace {
    let terms = Terms::new(pos, &WEIGHTS);
    let mut rows = Term::ALL.map(|term| Row { term, red: Tapered::ZERO, black: Tapered::ZERO });
    for id in PieceId::ALL {
        let Some(square) = pos.square_of(id) else { continue };
        let material = WEIGHTS.material[id.kind().index()];
        let value = PSQT[id.piece().index()][square.index()];
        match id.color() {
            Color::Red => {
                rows[Term::Material as usize].red += material;
                rows[Term::Squares as usize].red += value - material;
            }
            Color::Black => {
                rows[Term::Material as usize].black += material;
                rows[Term::Squares as usize].black += -value - material;
            }
        }
    }
    side_terms(&terms, Color::Red, Knowledge::Large, |t, value| rows[t as usize].red = value);
    side_terms(&terms, Color::Black, Knowledge::Large, |t, value| rows[t as usize].black = value);

    let mut sum = Tapered::ZERO;
    rows.iter().for_each(|row| sum += row.total());
    let (score, scale) = finish(pos, &terms, sum, Knowledge::Large);
    Trace { rows, phase: pos.phase(), scale, score, side: pos.side_to_move() }
}

/// The terms of one side that the board does not keep.
fn side_terms<T: Tally>(
    terms: &Terms<T>,
    us: Color,
    knowledge: Knowledge,
    mut note: impl FnMut(Term, T),
) {
    if knowledge >= Knowledge::Medium {
        note(Term::Imbalance, terms.imbalance(us));
    }
    place_terms(terms, us, knowledge, note);
}

/// Those of [`side_terms`] that say more than which men there are.
#[inline(always)]
fn place_terms<T: Tally>(
    terms: &Terms<T>,
    us: Color,
    knowledge: Knowledge,
    mut note: impl FnMut(Term, T),
) {
    if knowledge >= Knowledge::Small {
        note(Term::Mobility, terms.mobility(us));
        note(Term::Pawns, terms.pawns(us));
        note(Term::Tempo, terms.tempo(us));
    }
    if knowledge >= Knowledge::Medium {
        note(Term::Guards, terms.guards(us));
        note(Term::Files, terms.files(us));
    }
    if knowledge >= Knowledge::Large {
        note(Term::KingLines, terms.king_lines(us));
        note(Term::KingAttack, terms.king_attack(us));
        note(Term::LegsAndEyes, terms.legs_and_eyes(us));
    }
}

/// Blends and scales: the score from Red's side and the scale in 64ths.
#[inline]
fn finish(
    pos: &Position,
    terms: &Terms<Tapered>,
    sum: Tapered,
    knowledge: Knowledge,
) -> (Score, Score) {
    let score = sum.blend(pos.phase(), FULL_PHASE);
    let scale = if knowledge >= Knowledge::Medium {
        scale(terms, if score > 0 { Color::Red } else { Color::Black })
    } else {
        FULL_SCALE
    };
    ((score * scale / FULL_SCALE).clamp(1 - EVAL_LIMIT, EVAL_LIMIT - 1), scale)
}
