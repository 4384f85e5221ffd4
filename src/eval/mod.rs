//! The evaluation.

pub mod psqt;
