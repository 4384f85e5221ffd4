//! The ninety points of the board, their files and ranks.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One of the nine files; `A` is Red's leftmost.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
pub enum File { A, B, C, D, E, F, G, H, I }

impl File {
    /// All files from `A` to `I`.
    #[rustfmt::skip]
    pub const ALL: [File; 9] = [
        File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H, File::I,
    ];

    /// 0 for `A` to 8 for `I`.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// One of the ten ranks; `R0` is Red's back rank, the river lies between `R4` and `R5`.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
pub enum Rank { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9 }

impl Rank {
    /// All ranks from `R0` to `R9`.
    #[rustfmt::skip]
    pub const ALL: [Rank; 10] = [
        Rank::R0, Rank::R1, Rank::R2, Rank::R3, Rank::R4,
        Rank::R5, Rank::R6, Rank::R7, Rank::R8, Rank::R9,
    ];

    /// 0 for `R0` to 9 for `R9`.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A point of the board, named by file and rank as in `e0`. The index is `rank * 9 + file`.
///
/// An enum and not a number: the optimiser knows the range, so tables of ninety entries are
/// read without bounds checks and `Option<Square>` is one byte.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
pub enum Square {
    A0, B0, C0, D0, E0, F0, G0, H0, I0,
    A1, B1, C1, D1, E1, F1, G1, H1, I1,
    A2, B2, C2, D2, E2, F2, G2, H2, I2,
    A3, B3, C3, D3, E3, F3, G3, H3, I3,
    A4, B4, C4, D4, E4, F4, G4, H4, I4,
    A5, B5, C5, D5, E5, F5, G5, H5, I5,
    A6, B6, C6, D6, E6, F6, G6, H6, I6,
    A7, B7, C7, D7, E7, F7, G7, H7, I7,
    A8, B8, C8, D8, E8, F8, G8, H8, I8,
    A9, B9, C9, D9, E9, F9, G9, H9, I9,
}

impl Square {
    /// All squares in index order, `a0` first and `i9` last.
    #[rustfmt::skip]
    pub const ALL: [Square; 90] = {
        use Square as S;
        [
            S::A0, S::B0, S::C0, S::D0, S::E0, S::F0, S::G0, S::H0, S::I0,
            S::A1, S::B1, S::C1, S::D1, S::E1, S::F1, S::G1, S::H1, S::I1,
            S::A2, S::B2, S::C2, S::D2, S::E2, S::F2, S::G2, S::H2, S::I2,
            S::A3, S::B3, S::C3, S::D3, S::E3, S::F3, S::G3, S::H3, S::I3,
            S::A4, S::B4, S::C4, S::D4, S::E4, S::F4, S::G4, S::H4, S::I4,
            S::A5, S::B5, S::C5, S::D5, S::E5, S::F5, S::G5, S::H5, S::I5,
            S::A6, S::B6, S::C6, S::D6, S::E6, S::F6, S::G6, S::H6, S::I6,
            S::A7, S::B7, S::C7, S::D7, S::E7, S::F7, S::G7, S::H7, S::I7,
            S::A8, S::B8, S::C8, S::D8, S::E8, S::F8, S::G8, S::H8, S::I8,
            S::A9, S::B9, S::C9, S::D9, S::E9, S::F9, S::G9, S::H9, S::I9,
        ]
    };

    /// The square where `file` and `rank` cross.
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::ALL[rank as usize * 9 + file as usize]
    }

    /// The square of that index, or `None` from 90 on.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 90 { Some(Square::ALL[index]) } else { None }
    }

    /// The square of the given file (0–8) and rank (0–9), or `None` when either is off the board.
    pub const fn at(file: i32, rank: i32) -> Option<Square> {
        if file < 0 || file > 8 || rank < 0 || rank > 9 {
            return None;
        }
        Some(Square::ALL[rank as usize * 9 + file as usize])
    }

    /// 0 for `a0` to 89 for `i9`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file the square lies on.
    pub const fn file(self) -> File {
        FILE_OF[self as usize]
    }

    /// The rank the square lies on.
    pub const fn rank(self) -> Rank {
        RANK_OF[self as usize]
    }

    /// The same file seen from the other side of the river: `a0` becomes `a9`.
    pub const fn flip(self) -> Square {
        FLIP[self as usize]
    }

    /// The same rank mirrored left to right: `a0` becomes `i0`.
    pub const fn mirror(self) -> Square {
        MIRROR[self as usize]
    }
}

const FILE_OF: [File; 90] = {
    let mut table = [File::A; 90];
    let mut i = 0;
    while i < 90 {
        table[i] = File::ALL[i % 9];
        i += 1;
    }
    table
};

const RANK_OF: [Rank; 90] = {
    let mut table = [Rank::R0; 90];
    let mut i = 0;
    while i < 90 {
        table[i] = Rank::ALL[i / 9];
        i += 1;
    }
    table
};

const FLIP: [Square; 90] = {
    let mut table = [Square::A0; 90];
    let mut i = 0;
    while i < 90 {
        table[i] = Square::ALL[(9 - i / 9) * 9 + i % 9];
        i += 1;
    }
    table
};

const MIRROR: [Square; 90] = {
    let mut table = [Square::A0; 90];
    let mut i = 0;
    while i < 90 {
        table[i] = Square::ALL[i / 9 * 9 + 8 - i % 9];
        i += 1;
    }
    table
};

/// The text is not a square.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("not a square: \"{0}\" (a file a-i and a rank 0-9, as in e0)")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'0'..=b'9'] => {
                Ok(Square::ALL[(rank - b'0') as usize * 9 + (file - b'a') as usize])
            }
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = (b'a' + self.file() as u8) as char;
        write!(f, "{file}{}", self.rank() as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_prints_and_parses_back() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::from_index(index), Some(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.flip().flip(), square);
            assert_eq!(square.mirror().mirror(), square);
        }
        assert_eq!(Square::from_index(90), None);
        assert_eq!(Square::A0.flip(), Square::A9);
        assert_eq!(Square::A0.mirror(), Square::I0);
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "a", "a10", "j0", "A0", "a:", "é0", "００"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }

    #[test]
    fn option_of_a_square_is_one_byte() {
        assert_eq!(size_of::<Option<Square>>(), 1);
    }
}
