//! The search.

pub mod limits;

pub use limits::{Bound, Limits, SearchEvent, SearchInfo, SearchReport, Signals};
