//! ICCS, the coordinates of Chinese game files: `H2-E2`. [`super::coordinates`] reads it.

use crate::types::Move;

/// The move in upper case with a dash.
pub fn write(mv: Move) -> String {
    format!("{}-{}", mv.from, mv.to).to_ascii_uppercase()
}
