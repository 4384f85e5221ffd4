//! Everything about geometry that can be known beforehand, computed at compile time.
//!
//! *Lines.* A file is a word of ten bits (bit n = rank n), a rank a word of nine (bit n = file n).
//! [`LINE`] maps a place on a line and the line's occupancy to what slides from there can reach.
//!
//! *Steps.* The leapers' targets, each with the square that has to be empty: a horse's leg
//! (蹩马腿), an elephant's eye (塞象眼).

use crate::types::{Color, Square};

/// What a rook or a cannon reaches along one line, as bit masks of the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Empty squares up to the first man on either side. On a rank bit 9 has to be masked off.
    pub quiet: u16,
    /// The first man on either side: what a rook attacks.
    pub first: u16,
    /// The second man on either side: what a cannon attacks, the first being its screen (炮架).
    pub second: u16,
    /// Number of quiet squares when the line is a file.
    pub file_mobility: u8,
    /// Number of quiet squares when the line is a rank.
    pub rank_mobility: u8,
}

/// Bits of a rank word.
pub const RANK_MASK: u16 = 0x1ff;

/// `LINE[place][occupancy]`; the bit of the place itself does not matter.
pub static LINE: [[Line; 1024]; 10] = {
    let mut table =
        [[Line { quiet: 0, first: 0, second: 0, file_mobility: 0, rank_mobility: 0 }; 1024]; 10];
    let mut place = 0;
    while place < 10 {
        let mut occupancy = 0;
        while occupancy < 1024 {
            table[place][occupancy] = slide(place, occupancy as u16);
            occupancy += 1;
        }
        place += 1;
    }
    table
};

const fn slide(place: usize, occupancy: u16) -> Line {
    let mut line = Line { quiet: 0, first: 0, second: 0, file_mobility: 0, rank_mobility: 0 };
    let mut direction = 0;
    while direction < 2 {
        let mut men = 0;
        let mut at = place;
        while men < 2 {
            if direction == 0 && at == 9 || direction == 1 && at == 0 {
                break;
            }
            at = if direction == 0 { at + 1 } else { at - 1 };
            let bit = 1u16 << at;
            if occupancy & bit != 0 {
                men += 1;
                if men == 1 {
                    line.first |= bit;
                } else {
                    line.second |= bit;
                }
            } else if men == 0 {
                line.quiet |= bit;
            }
        }
        direction += 1;
    }
    line.file_mobility = line.quiet.count_ones() as u8;
    line.rank_mobility = (line.quiet & RANK_MASK).count_ones() as u8;
    line
}

/// `FILE_SQUARES[file][rank]`: the square of a bit in a file word. Sixteen long, so that four bits
/// index it without a check.
pub static FILE_SQUARES: [[Square; 16]; 9] = {
    let mut table = [[Square::A0; 16]; 9];
    let mut i = 0;
    while i < 90 {
        table[i % 9][i / 9] = Square::ALL[i];
        i += 1;
    }
    table
};

/// `RANK_SQUARES[rank][file]`: the square of a bit in a rank word.
pub static RANK_SQUARES: [[Square; 16]; 10] = {
    let mut table = [[Square::A0; 16]; 10];
    let mut i = 0;
    while i < 90 {
        table[i / 9][i % 9] = Square::ALL[i];
        i += 1;
    }
    table
};

/// Up to `N` target squares.
#[derive(Clone, Copy)]
pub struct Steps<const N: usize> {
    len: usize,
    to: [Square; N],
}

impl<const N: usize> Steps<N> {
    const EMPTY: Steps<N> = Steps { len: 0, to: [Square::A0; N] };

    const fn push(&mut self, to: Square) {
        self.to[self.len] = to;
        self.len += 1;
    }

    /// The targets.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        self.to.iter().take(self.len).copied()
    }

    /// Is `square` among the targets?
    #[inline]
    pub fn contains(&self, square: Square) -> bool {
        self.iter().any(|to| to == square)
    }
}

/// Up to `N` target squares, each with the square that must be empty on the way.
#[derive(Clone, Copy)]
pub struct LameSteps<const N: usize> {
    len: usize,
    steps: [(Square, Square); N],
}

impl<const N: usize> LameSteps<N> {
    const EMPTY: LameSteps<N> = LameSteps { len: 0, steps: [(Square::A0, Square::A0); N] };

    const fn push(&mut self, to: Square, over: Square) {
        self.steps[self.len] = (to, over);
        self.len += 1;
    }

    /// Pairs of target and the square on the way.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Square, Square)> + '_ {
        self.steps.iter().take(self.len).copied()
    }
}

const ORTHOGONAL: [(i32, i32); 4] = [(0, 1), (0, -1), (-1, 0), (1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Is the square in either palace (九宫)?
pub const fn in_palace(square: Square) -> bool {
    let (file, rank) = (square.index() % 9, square.index() / 9);
    file >= 3 && file <= 5 && (rank <= 2 || rank >= 7)
}

/// Has a man of `color` on this square crossed the river?
pub const fn crossed_river(color: Color, square: Square) -> bool {
    match color {
        Color::Red => square.index() >= 45,
        Color::Black => square.index() < 45,
    }
}

const fn step(square: Square, by: (i32, i32)) -> Option<Square> {
    let (file, rank) = (square.index() as i32 % 9, square.index() as i32 / 9);
    Square::at(file + by.0, rank + by.1)
}

const fn palace_steps(directions: [(i32, i32); 4], corners_only: bool) -> [Steps<4>; 90] {
    let mut table = [Steps::EMPTY; 90];
    let mut i = 0;
    while i < 90 {
        let from = Square::ALL[i];
        // An advisor stands on the five points of one colour only.
        let allowed = in_palace(from) && (!corners_only || is_advisor_point(from));
        let mut d = 0;
        while allowed && d < 4 {
            if let Some(to) = step(from, directions[d])
                && in_palace(to)
            {
                table[i].push(to);
            }
            d += 1;
        }
        i += 1;
    }
    table
}

/// Is it one of the five points of a palace where an advisor can stand?
pub const fn is_advisor_point(square: Square) -> bool {
    let (file, rank) = (square.index() % 9, square.index() / 9);
    let depth = if rank >= 5 { 9 - rank } else { rank };
    in_palace(square) && (file + depth) % 2 == 1
}

/// Is it one of the seven points of `color`'s half where an elephant can stand?
pub const fn is_bishop_point(color: Color, square: Square) -> bool {
    let (file, rank) = (square.index() % 9, square.index() / 9);
    let depth = match color {
        Color::Red => rank,
        Color::Black => 9 - rank,
    };
    match depth {
        0 | 4 => file == 2 || file == 6,
        2 => file == 0 || file == 4 || file == 8,
        _ => false,
    }
}

/// Can a pawn of `color` ever stand there? Before the river only on its own file's two points.
pub const fn is_pawn_point(color: Color, square: Square) -> bool {
    let (file, rank) = (square.index() % 9, square.index() / 9);
    let depth = match color {
        Color::Red => rank,
        Color::Black => 9 - rank,
    };
    depth >= 5 || depth >= 3 && file % 2 == 0
}

/// One point along a line inside the palace.
pub static KING_STEPS: [Steps<4>; 90] = palace_steps(ORTHOGONAL, false);

/// One point along a diagonal of the palace.
pub static ADVISOR_STEPS: [Steps<4>; 90] = palace_steps(DIAGONAL, true);

/// Two points diagonally on one's own side of the river, with the elephant's eye.
pub static BISHOP_STEPS: [LameSteps<4>; 90] = {
    let mut table = [LameSteps::EMPTY; 90];
    let mut i = 0;
    while i < 90 {
        let from = Square::ALL[i];
        let home = if i < 45 { Color::Red } else { Color::Black };
        let mut d = 0;
        while is_bishop_point(home, from) && d < 4 {
            let by = DIAGONAL[d];
            if let (Some(to), Some(eye)) = (step(from, (2 * by.0, 2 * by.1)), step(from, by))
                && is_bishop_point(home, to)
            {
                table[i].push(to, eye);
            }
            d += 1;
        }
        i += 1;
    }
    table
};

/// One point along a line, then one diagonally outward, with the horse's leg.
pub static KNIGHT_STEPS: [LameSteps<8>; 90] = {
    let mut table = [LameSteps::EMPTY; 90];
    let mut i = 0;
    while i < 90 {
        let from = Square::ALL[i];
        let mut d = 0;
        while d < 4 {
            let (x, y) = ORTHOGONAL[d];
            let mut side = -1;
            while side <= 1 {
                let by = (2 * x + side * y, 2 * y + side * x);
                if let (Some(to), Some(leg)) = (step(from, by), step(from, (x, y))) {
                    table[i].push(to, leg);
                }
                side += 2;
            }
            d += 1;
        }
        i += 1;
    }
    table
};

/// `KNIGHT_LEG[from][to]`: the leg of a horse's move between the two squares, if there is one.
pub static KNIGHT_LEG: [[Option<Square>; 90]; 90] = {
    let mut table = [[None; 90]; 90];
    let mut i = 0;
    while i < 90 {
        let mut k = 0;
        while k < KNIGHT_STEPS[i].len {
            let (to, leg) = KNIGHT_STEPS[i].steps[k];
            table[i][to.index()] = Some(leg);
            k += 1;
        }
        i += 1;
    }
    table
};

const fn pawn_steps(backwards: bool) -> [[Steps<3>; 90]; 2] {
    let mut table = [[Steps::EMPTY; 90]; 2];
    let mut c = 0;
    while c < 2 {
        let color = Color::ALL[c];
        let forward = if c == 0 { 1 } else { -1 };
        let mut i = 0;
        while i < 90 {
            let square = Square::ALL[i];
            if let Some(to) = step(square, (0, if backwards { -forward } else { forward })) {
                table[c][i].push(to);
            }
            if crossed_river(color, square) {
                if let Some(to) = step(square, (-1, 0)) {
                    table[c][i].push(to);
                }
                if let Some(to) = step(square, (1, 0)) {
                    table[c][i].push(to);
                }
            }
            i += 1;
        }
        c += 1;
    }
    table
}

/// `PAWN_STEPS[color][from]`: forward, and sideways once the river is crossed.
pub static PAWN_STEPS: [[Steps<3>; 90]; 2] = pawn_steps(false);

/// `PAWN_SOURCES[color][to]`: where a pawn of `color` stands that attacks `to`.
pub static PAWN_SOURCES: [[Steps<3>; 90]; 2] = pawn_steps(true);

#[cfg(test)]
mod tests {
    use super::*;

    /// What the rules say, walked square by square.
    fn walk(place: i32, occupancy: u16, length: i32) -> Line {
        let mut line = Line::default();
        for direction in [-1, 1] {
            let mut at = place + direction;
            let mut men = 0;
            while (0..length).contains(&at) && men < 2 {
                let bit = 1 << at;
                match (occupancy & bit != 0, men) {
                    (false, 0) => line.quiet |= bit,
                    (true, 0) => line.first |= bit,
                    (true, _) => line.second |= bit,
                    (false, _) => {}
                }
                men += i32::from(occupancy & bit != 0);
                at += direction;
            }
        }
        line
    }

    #[test]
    fn slides_agree_with_walking() {
        for (place, lines) in LINE.iter().enumerate() {
            for occupancy in 0..1024u16 {
                let line = lines[occupancy as usize];
                let file = walk(place as i32, occupancy, 10);
                assert_eq!(
                    (line.quiet, line.first, line.second),
                    (file.quiet, file.first, file.second)
                );
                assert_eq!(u32::from(line.file_mobility), file.quiet.count_ones());
                if place < 9 && occupancy <= RANK_MASK {
                    let rank = walk(place as i32, occupancy, 9);
                    assert_eq!(line.quiet & RANK_MASK, rank.quiet);
                    assert_eq!((line.first, line.second), (rank.first, rank.second));
                    assert_eq!(u32::from(line.rank_mobility), rank.quiet.count_ones());
                }
            }
        }
    }

    #[test]
    fn points_of_the_slow_pieces() {
        let count =
            |test: &dyn Fn(Square) -> bool| Square::ALL.into_iter().filter(|&s| test(s)).count();
        assert_eq!(count(&in_palace), 18);
        assert_eq!(count(&is_advisor_point), 10);
        for color in Color::ALL {
            assert_eq!(count(&|s| is_bishop_point(color, s)), 7);
            assert_eq!(count(&|s| is_pawn_point(color, s)), 55);
        }
    }

    #[test]
    fn steps_have_the_known_totals() {
        let total = |lens: &dyn Fn(usize) -> usize| (0..90).map(lens).sum::<usize>();
        assert_eq!(total(&|i| KING_STEPS[i].len), 2 * 24);
        assert_eq!(total(&|i| ADVISOR_STEPS[i].len), 2 * 8);
        assert_eq!(total(&|i| BISHOP_STEPS[i].len), 2 * 16);
        assert_eq!(total(&|i| KNIGHT_STEPS[i].len), 508);
        for (from, to) in Square::ALL.into_iter().flat_map(|a| Square::ALL.map(|b| (a, b))) {
            for color in Color::ALL {
                assert_eq!(
                    PAWN_STEPS[color.index()][from.index()].contains(to),
                    PAWN_SOURCES[color.index()][to.index()].contains(from)
                );
            }
        }
    }
}
