//! Fitting the evaluation to games: play them, keep their quiet positions, learn from those.
//!
//! [`datagen`] plays the games, [`sample`] is what they leave behind in a file, [`mod@matches`] takes the
//! same from games that were played for another reason, [`fit`] learns from them; `docs/tuning.md`
//! tells how they go together.

pub mod datagen;
pub mod fit;
pub mod matches;
pub mod sample;
