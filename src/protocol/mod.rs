//! UCCI and UCI from both ends: commands and replies, printed and parsed.
//!
//! Reading is tolerant and needs no dialect: [`Command::parse`] and [`Reply::parse`] understand the
//! words of both families. The dialect decides how things are printed.

pub mod command;
pub mod driver;
mod lexer;
pub mod option;
mod print;
pub mod reply;
pub mod session;
pub mod ucci;
pub mod uci;

pub use command::{Command, Go, GoTime, ParseCommandError, PositionFault, PositionText};
pub use reply::{Info, OptionKind, OptionLine, ParseReplyError, Reply};
pub use session::{Action, Event, Session};

/// The two families of words. The dialect only decides how replies are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Universal Chinese Chess Protocol 3.0.
    Ucci,
    /// Universal Chess Interface.
    Uci,
}

impl Dialect {
    /// The reply as a line without its end: ASCII, single blanks, none at either end, under 1000
    /// bytes with its newline. `None` for what the dialect has no words for.
    pub fn print_reply(self, reply: &Reply) -> Option<String> {
        match self {
            Dialect::Ucci => Some(ucci::print_reply(reply)),
            Dialect::Uci => uci::print_reply(reply),
        }
    }

    /// The command as a line without its end.
    pub fn print_command(self, command: &Command) -> String {
        match self {
            Dialect::Ucci => ucci::print_command(command),
            Dialect::Uci => uci::print_command(command),
        }
    }
}
