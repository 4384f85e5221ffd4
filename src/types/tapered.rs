//! A middle-game and an endgame value in one number.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Two values in centi-pieces, one for the middle game and one for the endgame, packed into one
/// `i32` so that a single addition adds both. Each half stays within ±16383.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tapered(i32);

/// Short for [`Tapered::new`]: middle game, endgame.
#[allow(non_snake_case)]
pub const fn S(mg: i32, eg: i32) -> Tapered {
    Tapered::new(mg, eg)
}

impl Tapered {
    /// Nothing in both phases.
    pub const ZERO: Tapered = Tapered(0);

    /// Packs two values.
    pub const fn new(mg: i32, eg: i32) -> Tapered {
        Tapered((mg << 16).wrapping_add(eg))
    }

    /// The middle-game half.
    pub const fn mg(self) -> i32 {
        // The endgame half is signed: a negative one has borrowed one from above.
        self.0.wrapping_add(0x8000) >> 16
    }

    /// The endgame half.
    pub const fn eg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// Blends by `phase`: all middle game at `full`, all endgame at 0.
    pub const fn blend(self, phase: i32, full: i32) -> i32 {
        (self.mg() * phase + self.eg() * (full - phase)) / full
    }
}

impl std::fmt::Debug for Tapered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "S({}, {})", self.mg(), self.eg())
    }
}

impl Add for Tapered {
    type Output = Tapered;
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(factor))
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for (a, b) in [(0, 0), (5, -7), (-5, 7), (-1, -1), (1200, -1200), (-3000, 2999)] {
            let s = S(a, b);
            assert_eq!((s.mg(), s.eg()), (a, b));
            let t = s + S(11, -13) - S(-4, 9);
            assert_eq!((t.mg(), t.eg()), (a + 15, b - 22));
            let n = -s * 3;
            assert_eq!((n.mg(), n.eg()), (-3 * a, -3 * b));
        }
        assert_eq!(S(100, 0).blend(3, 4), 75);
    }
}
