//! The search: iterative deepening, alpha-beta and everything that makes it fast.
//!
//! [`Searcher`] owns what outlives a search. `root` deepens, `node` is the tree, `pruning` leaves out
//! what cannot matter, `singular` looks closer at what all depends on, `quiescence` ends it; `picker`
//! orders moves by `history` (and `threats`), `correction` mends the evaluation, `tt` remembers
//! positions, `time` says when to stop and `watch` looks at it; `mate` looks for long mates by checks
//! first.

mod correction;
mod hints;
mod history;
pub mod limits;
mod mate;
mod node;
pub mod options;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod root;
mod searcher;
mod singular;
mod threats;
mod time;
pub mod tt;
mod watch;

pub use limits::{Bound, Limits, SearchEvent, SearchInfo, SearchReport, Signals};
pub use options::{Level, SearchOptions, Style};
pub use searcher::{HashError, ProbeResult, Prober, STACK_BYTES, Searcher, processors};
