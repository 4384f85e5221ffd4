//! Perft: the number of move sequences of a given length, the standard test of a generator.

use rayon::prelude::*;

use super::Position;
use crate::types::Move;

/// Number of legal move sequences of `depth` plies; 1 at depth 0.
///
/// ```
/// use hanxin::{Position, board::perft::perft};
///
/// assert_eq!(perft(&mut Position::startpos(), 3), 79_666);
/// ```
pub fn perft(pos: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => pos.count_legal() as u64,
        _ => {
            let mut nodes = 0;
            for mv in &pos.legal_moves() {
                pos.make(mv);
                nodes += perft(pos, depth - 1);
                pos.unmake();
            }
            nodes
        }
    }
}

/// The perft of each legal move, in generation order, spread over the current rayon pool. `depth`
/// counts the move itself; at 0 every move counts 1.
pub fn divide(pos: &Position, depth: u32) -> Vec<(Move, u64)> {
    // Pairs of plies are the unit of work: single root moves differ too much in size.
    let mut jobs = Vec::new();
    for mv in &pos.legal_moves() {
        let mut child = pos.clone();
        child.make(mv);
        if depth < 3 {
            jobs.push((mv, child, depth.saturating_sub(1)));
            continue;
        }
        for reply in &child.legal_moves() {
            let mut grandchild = child.clone();
            grandchild.make(reply);
            jobs.push((mv, grandchild, depth - 2));
        }
    }
    let counts: Vec<(Move, u64)> =
        jobs.into_par_iter().map(|(mv, mut pos, depth)| (mv, perft(&mut pos, depth))).collect();

    let mut totals: Vec<(Move, u64)> = pos.legal_moves().into_iter().map(|mv| (mv, 0)).collect();
    for (mv, count) in counts {
        if let Some((_, total)) = totals.iter_mut().find(|(root, _)| *root == mv) {
            *total += count;
        }
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divide_sums_to_perft() {
        let pos = Position::startpos();
        for (depth, nodes) in [(1, 44), (2, 1920), (3, 79_666)] {
            assert_eq!(divide(&pos, depth).iter().map(|(_, n)| n).sum::<u64>(), nodes);
            assert_eq!(perft(&mut pos.clone(), depth), nodes);
        }
    }
}
