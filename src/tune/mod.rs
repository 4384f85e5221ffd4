//! Fitting the evaluation to games: play them, keep their quiet positions, learn from those.
//!
//! [`datagen`] plays the games, [`sample`] is what they leave behind in a file, [`fit`] learns from
//! it; `docs/tuning.md` tells how they go together.

pub mod datagen;
pub mod fit;
pub mod sample;
