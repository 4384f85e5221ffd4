//! The text that a book is compiled from.
//!
//! A record takes one line, its fields stand between `;`:
//!
//! ```text
//! h2e2 h9g7 h0g2 i9h9 ; 20 ; 中炮对屏风马 ; main line
//! h2e2 h9g7 | h0g2 ; 5
//! ```
//!
//! First the moves from the start position, in coordinates or Chinese; then the weight, from 1 on, of
//! each of them; then the Chinese name of the line, and a comment, either of which may be empty or
//! missing. Moves before a `|` only lead to where the line begins and get no weight. Lines that are
//! blank or begin with `#` say nothing.

use thiserror::Error;

use crate::board::Position;
use crate::notation::parse_any;
use crate::types::Move;

/// One record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLine {
    /// Legal moves from the start position, at least one.
    pub moves: Vec<Move>,
    /// So many of them only lead to where the line begins.
    pub lead: usize,
    /// Weight of each of the others, at least 1.
    pub weight: u32,
    /// In Chinese; may be empty.
    pub name: String,
    /// May be empty.
    pub comment: String,
}

/// A line of a text is no record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}:{column}: {fault}")]
pub struct SourceError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1: where the fault begins.
    pub column: usize,
    /// What is wrong.
    pub fault: String,
}

/// The records of a text, one after the other.
pub fn lines(text: &str) -> impl Iterator<Item = Result<SourceLine, SourceError>> {
    records(text).map(|(line, fields)| parse(fields).map_err(|fault| fault.on(line)))
}

/// The lines of a text that say something, with their numbers.
pub(super) fn records(text: &str) -> impl Iterator<Item = (usize, Fields<'_>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let is_silent = matches!(line.trim_start().chars().next(), None | Some('#'));
        (!is_silent).then_some((number, Fields { line, rest: Some(line) }))
    })
}

/// A fault in a line: the part of it that is wrong, and why.
pub(super) struct Fault {
    column: usize,
    text: String,
}

impl Fault {
    pub(super) fn on(self, line: usize) -> SourceError {
        SourceError { line, column: self.column, fault: self.text }
    }
}

/// The fields of a line, from left to right.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    line: &'a str,
    rest: Option<&'a str>,
}

impl<'a> Fields<'a> {
    /// The next field, empty where the line has no more.
    pub(super) fn next(&mut self) -> &'a str {
        let Some(rest) = self.rest else { return "" };
        let (field, rest) = match rest.split_once(';') {
            Some((field, rest)) => (field, Some(rest)),
            None => (rest, None),
        };
        self.rest = rest;
        field
    }

    /// All that is left, without blanks around it.
    pub(super) fn rest(self) -> &'a str {
        self.rest.unwrap_or_default().trim()
    }

    /// Something is wrong with a part of the line; an empty part means its end.
    pub(super) fn fault(self, part: &str, text: impl ToString) -> Fault {
        let line = self.line.as_ptr() as usize;
        let offset = (part.as_ptr() as usize).wrapping_sub(line);
        let before = self.line.get(..offset).filter(|_| !part.is_empty()).unwrap_or(self.line);
        Fault { column: before.chars().count() + 1, text: text.to_string() }
    }

    /// Plays the moves of a field from the start position. Returns them, and how many of them stand
    /// before a `|`.
    pub(super) fn moves(self, field: &str) -> Result<(Vec<Move>, usize), Fault> {
        let mut position = Position::startpos();
        let (mut moves, mut lead) = (Vec::new(), None);
        for word in field.split_whitespace() {
            if word == "|" {
                if lead.replace(moves.len()).is_some() {
                    return Err(self.fault(word, "a second |"));
                }
                continue;
            }
            let mv = parse_any(&position, word).map_err(|cause| self.fault(word, cause))?;
            position.play(mv).map_err(|cause| self.fault(word, cause))?;
            moves.push(mv);
        }
        let lead = lead.unwrap_or(0);
        if moves.len() == lead {
            return Err(self.fault(field.trim(), "no move"));
        }
        Ok((moves, lead))
    }
}

fn parse(mut fields: Fields<'_>) -> Result<SourceLine, Fault> {
    let field = fields.next();
    let (moves, lead) = fields.moves(field)?;
    let weight = fields.next().trim();
    let weight = match weight.parse() {
        Ok(0) | Err(_) => return Err(fields.fault(weight, "the weight is no number from 1 on")),
        Ok(weight) => weight,
    };
    let name = fields.next().trim().to_owned();
    Ok(SourceLine { moves, lead, weight, name, comment: fields.rest().to_owned() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<SourceLine, SourceError>> {
        lines(text).collect()
    }

    #[test]
    fn fields_and_silent_lines() {
        let text = "\u{feff}# 开局\n\n  \n  # 布局\nh2e2 h9g7 h0g2 ; 20 ; 中炮对屏风马 ; main; line\r\n炮二平五 | 馬8進7;5";
        let [first, second] = &read(text)[..] else { unreachable!() };
        let first = first.clone().unwrap();
        assert_eq!((first.moves.len(), first.lead, first.weight), (3, 0, 20));
        assert_eq!((&*first.name, &*first.comment), ("中炮对屏风马", "main; line"));
        let second = second.clone().unwrap();
        assert_eq!(second.moves, first.moves[..2]);
        assert_eq!((second.lead, second.weight, &*second.name), (1, 5, ""));
    }

    #[test]
    fn faults_say_where() {
        for (text, fault) in [
            ("\nh2e2 h9g8 ; 1", "2:6: illegal move \"h9g8\": "),
            ("炮二平五 xx ; 1", "1:6: not a move: \"xx\" "),
            ("h2e2 ; 0 ; x", "1:8: the weight is no number from 1 on"),
            ("h2e2", "1:5: the weight is no number from 1 on"),
            ("h2e2 | ; 1", "1:1: no move"),
            (" ; 1", "1:5: no move"),
            ("h2e2 | h9g7 | h0g2 ; 1", "1:13: a second |"),
        ] {
            let error = read(text)[0].clone().unwrap_err().to_string();
            assert!(error.starts_with(fault), "{error}");
        }
    }
}
