//! The bench: fixed positions to a fixed depth.
//!
//! With one thread the total of nodes is the signature of the search: the same on every machine, and
//! changed by everything that changes what the engine thinks. With more threads it is only a load.

use std::time::Duration;

use crate::engine::Engine;
use crate::search::{Limits, SearchReport, Signals};
use crate::{FenError, Position};

/// The depth of the signature, in plies.
pub const DEPTH: u32 = 12;

/// What the bench searches: openings, middle games, endgames and mates.
#[rustfmt::skip]
pub const POSITIONS: [&str; 40] = [
    // Openings
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "rnbakabnr/9/4c2c1/p3N1p1p/9/2p6/P3P1P1P/1C5C1/9/R1BAKABNR w - - 1 5",
    "rnbakabnr/9/2c4c1/p3p3p/6p2/1Cp6/P1P1P1PCP/6N2/4A4/RNBAK1B1R w - - 8 5",
    "rnbakab1r/9/2c3n2/pCp1p2cp/6p2/9/P1P1P1P1P/N1C6/4A4/R1B1KABNR w - - 8 5",
    "1nbakabn1/r6Cr/2c1c4/p1p1p1p1p/9/6P2/P1P1P3P/1C4N2/9/RNBAKABR1 w - - 8 5",
    "r1bakabnr/9/c1n6/p1p1p1p1p/9/2P3P2/c3P3P/4C2C1/4A4/RNB1KABNR w - - 0 5",
    "1rbakabnr/9/n5cc1/p5p1p/4p4/2C6/P1P1P1P1P/1CN6/9/R1BAKABNR w - - 5 5",
    "r1bakabnr/9/2n4c1/p3p1pCp/c1p6/6P2/P1P1P3P/1C2B4/9/RN1AKABNR w - - 8 5",
    // Middle games
    "4kab2/4a4/b8/1rC1n1p2/1Pp5p/3N2P2/4P4/B1N1B4/9/3AKA3 b - - 0 1",
    "3ck1b2/4a4/2Ra2N2/p3p3p/1C7/9/P3P3P/4B1N2/4A1cr1/4KAB2 b - - 0 1",
    "4ka3/4a4/1r2b2c1/5R2p/P1pr2n2/6B2/1n1C4P/NR1AB1N2/9/3AK4 w - - 0 1",
    "r3kabr1/4a1c2/1cn3n2/p1p1p1R1p/2b3p2/9/P3P1P1P/N1C1C1N2/9/R1BAKAB2 w - - 0 1",
    "1r1akab2/9/2R1b1n2/R3p3p/6p2/1n7/P3P1P1P/N3B1N2/9/2BAKA3 b - - 0 1",
    "1r2ka3/4a1R2/2n1b1c2/p1C1p4/1r6p/P1P2n3/1c2P3P/N3C3B/9/1RBAKA3 w - - 0 1",
    "3ak1b2/4a4/2n1b4/9/4p1p2/P3cR3/6P2/4B4/N1r1A4/3CKAB2 w - - 0 1",
    "2bk1ab2/4a4/n1c1c1n1r/p1p1p1R1p/9/2P1P1C2/P5P1P/4C1N2/3rN4/R1BAKAB2 w - - 0 1",
    "2bakaR2/9/4c1nrc/p3p3p/1C7/1np3r2/P3PN2P/4C1N2/1R7/2BAKAB2 w - - 0 1",
    "2bakar2/9/c1n1bc3/p1C1p3p/5N1R1/2P3p2/Pr1CP3P/R3B1N2/9/2BAKA3 b - - 0 1",
    "2bak4/4a4/3cb4/2n1p3p/pr5n1/2N4RP/2c1P1C2/4B3N/4A4/2C1KAB2 b - - 0 1",
    "4ka3/4a4/4b1n1b/4p1C1p/7r1/1cR3P2/p3P3P/2n1B1N2/2N1A4/2BAK4 b - - 0 1",
    "4ka1r1/4a4/4b4/n3N3p/p1b1c1p2/9/P3R1P2/3CB4/4A4/4KAB2 b - - 0 1",
    "2bak2r1/4an3/6c2/3rn3p/C1C3b2/9/P1P1c3P/4B4/4A2R1/1NBAK2R1 w - - 0 1",
    // Endgames
    "3a5/4k4/3Nb4/p7p/2b1r4/6B2/2n5P/6C2/4A4/2BAK4 w - - 0 1",
    "2bk1ab2/9/3a5/pCn3p2/3c1N3/2P3P2/8c/4B4/4A4/4K1B2 w - - 0 1",
    "4k1b2/4a4/3ab1P2/9/4C4/2P6/3R5/4BN3/1r2c4/4K1B2 b - - 0 1",
    "3cka1n1/4a4/9/p3R4/6p2/2r1c4/P3N1P1P/9/4A4/3R1K3 b - - 0 1",
    "Cr1a1kb2/4a1R2/4b4/4C3p/9/9/2p1P3P/4Br3/R8/2B1Kc3 w - - 0 1",
    "2b1ka1R1/3P5/5a3/6N2/6b2/P5B1p/4r4/5K3/8c/9 w - - 0 1",
    "3k1c3/9/9/1C3P2C/9/9/1c3p3/9/5N3/4K4 w - - 0 1",
    "2bak4/3P1P3/4b4/3P1P3/9/9/3p1p3/4B4/3p1p3/2BAK4 w - - 0 1",
    "2b1ka3/9/b3N4/4n4/9/9/9/4C4/2p6/2BK5 w - - 0 1",
    "N3k3N/9/9/9/9/9/9/9/9/n2K4n b - - 0 1",
    "C2R4c/5k3/b2a1N2b/2R6/9/9/9/4p4/3nr1p2/c4K2C w - - 0 1",
    "R1N1k1b2/9/3aba3/9/2nr5/2B6/9/4B4/4A4/4KA3 w - - 0 1",
    "4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w - - 0 1",
    "3k5/9/9/9/P1P1P1P1P/p1p1p1p1p/9/9/9/4K4 w - - 0 1",
    // Mates
    "9/9/3a1k3/9/1N5N1/4R4/1n5r1/9/3K1p3/9 w - - 0 1",
    "3k5/2P1P4/9/9/3rc4/9/c1N6/3RBA3/3KAp3/3R2B2 b - - 0 1",
    "4ka3/3RaP1n1/6R2/9/4P4/6C2/9/9/2rrp4/c4K3 w - - 0 1",
    "4ka3/4a4/c3b1n2/R1PPp1C1p/4cR3/6P2/4r3P/9/1r2A4/3AK1B2 b - - 0 1",
];

/// Nodes and time of a bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time in the search.
    pub elapsed: Duration,
}

/// Searches every position as a new game, and hands each report over.
///
/// # Errors
/// A position of the list cannot be read, which its test rules out.
pub fn run(
    engine: &mut Engine,
    depth: u32,
    mut on_report: impl FnMut(&SearchReport),
) -> Result<Totals, FenError> {
    let mut totals = Totals::default();
    for fen in POSITIONS {
        engine.new_game();
        engine.set_position(Position::from_fen(fen)?);
        let report = engine.search(&Limits::depth(depth), &Signals::default(), |_| {});
        totals.nodes += report.nodes;
        totals.elapsed += report.elapsed;
        on_report(&report);
    }
    Ok(totals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_searched() {
        for fen in POSITIONS {
            assert!(!Position::from_fen(fen).unwrap().is_finished(), "{fen}");
        }
    }

    #[test]
    fn two_runs_are_one() {
        let mut engine = Engine::default();
        let mut nodes = || run(&mut engine, 4, |_| {}).unwrap().nodes;
        assert_eq!(nodes(), nodes());
    }
}
