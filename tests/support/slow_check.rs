//! Is this a check? Written once more from the rules alone, square by square, with nothing of the
//! library but the letters on the board.

use hanxin::{Color, Position, Square};

type Point = (i32, i32);

fn letter(pos: &Position, at: Point) -> Option<char> {
    Square::at(at.0, at.1).and_then(|square| pos.piece_on(square)).map(|piece| piece.letter())
}

/// The letters met when walking from a point, the empty squares left out.
fn walk(pos: &Position, from: Point, by: Point) -> Vec<char> {
    (1..10).filter_map(|n| letter(pos, (from.0 + n * by.0, from.1 + n * by.1))).collect()
}

/// Is the king of `color` attacked?
pub fn is_checked(pos: &Position, color: Color) -> bool {
    let enemy = |letter: char| match color {
        Color::Red => letter.to_ascii_lowercase(),
        Color::Black => letter,
    };
    let king = if color == Color::Red { 'K' } else { 'k' };
    let points = (0..9).flat_map(|file| (0..10).map(move |rank| (file, rank)));
    let Some(at) = points.into_iter().find(|&at| letter(pos, at) == Some(king)) else {
        panic!("no king");
    };
    let forward = if color == Color::Red { 1 } else { -1 };
    let one_step = [(0, forward), (1, 0), (-1, 0)];
    let by_pawn =
        one_step.into_iter().any(|(x, y)| letter(pos, (at.0 + x, at.1 + y)) == Some(enemy('P')));
    let lines = [(0, 1), (0, -1), (1, 0), (-1, 0)];
    let on_line = lines.into_iter().any(|by| {
        let men = walk(pos, at, by);
        men.first() == Some(&enemy('R'))
            || men.get(1) == Some(&enemy('C'))
            || by.0 == 0 && men.first() == Some(&enemy('K'))
    });
    // A horse two along and one across; its leg is the point beside the horse, along.
    let by_horse = lines.into_iter().any(|(x, y)| {
        [-1, 1].into_iter().any(|side| {
            let horse = (at.0 + 2 * x + side * y, at.1 + 2 * y + side * x);
            let leg = (horse.0 - x, horse.1 - y);
            letter(pos, horse) == Some(enemy('N')) && letter(pos, leg).is_none()
        })
    });
    by_pawn || on_line || by_horse
}
