//! Everything that a book knows, found from the start position on.

use std::collections::{HashSet, VecDeque};

use super::key::BookKey;
use super::{Book, BookError, Entry};
use crate::board::Position;
use crate::types::Move;

/// A position that a book knows.
#[derive(Clone, Debug)]
pub struct Known {
    /// A shortest way to it.
    pub line: Vec<Move>,
    /// The position.
    pub position: Position,
    /// What the book says there; never empty.
    pub entries: Vec<Entry>,
}

/// Walks a book, the positions near the start first; of mirror images it visits one.
///
/// A book may know the moves of one side only: where it says nothing, every answer is tried. What
/// lies further off, as positions of games that began elsewhere, is not found. A damaged book ends the
/// walk with its fault.
pub struct Walk<'a> {
    book: &'a Book,
    plies: usize,
    ahead: VecDeque<Vec<Move>>,
    seen: HashSet<u64>,
}

impl<'a> Walk<'a> {
    /// From the start position on.
    pub fn new(book: &'a Book) -> Walk<'a> {
        let seen = HashSet::from([BookKey::of(&Position::startpos()).key]);
        Walk { book, plies: usize::MAX, ahead: VecDeque::from([Vec::new()]), seen }
    }

    /// Only so many plies of each line, moves of the book and tried ones.
    pub fn plies(self, plies: usize) -> Walk<'a> {
        Walk { plies, ..self }
    }

    /// The next position, `None` at the end.
    fn step(&mut self) -> Result<Option<Known>, BookError> {
        while let Some(line) = self.ahead.pop_front() {
            let mut position = Position::startpos();
            if line.len() >= self.plies || line.iter().any(|&mv| position.play(mv).is_err()) {
                continue;
            }
            let entries = self.book.probe(&position)?;
            if entries.is_empty() {
                self.look_beyond(&line, &mut position)?;
                continue;
            }
            for entry in &entries {
                if position.play(entry.mv).is_ok() {
                    self.note([&line[..], &[entry.mv]].concat(), &position);
                    position.undo();
                }
            }
            return Ok(Some(Known { line, position, entries }));
        }
        Ok(None)
    }

    /// Notes a position that `line` leads to, unless it was seen before.
    fn note(&mut self, line: Vec<Move>, position: &Position) {
        if self.seen.insert(BookKey::of(position).key) {
            self.ahead.push_back(line);
        }
    }

    /// Tries every move where the book says nothing, and notes the positions that it knows.
    fn look_beyond(&mut self, line: &[Move], position: &mut Position) -> Result<(), BookError> {
        for mv in &position.legal_moves() {
            if position.play(mv).is_err() {
                continue;
            }
            if !self.book.probe(position)?.is_empty() {
                self.note([line, &[mv]].concat(), position);
            }
            position.undo();
        }
        Ok(())
    }
}

impl Iterator for Walk<'_> {
    type Item = Result<Known, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.step().transpose();
        if let Some(Err(_)) = next {
            self.ahead.clear();
        }
        next
    }
}

impl Known {
    /// The text of its moves, a record each, that [`source`](super::source) reads.
    pub fn to_source(&self) -> String {
        let words: Vec<String> = self.line.iter().map(Move::to_string).collect();
        let lead = if words.is_empty() { String::new() } else { words.join(" ") + " | " };
        self.entries
            .iter()
            .map(|entry| format!("{lead}{} ; {}\n", entry.mv, entry.weight))
            .collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Builder, source};
    use super::*;

    fn build(text: &str) -> Builder {
        let mut builder = Builder::default();
        source::lines(text).for_each(|line| builder.add_line(&line.unwrap()));
        builder
    }

    #[test]
    fn text_round_trips() {
        let book =
            build("h2e2 h9g7 h0g2 i9h9 ; 20\nh2e2 h7e7 h0g2 h9g7 ; 9\nc3c4 b9c7 ; 7").build();
        let text: String = Walk::new(&Book::Compiled(book.clone()))
            .map(|known| known.unwrap().to_source())
            .collect();
        assert_eq!(build(&text).build(), book);
        assert!(text.starts_with("h2e2 ; 29\ng3g4 ; 7\n"), "{text}");
    }

    #[test]
    fn a_book_of_one_side_is_walked_through() {
        let book = build("h2e2 ; 1\nh2e2 h9g7 | h0g2 ; 2\nh2e2 h9g7 h0g2 i9h9 | i0h0 ; 3").build();
        let book = Book::Compiled(book);
        let lines: Vec<usize> = Walk::new(&book).map(|known| known.unwrap().line.len()).collect();
        assert_eq!(lines, [0, 2, 4]);
        assert_eq!(Walk::new(&book).plies(4).count(), 2, "three plies and one more");
    }
}
