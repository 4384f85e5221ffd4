//! The terms beyond material and squares: one method each, one line of the trace each.
//!
//! A method returns what speaks for the side it is asked about; the difference of the two sides
//! counts. "Rank" means the rank seen from that side, its own back rank being 0. What is returned
//! is a [`Tally`]: the value, or for the tuner the weights that make it.

use super::weights::Weights;
use crate::board::Position;
use crate::board::tables::{BISHOP_STEPS, crossed_river};
use crate::types::{Color, File, PieceId, PieceType, Square, Tapered};

use PieceType::{Advisor, Bishop, Cannon, Knight, Pawn, Rook};

/// The kinds of which a side can have more or less, in the order of the weights for pairs.
const PAIRED: [PieceType; 6] = [Advisor, Bishop, Knight, Rook, Cannon, Pawn];

/// What weights are added up to.
pub(super) trait Tally: Default {
    /// What stands for a weight.
    type Weight: Copy;

    /// Adds a weight so many times.
    fn add(&mut self, weight: Self::Weight, times: i32);
}

impl Tally for Tapered {
    type Weight = Tapered;

    #[inline(always)]
    fn add(&mut self, weight: Tapered, times: i32) {
        *self += weight * times;
    }
}

/// A position with what several terms ask about it.
pub(super) struct Terms<'a, T: Tally> {
    pos: &'a Position,
    weights: &'a Weights<T::Weight>,
    /// Men on the board by color and kind.
    count: [[i32; 7]; 2],
}

impl<'a, T: Tally> Terms<'a, T> {
    pub(super) fn new(pos: &'a Position, weights: &'a Weights<T::Weight>) -> Terms<'a, T> {
        let mut count = [[0; 7]; 2];
        for color in Color::ALL {
            for kind in PieceType::ALL {
                count[color.index()][kind.index()] = PieceId::of_kind(color, kind)
                    .iter()
                    .map(|&id| i32::from(pos.square_of(id).is_some()))
                    .sum();
            }
        }
        Terms { pos, weights, count }
    }

    #[inline]
    pub(super) fn count(&self, color: Color, kind: PieceType) -> i32 {
        self.count[color.index()][kind.index()]
    }

    /// How many men of each kind there are, packed into one number that is never 0.
    #[inline]
    pub(super) fn mix(&self) -> u32 {
        let mut mix = 1;
        for color in Color::ALL {
            for kind in PAIRED {
                mix = mix << if kind == Pawn { 3 } else { 2 } | self.count(color, kind) as u32;
            }
        }
        mix
    }

    /// Advisors and elephants on the board.
    #[inline]
    pub(super) fn guards_left(&self, color: Color) -> i32 {
        self.count(color, Advisor) + self.count(color, Bishop)
    }

    /// Where the men of a kind stand.
    #[inline]
    pub(super) fn squares(&self, color: Color, kind: PieceType) -> impl Iterator<Item = Square> {
        PieceId::of_kind(color, kind).iter().filter_map(|&id| self.pos.square_of(id))
    }

    /// What the mix of men is worth beyond the sum of their values.
    #[inline]
    pub(super) fn imbalance(&self, us: Color) -> T {
        let w = self.weights;
        let men: i32 = self.count.iter().flatten().sum();
        let quarter = ((men - 1) as usize / 8) & 3;
        let (knights, cannons) = (self.count(us, Knight), self.count(us, Cannon));

        let mut value = T::default();
        value.add(w.knight_by_men[quarter], knights);
        value.add(w.cannon_by_men[quarter], cannons);
        value.add(w.cannon_per_guard, cannons * self.guards_left(us));
        value.add(w.knight_with_cannon, knights.min(cannons));
        if self.count(us, Rook) > 0 && self.count(!us, Rook) == 0 {
            value.add(w.only_rooks, 1);
        }
        let ours = PAIRED.map(|kind| self.count(us, kind));
        let theirs = PAIRED.map(|kind| self.count(!us, kind));
        for (i, &men) in ours.iter().enumerate().filter(|&(_, &men)| men > 0) {
            value.add(w.pairs[i][i], men * (men - 1) / 2);
            for (j, &others) in ours.iter().enumerate().skip(i + 1) {
                value.add(w.pairs[i][j], men * others);
            }
            for (j, &enemies) in theirs.iter().enumerate() {
                value.add(w.against[i][j], men * enemies);
            }
        }
        value
    }

    /// Freedom of horses, rooks and cannons.
    #[inline]
    pub(super) fn mobility(&self, us: Color) -> T {
        let w = self.weights;
        let mut value = T::default();
        for square in self.squares(us, Knight) {
            let legs = self.legs(Color::Red, square) | self.legs(Color::Black, square);
            value.add(w.knight_mobility[usize::from(KNIGHT_MOBILITY[square.index()][legs])], 1);
        }
        for square in self.squares(us, Rook) {
            value.add(w.rook_mobility[self.empty_points(square)], 1);
        }
        for square in self.squares(us, Cannon) {
            value.add(w.cannon_mobility[self.empty_points(square)], 1);
        }
        value
    }

    /// Number of points a slider can go to without capturing.
    #[inline]
    fn empty_points(&self, square: Square) -> usize {
        let (file, rank) = (self.pos.file_line(square), self.pos.rank_line(square));
        usize::from(file.file_mobility) + usize::from(rank.rank_mobility)
    }

    /// The four points beside a square that men of `color` block, see [`LEGS`].
    #[inline]
    fn legs(&self, color: Color, square: Square) -> usize {
        let (file, rank) = (square.file(), square.rank());
        // One bit to the left first, so that the neighbours below bit 0 fall out as zeros.
        let along_file = usize::from(self.pos.file_word_of(color, file)) << 1 >> rank.index();
        let along_rank = usize::from(self.pos.rank_word_of(color, rank)) << 1 >> file.index();
        along_file & 0b101 | (along_rank & 0b101) << 1
    }

    /// Rooks on files without men of their own side, above all on the flank files (肋道).
    #[inline]
    pub(super) fn files(&self, us: Color) -> T {
        let w = self.weights;
        let mut value = T::default();
        for square in self.squares(us, Rook) {
            let file = square.file();
            let own = self.pos.file_word_of(us, file);
            if own & (own - 1) != 0 {
                continue;
            }
            let open = self.pos.file_word_of(!us, file) == 0;
            value.add(if open { w.rook_open_file } else { w.rook_half_open_file }, 1);
            if matches!(file, File::D | File::F) {
                value.add(w.rook_flank_file, 1);
            }
        }
        value
    }

    /// Rooks, cannons and the king on the lines of the enemy king, and how bare it stands there.
    #[inline]
    pub(super) fn king_lines(&self, us: Color) -> T {
        let (w, pos, king) = (self.weights, self.pos, self.pos.king(!us));
        let mut value = T::default();
        let mut add = |square: Square, on_file: &[T::Weight; 4], on_rank: &[T::Weight; 4]| {
            if square.file() == king.file() {
                let word = pos.file_word(king.file());
                let between = men_between(word, square.rank().index(), king.rank().index());
                value.add(on_file[between], 1);
            } else if square.rank() == king.rank() {
                let word = pos.rank_word(king.rank());
                let between = men_between(word, square.file().index(), king.file().index());
                value.add(on_rank[between], 1);
            }
        };
        for square in self.squares(us, Cannon) {
            add(square, &w.cannon_on_king_file, &w.cannon_on_king_rank);
        }
        for square in self.squares(us, Rook) {
            add(square, &w.rook_on_king_file, &w.rook_on_king_rank);
        }

        let own_men = pos.file_word_of(!us, king.file());
        let before = match us {
            Color::Red => (1 << king.rank().index()) - 1,
            Color::Black => !1 << king.rank().index(),
        };
        if own_men & before == 0 {
            value.add(w.bare_king_file, self.count(us, Rook) + self.count(us, Cannon));
        }
        let (center, home) = match us {
            Color::Red => (Square::E8, Square::E9),
            Color::Black => (Square::E1, Square::E0),
        };
        if king == home && self.squares(!us, Knight).any(|square| square == center) {
            value.add(w.smothering_knight, 1);
        }
        if pos.file_line(pos.king(us)).quiet & far_palace(us) != 0 {
            value.add(w.king_commands_file, 1);
        }
        value
    }

    /// Men around the enemy palace: a lone one does nothing, several together are an attack.
    #[inline]
    pub(super) fn king_attack(&self, us: Color) -> T {
        let king = self.pos.king(!us);
        let mut units = 0;
        for square in self.squares(us, Rook) {
            let line = self.pos.file_line(square);
            let aims = matches!(square.file(), File::D | File::E | File::F)
                && (line.quiet | line.first) & far_palace(us) != 0;
            units += 2 * usize::from(aims || crossed_river(us, square));
        }
        for square in self.squares(us, Cannon) {
            units += usize::from(crossed_river(us, square) || square.file() == king.file());
        }
        for square in self.squares(us, Knight) {
            units += usize::from(crossed_river(us, square) && !is_edge(square));
        }
        for square in self.squares(us, Pawn) {
            let close = (File::C..=File::G).contains(&square.file());
            units += usize::from(close && (6..9).contains(&rank_for(us, square)));
        }
        let table = &self.weights.king_attack[(self.guards_left(!us) as usize).min(4)];
        let mut value = T::default();
        value.add(table[units.min(table.len() - 1)], 1);
        value
    }

    /// Advisors and elephants: whether the enemy's are there to meet our men, whether ours stand
    /// together.
    #[inline]
    pub(super) fn guards(&self, us: Color) -> T {
        let w = self.weights;
        let mut value = T::default();
        let no_advisors = 2 - self.count(!us, Advisor);
        let no_bishops = 2 - self.count(!us, Bishop);
        for (i, kind) in [Knight, Rook, Cannon, Pawn].into_iter().enumerate() {
            let men = self.count(us, kind);
            value.add(w.missing_advisor[i], men * no_advisors);
            value.add(w.missing_bishop[i], men * no_bishops);
        }

        // Two advisors protect each other when one stands in the centre.
        if self.count(us, Advisor) == 2 && self.squares(us, Advisor).any(|s| s.file() == File::E) {
            value.add(w.linked_advisors, 1);
        }
        if let [Some(a), Some(b)] = self.bishops(us)
            && BISHOP_STEPS[a.index()].iter().any(|(to, eye)| to == b && self.pos.is_empty(eye))
        {
            value.add(w.linked_bishops, 1);
        }
        value
    }

    #[inline]
    fn bishops(&self, us: Color) -> [Option<Square>; 2] {
        let mut squares = self.squares(us, Bishop);
        [squares.next(), squares.next()]
    }

    /// Blocked legs of horses (蹩马腿) and blocked eyes of elephants (塞象眼).
    #[inline]
    pub(super) fn legs_and_eyes(&self, us: Color) -> T {
        let w = self.weights;
        let mut value = T::default();
        for square in self.squares(us, Knight) {
            value.add(w.leg_blocked_by_own, LEGS[self.legs(us, square)]);
            value.add(w.leg_blocked_by_enemy, LEGS[self.legs(!us, square)]);
        }
        for square in self.squares(us, Bishop) {
            for (_, eye) in BISHOP_STEPS[square.index()].iter() {
                value.add(w.blocked_eye, i32::from(!self.pos.is_empty(eye)));
            }
        }
        value
    }

    /// Pawns hand in hand over the river, and pawns free to cross it.
    #[inline]
    pub(super) fn pawns(&self, us: Color) -> T {
        let w = self.weights;
        let mut value = T::default();
        for square in self.squares(us, Pawn) {
            let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
            let pawn_at = |color, file, rank| {
                Square::at(file, rank).is_some_and(|at| self.pos.is_pawn_of(color, at))
            };
            if crossed_river(us, square) {
                value.add(w.pawns_hand_in_hand, i32::from(pawn_at(us, file + 1, rank)));
            } else {
                // An enemy pawn on a file it has not left stands on its rank 3 or 4.
                let (theirs, ours) = if us == Color::Red { (5, 6) } else { (4, 3) };
                let blocked = pawn_at(!us, file, theirs) || pawn_at(!us, file, ours);
                value.add(w.free_pawn, i32::from(!blocked));
            }
        }
        value
    }

    /// The right to move.
    #[inline]
    pub(super) fn tempo(&self, us: Color) -> T {
        let mut value = T::default();
        value.add(self.weights.tempo, i32::from(us == self.pos.side_to_move()));
        value
    }
}

/// Rank of a square seen from a side.
#[inline]
pub(super) fn rank_for(us: Color, square: Square) -> usize {
    match us {
        Color::Red => square.rank().index(),
        Color::Black => 9 - square.rank().index(),
    }
}

/// The bits of a file word that lie in the enemy palace.
#[inline]
fn far_palace(us: Color) -> u16 {
    match us {
        Color::Red => 0b11_1000_0000,
        Color::Black => 0b111,
    }
}

#[inline]
fn is_edge(square: Square) -> bool {
    matches!(square.file(), File::A | File::I)
}

/// Number of men between two places of a line word, at most 3.
#[inline]
fn men_between(word: u16, a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    let first = word & ((1 << high) - 1) & !((2 << low) - 1);
    let second = first & first.wrapping_sub(1);
    let third = second & second.wrapping_sub(1);
    usize::from(first != 0) + usize::from(second != 0) + usize::from(third != 0)
}

/// Number of legs in a four-bit set: bits 0 and 2 the points below and above, bits 1 and 3 the
/// points to the left and to the right.
const LEGS: [i32; 16] = {
    let mut table = [0; 16];
    let mut i = 0;
    while i < 16 {
        table[i] = i.count_ones() as i32;
        i += 1;
    }
    table
};

/// `KNIGHT_MOBILITY[square][blocked legs]`: number of points a horse can jump to.
static KNIGHT_MOBILITY: [[u8; 16]; 90] = {
    // In the order of the bits: below, left, above, right.
    let legs = [(0, -1), (-1, 0), (0, 1), (1, 0)];
    let mut table = [[0; 16]; 90];
    let mut i = 0;
    while i < 90 * 16 * 4 {
        let (square, blocked, leg) = (i / 64, i / 4 % 16, i % 4);
        let (file, rank) = (square as i32 % 9, square as i32 / 9);
        let (x, y) = legs[leg];
        if blocked >> leg & 1 == 0 {
            let left = Square::at(file + 2 * x - y, rank + 2 * y - x);
            let right = Square::at(file + 2 * x + y, rank + 2 * y + x);
            table[square][blocked] += left.is_some() as u8 + right.is_some() as u8;
        }
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tables::KNIGHT_STEPS;
    use crate::eval::weights::WEIGHTS;

    #[test]
    fn horses_jump_as_the_rules_say() {
        let pos = Position::from_fen(
            "1r1akabr1/4n4/3cb4/p3p1p1p/2pN2n2/4C1P2/P1PN4P/1C2B4/3RA4/3AK1B1R w - - 0 1",
        )
        .expect("valid");
        let terms: Terms<Tapered> = Terms::new(&pos, &WEIGHTS);
        for color in Color::ALL {
            for square in terms.squares(color, Knight) {
                let legs = terms.legs(Color::Red, square) | terms.legs(Color::Black, square);
                let free =
                    KNIGHT_STEPS[square.index()].iter().filter(|&(_, leg)| pos.is_empty(leg));
                let mobility = KNIGHT_MOBILITY[square.index()][legs];
                assert_eq!(usize::from(mobility), free.count(), "{square}");
            }
        }
    }

    #[test]
    fn men_between_are_counted_up_to_three() {
        let word = 0b10_1011_0011;
        assert_eq!(men_between(word, 0, 1), 0);
        assert_eq!(men_between(word, 5, 1), 1);
        assert_eq!(men_between(word, 0, 5), 2);
        assert_eq!(men_between(word, 9, 0), 3);
        assert_eq!(men_between(word, 2, 4), 0);
    }
}
