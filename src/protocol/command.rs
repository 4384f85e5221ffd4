//! What an interface says: the enum and the one tolerant parser for the words of both families.
//!
//! Command words and keywords are lower case, as both protocols define them and every client met
//! sends them; only option names are compared without case. A line is judged by its words alone:
//! no board, no legality, no state.

use std::time::Duration;

use thiserror::Error;

use crate::record::encoding::decode;
use crate::types::Move;

use super::Dialect;
use super::lexer::{Words, lossy, quoted, read_move};

/// One line from the interface. Uses the words of both families; no board, no legality.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `ucci` or `uci`.
    Handshake(Dialect),
    /// `isready`.
    IsReady,
    /// `setoption`, either form. The name is lower case with single blanks; the value is verbatim,
    /// `None` when nothing stands there, empty for `<empty>`.
    SetOption {
        /// Lower-case name.
        name: String,
        /// The rest of the line.
        value: Option<String>,
    },
    /// `setoption newgame`, `newgame`, `ucinewgame`, `uccinewgame`, `uxinewgame`.
    NewGame,
    /// `position …`, bare `fen …` or `startpos …`.
    Position(PositionText),
    /// `banmoves …`.
    BanMoves(Vec<Move>),
    /// `go …`.
    Go(Go),
    /// `ponderhit`, with `draw` when the other side offers one.
    PonderHit {
        /// The other side offers a draw.
        draw: bool,
    },
    /// `stop`.
    Stop,
    /// `probe …`.
    Probe(PositionText),
    /// `quit`.
    Quit,
}

/// A position as text: the board and the moves played from it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PositionText {
    /// The FEN, still unread: its first six fields with single blanks. `None` is the start position.
    pub fen: Option<String>,
    /// Moves as coordinates; legality is the engine's business.
    pub moves: Vec<Move>,
    /// The first word in the move list that is not a move at all, shortened for a message; it and
    /// what follows is left out.
    pub bad_move: Option<String>,
}

/// The arguments of `go`. Times are in the unit the dialect state says (see [`GoTime`]).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Go {
    /// `ponder`.
    pub ponder: bool,
    /// `draw`.
    pub draw: bool,
    /// `infinite`.
    pub infinite: bool,
    /// `depth N`, 0 asks for the static evaluation.
    pub depth: Option<u32>,
    /// `nodes N`.
    pub nodes: Option<u64>,
    /// `mate N`, in moves.
    pub mate: Option<u32>,
    /// `movetime T`.
    pub move_time: Option<GoTime>,
    /// UCCI: `time T`, the mover's.
    pub time: Option<GoTime>,
    /// UCCI: `increment I`.
    pub increment: Option<GoTime>,
    /// UCCI and UCI: `movestogo M`.
    pub moves_to_go: Option<u32>,
    /// UCCI: `opptime T`.
    pub opp_time: Option<GoTime>,
    /// UCCI: `oppincrement I`.
    pub opp_increment: Option<GoTime>,
    /// UCCI: `oppmovestogo M`.
    pub opp_moves_to_go: Option<u32>,
    /// UCI: `wtime T`, Red's.
    pub red_time: Option<GoTime>,
    /// UCI: `btime T`, Black's.
    pub black_time: Option<GoTime>,
    /// UCI: `winc I`.
    pub red_increment: Option<GoTime>,
    /// UCI: `binc I`.
    pub black_increment: Option<GoTime>,
    /// `searchmoves …`.
    pub search_moves: Vec<Move>,
    /// A limit was named but its value was unusable: with no usable limit left, move at once.
    pub broken_limit: bool,
    /// The first words that made no sense, shortened; told to the interface in one message.
    pub dropped: Vec<String>,
}

/// A time as sent: a signed number whose unit (seconds or milliseconds) is an option of the
/// session. Zero and negative mean "move now".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GoTime(pub i64);

impl GoTime {
    /// The duration, in milliseconds or seconds; negative is zero.
    pub fn duration(self, millisec: bool) -> Duration {
        let amount = self.0.max(0) as u64;
        if millisec { Duration::from_millis(amount) } else { Duration::from_secs(amount) }
    }
}

/// The line is no command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseCommandError {
    /// Nothing but blanks. Not worth an answer.
    #[error("blank line")]
    Blank,
    /// The first word is no command of either family. Answered with silence.
    #[error("unknown command: \"{0}\"")]
    Unknown(String),
    /// A position that names no position. Answered with one message.
    #[error("position: {0}")]
    Malformed(#[from] PositionFault),
}

/// What is wrong with the words of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionFault {
    /// Neither `fen` nor `startpos` comes first but this word, or nothing.
    #[error("expected \"fen\" or \"startpos\", found \"{0}\"")]
    Kind(String),
    /// Nothing stands between `fen` and the end or the moves.
    #[error("no text behind \"fen\"")]
    NoFen,
}

/// Fields of a FEN; what stands between the last of them and `moves` is a comment.
const FEN_FIELDS: usize = 6;

/// How many senseless words of one `go` are remembered.
const DROPPED_WORDS: usize = 8;

impl Command {
    /// Reads one line, with or without its end. Total: any bytes, any length.
    ///
    /// ```
    /// use hanxin::protocol::{Command, Go};
    ///
    /// let go = Go { depth: Some(5), ..Go::default() };
    /// assert_eq!(Command::parse(b"go  depth 5\r\n"), Ok(Command::Go(go)));
    /// ```
    ///
    /// # Errors
    ///
    /// A blank line, an unknown command, or a position that names no position. `go` never fails:
    /// the words it cannot use are listed in [`Go::dropped`].
    pub fn parse(line: &[u8]) -> Result<Command, ParseCommandError> {
        let mut words = Words::new(line);
        let whole = words.clone();
        let name = words.next().ok_or(ParseCommandError::Blank)?;
        let unknown = || ParseCommandError::Unknown(quoted(name));
        Ok(match name {
            b"ucci" => Command::Handshake(Dialect::Ucci),
            b"uci" => Command::Handshake(Dialect::Uci),
            b"isready" => Command::IsReady,
            b"setoption" => parse_set_option(words).ok_or_else(unknown)?,
            b"debug" => parse_debug(&words),
            b"newgame" | b"ucinewgame" | b"uccinewgame" | b"uxinewgame" => Command::NewGame,
            b"position" => Command::Position(parse_position(words)?),
            b"fen" | b"startpos" => Command::Position(parse_position(whole)?),
            b"banmoves" => Command::BanMoves(words.filter_map(read_move).collect()),
            b"go" => Command::Go(parse_go(words)),
            b"ponderhit" => Command::PonderHit { draw: words.any(|word| word == b"draw") },
            b"stop" => Command::Stop,
            b"probe" => Command::Probe(parse_position(words)?),
            b"quit" => Command::Quit,
            _ => return Err(unknown()),
        })
    }
}

/// `[name] N [value V]` or `N [V]`; `None` without a name.
fn parse_set_option(mut words: Words) -> Option<Command> {
    let name = if words.peek() == Some(b"name") {
        words.next();
        let name = words.text_until(usize::MAX, |word| word == b"value");
        words.next();
        name
    } else {
        lossy(words.next()?)
    };
    let value = match words.rest() {
        b"" => None,
        b"<empty>" => Some(String::new()),
        // Names of files come in whatever the interface's system writes.
        text => Some(decode(text).into_owned()),
    };
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "" => None,
        "newgame" => Some(Command::NewGame),
        _ => Some(Command::SetOption { name, value }),
    }
}

/// UCI's `debug [on | off]` is UCCI's option of that name.
fn parse_debug(words: &Words) -> Command {
    let value = if words.rest().is_empty() { b"on" } else { words.rest() };
    Command::SetOption { name: "debug".to_owned(), value: Some(lossy(value)) }
}

/// `{fen F | startpos} [moves …]`, where the kind may be glued to what follows.
fn parse_position(mut words: Words) -> Result<PositionText, PositionFault> {
    let is_moves = |word: &[u8]| word == b"moves";
    let fen = if words.strip(b"fen") {
        let fen = words.text_until(FEN_FIELDS, is_moves);
        if fen.is_empty() {
            return Err(PositionFault::NoFen);
        }
        Some(fen)
    } else if words.strip(b"startpos") {
        words.text_until(0, is_moves);
        None
    } else {
        return Err(PositionFault::Kind(quoted(words.next().unwrap_or_default())));
    };
    words.next();
    let moves = words.moves();
    Ok(PositionText { fen, moves, bad_move: words.next().map(quoted) })
}

/// Keywords in any order and number; the blank between a keyword and its number may be missing.
fn parse_go(mut words: Words) -> Go {
    let mut go = Go::default();
    while let Some(word) = words.peek() {
        let mut ahead = words.clone();
        if go.take(&mut ahead) {
            words = ahead;
        } else {
            words.next();
            if go.dropped.len() < DROPPED_WORDS {
                go.dropped.push(quoted(word));
            }
        }
    }
    go.broken_limit |= go.has_clock_without_time();
    go
}

impl Go {
    /// Takes a keyword and its value; false when they make no sense.
    fn take(&mut self, words: &mut Words) -> bool {
        let usable = match words.letters() {
            b"ponder" => return set(&mut self.ponder),
            b"draw" => return set(&mut self.draw),
            b"infinite" => return set(&mut self.infinite),
            b"searchmoves" => {
                let moves = words.moves();
                self.search_moves.extend(&moves);
                return !moves.is_empty();
            }
            b"depth" => hold(&mut self.depth, at_least(0, words)),
            b"nodes" => hold(&mut self.nodes, words.u64()),
            b"mate" => hold(&mut self.mate, at_least(1, words)),
            b"movetime" => hold(&mut self.move_time, time(words)),
            b"time" => hold(&mut self.time, time(words)),
            b"increment" => hold(&mut self.increment, time(words)),
            b"movestogo" => hold(&mut self.moves_to_go, at_least(1, words)),
            b"opptime" => hold(&mut self.opp_time, time(words)),
            b"oppincrement" => hold(&mut self.opp_increment, time(words)),
            b"oppmovestogo" => hold(&mut self.opp_moves_to_go, at_least(1, words)),
            b"wtime" => hold(&mut self.red_time, time(words)),
            b"btime" => hold(&mut self.black_time, time(words)),
            b"winc" => hold(&mut self.red_increment, time(words)),
            b"binc" => hold(&mut self.black_increment, time(words)),
            _ => return false,
        };
        self.broken_limit |= !usable;
        usable
    }

    /// An increment or a number of moves limits nothing unless some time is given too.
    fn has_clock_without_time(&self) -> bool {
        let times = [self.time, self.opp_time, self.red_time, self.black_time, self.move_time];
        let increments =
            [self.increment, self.opp_increment, self.red_increment, self.black_increment];
        let stages = [self.moves_to_go, self.opp_moves_to_go];
        times.iter().all(Option::is_none)
            && (increments.iter().any(Option::is_some) || stages.iter().any(Option::is_some))
    }
}

fn set(flag: &mut bool) -> bool {
    *flag = true;
    true
}

/// Keeps a value; of a word said twice the smaller one, since every limit holds.
fn hold<T: Ord>(slot: &mut Option<T>, said: Option<T>) -> bool {
    let usable = said.is_some();
    *slot = slot.take().into_iter().chain(said).min();
    usable
}

fn at_least(least: i64, words: &mut Words) -> Option<u32> {
    let number = words.number().filter(|&number| number >= least)?;
    Some(u32::try_from(number).unwrap_or(u32::MAX))
}

fn time(words: &mut Words) -> Option<GoTime> {
    words.number().map(GoTime)
}

#[cfg(test)]
mod tests;
