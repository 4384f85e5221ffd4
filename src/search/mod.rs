//! The search.

pub mod limits;
pub mod options;
mod searcher;

pub use limits::{Bound, Limits, SearchEvent, SearchInfo, SearchReport, Signals};
pub use options::{Level, SearchOptions, Style};
pub use searcher::{HashError, ProbeResult, Prober, Searcher};
