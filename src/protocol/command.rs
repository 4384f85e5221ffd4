//! What an interface says, as an enum. Printed and parsed in both dialects.

use std::time::Duration;

use crate::types::Move;

use super::Dialect;

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
    /// `newgame`, `ucinewgame`, `uccinewgame`, `uxinewgame`.
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
    /// The FEN, still unread; `None` is the start position.
    pub fen: Option<String>,
    /// Moves as coordinates; legality is the engine's business.
    pub moves: Vec<Move>,
    /// A word in the move list that is not a move at all; it and what follows is left out.
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
    /// Words that made no sense; told to the interface in one message.
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
