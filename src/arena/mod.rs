//! Matches between engines: processes that speak UCCI or UCI play each other under a referee.
//!
//! ```text
//! Match -> schedule -> worker threads, one game each at a time
//!            game   -> Seat -> Engine -> Process (guarded) <-> the program
//!                   -> Referee, Clock, Adjudicator -> GameRecord
//! GameRecord -> Journal, PGN, Standings -> Tally (Elo, SPRT) -> who prints it
//!            -> Ledger -> Ratings, over many matches
//! ```
//!
//! Engines are programs of unknown quality: every wait has a limit, every fault a name, and a fault
//! costs one game and never the match.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod adjudicate;
mod append;
pub mod comply;
pub mod config;
pub mod engine;
pub mod fault;
pub mod game;
mod guard;
pub mod journal;
pub mod ledger;
pub mod openings;
mod pgn;
mod process;
mod ranks;
pub mod ratings;
pub mod record;
mod results;
mod runner;
pub mod schedule;
pub mod standings;
pub mod stats;
mod tc;

pub use append::AppendError;
pub use config::EngineConfig;
pub use guard::{GuardProgram, keep_guard};
pub use journal::Past;
pub use openings::Opening;
pub use pgn::{PgnFileError, PgnOutput};
pub use record::GameRecord;
pub use runner::{ArenaError, Match, Progress, Summary};
pub use standings::Standings;
pub use tc::{ParseTimeError, TimeControl, parse_limit, parse_time, time_text};
