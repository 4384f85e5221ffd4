//! The evaluation taken apart, for people.

use std::fmt;

use super::Term;
use super::psqt::FULL_PHASE;
use super::scale::FULL_SCALE;
use crate::types::{Color, Score, Tapered};

/// Every term of a position's evaluation, both sides. Prints as a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub(super) rows: [Row; Term::ALL.len()],
    pub(super) phase: i32,
    pub(super) scale: Score,
    pub(super) score: Score,
    pub(super) side: Color,
}

/// One term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Which term.
    pub term: Term,
    /// What it gives Red.
    pub red: Tapered,
    /// What it gives Black.
    pub black: Tapered,
}

impl Trace {
    /// The terms in the order of [`Term::ALL`].
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// One term.
    pub fn row(&self, term: Term) -> Row {
        self.rows[term as usize]
    }

    /// Share of the middle game, from 32 down to 0 for the endgame.
    pub fn phase(&self) -> i32 {
        self.phase
    }

    /// Share of the lead that counts, in 64ths; less than 64 in endings that are hard to win.
    pub fn scale(&self) -> Score {
        self.scale
    }

    /// The evaluation in centi-pieces from Red's side.
    pub fn red_score(&self) -> Score {
        self.score
    }

    /// The evaluation in centi-pieces from the side to move, as the search sees it.
    pub fn score(&self) -> Score {
        match self.side {
            Color::Red => self.score,
            Color::Black => -self.score,
        }
    }
}

impl Row {
    /// Red's part less Black's.
    pub fn total(&self) -> Tapered {
        self.red - self.black
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<16}{:>15}{:>15}{:>10}", "term", "red", "black", "total")?;
        writeln!(f, "{:<16}{:>8}{:>7}{:>8}{:>7}", "", "mg", "eg", "mg", "eg")?;
        let mut sum = Tapered::ZERO;
        for row in &self.rows {
            let (red, black) = (row.red, row.black);
            let total = row.total().blend(self.phase, FULL_PHASE);
            sum += row.total();
            writeln!(
                f,
                "{:<16}{:>8}{:>7}{:>8}{:>7}{total:>10}",
                row.term.name(),
                red.mg(),
                red.eg(),
                black.mg(),
                black.eg()
            )?;
        }
        let blend = sum.blend(self.phase, FULL_PHASE);
        writeln!(f, "{:<46}{blend:>10}", format!("sum at phase {}/{FULL_PHASE}", self.phase))?;
        writeln!(f, "{:<46}{:>10}", format!("scaled by {}/{FULL_SCALE}", self.scale), self.score)?;
        write!(f, "centi-pieces; total from red's side, {} to move", self.side)
    }
}
