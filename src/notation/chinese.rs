//! Chinese notation, by files (纵线): `炮二平五`, `马８进７`, `前车进一`.
//!
//! A move is written in one way only and read in all the ways in use. Files are counted from the
//! mover's right. Of two advisors or elephants on one file the way they go tells which is meant;
//! other men on one file are told apart by 前 (front), 中 (middle) and 后 (rear). Pawns that
//! share files, when more than three, are counted 一 to 五 from right to left and on each file
//! from front to rear.

use std::cmp::{Ordering, Reverse};

use super::NotationError;
use crate::board::{IllegalReason, Position};
use crate::types::{Color, Move, MoveList, Piece, PieceId, PieceType, Square};

/// The digits each side writes; Red's also number the pawns of both.
const DIGITS: [[char; 9]; 2] = [
    ['一', '二', '三', '四', '五', '六', '七', '八', '九'],
    ['１', '２', '３', '４', '５', '６', '７', '８', '９'],
];

/// Writes a legal move. A move from an empty square has no name and is written in coordinates.
pub fn write(pos: &Position, mv: Move) -> String {
    let (Some(piece), Some(phrase)) = (pos.piece_on(mv.from), Phrase::of(pos, mv)) else {
        return mv.to_string();
    };
    let digit = |number: u8| DIGITS[piece.color().index()][usize::from(number) - 1];
    let (first, second) = match phrase.subject {
        Subject::OnFile(_, file) => (piece.glyph(), digit(file)),
        Subject::Among { order, .. } => (order.character(), piece.glyph()),
    };
    [first, second, phrase.way.character(), digit(phrase.number)].iter().collect()
}

/// Reads a legal move: simplified or traditional characters, digits of either side or ASCII.
///
/// A text that [`write()`] gives one of the legal moves names that move. Any other text names a
/// move when it fits one of them alone.
///
/// # Errors
/// The text is not a move in words, or fits no legal move, or several.
pub fn parse(pos: &Position, text: &str) -> Result<Move, NotationError> {
    let phrase = Phrase::read(text).ok_or_else(|| NotationError::Unreadable(text.to_owned()))?;
    let legal = pos.legal_moves();
    if let Some(mv) = legal.into_iter().find(|&mv| Phrase::of(pos, mv) == Some(phrase)) {
        return Ok(mv);
    }
    let meanings = phrase.meanings(pos, &legal);
    match meanings[..] {
        [mv] => Ok(mv),
        [] => Err(refusal(pos, phrase, text)),
        _ => Err(NotationError::Ambiguous { text: text.to_owned(), meanings }),
    }
}

/// Why a text that fits no legal move is refused.
fn refusal(pos: &Position, phrase: Phrase, text: &str) -> NotationError {
    let text = text.to_owned();
    let mut moves = MoveList::new();
    pos.pseudo_legal(&mut moves);
    let meanings = phrase.meanings(pos, &moves);
    if meanings.is_empty() {
        return NotationError::NoSuchMove { text, side: pos.side_to_move() };
    }
    NotationError::Illegal { text, meanings, reason: IllegalReason::KingInCheck }
}

/// A move in words: who, which way, and how far or where to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Phrase {
    subject: Subject,
    way: Way,
    /// The points gone along the file, else the file gone to: 1 to 9.
    number: u8,
}

/// How a man is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Subject {
    /// `炮二`: by its file.
    OnFile(PieceType, u8),
    /// `前车`, `三兵`; with the file `前七`, `前七兵`, `前兵七`: by its place among its like.
    Among { order: Order, kind: PieceType, file: Option<u8> },
}

/// A place among men that share a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Front,
    Middle,
    Rear,
    /// Counted from 1 for the foremost.
    Nth(u8),
}

/// The way a man goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Forward,
    Back,
    Sideways,
}

impl Order {
    fn character(self) -> char {
        match self {
            Order::Front => '前',
            Order::Middle => '中',
            Order::Rear => '后',
            Order::Nth(place) => DIGITS[Color::Red.index()][usize::from(place) - 1],
        }
    }

    /// Is it the place of that index among so many men on one file?
    fn is_at(self, index: usize, count: usize) -> bool {
        match self {
            Order::Front => index == 0,
            Order::Middle => 2 * index + 1 == count,
            Order::Rear => index + 1 == count,
            Order::Nth(place) => index + 1 == usize::from(place),
        }
    }
}

impl Way {
    fn character(self) -> char {
        match self {
            Way::Forward => '进',
            Way::Back => '退',
            Way::Sideways => '平',
        }
    }
}

impl Phrase {
    /// The one way a move is written; `None` from an empty square.
    fn of(pos: &Position, mv: Move) -> Option<Phrase> {
        let piece = pos.piece_on(mv.from)?;
        let color = piece.color();
        let (old, new) = (progress(color, mv.from), progress(color, mv.to));
        let way = match new.cmp(&old) {
            Ordering::Greater => Way::Forward,
            Ordering::Less => Way::Back,
            Ordering::Equal => Way::Sideways,
        };
        let along_file = way != Way::Sideways && mv.from.file() == mv.to.file();
        let number = if along_file { new.abs_diff(old) } else { file_number(color, mv.to) };
        Some(Phrase { subject: Subject::of(pos, piece, mv.from), way, number })
    }

    /// Takes a text apart; `None` when it has not the form of a move.
    fn read(text: &str) -> Option<Phrase> {
        let symbols: Vec<Symbol> = text.trim().chars().map(Symbol::of).collect::<Option<_>>()?;
        let (subject, &[Symbol::Way(way), Symbol::Digit(number)]) = symbols.split_last_chunk()?
        else {
            return None;
        };
        let subject = match *subject {
            [Symbol::Kind(kind), Symbol::Digit(file)] => Subject::OnFile(kind, file),
            [order, Symbol::Kind(kind)] => {
                Subject::Among { order: order.order()?, kind, file: None }
            }
            // With the file there is no room for the man in four characters: it is a pawn.
            [order, Symbol::Digit(file)] => {
                Subject::Among { order: order.order()?, kind: PieceType::Pawn, file: Some(file) }
            }
            [order, Symbol::Kind(kind), Symbol::Digit(file)]
            | [order, Symbol::Digit(file), Symbol::Kind(kind)] => {
                Subject::Among { order: order.order()?, kind, file: Some(file) }
            }
            _ => return None,
        };
        Some(Phrase { subject, way, number })
    }

    /// The moves that it can be taken for in any convention.
    fn meanings(self, pos: &Position, moves: &MoveList) -> Vec<Move> {
        let fits = |mv: &Move| {
            Phrase::of(pos, *mv).is_some_and(|it| (it.way, it.number) == (self.way, self.number))
                && self.subject.can_name(pos, mv.from)
        };
        moves.into_iter().filter(fits).collect()
    }
}

impl Subject {
    /// The one way a man is named.
    fn of(pos: &Position, piece: Piece, square: Square) -> Subject {
        let kind = piece.kind();
        let plain = Subject::OnFile(kind, file_number(piece.color(), square));
        if matches!(kind, PieceType::King | PieceType::Advisor | PieceType::Bishop) {
            return plain;
        }
        let men = men_in_order(pos, piece);
        let shares_file =
            |man: &Square| men.iter().filter(|it| it.file() == man.file()).count() > 1;
        let sharing: Vec<Square> = men.iter().copied().filter(shares_file).collect();
        let Some(index) = sharing.iter().position(|&man| man == square) else { return plain };
        let order = match (sharing.len(), index) {
            (2 | 3, 0) => Order::Front,
            (3, 1) => Order::Middle,
            (2 | 3, _) => Order::Rear,
            _ => Order::Nth(index as u8 + 1),
        };
        Subject::Among { order, kind, file: None }
    }

    /// Can it name the man on a square, its place being that on its file?
    fn can_name(self, pos: &Position, square: Square) -> bool {
        let Some(piece) = pos.piece_on(square) else { return false };
        let number = file_number(piece.color(), square);
        match self {
            Subject::OnFile(kind, file) => (kind, file) == (piece.kind(), number),
            Subject::Among { order, kind, file } => {
                let mut men = men_in_order(pos, piece);
                men.retain(|man| man.file() == square.file());
                let is_there = |index| men.len() > 1 && order.is_at(index, men.len());
                kind == piece.kind()
                    && file.is_none_or(|file| file == number)
                    && men.iter().position(|&man| man == square).is_some_and(is_there)
            }
        }
    }
}

/// What one character of a text says.
#[derive(Clone, Copy)]
enum Symbol {
    Kind(PieceType),
    Order(Order),
    Way(Way),
    Digit(u8),
}

impl Symbol {
    /// Men are read for either side: which side moves is known.
    fn of(character: char) -> Option<Symbol> {
        Some(match character {
            '帅' | '帥' | '将' | '將' => Symbol::Kind(PieceType::King),
            '仕' | '士' => Symbol::Kind(PieceType::Advisor),
            '相' | '象' => Symbol::Kind(PieceType::Bishop),
            '马' | '馬' | '傌' => Symbol::Kind(PieceType::Knight),
            '车' | '車' | '俥' => Symbol::Kind(PieceType::Rook),
            '炮' | '砲' | '包' => Symbol::Kind(PieceType::Cannon),
            '兵' | '卒' => Symbol::Kind(PieceType::Pawn),
            '前' => Symbol::Order(Order::Front),
            '中' => Symbol::Order(Order::Middle),
            '后' | '後' => Symbol::Order(Order::Rear),
            '进' | '進' | '上' => Symbol::Way(Way::Forward),
            '退' | '下' => Symbol::Way(Way::Back),
            '平' => Symbol::Way(Way::Sideways),
            '1'..='9' => Symbol::Digit(character as u8 - b'0'),
            _ => {
                let place = |digits: &[char; 9]| digits.iter().position(|&it| it == character);
                Symbol::Digit(DIGITS.iter().find_map(place)? as u8 + 1)
            }
        })
    }

    /// The place that it names, a digit counting from the front.
    fn order(self) -> Option<Order> {
        match self {
            Symbol::Order(order) => Some(order),
            Symbol::Digit(place) => Some(Order::Nth(place)),
            _ => None,
        }
    }
}

/// The squares of a side's men of one kind, from its right to its left and from front to rear.
fn men_in_order(pos: &Position, piece: Piece) -> Vec<Square> {
    let color = piece.color();
    let ids = PieceId::of_kind(color, piece.kind());
    let mut squares: Vec<Square> = ids.iter().filter_map(|&id| pos.square_of(id)).collect();
    squares.sort_by_key(|&man| (file_number(color, man), Reverse(progress(color, man))));
    squares
}

/// The number of a square's file, 1 at the right hand of the side to 9.
fn file_number(color: Color, square: Square) -> u8 {
    match color {
        Color::Red => 9 - square.file() as u8,
        Color::Black => 1 + square.file() as u8,
    }
}

/// Points from the side's back rank.
fn progress(color: Color, square: Square) -> u8 {
    match color {
        Color::Red => square.rank() as u8,
        Color::Black => 9 - square.rank() as u8,
    }
}
