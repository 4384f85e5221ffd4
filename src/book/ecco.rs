//! Names of openings: the codes of ECCO (Encyclopedia of Chinese Chess Openings) and the Chinese
//! names that go with them.
//!
//! Two classifications are called ECCO. The one meant here is ECCO 2004, of the site 象棋百科全书. Its
//! openings stand in `book/ecco.txt`, one a line: code, name, moves, with `;` between them. A code
//! may have several lines.

use std::collections::HashMap;
use std::fmt;

use super::key::BookKey;
use super::source::{Fault, Fields, SourceError, records};
use super::{Book, BookError};
use crate::board::Position;
use crate::types::Move;

/// A named opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// A letter and two digits.
    pub code: String,
    /// In Chinese.
    pub name: String,
    /// Its moves from the start position.
    pub moves: Vec<Move>,
}

/// All named openings, found by the positions they lead to.
///
/// ```
/// use hanxin::Position;
/// use hanxin::book::Ecco;
///
/// let ecco = Ecco::embedded();
/// let start = Position::startpos();
/// assert!(ecco.classify(&start, []).is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ecco {
    openings: Vec<Opening>,
    /// From the key of the last position to the number of the opening.
    by_position: HashMap<u64, usize>,
    /// Moves of the longest one.
    longest: usize,
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.name)
    }
}

impl Opening {
    /// Does the book know its last move?
    ///
    /// # Errors
    /// The book turns out to be damaged.
    pub fn is_known(&self, book: &Book) -> Result<bool, BookError> {
        let Some((&last, before)) = self.moves.split_last() else { return Ok(false) };
        let position = played(before);
        let key = BookKey::of(&position);
        Ok(book.probe(&position)?.iter().any(|entry| key.fold(entry.mv) == key.fold(last)))
    }
}

impl Ecco {
    /// The openings that the binary carries. That their text has no fault is a matter of a test.
    pub fn embedded() -> Ecco {
        Ecco::parse(include_str!("../../book/ecco.txt")).unwrap_or_default()
    }

    /// Reads openings from a text.
    ///
    /// # Errors
    /// A line is no opening, or leads to a position that has a name already.
    pub fn parse(text: &str) -> Result<Ecco, SourceError> {
        let mut ecco = Ecco::default();
        for (line, fields) in records(text) {
            ecco.add(fields).map_err(|fault| fault.on(line))?;
        }
        Ok(ecco)
    }

    fn add(&mut self, mut fields: Fields<'_>) -> Result<(), Fault> {
        let code = fields.next().trim();
        let digits = code.strip_prefix(['A', 'B', 'C', 'D', 'E']).unwrap_or_default();
        if digits.len() != 2 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fields.fault(code, "the code is not a letter from A to E and two digits"));
        }
        let name = fields.next().trim();
        if name.is_empty() {
            return Err(fields.fault(name, "no name"));
        }
        let field = fields.next();
        let (moves, _) = fields.moves(field)?;
        let position = played(&moves);
        let number = self.openings.len();
        if let Some(other) = self.by_position.insert(BookKey::of(&position).key, number) {
            let other = self.openings.get(other).map(Opening::to_string).unwrap_or_default();
            return Err(fields.fault(field.trim(), format!("leads to the position of {other}")));
        }
        self.longest = self.longest.max(moves.len());
        self.openings.push(Opening { code: code.to_owned(), name: name.to_owned(), moves });
        Ok(())
    }

    /// All openings, in the order of the text.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// The opening of a game: that of the last of its positions that has a name, by whatever moves
    /// it came there. Mirrored games have the same opening.
    pub fn classify(
        &self,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
    ) -> Option<&Opening> {
        let mut position = start.clone();
        let mut found = self.find(&position);
        for mv in moves.into_iter().take(self.longest) {
            if position.play(mv).is_err() {
                break;
            }
            found = self.find(&position).or(found);
        }
        found
    }

    /// The opening that ends in this position.
    fn find(&self, position: &Position) -> Option<&Opening> {
        self.openings.get(*self.by_position.get(&BookKey::of(position).key)?)
    }
}

/// The position after moves from the start, as far as they can be played.
fn played(moves: &[Move]) -> Position {
    let mut position = Position::startpos();
    moves.iter().take_while(|&&mv| position.play(mv).is_ok()).count();
    position
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TEXT: &str = "\
        A00 ; 上兵局 ; a3a4\n\
        C00 ; 中炮 ; h2e2\n\
        C05 ; 中炮对屏风马 ; h2e2 h9g7 h0g2 b9c7\n";

    fn classify(moves: &str) -> Option<String> {
        let ecco = Ecco::parse(TEXT).unwrap();
        let moves = moves.split_whitespace().map(|mv| mv.parse().unwrap());
        ecco.classify(&Position::startpos(), moves).map(Opening::to_string)
    }

    #[test]
    fn the_last_named_position_counts() {
        let screens = "C05 中炮对屏风马";
        assert_eq!(classify(""), None);
        assert_eq!(classify("g3g4 h9g7"), None);
        assert_eq!(classify("h2e2 h7e7").as_deref(), Some("C00 中炮"));
        assert_eq!(classify("h2e2 h9g7 h0g2 b9c7 i0h0").as_deref(), Some(screens));
        assert_eq!(classify("h2e2 b9c7 h0g2 h9g7").as_deref(), Some(screens), "transposed");
        assert_eq!(classify("b2e2 b9c7 b0c2 h9g7").as_deref(), Some(screens), "mirrored");
    }

    #[test]
    fn faults_say_where() {
        for (text, fault) in [
            ("F00 ; x ; h2e2", "1:1: the code is not"),
            ("A0 ; x ; h2e2", "1:1: the code is not"),
            ("A00 ;  ; h2e2", "1:14: no name"),
            ("A00 ; x ; h2e3", "1:11: "),
            ("A00 ; x ;", "1:10: no move"),
            ("A00 ; x ; h2e2\nA01 ; y ; b2e2", "2:11: leads to the position of A00 x"),
        ] {
            let error = Ecco::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(fault), "{error}");
        }
    }

    #[test]
    fn the_openings_of_the_binary_can_be_read() {
        let ecco = Ecco::parse(include_str!("../../book/ecco.txt")).unwrap();
        assert_eq!(ecco.openings(), Ecco::embedded().openings());
        assert!(!ecco.openings().is_empty());
    }
}
