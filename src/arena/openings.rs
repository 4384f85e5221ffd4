//! Where the games begin: lines of FEN or EPD, of `startpos moves …`, or of moves alone; the games of
//! a PGN file; or the openings that are built in.

use std::path::Path;

use thiserror::Error;

use crate::board::{Position, START_FEN};
use crate::record::encoding::{Encoding, decode};
use crate::record::pgn::{self, PgnError};
use crate::rules::referee::Referee;
use crate::rules::{EndReason, RuleSet, Verdict};
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
    /// A game of a PGN file that cannot be read.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// A game of a PGN file that is over.
    #[error("game {0} is over before it begins: plies= takes less of it")]
    Over(usize),
    /// An opening behind which there is nothing to play.
    #[error("opening {number} is over before it begins: {reason}")]
    Decided {
        /// From 1.
        number: usize,
        /// Why.
        reason: EndReason,
    },
    /// An opening that takes all the plies a game may have.
    #[error("opening {number} has {plies} plies, and games end at {most}: plies= takes less of it")]
    TooLong {
        /// From 1.
        number: usize,
        /// Of the opening.
        plies: usize,
        /// Of a game.
        most: u32,
    },
    /// Nothing in it.
    #[error("no openings")]
    Empty,
}

impl Opening {
    /// The built-in openings, from the start position: balanced, and no two alike.
    ///
    /// # Errors
    /// None: a test reads them all.
    pub fn built_in() -> Result<Vec<Opening>, OpeningError> {
        Opening::read(include_str!("openings.txt"))
    }

    /// Its first plies.
    pub fn cut(mut self, plies: usize) -> Opening {
        self.moves.truncate(plies);
        self
    }

    /// How the game stands when the engines take over.
    pub fn verdict(&self, rules: RuleSet) -> Verdict {
        // It was read from a legal FEN and legal moves; what cannot be is left out.
        let start = Position::from_fen(&self.fen).unwrap_or_else(|_| Position::startpos());
        let mut referee = Referee::new(start, rules);
        self.moves.iter().for_each(|&mv| _ = referee.play(mv));
        referee.verdict()
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

    /// Reads a file: PGN if its name ends in `.pgn`, else lines. Of each opening only so many plies
    /// are taken. The encoding is guessed where none is given.
    ///
    /// # Errors
    /// The file cannot be read, holds no opening, or something that is none.
    pub fn read_file(
        path: &Path,
        plies: usize,
        encoding: Option<Encoding>,
    ) -> Result<Vec<Opening>, OpeningError> {
        let bytes = std::fs::read(path)
            .map_err(|cause| OpeningError::Read { path: path.display().to_string(), cause })?;
        let text = encoding.map_or_else(|| decode(&bytes), |encoding| encoding.decode(&bytes));
        let is_pgn = path.extension().is_some_and(|name| name.eq_ignore_ascii_case("pgn"));
        if is_pgn {
            return Opening::read_pgn(&text, plies);
        }
        let openings = Opening::read(&text)?;
        Ok(openings.into_iter().map(|opening| opening.cut(plies)).collect())
    }

    /// Reads the first plies of each game of a PGN text.
    ///
    /// # Errors
    /// No game, one that cannot be read, or one that is over within these plies.
    pub fn read_pgn(text: &str, plies: usize) -> Result<Vec<Opening>, OpeningError> {
        let mut openings = Vec::new();
        for (number, game) in (1..).zip(pgn::read(text)) {
            let game = game?;
            let moves: Vec<Move> = game.moves().take(plies).collect();
            let mut position = game.start.clone();
            let is_played = moves.iter().all(|&mv| position.play(mv).is_ok());
            if !is_played || position.is_finished() {
                return Err(OpeningError::Over(number));
            }
            openings.push(Opening { fen: game.start.to_fen(), moves });
        }
        if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
    }

    /// Reads lines, one opening each; blank lines and those that begin with `#` are passed over.
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
    fn games_of_a_pgn_file_give_their_first_plies() {
        let mate = format!("[FEN \"{ENDGAME}\"]\n\n1. B1-B9 1-0\n");
        let text = format!("1. 炮二平五 马８进７ 2. h0g2 *\n{mate}");
        let openings = Opening::read_pgn(&text, 0).unwrap();
        assert_eq!((openings[0].fen.as_str(), openings[0].moves.len()), (START_FEN, 0));
        assert_eq!((openings[1].fen.as_str(), openings[1].moves.len()), (ENDGAME, 0));
        let message = |text: &str| Opening::read_pgn(text, 2).unwrap_err().to_string();
        assert_eq!(message(&text), "game 2 is over before it begins: plies= takes less of it");
        assert!(message("\n1. h2e9 *").starts_with("line 2: illegal move"));
        assert_eq!(message(" "), "no openings");
        assert_eq!(Opening::read_pgn("1. h2e2 h9g7 2. h0g2", 2).unwrap()[0].moves.len(), 2);
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
