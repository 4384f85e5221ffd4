//! Both public suites at fixed nodes. The bars are those of the project's goal; the search is well
//! above them, and the same on every machine.

use hanxin::epd::{self, Entry};
use hanxin::search::SearchOptions;
use hanxin::suite::{Failure, solve};
use hanxin::{Engine, Limits};
use rayon::prelude::*;

/// Entries of the suite that were not solved, as line and reason.
fn unsolved(text: &str, nodes: u64) -> Vec<(usize, Failure)> {
    let entries: Vec<(usize, Entry)> =
        epd::read(text).map(|(line, entry)| (line, entry.expect("a valid line"))).collect();
    let options = SearchOptions { hash_mb: 16, ..SearchOptions::default() };
    entries
        .par_iter()
        .map_init(
            || Engine::new(&options),
            |engine, (line, entry)| {
                let outcome = solve(engine, entry, &Limits::nodes(nodes));
                outcome.failure.map(|failure| (*line, failure))
            },
        )
        .flatten()
        .collect()
}

#[test]
fn mates_are_proven_and_none_is_invented() {
    let unsolved = unsolved(include_str!("data/mates_public.epd"), 400_000);
    assert!(66 - unsolved.len() >= 60, "{unsolved:?}");
    let invented = unsolved.iter().any(|(_, failure)| *failure == Failure::FalseMate);
    assert!(!invented, "{unsolved:?}");
}

#[test]
fn best_moves_are_found() {
    let unsolved = unsolved(include_str!("data/bestmove_public.epd"), 100_000);
    assert!(64 - unsolved.len() >= 54, "{unsolved:?}");
}
