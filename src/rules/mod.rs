//! The rules that end a game without mate.

pub mod repetition;
