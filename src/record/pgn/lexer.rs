//! The tokens of a PGN file.

use super::PgnFault;

/// One token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// `{…}`, or from `;` to the end of the line.
    Comment(&'a str),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `$` and a number, as it stands.
    Nag(&'a str),
    /// Anything else: a move, a move number, a result, a `!`.
    Word(&'a str),
}

/// What ends a word, blanks apart.
const DELIMITERS: [char; 8] = ['{', '}', ';', '(', ')', '[', ']', '$'];

/// Takes a text apart, from front to rear.
#[derive(Clone, Copy, Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    rest: &'a str,
    /// Is the rest at the beginning of a line, blanks apart?
    at_line: bool,
}

impl<'a> Lexer<'a> {
    /// At the beginning of a text.
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, rest: text, at_line: true }
    }

    /// Where it is: line, from 1, and byte, from 0.
    pub fn place(&self) -> (usize, usize) {
        let offset = self.text.len() - self.rest.len();
        let lines = self.text.bytes().take(offset).filter(|&byte| byte == b'\n').count();
        (lines + 1, offset)
    }

    /// Is there nothing left?
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Goes to the next token, over blanks and over lines that begin with `%`.
    pub fn skip_blanks(&mut self) {
        loop {
            let next = self.rest.trim_start();
            let blanks = self.take(self.rest.len() - next.len());
            self.at_line |= blanks.contains(['\n', '\r']);
            if !(self.at_line && next.starts_with('%')) {
                return;
            }
            self.take_line();
        }
    }

    /// The next token, which stays the next.
    pub fn peek(&self) -> Option<Result<Token<'a>, PgnFault>> {
        let mut ahead = *self;
        ahead.skip_blanks();
        ahead.token()
    }

    /// Takes the token that is here; `None` at the end.
    pub fn token(&mut self) -> Option<Result<Token<'a>, PgnFault>> {
        let first = self.rest.chars().next()?;
        self.at_line = false;
        Some(Ok(match first {
            '[' => return Some(self.tag()),
            '{' => match self.rest.find('}') {
                None => return Some(Err(PgnFault::OpenComment)),
                Some(end) => {
                    let comment = self.take(end + 1);
                    Token::Comment(comment.get(1..end).unwrap_or_default())
                }
            },
            ';' => {
                self.take(1);
                Token::Comment(self.take_line())
            }
            '(' => self.take_char(Token::Open),
            ')' => self.take_char(Token::Close),
            '$' => {
                let digits = self.rest.trim_start_matches('$');
                let digits = digits.trim_start_matches(|c: char| c.is_ascii_digit());
                Token::Nag(self.take(self.rest.len() - digits.len()).trim_start_matches('$'))
            }
            '}' | ']' => return Some(Err(PgnFault::Stray(first))),
            _ => {
                let is_end = |c: char| c.is_whitespace() || DELIMITERS.contains(&c);
                Token::Word(self.take(self.rest.find(is_end).unwrap_or(self.rest.len())))
            }
        }))
    }

    /// Goes to the tags of the next game: the first line of tags behind lines that are none.
    pub fn skip_game(&mut self) {
        let mut in_tags = self.rest.starts_with('[');
        loop {
            self.take_line();
            self.rest = self.rest.trim_start();
            let is_tag = starts_tag(self.rest);
            if self.rest.is_empty() || (is_tag && !in_tags) {
                break;
            }
            in_tags = is_tag;
        }
        self.at_line = true;
    }

    /// `[Name "value"]`. The quotes may be missing, and inner ones need no backslash.
    fn tag(&mut self) -> Result<Token<'a>, PgnFault> {
        let line = self.rest.lines().next().unwrap_or_default();
        let (name, value, after) =
            split_tag(line).ok_or_else(|| PgnFault::Tag(line.chars().take(60).collect()))?;
        self.take(line.len() - after.len());
        Ok(Token::Tag(name, value))
    }

    /// Takes so many bytes; nothing when they end within a character.
    fn take(&mut self, length: usize) -> &'a str {
        let Some((taken, rest)) = self.rest.split_at_checked(length) else { return "" };
        self.rest = rest;
        taken
    }

    fn take_char(&mut self, token: Token<'a>) -> Token<'a> {
        self.take(1);
        token
    }

    fn take_line(&mut self) -> &'a str {
        self.take(self.rest.find(['\n', '\r']).unwrap_or(self.rest.len()))
    }
}

fn starts_tag(line: &str) -> bool {
    line.strip_prefix('[').is_some_and(|rest| rest.starts_with(char::is_alphabetic))
}

/// Name and value of the tag a line begins with, and what is behind it.
fn split_tag(line: &str) -> Option<(&str, String, &str)> {
    let body = line.strip_prefix('[')?.trim_start();
    let end = body.find(|c: char| c.is_whitespace() || c == '"' || c == ']')?;
    let (name, value) = body.split_at_checked(end).filter(|split| !split.0.is_empty())?;
    let value = value.trim_start();
    let Some(quoted) = value.strip_prefix('"') else {
        let (value, after) = value.split_once(']')?;
        return Some((name, value.trim_end().to_owned(), after));
    };
    quoted.match_indices('"').find_map(|(at, _)| {
        let (value, after) = quoted.split_at_checked(at)?;
        let is_escaped = (value.len() - value.trim_end_matches('\\').len()) % 2 == 1;
        let after = after.strip_prefix('"')?.trim_start().strip_prefix(']')?;
        (!is_escaped).then(|| (name, unescape(value), after))
    })
}

/// A backslash before a quote or a backslash is not part of the value.
fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = characters.next_if(|&next| character == '\\' && matches!(next, '"' | '\\'));
        text.push(escaped.unwrap_or(character));
    }
    text
}
