//! EPD: one position a line with what is known about it.
//!
//! A line is a FEN, short or whole, and operations that end with semicolons:
//! `FEN ; bm c4e3 c4d6 ; dm 1 ; exact ; bm complete ; id any text`. The first operation may also
//! follow the FEN's last field directly, as in classic EPD. Read here: `bm` (best moves), `bm
//! complete` (there are no other ones), `dm` (the side to move mates in so many moves, `exact` or at
//! most), `id` or else `src` (a name). Other operations are passed over.

use thiserror::Error;

use crate::board::{FenError, Position};
use crate::types::Move;

/// One position and what is known about it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The position.
    pub position: Position,
    /// `bm`: the right first moves, all legal.
    pub best_moves: Vec<Move>,
    /// `bm complete`: every other first move is wrong.
    pub best_moves_complete: bool,
    /// `dm`: what mate is there.
    pub mate: Option<Mate>,
    /// `id`, else `src`.
    pub name: Option<String>,
}

/// A forced mate for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mate {
    /// In how many moves.
    pub moves: u32,
    /// There is no shorter one.
    pub exact: bool,
}

/// What is wrong with an EPD line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum EpdError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("bm: \"{0}\" is no legal move here")]
    BestMove(String),
    #[error("dm: \"{0}\" is no number of moves from 1 on")]
    Mate(String),
}

impl Entry {
    /// Reads one line.
    ///
    /// ```
    /// use hanxin::epd::Entry;
    ///
    /// let entry = Entry::parse("3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 0 1 ; bm b1b9 b1d1 ; dm 1 ; exact")?;
    /// assert_eq!(entry.best_moves.len(), 2);
    /// # Ok::<(), hanxin::epd::EpdError>(())
    /// ```
    pub fn parse(line: &str) -> Result<Entry, EpdError> {
        let (fen, operations) = split_fen(line);
        let mut entry = Entry {
            position: Position::from_fen(&fen)?,
            best_moves: Vec::new(),
            best_moves_complete: false,
            mate: None,
            name: None,
        };
        let (mut source, mut exact) = (None, false);
        for operation in operations.split(';') {
            let (code, operand) = split_word(operation);
            match code {
                "bm" if operand == "complete" => entry.best_moves_complete = true,
                "bm" => {
                    for word in operand.split_whitespace() {
                        entry.best_moves.push(legal_move(&entry.position, word)?);
                    }
                }
                "dm" => {
                    let moves = operand.parse().ok().filter(|&moves| moves > 0);
                    let moves = moves.ok_or_else(|| EpdError::Mate(operand.to_owned()))?;
                    entry.mate = Some(Mate { moves, exact: false });
                }
                "exact" => exact = true,
                "id" => entry.name = Some(operand.trim_matches('"').to_owned()),
                "src" => source = Some(operand.to_owned()),
                _ => {}
            }
        }
        if let Some(mate) = &mut entry.mate {
            mate.exact = exact;
        }
        entry.name = entry.name.or(source);
        Ok(entry)
    }
}

/// The entries of a file with their line numbers from 1. Blank lines and lines that begin with `#`
/// are passed over; a faulty line does not hide the others.
pub fn read(text: &str) -> impl Iterator<Item = (usize, Result<Entry, EpdError>)> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(index, line)| (index + 1, Entry::parse(line)))
}

/// The FEN's words in front of the first operation, and the operations.
fn split_fen(line: &str) -> (String, String) {
    let (head, tail) = line.split_once(';').unwrap_or((line, ""));
    let words: Vec<&str> = head.split_whitespace().collect();
    let is_field = |index: usize, word: &str| match index {
        0 | 1 => true,
        2..6 => word == "-" || word.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    };
    let fields = words.iter().enumerate().take_while(|(i, word)| is_field(*i, word)).count();
    let (fen, first_operation) = words.split_at(fields);
    (fen.join(" "), format!("{};{tail}", first_operation.join(" ")))
}

fn split_word(operation: &str) -> (&str, &str) {
    let operation = operation.trim();
    let (code, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
    (code, operand.trim_start())
}

fn legal_move(position: &Position, word: &str) -> Result<Move, EpdError> {
    let mv = word.parse().ok().filter(|mv| position.legal_moves().contains(mv));
    mv.ok_or_else(|| EpdError::BestMove(word.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE1: &str = "3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 0 1";

    #[test]
    fn reads_what_is_known() {
        let line = format!(
            "{MATE1} ; bm b1b9 b1d1 ; dm 1 ; by a program ; bm complete ; exact ; src here"
        );
        let entry = Entry::parse(&line).unwrap();
        assert_eq!(entry.position.to_fen(), MATE1);
        assert_eq!(entry.best_moves, ["b1b9".parse().unwrap(), "b1d1".parse().unwrap()]);
        assert!(entry.best_moves_complete);
        assert_eq!(entry.mate, Some(Mate { moves: 1, exact: true }));
        assert_eq!(entry.name.as_deref(), Some("here"));
    }

    #[test]
    fn reads_classic_lines() {
        let entry = Entry::parse("3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - bm b1b9; id \"one\";").unwrap();
        assert_eq!(entry.best_moves.len(), 1);
        assert_eq!(Entry::parse(MATE1).unwrap().name, None);
        let entry = Entry::parse(&format!("{MATE1} ;D1 40 ;D2 1 ; bm ; dm 3")).unwrap();
        assert_eq!((entry.best_moves.len(), entry.mate.unwrap().exact), (0, false));
    }

    #[test]
    fn names_what_is_wrong() {
        assert!(matches!(Entry::parse("9/9 w ; bm a0a1"), Err(EpdError::Fen(_))));
        let wrong = |operation: &str| Entry::parse(&format!("{MATE1} ; {operation}")).unwrap_err();
        assert_eq!(wrong("bm b1b9 b1c3"), EpdError::BestMove("b1c3".to_owned()));
        assert_eq!(wrong("dm 0"), EpdError::Mate("0".to_owned()));
        assert_eq!(wrong("dm ２").to_string(), "dm: \"２\" is no number of moves from 1 on");
    }

    #[test]
    fn a_faulty_line_does_not_hide_the_others() {
        let text = format!("# suite\n{MATE1} ; dm 1\n\nrubbish\n{MATE1}\n");
        let lines: Vec<(usize, bool)> = read(&text).map(|(n, entry)| (n, entry.is_ok())).collect();
        assert_eq!(lines, [(2, true), (4, false), (5, true)]);
    }
}
