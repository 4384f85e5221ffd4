//! The board drawn with lines, river and palaces.
//!
//! A Chinese glyph is two columns wide in every terminal, so a point takes four columns, the glyph
//! in brackets: round for Red, square for Black, so that the sides differ without colour too. The
//! last move shows as a star on the point it left and one behind the man it moved.

use crate::board::Position;
use crate::types::{Color, File, Move, Piece, Rank, Square};

use super::Style;

/// The characters of a drawing: nine crossings from top left to bottom right, and the lines.
struct Lines {
    crossings: [[char; 3]; 3],
    horizontal: char,
    vertical: char,
    rising: char,
    falling: char,
}

const CHINESE: Lines = Lines {
    crossings: [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']],
    horizontal: '─',
    vertical: '│',
    rising: '╱',
    falling: '╲',
};

const ASCII: Lines =
    Lines { crossings: [['+'; 3]; 3], horizontal: '-', vertical: '|', rising: '/', falling: '\\' };

/// The position as twenty-one lines of text, Red below, with coordinates on all sides.
pub fn draw_board(pos: &Position, last: Option<Move>, style: Style) -> String {
    let lines = if style.ascii { &ASCII } else { &CHINESE };
    let mut text = file_letters(style);
    for rank in Rank::ALL.into_iter().rev() {
        text.push_str(&point_row(pos, rank, last, style, lines));
        if rank != Rank::R0 {
            text.push_str(&between_rows(rank, style, lines));
        }
    }
    text.push_str(&file_letters(style));
    text
}

/// Columns from one file to the next, and those before the line of a file within its point.
fn spacing(style: Style) -> (usize, usize) {
    if style.ascii { (4, 0) } else { (5, 1) }
}

fn file_letters(style: Style) -> String {
    let (step, before) = spacing(style);
    let letters: String = ('a'..='i').map(|letter| format!("{letter:<step$}")).collect();
    format!("{:1$}{2}\n", "", 3 + before, letters.trim_end())
}

fn point_row(
    pos: &Position,
    rank: Rank,
    last: Option<Move>,
    style: Style,
    lines: &Lines,
) -> String {
    let (step, before) = spacing(style);
    let mut row = String::new();
    for file in File::ALL {
        let square = Square::new(file, rank);
        let left = if file == File::A { ' ' } else { lines.horizontal };
        let right = if file == File::I { ' ' } else { lines.horizontal };
        let is_from = last.is_some_and(|mv| mv.from == square);
        let is_to = last.is_some_and(|mv| mv.to == square);
        let mut width = before + 1;
        if let Some(piece) = pos.piece_on(square) {
            row.push_str(&man(piece, style));
            width = if style.ascii { 1 } else { 4 };
        } else {
            row.extend(std::iter::repeat_n(left, before));
            row.push(if is_from { '*' } else { crossing(file, rank, lines) });
        }
        if is_to {
            row.push('*');
            width += 1;
        }
        row.extend(std::iter::repeat_n(right, step - width));
    }
    let number = rank.index();
    format!("{number}  {row}{number}\n")
}

fn man(piece: Piece, style: Style) -> String {
    let text = match (style.ascii, piece.color()) {
        (true, _) => piece.letter().to_string(),
        (false, Color::Red) => format!("({})", piece.glyph()),
        (false, Color::Black) => format!("[{}]", piece.glyph()),
    };
    match (style.color, piece.color()) {
        (false, _) => text,
        (true, Color::Red) => format!("\x1b[1;31m{text}\x1b[0m"),
        (true, Color::Black) => format!("\x1b[1m{text}\x1b[0m"),
    }
}

/// Inner files end at the river's banks, the two outer ones run through.
fn crossing(file: File, rank: Rank, lines: &Lines) -> char {
    let column = match file {
        File::A => 0,
        File::I => 2,
        _ => 1,
    };
    let row = match (rank, column) {
        (Rank::R9, _) | (Rank::R4, 1) => 0,
        (Rank::R0, _) | (Rank::R5, 1) => 2,
        _ => 1,
    };
    lines.crossings[row][column]
}

/// The line of text below a rank: verticals with the palaces' diagonals, or the river.
fn between_rows(rank: Rank, style: Style, lines: &Lines) -> String {
    let (step, before) = spacing(style);
    let vertical = lines.vertical;
    if rank == Rank::R5 {
        let (name, columns) =
            if style.ascii { ("river", 5) } else { ("楚 河        汉 界", 18) };
        let free = 8 * step - 1 - columns;
        let (left, right) = (free / 2, free - free / 2);
        let indent = 3 + before;
        return format!("{:indent$}{vertical}{:left$}{name}{:right$}{vertical}\n", "", "", "");
    }
    let (left, right) = match rank {
        Rank::R1 | Rank::R8 => (lines.rising, lines.falling),
        Rank::R2 | Rank::R9 => (lines.falling, lines.rising),
        _ => (' ', ' '),
    };
    let gap = |inside: char| format!(" {inside:<0$}", step - 2);
    let mut row = format!("{:1$}", "", 3 + before);
    for file in File::ALL {
        row.push(vertical);
        row.push_str(&gap(match file {
            File::D => left,
            File::E => right,
            _ => ' ',
        }));
    }
    format!("{}\n", row.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { color: false, ascii: false };
    const LETTERS: Style = Style { color: false, ascii: true };

    /// Columns a terminal gives a line: two for a Chinese glyph, one for all else.
    fn columns(line: &str) -> usize {
        line.chars().map(|c| if ('\u{4e00}'..='\u{9fff}').contains(&c) { 2 } else { 1 }).sum()
    }

    #[test]
    fn letters() {
        let mut pos = Position::startpos();
        let mv = "h2e2".parse().unwrap();
        pos.play(mv).unwrap();
        let expected = "
   a   b   c   d   e   f   g   h   i
9  r---n---b---a---k---a---b---n---r   9
   |   |   |   | \\ | / |   |   |   |
8  +---+---+---+---+---+---+---+---+   8
   |   |   |   | / | \\ |   |   |   |
7  +---c---+---+---+---+---+---c---+   7
   |   |   |   |   |   |   |   |   |
6  p---+---p---+---p---+---p---+---p   6
   |   |   |   |   |   |   |   |   |
5  +---+---+---+---+---+---+---+---+   5
   |             river             |
4  +---+---+---+---+---+---+---+---+   4
   |   |   |   |   |   |   |   |   |
3  P---+---P---+---P---+---P---+---P   3
   |   |   |   |   |   |   |   |   |
2  +---C---+---+---C*--+---+---*---+   2
   |   |   |   | \\ | / |   |   |   |
1  +---+---+---+---+---+---+---+---+   1
   |   |   |   | / | \\ |   |   |   |
0  R---N---B---A---K---A---B---N---R   0
   a   b   c   d   e   f   g   h   i
";
        assert_eq!(draw_board(&pos, Some(mv), LETTERS), expected[1..]);
    }

    #[test]
    fn glyphs_keep_the_grid_straight() {
        let text = draw_board(&Position::startpos(), None, PLAIN);
        assert!(text.contains("\n0  (车)─(马)─(相)─(仕)─(帅)─(仕)─(相)─(马)─(车) 0\n"));
        assert!(text.contains("\n9  [车]─[马]─[象]─[士]─[将]─[士]─[象]─[马]─[车] 9\n"));
        assert!(text.contains("\n1   ├────┼────┼────┼────┼────┼────┼────┼────┤   1\n"));
        for line in text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
            assert_eq!(columns(line), 49, "{line}");
        }
        let river = text.lines().find(|line| line.contains('楚')).unwrap();
        assert_eq!(columns(river), 45, "{river}");
    }

    #[test]
    fn the_last_move_is_marked_on_the_edge_too() {
        let mut pos = Position::startpos();
        let mv = "i0i2".parse().unwrap();
        pos.play(mv).unwrap();
        let text = draw_board(&pos, Some(mv), PLAIN);
        assert!(text.contains("(车)*2\n") && text.contains("─*   0\n"), "{text}");
    }
}
