//! FEN in and out.
//!
//! Six fields: board from rank 9 down, side to move, two fields xiangqi has no use for, plies
//! since the last capture, number of the move. The board alone is enough: Red moves, counters 0
//! and 1. `r` is read as `w`, `h`/`e` as `n`/`b`, either case of the side. Counters that are no
//! numbers read as 0 and 1, too large ones saturate; what stands after the sixth field is ignored.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Position;
use super::tables::{in_palace, is_advisor_point, is_bishop_point, is_pawn_point};
use crate::types::{Color, File, Piece, PieceType, Rank, Square};

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The largest counter a FEN can set; larger ones saturate.
pub const MAX_COUNTER: u32 = 99_999;

/// What a FEN can say: any placement, a side and two counters. Only a valid setup becomes a
/// [`Position`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What stands on each square, by [`Square::index`].
    pub board: [Option<Piece>; 90],
    /// Side to move.
    pub side: Color,
    /// Plies since the last capture.
    pub quiet_plies: u32,
    /// Number of the move, from 1.
    pub move_number: u32,
}

/// What is wrong with a FEN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum FenError {
    #[error("fen board: empty")]
    Empty,
    #[error("fen board: {found} ranks instead of 10")]
    RankCount { found: usize },
    #[error("fen board: rank {rank} has {} files instead of 9", if *files > 9 { "more than 9".to_owned() } else { files.to_string() })]
    RankWidth { rank: u8, files: usize },
    #[error("fen board: \"{letter}\" on {square} is neither a piece nor a number of empty squares")]
    Letter { letter: char, square: Square },
    #[error("fen side: \"{0}\" is none of w, r, b")]
    Side(String),
    #[error("fen board: no {0} king")]
    NoKing(Color),
    #[error("fen board: {count} {color} pieces \"{}\", at most {} are possible, the last on {square}", piece.letter(), piece.kind().count_per_side())]
    TooMany { piece: Piece, color: Color, count: usize, square: Square },
    #[error("fen board: {color} \"{}\" can never stand on {square}", piece.letter())]
    Misplaced { piece: Piece, color: Color, square: Square },
    #[error("fen board: the kings on {0} and {1} face each other")]
    KingsFacing(Square, Square),
    #[error("fen side: {to_move} is to move while the {in_check} king on {square} is in check")]
    WrongSideInCheck { to_move: Color, in_check: Color, square: Square },
}

impl FenError {
    pub(super) fn wrong_side_in_check(pos: &Position) -> FenError {
        let to_move = pos.side_to_move();
        let (own, other) = (pos.king(to_move), pos.king(!to_move));
        let between = pos.file_line(own).first;
        if own.file() == other.file() && between & pos.file_bit(other, own.file()) != 0 {
            return FenError::KingsFacing(own.min(other), own.max(other));
        }
        FenError::WrongSideInCheck { to_move, in_check: !to_move, square: other }
    }
}

impl Setup {
    /// No men, Red to move.
    pub const fn empty() -> Setup {
        Setup { board: [None; 90], side: Color::Red, quiet_plies: 0, move_number: 1 }
    }

    /// The start position.
    pub fn startpos() -> Setup {
        Setup::parse(START_FEN).expect("the start position is a valid fen")
    }

    /// Reads a FEN without asking whether the position is possible.
    ///
    /// # Errors
    /// The board is not ten ranks of nine files of known letters, or the side is unknown.
    pub fn parse(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut setup = Setup::empty();
        setup.parse_board(fields.next().ok_or(FenError::Empty)?)?;
        setup.side = match fields.next() {
            None | Some("w" | "W" | "r" | "R") => Color::Red,
            Some("b" | "B") => Color::Black,
            Some(other) => return Err(FenError::Side(other.chars().take(20).collect())),
        };
        let mut counters = fields.skip(2);
        setup.quiet_plies = counters.next().map_or(0, |text| counter(text, 0));
        setup.move_number = counters.next().map_or(1, |text| counter(text, 1)).max(1);
        Ok(setup)
    }

    fn parse_board(&mut self, text: &str) -> Result<(), FenError> {
        let found = text.split('/').count();
        if found != 10 {
            return Err(FenError::RankCount { found });
        }
        for (line, &rank) in text.split('/').zip(Rank::ALL.iter().rev()) {
            let mut file = 0;
            for letter in line.chars() {
                let Some(&at) = File::ALL.get(file) else {
                    return Err(FenError::RankWidth { rank: rank as u8, files: 10 });
                };
                let square = Square::new(at, rank);
                match letter {
                    '1'..='9' => file += letter as usize - '0' as usize,
                    _ => {
                        let piece = u8::try_from(letter).ok().and_then(Piece::from_letter);
                        let piece = piece.ok_or(FenError::Letter { letter, square })?;
                        self.board[square.index()] = Some(piece);
                        file += 1;
                    }
                }
            }
            if file != 9 {
                return Err(FenError::RankWidth { rank: rank as u8, files: file });
            }
        }
        Ok(())
    }

    /// Could the men stand like this in a game? Check is not looked at.
    pub(super) fn validate(&self) -> Result<(), FenError> {
        let mut counts = [0; 14];
        for square in Square::ALL {
            let Some(piece) = self.board[square.index()] else { continue };
            let (color, kind) = (piece.color(), piece.kind());
            counts[piece.index()] += 1;
            let count = counts[piece.index()];
            if count > kind.count_per_side() {
                return Err(FenError::TooMany { piece, color, count, square });
            }
            if !can_stand(color, kind, square) {
                return Err(FenError::Misplaced { piece, color, square });
            }
        }
        for color in Color::ALL {
            if counts[Piece::new(color, PieceType::King).index()] == 0 {
                return Err(FenError::NoKing(color));
            }
        }
        Ok(())
    }
}

fn can_stand(color: Color, kind: PieceType, square: Square) -> bool {
    let home = (square.rank() <= Rank::R4) == (color == Color::Red);
    match kind {
        PieceType::King => home && in_palace(square),
        PieceType::Advisor => home && is_advisor_point(square),
        PieceType::Bishop => is_bishop_point(color, square),
        PieceType::Pawn => is_pawn_point(color, square),
        PieceType::Knight | PieceType::Rook | PieceType::Cannon => true,
    }
}

/// A counter that never fails: rubbish is the default, too much is the maximum.
fn counter(text: &str, default: u32) -> u32 {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return default;
    }
    text.parse().unwrap_or(MAX_COUNTER).min(MAX_COUNTER)
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        Setup::parse(text)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &rank in Rank::ALL.iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.board[Square::new(file, rank).index()] {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                            empty = 0;
                        }
                        write!(f, "{}", piece.letter())?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::R0 {
                write!(f, "/")?;
            }
        }
        write!(f, " {} - - {} {}", self.side.letter(), self.quiet_plies, self.move_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        for fen in [
            START_FEN,
            "4k4/9/9/9/9/9/9/9/4A4/4K4 b - - 0 1",
            "3k5/3P5/3P5/9/9/9/9/9/9/4K4 b - - 17 42",
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().to_fen(), fen);
        }
    }

    #[test]
    fn the_move_number_follows_the_game() {
        let mut pos = Position::startpos();
        for mv in ["h2e2", "h9g7", "e2e6"] {
            pos.play(mv.parse().unwrap()).unwrap();
        }
        assert!(pos.to_fen().ends_with(" b - - 0 2"), "{}", pos.to_fen());
    }

    #[test]
    fn faults_name_field_and_square() {
        let message = |fen: &str| Position::from_fen(fen).unwrap_err().to_string();
        let cases = [
            ("", "fen board: empty"),
            ("9/9/9 w", "fen board: 3 ranks instead of 10"),
            ("3k4/9/9/9/9/9/9/9/9/4K4 w", "fen board: rank 9 has 8 files instead of 9"),
            ("3k5/9/9/9/4x4/9/9/9/9/4K4 w", "fen board: \"x\" on e5 is neither"),
            ("3k5/9/9/9/9/9/9/9/9/4K4 x", "fen side: \"x\" is none of w, r, b"),
            ("9/9/9/9/9/9/9/9/9/4K4 w", "fen board: no black king"),
            ("3k5/9/9/9/4B4/9/9/9/9/4K4 w", "fen board: red \"B\" can never stand on e5"),
            ("2c1k1c2/9/4c4/9/9/9/9/9/4A4/3K5 w", "fen board: 3 black pieces \"c\", at most 2"),
            ("3k5/9/9/9/9/9/9/9/9/3K5 b", "fen board: the kings on d0 and d9 face each other"),
            ("4k4/9/9/9/9/9/9/9/9/R3K4 w", "fen board: the kings on e0 and e9 face each other"),
            (
                "4k4/9/9/9/9/9/9/4c4/4A4/4K4 b",
                "fen side: black is to move while the red king on e0",
            ),
        ];
        for (fen, expected) in cases {
            let text = message(fen);
            assert!(text.starts_with(expected), "{fen}: {text}");
        }
    }
}
