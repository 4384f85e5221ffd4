//! Singular extensions: is the table's move the only good one? Then all depends on it, and it is
//! searched deeper; if others hold beta as well, the node need not be searched at all.

use super::limits::Bound;
use super::node::Search;
use super::options::Level;
use super::params::*;
use super::tt::TtEntry;
use crate::board::KingGuard;
use crate::types::score::is_decisive;
use crate::types::{Move, Score};

/// What the search of the other moves says about the table's move.
pub enum Singular {
    /// Search it so many plies deeper, or less deep.
    Extend(i32),
    /// The node is above beta even without it.
    Cutoff(Score),
}

impl Search<'_> {
    /// Searches the moves beside the table's `mv` with half the depth, against a bar a little below the
    /// score that the table has for it.
    #[allow(clippy::too_many_arguments)] // one caller; the values are all at hand there
    pub fn singular<const PV: bool>(
        &mut self,
        mv: Move,
        entry: TtEntry,
        beta: Score,
        depth: i32,
        ply: usize,
        guard: &KingGuard,
        cut_node: bool,
    ) -> Singular {
        if depth < SINGULAR_DEPTH
            || entry.depth < depth - 3
            || entry.bound == Bound::Upper
            || is_decisive(entry.score)
            || self.stack[ply].excluded.is_some()
            || ply >= 2 * self.root_depth as usize
            || self.shared.options.pruning < Level::Large
        {
            return Singular::Extend(0);
        }
        let bar = entry.score - SINGULAR_MARGIN * depth / 8;
        self.stack[ply].excluded = Some(mv);
        let rest = self.search::<false, false>(bar - 1, bar, (depth - 1) / 2, ply, guard, cut_node);
        self.stack[ply].excluded = None;
        let far_below =
            !PV && rest < bar - DOUBLE_MARGIN && self.stack[ply].double_extensions < DOUBLE_LIMIT;
        match rest {
            _ if rest < bar => Singular::Extend(1 + i32::from(far_below)),
            _ if bar >= beta => Singular::Cutoff(bar),
            // Others are about as good: no reason to look at this one first and deepest.
            _ if entry.score >= beta => Singular::Extend(-2),
            _ => Singular::Extend(-i32::from(cut_node)),
        }
    }
}
