//! UCCI and UCI from both ends: commands and replies, printed and parsed.

pub mod command;
pub mod reply;

pub use command::{Command, Go, GoTime, PositionText};
pub use reply::{Info, OptionKind, OptionLine, Reply};

/// The two families of words. The dialect only decides how replies are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Universal Chinese Chess Protocol 3.0.
    Ucci,
    /// Universal Chess Interface.
    Uci,
}
