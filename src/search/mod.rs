//! The search.

pub mod limits;
pub mod options;

pub use limits::{Bound, Limits, SearchEvent, SearchInfo, SearchReport, Signals};
pub use options::{Level, SearchOptions, Style};
