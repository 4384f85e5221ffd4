//! Random positions and their reflections, for the property tests.

use hanxin::{Piece, Position, Square};
use proptest::prelude::*;

/// A position some random legal plies from the start.
pub fn random_position() -> impl Strategy<Value = Position> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..120).prop_map(|choices| {
        let mut pos = Position::startpos();
        for choice in choices {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            pos.play(moves[choice.index(moves.len())]).expect("a legal move");
        }
        pos
    })
}

/// The same board mirrored left to right.
pub fn mirrored(pos: &Position) -> Position {
    let old = pos.to_setup();
    let mut new = old.clone();
    for square in Square::ALL {
        new.board[square.index()] = old.board[square.mirror().index()];
    }
    Position::from_setup(&new).expect("a mirrored position is legal")
}

/// The same game with Red and Black exchanged.
pub fn swapped(pos: &Position) -> Position {
    let old = pos.to_setup();
    let mut new = old.clone();
    new.side = !old.side;
    for square in Square::ALL {
        new.board[square.index()] =
            old.board[square.flip().index()].map(|piece| Piece::new(!piece.color(), piece.kind()));
    }
    Position::from_setup(&new).expect("an exchanged position is legal")
}
