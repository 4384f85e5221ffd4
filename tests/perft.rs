//! Node counts of the public perft file, exact up to twenty million leaves a count.

use hanxin::Position;
use hanxin::board::perft;
use rayon::prelude::*;

const MOST_LEAVES: u64 = 20_000_000;

/// The position of a line and its counts, from depth 1.
fn parse(line: &str) -> (Position, Vec<u64>) {
    let (fen, counts) = line.split_once(';').expect("counts follow the FEN");
    let counts = counts.split(';').enumerate().map(|(index, count)| {
        let count = count.trim().strip_prefix('D').expect("a count begins with D");
        let (depth, nodes) = count.split_once(' ').expect("depth and nodes");
        assert_eq!(depth.parse(), Ok(index + 1), "{line}");
        nodes.parse().expect("a number of nodes")
    });
    (Position::from_fen(fen).expect("a valid FEN"), counts.collect())
}

#[test]
fn public_file() {
    let entries: Vec<_> = include_str!("data/perft_public.epd").lines().map(parse).collect();
    assert_eq!(entries.len(), 64);
    entries.par_iter().for_each(|(position, counts)| {
        for (depth, &nodes) in (1..).zip(counts).take_while(|(_, nodes)| **nodes <= MOST_LEAVES) {
            let found = perft::perft(&mut position.clone(), depth);
            assert_eq!(found, nodes, "perft {depth} of {}", position.to_fen());
        }
    });
}
