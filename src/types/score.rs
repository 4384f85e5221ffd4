//! Scores: plain integers inside the search, a sum type at the edge of the library.
//!
//! One unit is a centi-piece: a horse or a cannon is worth about 100. Three bands, from the mover's
//! side: ordinary scores within ±[`EVAL_LIMIT`], wins by the repetition rules around
//! ±[`RULE_WIN`], mates from [`MATE_BOUND`] to [`MATE`].

use std::fmt;

/// A score in centi-pieces, from the side to move unless said otherwise.
pub type Score = i32;

/// Mate on the board: the mover is mated now is `-MATE`, mates in n plies is `MATE - n`.
pub const MATE: Score = 30_000;

/// No search goes deeper than this many plies from its root.
pub const MAX_PLY: usize = 128;

/// Every score at or above this is a proven mate.
pub const MATE_BOUND: Score = MATE - 1_000;

/// A win by the repetition rules: it depends on the path, so it stays out of the mate range and
/// out of the hash table. The band reaches [`MAX_PLY`] below.
pub const RULE_WIN: Score = 20_000;

/// Lower end of the band of rule wins.
pub const RULE_BOUND: Score = RULE_WIN - 1_000;

/// Evaluations stay strictly inside ± this.
pub const EVAL_LIMIT: Score = 9_000;

/// More than any score.
pub const INFINITE: Score = 32_000;

/// The longest mate UCCI can tell from an evaluation, in plies.
const LONGEST_MATE: u32 = 999;

/// Score of the side that mates in `ply` plies from the root.
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// Score of the side that is mated in `ply` plies from the root.
pub const fn mated_in(ply: usize) -> Score {
    -MATE + ply as Score
}

/// Is it a mate for either side?
pub const fn is_mate(score: Score) -> bool {
    score >= MATE_BOUND || score <= -MATE_BOUND
}

/// Was it decided by the repetition rules?
pub const fn is_rule(score: Score) -> bool {
    !is_mate(score) && (score >= RULE_BOUND || score <= -RULE_BOUND)
}

/// Is it more than an evaluation: a mate or a verdict of the rules?
pub const fn is_decisive(score: Score) -> bool {
    score >= RULE_BOUND || score <= -RULE_BOUND
}

/// What leaves the library: a score that says what it means, from the mover's side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Eval {
    /// Centi-pieces, within ±9000; wins and losses by the repetition rules show as ±9000.
    Points(i32),
    /// The mover mates in this many plies.
    MateIn(u32),
    /// The mover is mated in this many plies; 0 when mated already.
    MatedIn(u32),
}

impl Eval {
    /// The meaning of an internal score.
    pub const fn from_score(score: Score) -> Eval {
        if score >= MATE_BOUND {
            Eval::MateIn((MATE - score) as u32)
        } else if score <= -MATE_BOUND {
            Eval::MatedIn((MATE + score) as u32)
        } else if score > EVAL_LIMIT {
            Eval::Points(EVAL_LIMIT)
        } else if score < -EVAL_LIMIT {
            Eval::Points(-EVAL_LIMIT)
        } else {
            Eval::Points(score)
        }
    }

    /// The bare integer of UCCI: mates are 10000 minus plies, being mated −10000 plus plies. Mates
    /// further away than 999 plies count as that far, so that they stay outside ±9000.
    pub const fn to_ucci(self) -> i32 {
        match self {
            Eval::Points(points) => points,
            Eval::MateIn(plies) => 10_000 - ucci_plies(plies),
            Eval::MatedIn(plies) => -10_000 + ucci_plies(plies),
        }
    }

    /// What UCCI's bare integer means: beyond ±9000 it is a mate, beyond ±10000 nothing but points.
    pub const fn from_ucci(score: i32) -> Eval {
        match score {
            9_001..=10_000 => Eval::MateIn((10_000 - score) as u32),
            -10_000..=-9_001 => Eval::MatedIn((10_000 + score) as u32),
            _ => Eval::Points(score),
        }
    }
}

impl fmt::Display for Eval {
    /// `+0.35` pieces (a horse or a cannon is about 1), `+M3` for a mate in three moves, `-M2` for
    /// being mated in two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Eval::Points(points) => format!("{:+.2}", f64::from(points) / 100.0),
            Eval::MateIn(plies) => format!("+M{}", plies.div_ceil(2)),
            Eval::MatedIn(plies) => format!("-M{}", plies / 2),
        };
        f.pad(&text)
    }
}

const fn ucci_plies(plies: u32) -> i32 {
    if plies < LONGEST_MATE { plies as i32 } else { LONGEST_MATE as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_do_not_overlap() {
        assert!(is_mate(mate_in(MAX_PLY)) && is_mate(mated_in(MAX_PLY)));
        assert!(is_rule(RULE_WIN - MAX_PLY as Score) && is_rule(-RULE_WIN));
        assert!(!is_decisive(EVAL_LIMIT) && !is_decisive(-EVAL_LIMIT));
        assert!(is_decisive(RULE_WIN) && is_decisive(mate_in(1)));
    }

    #[test]
    fn edge_scores() {
        assert_eq!(Eval::from_score(mate_in(1)), Eval::MateIn(1));
        assert_eq!(Eval::from_score(mated_in(0)).to_ucci(), -10_000);
        assert_eq!(Eval::from_score(mate_in(3)).to_ucci(), 9_997);
        assert_eq!(Eval::from_score(RULE_WIN - 4), Eval::Points(9_000));
        assert_eq!(Eval::from_score(-17), Eval::Points(-17));
    }

    #[test]
    fn people_read_pieces_and_moves() {
        assert_eq!(Eval::Points(35).to_string(), "+0.35");
        assert_eq!(Eval::Points(-1204).to_string(), "-12.04");
        assert_eq!(Eval::MateIn(5).to_string(), "+M3");
        assert_eq!(Eval::MatedIn(4).to_string(), "-M2");
    }

    #[test]
    fn ucci_scores_round_trip() {
        for score in [0, -17, 9_000, -9_000, 9_001, 9_999, 10_000, -9_001, -10_000] {
            assert_eq!(Eval::from_ucci(score).to_ucci(), score);
        }
        assert_eq!(Eval::from_ucci(9_997), Eval::MateIn(3));
        assert_eq!(Eval::from_ucci(-10_000), Eval::MatedIn(0));
        assert_eq!(Eval::MateIn(u32::MAX).to_ucci(), 9_001);
        assert_eq!(Eval::MatedIn(u32::MAX).to_ucci(), -9_001);
    }
}
