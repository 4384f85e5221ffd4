//! Every number of the evaluation that play can teach, in one place.
//!
//! All fields are [`Tapered`] or arrays of them, in centi-pieces, from the view of the side they
//! speak for: `S(middle game, endgame)`. Tables of squares list ranks from the own back rank
//! upward and files from A to E; the other four files mirror them. The values start from round
//! numbers and reasoning about the game.

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

    /// Cannon on the enemy king's file by number of men between; with none it is hollow (空头炮).
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
    material: [S(0, 0), S(25, 27), S(24, 24), S(90, 98), S(200, 212), S(98, 94), S(20, 24)],
    king_squares: [
        [S( -4,   0), S(  0,   0)],
        [S(-12,  -3), S(-10,  -2)],
        [S(-22,  -6), S(-20,  -6)],
    ],
    advisor_squares: [S(0, 0), S(3, 2), S(-3, -1)],
    bishop_squares: [S(0, 0), S(-5, -3), S(4, 3), S(-2, 0)],
    knight_squares: [
        [S(-10, -8), S(-10, -6), S( -4, -4), S( -6, -6), S(-12, -10)],
        [S( -6, -6), S( -2, -2), S(  0, -2), S( -4, -4), S(-16, -10)],
        [S( -6, -5), S( -1, -2), S(  6,  2), S(  3,  0), S(  2,   0)],
        [S( -2, -4), S(  2,  0), S(  4,  3), S(  5,  4), S(  4,   4)],
        [S( -3, -3), S(  4,  2), S(  7,  5), S(  8,  6), S(  8,   6)],
        [S(  1, -2), S(  8,  4), S( 10,  8), S( 12,  9), S( 12,   9)],
        [S(  3, -2), S( 10,  5), S( 12,  9), S( 14, 11), S( 13,  11)],
        [S(  4, -2), S( 10,  5), S( 17, 10), S( 16, 11), S( 10,   8)],
        [S(  1, -4), S(  6,  2), S( 17,  7), S(  8,  5), S(  2,   2)],
        [S( -6, -8), S( -3, -4), S(  0, -2), S( -2, -4), S( -8,  -8)],
    ],
    rook_squares: [
        [S(-10, -6), S( -2, -4), S( -4, -4), S(  2, -3), S( -5,  -4)],
        [S( -6, -4), S(  1, -2), S( -2, -2), S(  5,  0), S( -2,   0)],
        [S( -5, -3), S(  3,  0), S(  1,  0), S(  6,  1), S(  3,   1)],
        [S(  0,  0), S(  4,  1), S(  3,  1), S(  7,  2), S(  6,   2)],
        [S(  4,  1), S(  7,  2), S(  7,  2), S(  9,  3), S(  9,   3)],
        [S(  4,  3), S(  8,  4), S(  7,  4), S( 10,  5), S( 10,   5)],
        [S(  7,  4), S(  9,  5), S(  8,  5), S( 11,  6), S( 12,   7)],
        [S(  5,  5), S(  9,  6), S(  8,  6), S( 13,  7), S( 13,   8)],
        [S(  7,  4), S( 10,  6), S(  9,  6), S( 14,  7), S( 14,   8)],
        [S(  3,  2), S(  7,  3), S(  5,  3), S(  9,  4), S(  7,   5)],
    ],
    cannon_squares: [
        [S( -3,  0), S( -2,  1), S(  0,  2), S(  1,  4), S(  0,   6)],
        [S( -2,  0), S(  0,  1), S(  0,  2), S(  2,  3), S(  0,   5)],
        [S(  0,  0), S(  1,  1), S(  3,  2), S(  3,  3), S(  8,   6)],
        [S( -3, -1), S( -1,  0), S( -2,  0), S(  0,  1), S(  4,   4)],
        [S( -1, -1), S(  2,  0), S(  0,  0), S(  1,  1), S(  5,   4)],
        [S( -1, -1), S(  1,  0), S( -1,  0), S(  0,  0), S(  5,   3)],
        [S(  0,  0), S(  3,  0), S(  0,  0), S(  0,  0), S(  8,   4)],
        [S(  2,  1), S(  2,  0), S( -2, -2), S( -5, -4), S( -4,  -4)],
        [S(  3,  1), S(  3,  0), S( -2, -2), S( -7, -6), S( -8,  -6)],
        [S(  6,  2), S(  5,  2), S( -2, -2), S( -8, -6), S( -8,  -7)],
    ],
    pawn_squares: [
        [S( -5, -6), S(  0,  0), S( -3, -4), S(  0,  0), S( -1,  -3)],
        [S( -3, -4), S(  0,  0), S(  2, -1), S(  0,  0), S(  2,   0)],
        [S(  4,  8), S(  9, 11), S( 12, 14), S( 15, 16), S( 15,  16)],
        [S(  8, 11), S( 14, 17), S( 19, 22), S( 23, 25), S( 23,  25)],
        [S(  8, 11), S( 15, 17), S( 22, 24), S( 29, 29), S( 28,  27)],
        [S(  5,  6), S( 11, 11), S( 20, 18), S( 30, 25), S( 32,  25)],
        [S( -9,-12), S( -8,-11), S( -6,-10), S( -3, -8), S( -1,  -7)],
    ],

    knight_by_men: [S(6, 6), S(4, 4), S(0, 0), S(-3, -3)],
    cannon_by_men: [S(-8, -12), S(-4, -5), S(0, 0), S(4, 4)],
    cannon_per_guard: S(0, 2),
    knight_with_cannon: S(4, 7),
    only_rooks: S(14, 8),

    knight_mobility: [
        S(-18, -20), S(-9, -10), S(-4, -5), S(0, 0), S(3, 3), S(6, 5), S(8, 7), S(10, 9), S(11, 10),
    ],
    rook_mobility: [
        S(-20, -18), S(-14, -14), S(-9, -11), S(-6, -8), S(-3, -5), S(-1, -3), S(0, -1), S(1, 0),
        S(2, 1), S(3, 3), S(4, 4), S(5, 5), S(6, 6), S(7, 7), S(8, 8), S(8, 9), S(9, 10), S(9, 10),
    ],
    cannon_mobility: [
        S(-10, -10), S(-7, -8), S(-5, -6), S(-3, -4), S(-2, -3), S(-1, -2), S(0, -1), S(0, 0),
        S(1, 1), S(2, 1), S(2, 2), S(3, 2), S(3, 3), S(4, 3), S(4, 4), S(4, 4), S(5, 5), S(5, 5),
    ],

    rook_half_open_file: S(2, 2),
    rook_open_file: S(5, 4),
    rook_flank_file: S(5, 2),

    cannon_on_king_file: [S(45, 18), S(0, 0), S(9, 3), S(3, 1)],
    cannon_on_king_rank: [S(16, 6), S(0, 0), S(14, 5), S(4, 1)],
    rook_on_king_file: [S(0, 0), S(9, 4), S(5, 2), S(1, 0)],
    rook_on_king_rank: [S(0, 0), S(8, 4), S(4, 2), S(0, 0)],
    bare_king_file: S(5, 2),
    king_commands_file: S(2, 8),
    smothering_knight: S(10, 4),

    king_attack: [
        S(0, 0), S(0, 0), S(3, 1), S(8, 3), S(15, 6),
        S(23, 10), S(32, 14), S(41, 18), S(48, 22), S(54, 25),
    ],

    missing_advisor: [S(4, 3), S(9, 6), S(3, 1), S(2, 2)],
    missing_bishop: [S(2, 1), S(3, 2), S(6, 5), S(2, 2)],
    linked_advisors: S(4, 3),
    linked_bishops: S(4, 5),

    leg_blocked_by_own: S(-2, -2),
    leg_blocked_by_enemy: S(-4, -3),
    blocked_eye: S(-1, -2),

    pawns_hand_in_hand: S(8, 12),
    free_pawn: S(3, 6),

    tempo: S(7, 3),
};
