//! Reading PGN: tolerant of form, strict about moves.

use thiserror::Error;

use super::DERIVED_TAGS;
use super::lexer::{Lexer, Token};
use crate::board::{FenError, Position};
use crate::notation::{NotationError, parse_any};
use crate::record::{Game, GameResult, Line, Ply};
use crate::types::Move;

/// So many variations may stand one in the other.
pub const MAX_DEPTH: usize = 100;

/// A game that cannot be read, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {fault}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// The byte of the decoded text, from 0.
    pub offset: usize,
    /// What is wrong there.
    pub fault: PgnFault,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnFault {
    /// A line that begins as a tag and is none.
    #[error("not a tag: {0:?} ([Name \"value\"] is)")]
    Tag(String),
    /// The position it begins with.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move.
    #[error(transparent)]
    Move(#[from] NotationError),
    /// A comment without its end.
    #[error("a comment is not closed")]
    OpenComment,
    /// A variation without its end.
    #[error("a variation is not closed")]
    OpenVariation,
    /// A variation before the first move.
    #[error("a variation without a move that it could replace")]
    NoMove,
    /// A closing bracket that closes nothing.
    #[error("{0:?} closes nothing")]
    Stray(char),
    /// Variations in variations without end.
    #[error("more than {MAX_DEPTH} variations one in the other")]
    TooDeep,
}

/// Reads the games of a text one by one. Behind a game that cannot be read, it goes on with the
/// next one that begins with tags.
pub fn read(text: &str) -> Games<'_> {
    Games { lexer: Lexer::new(text) }
}

/// The games of a text.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    lexer: Lexer<'a>,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Result<Game, PgnError>> {
        self.lexer.skip_blanks();
        if self.lexer.is_at_end() {
            return None;
        }
        let game = self.game().map_err(|fault| {
            let (line, offset) = self.lexer.place();
            // A variation is found open where the next game begins.
            if fault != PgnFault::OpenVariation {
                self.lexer.skip_game();
            }
            PgnError { line, offset, fault }
        });
        Some(game)
    }
}

impl Games<'_> {
    /// Reads a game. When it fails, the lexer is left at the token that is to blame.
    fn game(&mut self) -> Result<Game, PgnFault> {
        let mut game = self.tags()?;
        let mut lines = Lines::new(game.start.clone());
        let mut result = None;
        while result.is_none() {
            self.lexer.skip_blanks();
            let mut ahead = self.lexer;
            let Some(token) = ahead.token().transpose()? else { break };
            match token {
                Token::Tag(..) => break,
                Token::Comment(text) => lines.comment(text),
                Token::Nag(number) => number.parse().into_iter().for_each(|nag| lines.nag(nag)),
                Token::Open => lines.open()?,
                Token::Close => lines.close()?,
                Token::Word(word) => match word.parse::<GameResult>() {
                    // Some write it at the end of a variation too.
                    Ok(token) => result = Some(token).filter(|_| lines.is_main()),
                    Err(_) => lines.word(word)?,
                },
            }
            self.lexer = ahead;
        }
        // What is said behind the result is said about this game.
        while let Some(Ok(Token::Comment(text))) = self.lexer.peek() {
            lines.comment(text);
            self.lexer.skip_blanks();
            self.lexer.token();
        }
        game.line = lines.finish()?;
        if let Some(result) = result.filter(|&result| result != GameResult::Unknown) {
            game.result = result;
        }
        Ok(game)
    }

    /// Reads the tags, and begins the game where they say.
    fn tags(&mut self) -> Result<Game, PgnFault> {
        let mut game = Game::new(Position::startpos());
        loop {
            self.lexer.skip_blanks();
            let mut ahead = self.lexer;
            let Some(Token::Tag(name, value)) = ahead.token().transpose()? else { return Ok(game) };
            if name.eq_ignore_ascii_case("FEN") {
                game.start = Position::from_fen(&value)?;
            } else if name.eq_ignore_ascii_case("Result") {
                game.result = value.trim().parse().unwrap_or_default();
            } else if !DERIVED_TAGS.iter().any(|derived| name.eq_ignore_ascii_case(derived)) {
                game.set_tag(name, value);
            }
            self.lexer = ahead;
        }
    }
}

/// The line that is being read, behind those whose variation it is.
struct Lines {
    open: Vec<(Line, Position)>,
    line: Line,
    /// Behind the last move of the line.
    position: Position,
}

impl Lines {
    fn new(position: Position) -> Lines {
        Lines { open: Vec::new(), line: Line::default(), position }
    }

    fn is_main(&self) -> bool {
        self.open.is_empty()
    }

    fn comment(&mut self, text: &str) {
        let last = self.line.plies.last_mut().map(|ply| &mut ply.comment);
        let comment = last.unwrap_or(&mut self.line.comment);
        for word in text.split_whitespace() {
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.push_str(word);
        }
    }

    /// Notes a glyph of the last move.
    fn nag(&mut self, nag: u8) {
        self.line.plies.last_mut().into_iter().for_each(|ply| ply.nags.push(nag));
    }

    /// Begins a variation of the last move.
    fn open(&mut self) -> Result<(), PgnFault> {
        if self.open.len() == MAX_DEPTH {
            return Err(PgnFault::TooDeep);
        }
        let behind = self.position.clone();
        if self.line.plies.is_empty() || self.position.undo().is_none() {
            return Err(PgnFault::NoMove);
        }
        self.open.push((std::mem::take(&mut self.line), behind));
        Ok(())
    }

    fn close(&mut self) -> Result<(), PgnFault> {
        let (parent, position) = self.open.pop().ok_or(PgnFault::Stray(')'))?;
        let variation = std::mem::replace(&mut self.line, parent);
        self.position = position;
        if let Some(ply) = self.line.plies.last_mut().filter(|_| variation != Line::default()) {
            ply.variations.push(variation);
        }
        Ok(())
    }

    /// A move, with or without its number and with or without an appraisal; or one of these alone.
    fn word(&mut self, word: &str) -> Result<(), PgnFault> {
        let text = without_number(word);
        let mv = text.trim_end_matches(['!', '?']);
        let appraisal = text.strip_prefix(mv).unwrap_or_default();
        let mv = mv.trim_end_matches(['+', '#']);
        if !mv.is_empty() {
            let mv = parse_any(&self.position, mv)?;
            self.play(mv)?;
        }
        let row = APPRAISALS.into_iter().find(|row| row.0 == appraisal);
        row.into_iter().for_each(|row| self.nag(row.1));
        Ok(())
    }

    fn play(&mut self, mv: Move) -> Result<(), PgnFault> {
        self.position.play(mv).map_err(|illegal| NotationError::Illegal {
            text: mv.to_string(),
            meanings: vec![mv],
            reason: illegal.reason,
        })?;
        self.line.plies.push(Ply::new(mv));
        Ok(())
    }

    fn finish(self) -> Result<Line, PgnFault> {
        if self.is_main() { Ok(self.line) } else { Err(PgnFault::OpenVariation) }
    }
}

/// What may stand directly behind a move, and the glyph it stands for.
const APPRAISALS: [(&str, u8); 6] =
    [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)];

/// Takes off `12.`, `12...`, and a `12` or dots that stand alone.
fn without_number(word: &str) -> &str {
    const DOTS: [char; 4] = ['.', '…', '．', '、'];
    let text = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = text.is_empty() || text.starts_with(DOTS);
    if is_number { text.trim_start_matches(DOTS) } else { word }
}
