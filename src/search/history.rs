//! What the search remembers about moves: which quiet moves and captures were good elsewhere.
//!
//! Every value is kept within ±[`LIMIT`] by "gravity": an update pulls harder the further the value
//! is from where it is pulled to.

use super::correction::Corrections;
use super::hints;
use super::threats::{SquareSet, contains};
use crate::board::Position;
use crate::types::{Move, Piece, PieceType, Square};

/// Bound of every history value.
pub const LIMIT: i32 = 16_384;

/// Piece and target of a move, the index of continuation tables: 14 × 90.
const PIECE_TO: usize = 14 * 90;

/// Names a piece going to a square, or nothing (start of the tree, null move).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// No move.
    pub const NONE: PieceTo = PieceTo(PIECE_TO as u16);

    /// That piece going to that square.
    pub fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * 90 + to.index()) as u16)
    }
}

/// Pulls a value towards the bonus's side, the harder the further it is from there.
fn update(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// The move tables of one thread, kept between the searches of a game.
pub struct Histories {
    /// By side, whether the squares are under threat, from and to square.
    butterfly: Box<[[[[i16; 90]; 90]; 4]; 2]>,
    /// By capturing piece, target and kind of the captured man.
    captures: Box<[[[i16; 7]; 90]; 14]>,
    /// By an earlier move (one, two or four plies back) and the move: pairs that go together.
    continuation: Box<[[i16; PIECE_TO]; PIECE_TO + 1]>,
    /// The quiet move that refuted a move, packed; 0 is none.
    counters: Box<[u16; PIECE_TO + 1]>,
    /// How far the static evaluation was off.
    pub corrections: Corrections,
}

/// How far back continuation history looks, in plies.
pub const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];

/// What a node's moves are judged by beside themselves.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The moves at [`CONTINUATION_PLIES`] before it.
    pub earlier: [PieceTo; 3],
    /// Squares under attack, see [`by_lesser_men`](super::threats::by_lesser_men).
    pub threats: SquareSet,
}

impl Context {
    /// For nodes that look at captures only: those are not judged by it.
    pub const NONE: Context = Context { earlier: [PieceTo::NONE; 3], threats: 0 };

    /// Does the move leave a threatened square, does it go to one?
    fn threats_of(&self, mv: Move) -> usize {
        usize::from(contains(self.threats, mv.from))
            + 2 * usize::from(contains(self.threats, mv.to))
    }
}

impl Histories {
    /// All zero.
    pub fn new() -> Histories {
        let continuation: Box<[[i16; PIECE_TO]; PIECE_TO + 1]> = bytemuck::zeroed_box();
        hints::want_huge_pages(continuation.as_slice());
        Histories {
            butterfly: bytemuck::zeroed_box(),
            captures: bytemuck::zeroed_box(),
            continuation,
            counters: bytemuck::zeroed_box(),
            corrections: Corrections::new(),
        }
    }

    /// How good a quiet move of the side to move has been.
    #[inline]
    pub fn quiet(&self, pos: &Position, mv: Move, context: &Context) -> i32 {
        let Some(piece) = pos.piece_on(mv.from) else { return 0 };
        let to = PieceTo::new(piece, mv.to);
        let [one, two, four] = context.earlier.map(|earlier| self.pair(earlier, to));
        let squares = &self.butterfly[piece.color().index()][context.threats_of(mv)];
        i32::from(squares[mv.from.index()][mv.to.index()]) + one + two + four / 2
    }

    /// How good a capture has been.
    #[inline]
    pub fn capture(&self, pos: &Position, mv: Move) -> i32 {
        match capture_of(pos, mv) {
            Some((piece, victim)) => {
                i32::from(self.captures[piece.index()][mv.to.index()][victim.index()])
            }
            None => 0,
        }
    }

    /// The quiet answer that refuted the move before.
    pub fn counter(&self, earlier: PieceTo) -> Option<Move> {
        Move::unpack(self.counters[usize::from(earlier.0)])
    }

    /// A quiet move caused a cutoff, or failed to.
    pub fn update_quiet(&mut self, pos: &Position, mv: Move, context: &Context, bonus: i32) {
        let Some(piece) = pos.piece_on(mv.from) else { return };
        let squares = &mut self.butterfly[piece.color().index()][context.threats_of(mv)];
        update(&mut squares[mv.from.index()][mv.to.index()], bonus);
        let to = PieceTo::new(piece, mv.to);
        for earlier in &context.earlier {
            update(&mut self.continuation[usize::from(earlier.0)][usize::from(to.0)], bonus);
        }
    }

    /// A capture caused a cutoff, or failed to.
    pub fn update_capture(&mut self, pos: &Position, mv: Move, bonus: i32) {
        if let Some((piece, victim)) = capture_of(pos, mv) {
            update(&mut self.captures[piece.index()][mv.to.index()][victim.index()], bonus);
        }
    }

    /// Notes the quiet move that refuted the move before.
    pub fn set_counter(&mut self, earlier: PieceTo, mv: Move) {
        self.counters[usize::from(earlier.0)] = mv.pack();
    }

    fn pair(&self, earlier: PieceTo, to: PieceTo) -> i32 {
        i32::from(self.continuation[usize::from(earlier.0)][usize::from(to.0)])
    }
}

fn capture_of(pos: &Position, mv: Move) -> Option<(Piece, PieceType)> {
    Some((pos.piece_on(mv.from)?, pos.piece_on(mv.to)?.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_values_in_bounds() {
        let mut value = 0;
        for _ in 0..1000 {
            update(&mut value, 3000);
        }
        assert!(i32::from(value) > LIMIT * 9 / 10 && i32::from(value) <= LIMIT);
        update(&mut value, -3000);
        assert!(i32::from(value) < LIMIT * 9 / 10);
        for _ in 0..1000 {
            update(&mut value, i32::MIN / 2);
        }
        assert_eq!(i32::from(value), -LIMIT);
    }

    #[test]
    fn a_move_is_remembered_in_its_context() {
        let pos = Position::startpos();
        let mut histories = Histories::new();
        let mv: Move = "h2e2".parse().unwrap();
        let earlier = PieceTo::new(Piece::BlackKnight, Square::G7);
        let here = Context { earlier: [earlier, PieceTo::NONE, PieceTo::NONE], threats: 0 };
        histories.update_quiet(&pos, mv, &here, 1000);
        let elsewhere =
            Context { earlier: [PieceTo::new(Piece::BlackPawn, Square::G5); 3], threats: 0 };
        assert!(histories.quiet(&pos, mv, &here) > histories.quiet(&pos, mv, &elsewhere));
        assert!(histories.quiet(&pos, mv, &elsewhere) > 0);
        histories.set_counter(earlier, mv);
        assert_eq!(histories.counter(earlier), Some(mv));
        assert_eq!(histories.counter(PieceTo::NONE), None);
    }
}
