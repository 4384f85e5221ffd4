//! hanxin (韩信): a xiangqi engine as a library.

#[cfg(unix)]
pub mod arena;
pub mod bench;
pub mod board;
pub mod book;
pub mod clock;
pub mod engine;
pub mod epd;
pub mod eval;
pub mod files;
pub mod notation;
pub mod output;
pub mod protocol;
pub mod random;
pub mod record;
pub mod rules;
pub mod search;
pub mod suite;
pub mod tune;
pub mod types;

pub use board::{FenError, IllegalMove, KingGuard, Position, Setup};
pub use engine::Engine;
pub use notation::NotationError;
pub use search::{Bound, Limits, SearchEvent, SearchInfo, SearchReport, Signals};
pub use types::{
    Color, Eval, File, Move, MoveList, ParseMoveError, ParseSquareError, Piece, PieceId, PieceType,
    Rank, Square,
};
