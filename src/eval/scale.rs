//! How much of a lead is worth having: endings that theory knows as draws or hard to win.

use super::terms::{Tally, Terms, rank_for};
use crate::types::{Color, PieceType, Score};

use PieceType::{Advisor, Cannon, Knight, Pawn, Rook};

/// The scale that leaves a score as it is.
pub(super) const FULL_SCALE: Score = 64;

/// The force up to which an ending is looked at: about a rook and a horse. More than that wins
/// or loses by play.
const LARGEST_FORCE: i32 = 6;

/// The share of a lead of `ahead` that counts, in 64ths.
///
/// Only men that cross the river win games. Every advisor and elephant of the defender holds off
/// about half a horse: a rook does not break all four, two light pieces just may, a horse beats
/// one but not two, a pawn beats the bare king.
pub(super) fn scale<T: Tally>(terms: &Terms<T>, ahead: Color) -> Score {
    let force = force(terms, ahead);
    if force == 0 {
        return 0;
    }
    if force > LARGEST_FORCE {
        return FULL_SCALE;
    }
    match force - self::force(terms, !ahead) - terms.guards_left(!ahead) {
        1.. => FULL_SCALE,
        0 => 28,
        -1 => 16,
        _ => 10,
    }
}

/// The men of a side that can win, a pawn counting one.
fn force<T: Tally>(terms: &Terms<T>, us: Color) -> i32 {
    let (knights, cannons) = (terms.count(us, Knight), terms.count(us, Cannon));
    let rooks = 4 * terms.count(us, Rook);
    // A pawn on the last rank (老兵) has nowhere left to go.
    let pawns = terms.squares(us, Pawn).filter(|&square| rank_for(us, square) < 9).count() as i32;
    if rooks + knights + pawns == 0 && cannons == 1 && terms.count(us, Advisor) == 0 {
        // A lone cannon has no screen to mate with.
        return 0;
    }
    rooks + 2 * (knights + cannons) + i32::from(knights + cannons >= 2) + pawns
}
