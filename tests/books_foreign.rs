//! Books of other programs: looked up in both orientations, struck rows, broken files.

use std::fs;
use std::path::PathBuf;

use hanxin::Position;
use hanxin::book::{BookFault, Foreign};
use proptest::prelude::*;

/// A file of its own for one test, gone when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let file = format!("hanxin-book-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(file);
        _ = fs::remove_file(&path);
        Scratch(path)
    }

    fn with_bytes(name: &str, bytes: &[u8]) -> Scratch {
        let scratch = Scratch::new(name);
        fs::write(&scratch.0, bytes).expect("a file in the temporary folder");
        scratch
    }

    fn open(&self) -> Foreign {
        Foreign::open(&self.0).expect("a book")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        _ = fs::remove_file(&self.0);
    }
}

fn after(moves: &str) -> Position {
    let mut pos = Position::startpos();
    for mv in moves.split_whitespace() {
        pos.play(mv.parse().expect("a move")).expect("a legal move");
    }
    pos
}

/// The moves known after those moves with their weights, as `h2e2 30, b0c2 4`.
fn probe(book: &Foreign, moves: &str) -> String {
    let entries = book.probe(&after(moves)).expect("an undamaged book");
    let words: Vec<_> = entries.iter().map(|e| format!("{} {}", e.mv, e.weight)).collect();
    words.join(", ")
}

// ElephantEye

/// Records of XQWizard's book (its JavaScript edition prints them) and some that must not count.
fn elephant_eye() -> Vec<u8> {
    let after_central_cannon = 0x5396_644f;
    let start = 0x0526_56d5;
    [
        (start, 0xa7a4_u16, 1473_u16),       // b2e2
        (start, 0xa7aa, 1473),               // h2e2
        (start, 0x8999, 546),                // g3g4
        (start, 0x8999, 12),                 // again
        (start, 0x7a9a, 9),                  // an empty square moves
        (start, 0x0000, 9),                  // off the board
        (start, 0x8393, 0),                  // a3a4, not to be played
        (after_central_cannon, 0x5534, 761), // b9c7, the cannon having come from b2
        (after_central_cannon, 0x5754, 97),  // b7e7
        (after_central_cannon, 0x593a, 172), // h9g7
    ]
    .into_iter()
    .flat_map(|(lock, mv, weight)| {
        [&u32::to_le_bytes(lock)[..], &mv.to_le_bytes(), &weight.to_le_bytes()].concat()
    })
    .collect()
}

#[test]
fn elephant_eye_is_read_in_both_orientations() {
    let scratch = Scratch::with_bytes("eleeye", &elephant_eye());
    let book = scratch.open();
    // The start position is its own mirror image, and so each move comes with its mirror image.
    assert_eq!(probe(&book, ""), "b2e2 1473, h2e2 1473, g3g4 546, c3c4 546");
    assert_eq!(probe(&book, "b2e2"), "b9c7 761, b7e7 97, h9g7 172");
    assert_eq!(probe(&book, "h2e2"), "h9g7 761, h7e7 97, b9c7 172");
    assert_eq!(probe(&book, "g3g4"), "");
}

#[test]
fn what_is_not_in_order_is_no_elephant_eye() {
    let bytes = elephant_eye();
    let swapped = [&bytes[72..], &bytes[..72]].concat();
    for bad in [&bytes[..79], &[], b"#!/bin/bash\n1234", &swapped] {
        let scratch = Scratch::with_bytes("no-eleeye", bad);
        let fault = Foreign::open(&scratch.0).expect_err("no book");
        assert!(matches!(fault, BookFault::UnknownKind), "{bad:?}: {fault}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_bytes_are_no_book_or_a_sound_one(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let scratch = Scratch::with_bytes("random", &bytes);
        if let Ok(book) = Foreign::open(&scratch.0) {
            prop_assert!(book.probe(&Position::startpos()).is_ok());
        }
    }
}
