//! Every number of the evaluation that play can teach, in one place.
//!
//! All fields are [`Tapered`] or arrays of them, in centi-pieces, from the view of the side they
//! speak for: `S(middle game, endgame)`. Tables of squares list ranks from the own back rank
//! upward and files from A to E; the other four files mirror them. The values began as round
//! numbers and were fitted to games the engine played against itself.

use crate::types::{S, Tapered};

/// Half a board: ten ranks of the files A to E.
pub type HalfBoard = [[Tapered; 5]; 10];

/// The weights of all terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Value of each kind, in the order of `PieceType`.
    pub material: [Tapered; 7],
    /// King on the files D and E of its three ranks.
    pub king_squares: [[Tapered; 2]; 3],
    /// Advisor on a lower corner, the centre and an upper corner (羊角士) of the palace.
    pub advisor_squares: [Tapered; 3],
    /// Elephant on c0, a2, e2 and c4.
    pub bishop_squares: [Tapered; 4],
    /// Horse.
    pub knight_squares: HalfBoard,
    /// Rook.
    pub rook_squares: HalfBoard,
    /// Cannon.
    pub cannon_squares: HalfBoard,
    /// Pawn on the ranks 3 to 9.
    pub pawn_squares: [[Tapered; 5]; 7],

    /// Horse by number of men on the board: up to 8, 16, 24, 32.
    pub knight_by_men: [Tapered; 4],
    /// Cannon by number of men on the board: up to 8, 16, 24, 32.
    pub cannon_by_men: [Tapered; 4],
    /// Each cannon for each own advisor and elephant, its screens of last resort.
    pub cannon_per_guard: Tapered,
    /// A horse and a cannon work together better than two of a kind.
    pub knight_with_cannon: Tapered,
    /// A rook against a side that has none.
    pub only_rooks: Tapered,

    /// Horse by number of points it can jump to.
    pub knight_mobility: [Tapered; 9],
    /// Rook by number of empty points it can go to.
    pub rook_mobility: [Tapered; 18],
    /// Cannon by number of empty points it can go to.
    pub cannon_mobility: [Tapered; 18],

    /// Rook that is its side's only man on a file.
    pub rook_half_open_file: Tapered,
    /// Rook alone on a file.
    pub rook_open_file: Tapered,
    /// Rook on a half open or open flank file (肋道).
    pub rook_flank_file: Tapered,

    /// Cannon on the enemy king's file by men between; with none it is hollow (空头炮).
    pub cannon_on_king_file: [Tapered; 4],
    /// Cannon on the enemy king's rank, most often at the bottom (沉底炮), by men between.
    pub cannon_on_king_rank: [Tapered; 4],
    /// Rook on the enemy king's file by number of men between.
    pub rook_on_king_file: [Tapered; 4],
    /// Rook on the enemy king's rank by number of men between.
    pub rook_on_king_rank: [Tapered; 4],
    /// Each rook and cannon while the enemy king has no man of its own before it.
    pub bare_king_file: Tapered,
    /// The own king looks along an open file into the enemy palace.
    pub king_commands_file: Tapered,
    /// An enemy horse stands on the centre of its palace before its king (窝心马).
    pub smothering_knight: Tapered,

    /// Force gathered around the enemy palace, by units: a rook counts two, other men one.
    pub king_attack: [Tapered; 10],

    /// Each horse, rook, cannon and pawn for each advisor the enemy lacks.
    pub missing_advisor: [Tapered; 4],
    /// Each horse, rook, cannon and pawn for each elephant the enemy lacks.
    pub missing_bishop: [Tapered; 4],
    /// Two advisors that protect each other.
    pub linked_advisors: Tapered,
    /// Two elephants that protect each other.
    pub linked_bishops: Tapered,

    /// Each leg of a horse that a man of its own side blocks.
    pub leg_blocked_by_own: Tapered,
    /// Each leg of a horse that an enemy man blocks.
    pub leg_blocked_by_enemy: Tapered,
    /// Each blocked eye of an elephant.
    pub blocked_eye: Tapered,

    /// Two pawns over the river, side by side.
    pub pawns_hand_in_hand: Tapered,
    /// A pawn before the river with no enemy pawn before it.
    pub free_pawn: Tapered,

    /// The right to move.
    pub tempo: Tapered,
}

/// The weights the engine plays with.
#[rustfmt::skip]
pub const WEIGHTS: Weights = Weights {
    material: [S(0, 0), S(25, 21), S(19, 5), S(92, 99), S(222, 231), S(100, 94), S(23, 27)],
    king_squares: [
        [S(  0,   2), S( 10,   4)],
        [S(-14,  -4), S(-12,  -1)],
        [S(-25, -10), S(-24,  -7)],
    ],
    advisor_squares: [S(2, 1), S(6, 1), S(-7, -6)],
    bishop_squares: [S(-1, -4), S(-9, -7), S(9, 1), S(-6, -7)],
    knight_squares: [
        [S( -9,  -7), S(-11,  -6), S( -2,  -4), S( -6,  -7), S(-11, -10)],
        [S( -6,  -8), S( -1,  -3), S( -7,  -1), S( -8,  -6), S(-16, -11)],
        [S( -4,  -6), S(  1,  -1), S( -2,  -2), S(  4,  -1), S(  1,  -1)],
        [S( -1,  -4), S(  1,  -1), S(  1,   3), S(  3,   4), S(  3,   2)],
        [S( -3,  -3), S(  9,   4), S(  8,   5), S( 10,   6), S( 10,   7)],
        [S(  2,  -1), S(  8,   4), S(  8,   6), S( 15,  12), S( 12,   9)],
        [S(  4,  -1), S( 12,   7), S( 11,  10), S( 18,  12), S( 11,  10)],
        [S(  4,   0), S(  9,   5), S( 16,   9), S( 15,  11), S( 11,   9)],
        [S(  1,  -4), S(  7,   4), S( 20,   9), S(  8,   6), S(  2,   2)],
        [S( -7,  -8), S( -3,  -5), S(  0,  -1), S( -2,  -3), S( -8,  -8)],
    ],
    rook_squares: [
        [S( -6,  -3), S(  4,  -1), S( -3,  -4), S(  5,  -1), S( -5,  -4)],
        [S(  0,  -2), S(  2,  -1), S( -3,  -2), S(  4,   0), S( -5,   0)],
        [S( -3,  -1), S(  4,   1), S(  0,   0), S(  7,   1), S(  1,   1)],
        [S( -2,   0), S(  5,   3), S(  4,   3), S(  9,   4), S(  5,   2)],
        [S(  5,   1), S(  7,   2), S(  7,   3), S( 12,   5), S( 10,   5)],
        [S(  5,   3), S(  3,   3), S(  9,   6), S( 10,   6), S( 11,   6)],
        [S(  6,   4), S(  6,   4), S( 13,   8), S( 10,   7), S( 12,   9)],
        [S(  6,   5), S(  5,   6), S( 10,   7), S( 13,   7), S( 13,   9)],
        [S(  6,   2), S( 13,   3), S(  6,   4), S( 15,   5), S( 14,   8)],
        [S(  2,   0), S(  4,   1), S(  5,   4), S( 10,   3), S(  7,   6)],
    ],
    cannon_squares: [
        [S( -3,   0), S( -2,   2), S( -1,   1), S(  1,   3), S(  0,   6)],
        [S(  4,   0), S( -1,   1), S(  3,   3), S(  1,   3), S(  3,   6)],
        [S(  5,   1), S(  0,   2), S(  5,   2), S(  9,   5), S(  8,   5)],
        [S( -2,  -1), S( -4,  -1), S( -3,  -1), S(  0,   1), S(  4,   4)],
        [S( -1,  -2), S(  8,   1), S(  6,   1), S(  2,   1), S( 10,   6)],
        [S(  0,   1), S( -3,   1), S( -3,   0), S( -3,   1), S(  6,   5)],
        [S(  2,   0), S(  0,  -2), S(  0,  -2), S( -4,  -3), S(  7,   3)],
        [S(  2,   1), S( -1,   0), S( -3,  -1), S( -5,  -5), S( -7,  -5)],
        [S(  2,  -1), S( -5,   2), S( -3,  -2), S( -9,  -6), S( -7,  -5)],
        [S(  7,   2), S(  2,   1), S( -2,  -3), S( -8,  -6), S( -8,  -8)],
    ],
    pawn_squares: [
        [S( -8,  -4), S(  0,   0), S( -5,  -7), S(  0,   0), S( -1,   0)],
        [S( -5, -10), S(  0,   0), S(  4,   0), S(  0,   0), S(  3,   5)],
        [S(  6,   7), S(  8,  12), S( 14,  16), S( 15,  14), S( 20,  18)],
        [S(  7,  10), S( 13,  17), S( 14,  18), S( 20,  16), S( 23,  21)],
        [S(  8,  11), S( 14,  17), S( 21,  26), S( 29,  31), S( 29,  28)],
        [S(  5,   6), S( 11,  11), S( 21,  20), S( 31,  28), S( 31,  25)],
        [S( -9, -12), S( -8, -10), S( -6, -11), S( -3,  -8), S( -1,  -6)],
    ],

    knight_by_men: [S(6, 1), S(6, 3), S(3, 9), S(-3, -3)],
    cannon_by_men: [S(-8, -13), S(-5, -6), S(5, 4), S(5, 6)],
    cannon_per_guard: S(2, 1),
    knight_with_cannon: S(1, 17),
    only_rooks: S(22, 21),

    knight_mobility: [
        S(-10, -17), S(-9, -11), S(-4, -5), S(-1, -3), S(3, 4),
        S(5, 6), S(7, 9), S(10, 10), S(13, 10),
    ],
    rook_mobility: [
        S(-17, -17), S(-9, -14), S(-6, -10), S(-4, -6), S(-2, -3), S(0, -1), S(2, 1), S(2, 2),
        S(3, 4), S(4, 6), S(6, 7), S(6, 7), S(6, 7), S(7, 8), S(8, 8), S(8, 9),
        S(9, 9), S(9, 10),
    ],
    cannon_mobility: [
        S(-9, -9), S(-5, -8), S(-3, -5), S(-2, -3), S(-1, -2), S(-1, -1), S(-1, 0), S(-1, 1),
        S(0, 1), S(1, 1), S(1, 2), S(2, 2), S(4, 2), S(4, 3), S(4, 3), S(4, 4),
        S(5, 5), S(5, 5),
    ],

    rook_half_open_file: S(4, 0),
    rook_open_file: S(5, 3),
    rook_flank_file: S(2, 2),

    cannon_on_king_file: [S(45, 14), S(0, 0), S(10, 8), S(5, 0)],
    cannon_on_king_rank: [S(8, 0), S(0, 0), S(17, 10), S(4, 0)],
    rook_on_king_file: [S(0, 0), S(9, 5), S(5, 3), S(0, 0)],
    rook_on_king_rank: [S(0, 0), S(6, 3), S(2, 0), S(0, 0)],
    bare_king_file: S(7, 1),
    king_commands_file: S(2, 2),
    smothering_knight: S(11, 6),

    king_attack: [
        S(0, 0), S(0, -3), S(2, -3), S(5, 4), S(11, 10),
        S(24, 13), S(34, 15), S(41, 18), S(48, 21), S(54, 24),
    ],

    missing_advisor: [S(7, 1), S(20, 12), S(-5, -8), S(-4, 11)],
    missing_bishop: [S(5, 6), S(4, 11), S(6, 4), S(-2, 5)],
    linked_advisors: S(4, 3),
    linked_bishops: S(8, 5),

    leg_blocked_by_own: S(-1, -2),
    leg_blocked_by_enemy: S(-5, -1),
    blocked_eye: S(-1, -4),

    pawns_hand_in_hand: S(5, 2),
    free_pawn: S(1, 6),

    tempo: S(4, 0),
};
