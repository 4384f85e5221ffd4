//! What people and programs read from the commands: the board drawn for a terminal, scores in
//! words, JSON lines, and the page of a match.

mod board;
mod cycle;
#[cfg(unix)]
pub mod html;
pub mod json;
#[cfg(unix)]
pub mod match_report;
#[cfg(unix)]
mod ratings;
#[cfg(unix)]
mod replay;
mod score;
#[cfg(unix)]
mod svg;

pub use board::draw_board;
pub use cycle::{cycle_table, verdict_words};
#[cfg(unix)]
pub use ratings::ratings_table;
pub use score::score_words;

use std::io::IsTerminal;

/// How text is dressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// ANSI colours.
    pub color: bool,
    /// Letters and plain characters instead of Chinese glyphs and lines.
    pub ascii: bool,
}

impl Style {
    /// The style for stdout: colour only on a terminal, and not where `NO_COLOR` is set to anything.
    pub fn for_stdout(ascii: bool) -> Style {
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Style { color: !forbidden && std::io::stdout().is_terminal(), ascii }
    }
}
