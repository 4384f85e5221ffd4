//! Every constant of the search, named once. Margins are centi-pieces.

use crate::types::Score;

/// Half-width of the first aspiration window.
pub const ASPIRATION_DELTA: Score = 6;
/// Depth from which the aspiration window is used.
pub const ASPIRATION_DEPTH: i32 = 4;

/// What a thread's vote weighs, per ply of its depth, when no other finds its best move worse.
pub const VOTE_BASE: Score = 12;

/// Mates by checks: the share of nodes or time spent on them is one part in so many; fewest and most
/// nodes.
pub const MATE_SHARE: u64 = 24;
/// See [`MATE_SHARE`].
pub const MATE_NODES_LEAST: u64 = 16;
/// See [`MATE_SHARE`].
pub const MATE_NODES: u64 = 30_000;

/// Reverse futility: deepest node and margin per ply.
pub const RFP_DEPTH: i32 = 8;
/// See [`RFP_DEPTH`].
pub const RFP_MARGIN: Score = 26;

/// Null move: smallest depth, base reduction, plies of depth and points over beta per further ply.
pub const NULL_DEPTH: i32 = 3;
/// See [`NULL_DEPTH`].
pub const NULL_BASE: i32 = 3;
/// See [`NULL_DEPTH`].
pub const NULL_DEPTH_DIVISOR: i32 = 4;
/// See [`NULL_DEPTH`].
pub const NULL_EVAL_DIVISOR: Score = 60;
/// From this depth a null-move cutoff is verified by a real search.
pub const NULL_VERIFY_DEPTH: i32 = 12;

/// Depth from which a node without table move is searched one ply less.
pub const IIR_DEPTH: i32 = 4;

/// Singular extensions: smallest depth, and eighths of a centi-piece a ply that the other moves must
/// stay below the table's move.
pub const SINGULAR_DEPTH: i32 = 6;
/// See [`SINGULAR_DEPTH`].
pub const SINGULAR_MARGIN: Score = 8;
/// Two plies when they stay this much further below, outside of the principal variation, so often on
/// one line.
pub const DOUBLE_MARGIN: Score = 10;
/// See [`DOUBLE_MARGIN`].
pub const DOUBLE_LIMIT: u32 = 6;

/// Late move pruning: deepest node, moves before it sets in at depth 0, and thirds of a move more for
/// each square of depth.
pub const LMP_DEPTH: i32 = 8;
/// See [`LMP_DEPTH`].
pub const LMP_BASE: i32 = 5;
/// See [`LMP_DEPTH`].
pub const LMP_FACTOR: i32 = 4;

/// Futility: deepest (reduced) depth, base margin and margin per ply.
pub const FUTILITY_DEPTH: i32 = 7;
/// See [`FUTILITY_DEPTH`].
pub const FUTILITY_BASE: Score = 36;
/// See [`FUTILITY_DEPTH`].
pub const FUTILITY_MARGIN: Score = 34;

/// Pruning by exchange value: deepest node, and what a quiet move (times depth squared) or a
/// capture (times depth) may lose.
pub const SEE_DEPTH: i32 = 8;
/// See [`SEE_DEPTH`].
pub const SEE_QUIET: Score = 10;
/// See [`SEE_DEPTH`].
pub const SEE_CAPTURE: Score = 28;

/// Quiet moves whose history is below this times depth are pruned at low depth.
pub const HISTORY_PRUNE: i32 = -4_000;
/// Deepest node for [`HISTORY_PRUNE`].
pub const HISTORY_PRUNE_DEPTH: i32 = 5;

/// Late move reductions in 1/1024 plies: the constant part.
pub const LMR_BASE: i32 = 575;
/// The share of log2(depth) × log2(move number).
pub const LMR_FACTOR: i32 = 288;
/// History that is worth one ply of reduction.
pub const LMR_HISTORY: i32 = 11_000;
/// What a node gets more where a cutoff is expected, and less on the principal variation.
pub const LMR_CUT_NODE: i32 = 2_048;
/// See [`LMR_CUT_NODE`].
pub const LMR_PV: i32 = 512;
/// A reduced move that is better than the best by more than this is searched a ply deeper than without
/// reduction, one better by less than [`LMR_SHALLOWER`] a ply less deep.
pub const LMR_DEEPER: Score = 20;
/// See [`LMR_DEEPER`].
pub const LMR_SHALLOWER: Score = 4;

/// Quiescence: what a capture has to promise beyond the evaluation to be looked at.
pub const DELTA_MARGIN: Score = 40;
/// Quiet evasions looked at in quiescence once one of them does not lose.
pub const QUIESCENCE_EVASIONS: usize = 3;

/// Bonus of a history update: slope by depth, and cap.
pub const HISTORY_BONUS: i32 = 220;
/// See [`HISTORY_BONUS`].
pub const HISTORY_BONUS_MAX: i32 = 2_200;

/// Worth of a draw below or above an even game for styles other than normal.
pub const CONTEMPT: Score = 20;

/// Score at or under which an offered draw is accepted.
pub const DRAW_ACCEPT: Score = 5;
/// An own draw offer: widest score, and plies since the last capture.
pub const DRAW_OFFER: Score = 10;
/// See [`DRAW_OFFER`].
pub const DRAW_OFFER_QUIET_PLIES: u32 = 40;
/// Score under which the engine may resign.
pub const RESIGN: Score = -700;

/// Lines searched, and how far below the best a move may lie, by `randomness`.
pub const RANDOM_LINES: usize = 6;
/// See [`RANDOM_LINES`]; indexed by level.
pub const RANDOM_MARGIN: [Score; 4] = [0, 8, 20, 40];

/// log2 in 1/32, rounded down, by repeated squaring of an integer mantissa.
const fn log2_32(n: u32) -> i32 {
    let whole = n.ilog2();
    let mut mantissa = (n as u64) << (16 - whole); // 1.0 is 1 << 16
    let mut bits = 0;
    let mut i = 0;
    while i < 5 {
        mantissa = (mantissa * mantissa) >> 16;
        bits *= 2;
        if mantissa >= 2 << 16 {
            mantissa >>= 1;
            bits += 1;
        }
        i += 1;
    }
    whole as i32 * 32 + bits
}

/// Base reduction in 1/1024 plies by depth and move number, both capped at 63.
pub static REDUCTIONS: [[i32; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut depth = 1;
    while depth < 64 {
        let mut number = 1;
        while number < 64 {
            let product = log2_32(depth as u32) * log2_32(number as u32);
            table[depth][number] = LMR_BASE + LMR_FACTOR * product / 1024;
            number += 1;
        }
        depth += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms() {
        for (n, expected) in [(1, 0), (2, 32), (3, 50), (4, 64), (10, 106), (63, 191)] {
            assert_eq!(log2_32(n), expected, "{n}");
        }
    }
}
