//! A small cache of what the mix of men is worth: it changes only with captures, and the same mixes
//! come back all over a tree.

use std::cell::Cell;

use super::terms::Terms;
use crate::types::{Color, Tapered};

/// Entries of a thread's cache. A search meets a few hundred mixes.
const ENTRIES: usize = 1024;

/// The mix of men and its value to Red.
type Entry = (u32, Tapered);

thread_local! {
    // No mix is 0, see `Terms::mix`.
    static CACHE: [Cell<Entry>; ENTRIES] = const { [const { Cell::new((0, Tapered::ZERO)) }; ENTRIES] };
}

/// [`Terms::imbalance`] of Red less that of Black.
#[inline]
pub(super) fn imbalance(terms: &Terms<Tapered>) -> Tapered {
    let mix = terms.mix();
    let index = (mix.wrapping_mul(0x9e37_79b1) >> 22) as usize % ENTRIES;
    CACHE.with(|cache| {
        let (known, value) = cache[index].get();
        if known == mix {
            return value;
        }
        let value = terms.imbalance(Color::Red) - terms.imbalance(Color::Black);
        cache[index].set((mix, value));
        value
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::POSITIONS;
    use crate::board::Position;
    use crate::eval::WEIGHTS;

    #[test]
    fn a_known_mix_is_worth_what_it_was() {
        for fen in POSITIONS.iter().chain(&POSITIONS) {
            let pos = Position::from_fen(fen).unwrap();
            let terms = Terms::new(&pos, &WEIGHTS);
            let fresh = terms.imbalance(Color::Red) - terms.imbalance(Color::Black);
            assert_eq!(imbalance(&terms), fresh, "{fen}");
        }
    }
}
