//! UCCI and UCI from both ends: commands and replies, printed and parsed.

//!
//! Reading is tolerant and needs no dialect: [`Command::parse`] understands the words of both
//! families. The dialect decides how things are printed.

pub mod command;
mod lexer;
pub mod reply;

pub use command::{Command, Go, GoTime, ParseCommandError, PositionFault, PositionText};
pub use reply::{Info, OptionKind, OptionLine, Reply};

/// The two families of words. The dialect only decides how replies are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Universal Chinese Chess Protocol 3.0.
    Ucci,
    /// Universal Chess Interface.
    Uci,
}
