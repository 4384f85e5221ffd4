//! The built-in openings: enough of them, sound, all different, and balanced.

#![cfg(unix)]

#[allow(dead_code)]
mod support;

use std::collections::HashSet;

use hanxin::Position;
use hanxin::arena::Opening;
use hanxin::board::START_FEN;
use hanxin::book::Compiled;
use support::mirrored;

fn built_in() -> Vec<Opening> {
    Opening::built_in().expect("openings")
}

#[test]
fn there_are_many_and_they_are_short() {
    assert!(built_in().len() >= 150, "{}", built_in().len());
    for opening in built_in() {
        assert_eq!(opening.fen, START_FEN);
        assert!((6..=10).contains(&opening.moves.len()), "{opening:?}");
    }
}

#[test]
fn no_two_lead_to_the_same_position_or_to_its_mirror() {
    let mut seen = HashSet::new();
    for opening in built_in() {
        let mut position = Position::startpos();
        opening.moves.iter().for_each(|&mv| position.play(mv).expect("a legal move"));
        assert!(!seen.contains(&mirrored(&position).key()), "a mirror twin: {opening:?}");
        assert!(seen.insert(position.key()), "a twin: {opening:?}");
    }
}

#[test]
fn each_lies_in_the_book() {
    let book = Compiled::embedded();
    for opening in built_in() {
        let mut position = Position::startpos();
        for &mv in &opening.moves {
            let is_known = book.probe(&position).iter().any(|entry| entry.mv == mv);
            assert!(is_known, "{mv} of {opening:?}");
            position.play(mv).expect("a legal move");
        }
    }
}

#[test]
fn each_is_balanced_by_the_search_that_chose_it() {
    let text = include_str!("../src/arena/openings.txt");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), built_in().len());
    for line in lines {
        let points = line.split(" ; ").find_map(|part| part.strip_prefix("ce "));
        let points: i32 = points.and_then(|points| points.parse().ok()).expect(line);
        assert!(points.abs() <= 60, "{line}");
    }
}
