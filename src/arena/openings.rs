//! Where the games begin: lines of FEN or EPD, of `startpos moves …`, or of moves alone.

use std::path::Path;

use thiserror::Error;

use crate::board::{Position, START_FEN};
use crate::types::Move;

/// A position and the moves that lead on from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Where it begins.
    pub fen: String,
    /// What is played before the engines think.
    pub moves: Vec<Move>,
}

/// A file of openings cannot be used.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("cannot read {path}: {cause}")]
    Read {
        /// Its name.
        path: String,
        /// What the system says.
        cause: std::io::Error,
    },
    /// A line is no opening.
    #[error("line {line}: {fault}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
    /// Nothing in it.
    #[error("no openings")]
    Empty,
}

impl Opening {
    /// The start position of the game.
    pub fn startpos() -> Opening {
        Opening { fen: START_FEN.to_owned(), moves: Vec::new() }
    }

    /// Reads one line: `[fen] FEN [; …]`, `[startpos] [moves] m1 m2 …`, or a FEN with `moves`.
    ///
    /// # Errors
    /// No position, an illegal move, or no move left to play, as one line.
    pub fn parse(line: &str) -> Result<Opening, String> {
        let text = line.split(';').next().unwrap_or_default().trim();
        let text = text.strip_prefix("position ").unwrap_or(text).trim_start();
        let text = text.strip_prefix("fen ").unwrap_or(text);
        let (fen, moves) = match text.split_once("moves") {
            Some((front, moves)) => (front.trim(), moves),
            None if text.contains('/') => (text, ""),
            None => ("", text),
        };
        let (fen, moves) = match (fen, moves.trim().strip_prefix("startpos")) {
            ("" | "startpos", rest) => (START_FEN, rest.unwrap_or(moves)),
            _ => (fen, moves),
        };
        let mut position = Position::from_fen(fen).map_err(|fault| fault.to_string())?;
        let fen = position.to_fen();
        let moves: Vec<Move> = moves
            .split_whitespace()
            .map(|word| {
                let mv: Move = word.parse().map_err(|fault| format!("{fault}"))?;
                position.play(mv).map_err(|fault| fault.to_string())?;
                Ok(mv)
            })
            .collect::<Result<_, String>>()?;
        match position.is_finished() {
            true => Err("the game is over before it begins".to_owned()),
            false => Ok(Opening { fen, moves }),
        }
    }

    /// Reads a file, one opening a line; blank lines and those that begin with `#` are passed over.
    ///
    /// # Errors
    /// The file cannot be read, holds no opening, or a line that is none.
    pub fn read_file(path: &Path) -> Result<Vec<Opening>, OpeningError> {
        let text = std::fs::read(path)
            .map_err(|cause| OpeningError::Read { path: path.display().to_string(), cause })?;
        Opening::read(&String::from_utf8_lossy(&text))
    }

    /// Reads lines as [`Opening::read_file`] does.
    ///
    /// # Errors
    /// No opening, or a line that is none.
    pub fn read(text: &str) -> Result<Vec<Opening>, OpeningError> {
        let openings = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
            .map(|(index, line)| {
                Opening::parse(line).map_err(|fault| OpeningError::Line { line: index + 1, fault })
            })
            .collect::<Result<Vec<_>, _>>()?;
        if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDGAME: &str = "3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 0 1";

    #[test]
    fn all_forms_are_read() {
        let moves = |text: &str| {
            let opening = Opening::parse(text).unwrap();
            assert_eq!(opening.fen, START_FEN);
            opening.moves.len()
        };
        assert_eq!(moves("h2e2 h9g7"), 2);
        assert_eq!(moves("startpos"), 0);
        assert_eq!(moves("startpos h2e2"), 1);
        assert_eq!(moves("startpos moves h2e2 h9g7"), 2);
        assert_eq!(moves("position startpos moves h2e2\r"), 1);
        for text in [
            ENDGAME.to_owned(),
            format!("fen {ENDGAME}"),
            format!("{ENDGAME} ; bm b1b9 ; id mate"),
            "3k5/R8/9/8p/9/9/9/9/1R7/4K4 w".to_owned(),
        ] {
            let opening = Opening::parse(&text).unwrap();
            assert_eq!((opening.fen.as_str(), opening.moves.len()), (ENDGAME, 0), "{text}");
        }
        assert_eq!(Opening::parse(&format!("{ENDGAME} moves b1b8")).unwrap().moves.len(), 1);
    }

    #[test]
    fn faults_name_the_line() {
        let message = |text: &str| Opening::read(text).unwrap_err().to_string();
        assert_eq!(message("# nothing\n\n"), "no openings");
        assert!(message("h2e2\n\nh2e9").starts_with("line 3: illegal move h2e9 for red: "));
        assert!(message("h2e2 x").starts_with("line 1: not a move: \"x\""));
        assert!(message("9/9 w").starts_with("line 1: fen board: "));
        let over = format!("{ENDGAME} moves b1b9");
        assert_eq!(message(&over), "line 1: the game is over before it begins");
    }
}
