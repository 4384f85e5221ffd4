//! The vocabulary: sides, squares, pieces, moves, scores. Uses nothing else of the crate and
//! cannot hold an invalid square, piece or move.

mod color;
mod move_list;
mod mv;
mod piece;
pub mod score;
mod square;
mod tapered;

pub use color::Color;
pub use move_list::{MAX_MOVES, MoveList};
pub use mv::{Move, ParseMoveError};
pub use piece::{Piece, PieceId, PieceType};
pub use score::{Eval, MAX_PLY, Score};
pub use square::{File, ParseSquareError, Rank, Square};
pub use tapered::{S, Tapered};
