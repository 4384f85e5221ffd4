//! Every number of the evaluation that play can teach, in one place.
//!
//! In centi-pieces, from the view of the side they speak for: `S(middle game, endgame)`. Tables of
//! squares list ranks from the own back rank upward and files from A to E; the other four files
//! mirror them. The values themselves are in `weights.in`, which `hanxin tune` writes.

use std::fmt;

use crate::types::{S, Tapered};

/// Half a board: ten ranks of the files A to E.
pub type HalfBoard<W> = [[W; 5]; 10];

/// The weights the engine plays with.
pub const WEIGHTS: Weights = include!("weights.in");

/// Declares the fields once for everything that goes through all of them.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident: $shape:ty,)*) => {
        /// The weights of all terms: their values, or whatever else there is one of for each.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Weights<W = Tapered> {
            $($(#[$doc])* pub $name: $shape,)*
        }

        impl<W> Weights<W> {
            /// Fills all fields in order.
            pub fn from_fn(mut next: impl FnMut() -> W) -> Weights<W> {
                Weights { $($name: Field::from_fn(&mut next),)* }
            }

            /// All weights in the order of [`Weights::from_fn`].
            pub fn iter(&self) -> impl Iterator<Item = &W> {
                let fields = [$(Field::<W>::rows(&self.$name),)*];
                fields.into_iter().flatten().flatten()
            }
        }

        impl fmt::Display for Weights {
            /// The expression in `weights.in`.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("// Written by `hanxin tune`; weights.rs says what each weight is.\n")?;
                f.write_str("Weights {\n")?;
                $(writeln!(f, "    {}: {},", stringify!($name), self.$name.source())?;)*
                f.write_str("}\n")
            }
        }
    };
}

weights! {
    /// Value of each kind, in the order of `PieceType`.
    material: [W; 7],
    /// King on the files D and E of its three ranks.
    king_squares: [[W; 2]; 3],
    /// Advisor on a lower corner, the centre and an upper corner (羊角士) of the palace.
    advisor_squares: [W; 3],
    /// Elephant on c0, a2, e2 and c4.
    bishop_squares: [W; 4],
    /// Horse.
    knight_squares: HalfBoard<W>,
    /// Rook.
    rook_squares: HalfBoard<W>,
    /// Cannon.
    cannon_squares: HalfBoard<W>,
    /// Pawn on the ranks 3 to 9.
    pawn_squares: [[W; 5]; 7],

    /// Horse by number of men on the board: up to 8, 16, 24, 32.
    knight_by_men: [W; 4],
    /// Cannon by number of men on the board: up to 8, 16, 24, 32.
    cannon_by_men: [W; 4],
    /// Each cannon for each own advisor and elephant, its screens of last resort.
    cannon_per_guard: W,
    /// A horse and a cannon work together better than two of a kind.
    knight_with_cannon: W,
    /// A rook against a side that has none.
    only_rooks: W,
    /// Each pair of own men, in the order advisor, elephant, horse, rook, cannon, pawn; what is below the
    /// diagonal does not count.
    pairs: [[W; 6]; 6],
    /// Each own man for each enemy man, in the same order.
    against: [[W; 6]; 6],

    /// Horse by number of points it can jump to.
    knight_mobility: [W; 9],
    /// Rook by number of empty points it can go to.
    rook_mobility: [W; 18],
    /// Cannon by number of empty points it can go to.
    cannon_mobility: [W; 18],

    /// Rook that is its side's only man on a file.
    rook_half_open_file: W,
    /// Rook alone on a file.
    rook_open_file: W,
    /// Rook on a half open or open flank file (肋道).
    rook_flank_file: W,

    /// Cannon on the enemy king's file by men between; with none it is hollow (空头炮).
    cannon_on_king_file: [W; 4],
    /// Cannon on the enemy king's rank, most often at the bottom (沉底炮), by men between.
    cannon_on_king_rank: [W; 4],
    /// Rook on the enemy king's file by number of men between.
    rook_on_king_file: [W; 4],
    /// Rook on the enemy king's rank by number of men between.
    rook_on_king_rank: [W; 4],
    /// Each rook and cannon while the enemy king has no man of its own before it.
    bare_king_file: W,
    /// The own king looks along an open file into the enemy palace.
    king_commands_file: W,
    /// An enemy horse stands on the centre of its palace before its king (窝心马).
    smothering_knight: W,

    /// Force gathered around the enemy palace, by the advisors and elephants left there and by units: a
    /// rook counts two, other men one.
    king_attack: [[W; 10]; 5],

    /// Each horse, rook, cannon and pawn for each advisor the enemy lacks.
    missing_advisor: [W; 4],
    /// Each horse, rook, cannon and pawn for each elephant the enemy lacks.
    missing_bishop: [W; 4],
    /// Two advisors that protect each other.
    linked_advisors: W,
    /// Two elephants that protect each other.
    linked_bishops: W,

    /// Each leg of a horse that a man of its own side blocks.
    leg_blocked_by_own: W,
    /// Each leg of a horse that an enemy man blocks.
    leg_blocked_by_enemy: W,
    /// Each blocked eye of an elephant.
    blocked_eye: W,

    /// Two pawns over the river, side by side.
    pawns_hand_in_hand: W,
    /// A pawn before the river with no enemy pawn before it.
    free_pawn: W,

    /// The right to move.
    tempo: W,
}

/// What a field of [`Weights`] can be: a single weight, a row of them, or rows.
trait Field<W>: Sized {
    fn from_fn(next: &mut impl FnMut() -> W) -> Self;
    fn rows(&self) -> Vec<&[W]>;
}

impl<W> Field<W> for W {
    fn from_fn(next: &mut impl FnMut() -> W) -> W {
        next()
    }

    fn rows(&self) -> Vec<&[W]> {
        vec![std::slice::from_ref(self)]
    }
}

impl<W, const N: usize> Field<W> for [W; N] {
    fn from_fn(next: &mut impl FnMut() -> W) -> [W; N] {
        std::array::from_fn(|_| next())
    }

    fn rows(&self) -> Vec<&[W]> {
        vec![self]
    }
}

impl<W, const N: usize, const M: usize> Field<W> for [[W; N]; M] {
    fn from_fn(next: &mut impl FnMut() -> W) -> [[W; N]; M] {
        std::array::from_fn(|_| std::array::from_fn(|_| next()))
    }

    fn rows(&self) -> Vec<&[W]> {
        self.iter().map(|row| row.as_slice()).collect()
    }
}

/// A field as source text.
trait Source {
    fn source(&self) -> String;
}

impl Source for Tapered {
    fn source(&self) -> String {
        format!("S({:>4}, {:>4})", self.mg(), self.eg())
    }
}

impl<const N: usize> Source for [Tapered; N] {
    fn source(&self) -> String {
        let weights = self.map(|weight| weight.source());
        if N <= 6 {
            return format!("[{}]", weights.join(", "));
        }
        let lines: Vec<String> = weights.chunks(6).map(|line| line.join(", ")).collect();
        format!("[\n        {},\n    ]", lines.join(",\n        "))
    }
}

impl<const N: usize, const M: usize> Source for [[Tapered; N]; M] {
    fn source(&self) -> String {
        let rows = self.each_ref().map(|row| row.source());
        format!("[\n        {},\n    ]", rows.join(",\n        "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_and_binary_agree() {
        assert_eq!(WEIGHTS.to_string(), include_str!("weights.in"));
    }

    #[test]
    fn weights_are_taken_and_given_in_the_same_order() {
        let mut taken = WEIGHTS.iter().copied();
        assert_eq!(Weights::from_fn(|| taken.next().unwrap()), WEIGHTS);
        assert_eq!(taken.next(), None);
    }
}
