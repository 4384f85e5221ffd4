//! Kinds of piece, coloured pieces, and the thirty-two men of a game.

use super::Color;

/// A kind of piece, in FEN letter order K A B N R C P.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceType {
    /// 帅/将.
    King,
    /// 仕/士.
    Advisor,
    /// 相/象, the elephant.
    Bishop,
    /// 马, the horse.
    Knight,
    /// 车.
    Rook,
    /// 炮.
    Cannon,
    /// 兵/卒.
    Pawn,
}

impl PieceType {
    /// All seven kinds.
    pub const ALL: [PieceType; 7] = [
        PieceType::King,
        PieceType::Advisor,
        PieceType::Bishop,
        PieceType::Knight,
        PieceType::Rook,
        PieceType::Cannon,
        PieceType::Pawn,
    ];

    /// 0 for the king to 6 for the pawn: the index of per-kind tables.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many men of this kind a side begins with, which is also the most it may have.
    pub const fn count_per_side(self) -> usize {
        match self {
            PieceType::King => 1,
            PieceType::Pawn => 5,
            _ => 2,
        }
    }
}

/// A piece of one colour.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Piece {
    RedKing,
    RedAdvisor,
    RedBishop,
    RedKnight,
    RedRook,
    RedCannon,
    RedPawn,
    BlackKing,
    BlackAdvisor,
    BlackBishop,
    BlackKnight,
    BlackRook,
    BlackCannon,
    BlackPawn,
}

/// FEN letters in index order of [`Piece`].
const LETTERS: &[u8; 14] = b"KABNRCPkabnrcp";

/// Display glyphs in index order of [`Piece`].
const GLYPHS: [char; 14] =
    ['帅', '仕', '相', '马', '车', '炮', '兵', '将', '士', '象', '马', '车', '炮', '卒'];

impl Piece {
    /// All fourteen pieces, Red's first.
    pub const ALL: [Piece; 14] = [
        Piece::RedKing,
        Piece::RedAdvisor,
        Piece::RedBishop,
        Piece::RedKnight,
        Piece::RedRook,
        Piece::RedCannon,
        Piece::RedPawn,
        Piece::BlackKing,
        Piece::BlackAdvisor,
        Piece::BlackBishop,
        Piece::BlackKnight,
        Piece::BlackRook,
        Piece::BlackCannon,
        Piece::BlackPawn,
    ];

    /// The piece of that colour and kind.
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        Piece::ALL[color as usize * 7 + kind as usize]
    }

    /// Whose piece it is.
    pub const fn color(self) -> Color {
        if (self as usize) < 7 { Color::Red } else { Color::Black }
    }

    /// What kind it is.
    pub const fn kind(self) -> PieceType {
        PieceType::ALL[self as usize % 7]
    }

    /// 0 to 13: the index of per-piece tables.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter, upper case for Red.
    pub const fn letter(self) -> char {
        LETTERS[self as usize] as char
    }

    /// The Chinese character printed on the piece.
    pub const fn glyph(self) -> char {
        GLYPHS[self as usize]
    }

    /// The piece of a FEN letter; `h`/`e` are read as `n`/`b`.
    pub const fn from_letter(letter: u8) -> Option<Piece> {
        let letter = match letter {
            b'H' => b'N',
            b'h' => b'n',
            b'E' => b'B',
            b'e' => b'b',
            other => other,
        };
        let mut i = 0;
        while i < 14 {
            if LETTERS[i] == letter {
                return Some(Piece::ALL[i]);
            }
            i += 1;
        }
        None
    }
}

/// One of the thirty-two men, the same for the whole game: no promotion exists, so a man is
/// never anything but itself. Red's men are 0 to 15, Black's 16 to 31.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
pub enum PieceId {
    RK, RA1, RA2, RB1, RB2, RN1, RN2, RR1, RR2, RC1, RC2, RP1, RP2, RP3, RP4, RP5,
    BK, BA1, BA2, BB1, BB2, BN1, BN2, BR1, BR2, BC1, BC2, BP1, BP2, BP3, BP4, BP5,
}

impl PieceId {
    /// All men in index order.
    #[rustfmt::skip]
    pub const ALL: [PieceId; 32] = {
        use PieceId as P;
        [
            P::RK, P::RA1, P::RA2, P::RB1, P::RB2, P::RN1, P::RN2, P::RR1, P::RR2, P::RC1, P::RC2,
            P::RP1, P::RP2, P::RP3, P::RP4, P::RP5,
            P::BK, P::BA1, P::BA2, P::BB1, P::BB2, P::BN1, P::BN2, P::BR1, P::BR2, P::BC1, P::BC2,
            P::BP1, P::BP2, P::BP3, P::BP4, P::BP5,
        ]
    };

    const SIDES: [[PieceId; 16]; 2] = {
        let mut sides = [[PieceId::RK; 16]; 2];
        let mut i = 0;
        while i < 32 {
            sides[i / 16][i % 16] = PieceId::ALL[i];
            i += 1;
        }
        sides
    };

    /// The sixteen men of a side: king, advisors, elephants, horses, rooks, cannons, pawns.
    pub const fn of(color: Color) -> &'static [PieceId; 16] {
        &PieceId::SIDES[color as usize]
    }

    /// The men of one kind of a side.
    pub const fn of_kind(color: Color, kind: PieceType) -> &'static [PieceId] {
        let (_, rest) = PieceId::SIDES[color as usize].split_at(FIRST_OF_KIND[kind as usize]);
        rest.split_at(kind.count_per_side()).0
    }

    /// The king of a side.
    pub const fn king(color: Color) -> PieceId {
        match color {
            Color::Red => PieceId::RK,
            Color::Black => PieceId::BK,
        }
    }

    /// The two horses of a side.
    pub const fn knights(color: Color) -> [PieceId; 2] {
        match color {
            Color::Red => [PieceId::RN1, PieceId::RN2],
            Color::Black => [PieceId::BN1, PieceId::BN2],
        }
    }

    /// The two rooks of a side.
    pub const fn rooks(color: Color) -> [PieceId; 2] {
        match color {
            Color::Red => [PieceId::RR1, PieceId::RR2],
            Color::Black => [PieceId::BR1, PieceId::BR2],
        }
    }

    /// The two cannons of a side.
    pub const fn cannons(color: Color) -> [PieceId; 2] {
        match color {
            Color::Red => [PieceId::RC1, PieceId::RC2],
            Color::Black => [PieceId::BC1, PieceId::BC2],
        }
    }

    /// 0 to 31.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The piece this man is.
    pub const fn piece(self) -> Piece {
        PIECE_OF[self as usize]
    }

    /// The kind of this man.
    pub const fn kind(self) -> PieceType {
        KIND_OF[self as usize]
    }

    /// Whose man it is.
    pub const fn color(self) -> Color {
        if (self as usize) < 16 { Color::Red } else { Color::Black }
    }
}

/// Index of the first man of a kind among a side's sixteen.
const FIRST_OF_KIND: [usize; 7] = [0, 1, 3, 5, 7, 9, 11];

const KIND_OF: [PieceType; 32] = {
    let mut table = [PieceType::Pawn; 32];
    let mut kind = 0;
    while kind < 6 {
        let mut k = 0;
        while k < PieceType::ALL[kind].count_per_side() {
            table[FIRST_OF_KIND[kind] + k] = PieceType::ALL[kind];
            table[16 + FIRST_OF_KIND[kind] + k] = PieceType::ALL[kind];
            k += 1;
        }
        kind += 1;
    }
    table
};

const PIECE_OF: [Piece; 32] = {
    let mut table = [Piece::RedKing; 32];
    let mut i = 0;
    while i < 32 {
        table[i] = Piece::new(PieceId::ALL[i].color(), KIND_OF[i]);
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_name_every_piece() {
        for piece in Piece::ALL {
            assert_eq!(Piece::from_letter(piece.letter() as u8), Some(piece));
            assert_eq!(Piece::new(piece.color(), piece.kind()), piece);
        }
        assert_eq!(Piece::from_letter(b'H'), Some(Piece::RedKnight));
        assert_eq!(Piece::from_letter(b'e'), Some(Piece::BlackBishop));
        assert_eq!(Piece::from_letter(b'x'), None);
    }

    #[test]
    fn men_are_grouped_by_side_and_kind() {
        for color in Color::ALL {
            let mut men = 0;
            for kind in PieceType::ALL {
                for &id in PieceId::of_kind(color, kind) {
                    assert_eq!((id.color(), id.kind()), (color, kind));
                    men += 1;
                }
            }
            assert_eq!(men, 16);
            assert_eq!(PieceId::rooks(color), PieceId::of_kind(color, PieceType::Rook));
            assert_eq!(PieceId::knights(color), PieceId::of_kind(color, PieceType::Knight));
            assert_eq!(PieceId::cannons(color), PieceId::of_kind(color, PieceType::Cannon));
        }
        assert_eq!(size_of::<Option<PieceId>>(), 1);
    }
}
