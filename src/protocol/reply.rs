//! What an engine says: the enum and the one tolerant parser for the words of both families.
//!
//! The parser serves a match runner, which meets engines of every kind: words it does not know are
//! passed over, and only a line that says nothing usable is an error.

use std::time::Duration;

use thiserror::Error;

use crate::types::{Eval, Move};

use super::lexer::{Words, lossy, quoted, read_move};

/// One line from the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// `id KEY TEXT`: name, version, copyright, author, user.
    Id {
        /// First word.
        key: String,
        /// The rest.
        text: String,
    },
    /// `option …`.
    Option(OptionLine),
    /// `ucciok` or `uciok`, as the dialect says.
    HandshakeOk,
    /// `readyok`.
    ReadyOk,
    /// `info …` with numbers, a line or a root move.
    Info(Info),
    /// `info message TEXT` (UCCI), `info string TEXT` (UCI).
    Message(String),
    /// `bestmove M [ponder M2] [draw | resign]`.
    BestMove {
        /// The move.
        mv: Move,
        /// The answer expected.
        ponder: Option<Move>,
        /// `draw` (UCCI only).
        draw: bool,
        /// `resign` (UCCI only).
        resign: bool,
    },
    /// UCCI `nobestmove`, UCI `bestmove (none)`.
    NoBestMove,
    /// UCCI `pophash …`.
    PopHash {
        /// `bestmove M`.
        best: Option<Move>,
        /// `lowerbound SCORE depth D`.
        lower: Option<(i32, u32)>,
        /// `upperbound SCORE depth D`.
        upper: Option<(i32, u32)>,
    },
    /// UCCI `bye`.
    Bye,
}

/// The fields of an `info` line; those absent are not printed.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Info {
    /// In plies.
    pub depth: Option<u32>,
    /// In plies.
    pub seldepth: Option<u32>,
    /// From 1; printed only where more than one line is analysed.
    pub multipv: Option<u32>,
    /// From the mover's side.
    pub score: Option<Eval>,
    /// Nodes so far.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Permill; UCI only.
    pub hashfull: Option<u32>,
    /// Since `go`.
    pub time: Option<Duration>,
    /// Root move being searched.
    pub current_move: Option<Move>,
    /// Its number; UCI only.
    pub current_move_number: Option<u32>,
    /// The line.
    pub pv: Vec<Move>,
}

/// An announced option.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionLine {
    /// As written in the dialect.
    pub name: String,
    /// Type, default and bounds.
    pub kind: OptionKind,
}

/// Type of an option with its default and bounds.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// True or false.
    Check(bool),
    /// A number with bounds.
    Spin {
        /// Default.
        default: i64,
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// Default.
        default: String,
        /// All words.
        values: Vec<String>,
    },
    /// Does something when set.
    Button,
    /// Any text; empty prints as `<empty>`.
    String(String),
    /// Text to show (UCCI `label`).
    Label(String),
}

impl OptionKind {
    /// What a value has to be that this one is not, as in `a number from 1 to 5`; `None` where it
    /// may be set.
    pub fn expected(&self, value: &str) -> Option<String> {
        let is_word = |word: &str| word.eq_ignore_ascii_case(value);
        match self {
            OptionKind::Check(_) if !["true", "false"].into_iter().any(is_word) => {
                Some("true or false".to_owned())
            }
            OptionKind::Combo { values, .. } if !values.iter().any(|word| is_word(word)) => {
                Some(format!("one of {}", values.join(", ")))
            }
            OptionKind::Spin { min, max, .. } => {
                let is_within = value.parse().is_ok_and(|number| (min..=max).contains(&&number));
                (!is_within).then(|| format!("a number from {min} to {max}"))
            }
            _ => None,
        }
    }
}

/// The line says nothing usable.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseReplyError {
    /// Nothing but blanks.
    #[error("blank line")]
    Blank,
    /// The first word is no reply of either family: a banner or a diagnostic.
    #[error("unknown reply: \"{0}\"")]
    Unknown(String),
    /// `bestmove` with neither a move nor a word for none.
    #[error("bestmove: not a move: \"{0}\"")]
    BestMove(String),
    /// `id` without a key.
    #[error("id: no key")]
    Id,
    /// `option` without a name.
    #[error("option: no name")]
    OptionName,
    /// `option` of no known type.
    #[error("option {name}: unknown type: \"{kind}\"")]
    OptionType {
        /// Its name.
        name: String,
        /// The word found.
        kind: String,
    },
}

impl Reply {
    /// Reads one line, with or without its end. Total: any bytes, any length.
    ///
    /// ```
    /// use hanxin::protocol::Reply;
    ///
    /// assert_eq!(Reply::parse(b"bestmove (none)\r\n"), Ok(Reply::NoBestMove));
    /// ```
    ///
    /// # Errors
    ///
    /// A blank line, an unknown first word, or a reply without its essential part.
    pub fn parse(line: &[u8]) -> Result<Reply, ParseReplyError> {
        let mut words = Words::new(line);
        let name = words.next().ok_or(ParseReplyError::Blank)?;
        Ok(match name {
            b"id" => Reply::Id {
                key: lossy(words.next().ok_or(ParseReplyError::Id)?),
                text: lossy(words.rest()),
            },
            b"option" => Reply::Option(parse_option(words)?),
            b"ucciok" | b"uciok" => Reply::HandshakeOk,
            b"readyok" => Reply::ReadyOk,
            b"info" => parse_info(words),
            b"bestmove" => parse_best_move(words)?,
            b"nobestmove" => Reply::NoBestMove,
            b"pophash" => parse_pop_hash(words),
            b"bye" => Reply::Bye,
            _ => return Err(ParseReplyError::Unknown(quoted(name))),
        })
    }
}

/// Fields in any order. Text comes last: alone it is a message, behind numbers it is passed over.
fn parse_info(mut words: Words) -> Reply {
    let mut info = Info::default();
    while let Some(key) = words.next() {
        match key {
            b"depth" => info.depth = words.u32().or(info.depth),
            b"seldepth" => info.seldepth = words.u32().or(info.seldepth),
            b"multipv" => info.multipv = words.u32().or(info.multipv),
            b"score" => info.score = parse_score(&mut words).or(info.score),
            b"nodes" => info.nodes = words.u64().or(info.nodes),
            b"nps" => info.nps = words.u64().or(info.nps),
            b"hashfull" => info.hashfull = words.u32().or(info.hashfull),
            b"time" => info.time = words.u64().map(Duration::from_millis).or(info.time),
            b"currmove" => info.current_move = words.mv().or(info.current_move),
            b"currmovenumber" => {
                info.current_move_number = words.u32().or(info.current_move_number)
            }
            b"pv" => info.pv = words.moves(),
            b"message" | b"string" if info == Info::default() => {
                return Reply::Message(lossy(words.rest()));
            }
            b"message" | b"string" => break,
            _ => {}
        }
    }
    Reply::Info(info)
}

/// `cp N`, `mate N` in moves, or UCCI's bare integer.
fn parse_score(words: &mut Words) -> Option<Eval> {
    if words.strip(b"cp") {
        return words.i32().map(Eval::Points);
    }
    if !words.strip(b"mate") {
        return words.i32().map(Eval::from_ucci);
    }
    let moves = words.i32()?;
    let plies = moves.unsigned_abs().saturating_mul(2);
    Some(if moves > 0 { Eval::MateIn(plies - 1) } else { Eval::MatedIn(plies) })
}

/// A word for "no move" counts as `nobestmove`, as does one that resigns without a move.
fn parse_best_move(mut words: Words) -> Result<Reply, ParseReplyError> {
    let word = words.next().unwrap_or_default();
    if matches!(word, b"(none)" | b"none" | b"null" | b"0000" | b"resign") {
        return Ok(Reply::NoBestMove);
    }
    let mv = read_move(word).ok_or_else(|| ParseReplyError::BestMove(quoted(word)))?;
    let (mut ponder, mut draw, mut resign) = (None, false, false);
    while let Some(word) = words.next() {
        match word {
            b"ponder" => ponder = words.mv(),
            b"draw" => draw = true,
            b"resign" => resign = true,
            _ => {}
        }
    }
    Ok(Reply::BestMove { mv, ponder, draw, resign })
}

fn parse_pop_hash(mut words: Words) -> Reply {
    let (mut best, mut lower, mut upper) = (None, None, None);
    while let Some(word) = words.next() {
        match word {
            b"bestmove" => best = words.mv(),
            b"lowerbound" => lower = parse_bound(&mut words),
            b"upperbound" => upper = parse_bound(&mut words),
            _ => {}
        }
    }
    Reply::PopHash { best, lower, upper }
}

/// `SCORE depth D`.
fn parse_bound(words: &mut Words) -> Option<(i32, u32)> {
    let score = words.i32()?;
    let depth = words.strip(b"depth").then(|| words.u32())??;
    Some((score, depth))
}

/// `[name] NAME type T` and the fields of either order.
fn parse_option(mut words: Words) -> Result<OptionLine, ParseReplyError> {
    if words.peek() == Some(b"name") {
        words.next();
    }
    let name = words.text_until(usize::MAX, |word| word == b"type");
    if name.is_empty() {
        return Err(ParseReplyError::OptionName);
    }
    words.next();
    let kind = match words.next().unwrap_or_default() {
        b"check" => {
            OptionKind::Check(matches!(&*parse_default(words), "true" | "on" | "yes" | "1"))
        }
        b"spin" => parse_spin(words),
        b"combo" => parse_combo(words),
        b"button" => OptionKind::Button,
        b"string" => OptionKind::String(parse_default(words)),
        b"label" => OptionKind::Label(parse_default(words)),
        kind => return Err(ParseReplyError::OptionType { name, kind: quoted(kind) }),
    };
    Ok(OptionLine { name, kind })
}

/// All behind `default`.
fn parse_default(mut words: Words) -> String {
    words.find(|&word| word == b"default");
    or_empty(lossy(words.rest()))
}

fn or_empty(text: String) -> String {
    if text == "<empty>" { String::new() } else { text }
}

/// A bound that is not given does not bound.
fn parse_spin(mut words: Words) -> OptionKind {
    let (mut default, mut min, mut max) = (0, i64::MIN, i64::MAX);
    while let Some(key) = words.next() {
        match key {
            b"default" => default = words.number().unwrap_or(default),
            b"min" => min = words.number().unwrap_or(min),
            b"max" => max = words.number().unwrap_or(max),
            _ => {}
        }
    }
    OptionKind::Spin { default, min, max }
}

fn parse_combo(mut words: Words) -> OptionKind {
    let (mut default, mut values) = (String::new(), Vec::new());
    while let Some(key) = words.next() {
        let is_key = |word: &[u8]| matches!(word, b"default" | b"var");
        let text = or_empty(words.text_until(usize::MAX, is_key));
        match key {
            b"default" => default = text,
            b"var" => values.push(text),
            _ => {}
        }
    }
    OptionKind::Combo { default, values }
}

#[cfg(test)]
mod tests;
