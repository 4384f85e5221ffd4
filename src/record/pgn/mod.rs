//! PGN, portable game notation: tags, then moves with comments and variations, many games a file.
//!
//! Xiangqi has its own tags (`Red`, `RedTeam`, `Format` …) and three ways to write a move: ICCS
//! (`H2-E2`), coordinates (`h2e2`) and Chinese (`炮二平五`). All are read, whatever `Format` says.
//!
//! ```
//! use hanxin::record::{encoding::decode, pgn};
//!
//! let file = b"[Red \"\xBA\xEC\"]\n\n1. h2e2 {the centre} H9-G7 2. \xC2\xED\xB6\xFE\xBD\xF8\xC8\xFD 1-0\n";
//! let game = pgn::read(&decode(file)).next().expect("a game")?;
//! assert_eq!(game.tag("Red"), Some("红"));
//! assert_eq!(game.line.plies[2].mv.to_string(), "h0g2");
//!
//! let text = pgn::write(&game, pgn::MoveText::Chinese)?;
//! assert!(text.ends_with("1. 炮二平五 {the centre} 1... 马８进７ 2. 马二进三 1-0\n\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod lexer;
mod read;
mod write;

pub use read::{Games, MAX_DEPTH, PgnError, PgnFault, read};
pub use write::{FIRST_TAG, MoveText, write};

/// Tags that repeat what other fields of a game say. They are written, never kept.
const DERIVED_TAGS: [&str; 5] = ["Game", "Result", "SetUp", "FEN", "Format"];
