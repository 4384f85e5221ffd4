//! The board: a 10×9 mailbox with piece lists and one occupancy word per rank and file.

pub mod fen;
pub mod guard;
mod movegen;
pub mod perft;
pub mod see;
pub mod tables;
pub(crate) mod zobrist;

use std::fmt;

use thiserror::Error;

use crate::eval::psqt::{PHASE, PSQT};
use crate::types::{Color, File, Move, Piece, PieceId, PieceType, Rank, Square, Tapered};

pub use fen::{FenError, START_FEN, Setup};
pub use guard::{CheckSpotter, KingGuard};
use tables::{LINE, Line};

/// A playable position with the moves that led to it.
///
/// Changes only through [`Position::play`] and [`Position::undo`] (and, inside the crate, their
/// unchecked twins), which keep key, occupancy words and piece-square sums in step.
///
/// ```
/// use hanxin::{Color, Position};
///
/// let mut pos = Position::startpos();
/// assert_eq!(pos.legal_moves().len(), 44);
/// pos.play("h2e2".parse()?)?; // 炮二平五
/// assert_eq!(pos.side_to_move(), Color::Black);
/// assert_eq!(pos.undo().map(|mv| mv.to_string()).as_deref(), Some("h2e2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Position {
    board: [Option<PieceId>; 90],
    squares: [Option<Square>; 32],
    files: [[u16; 9]; 2],
    ranks: [[u16; 10]; 2],
    side: Color,
    /// Men of value left, see [`PHASE`].
    phase: i32,
    psq: Tapered,
    key: u64,
    part_keys: [u64; PARTS],
    /// Plies since the last capture.
    quiet_plies: u32,
    /// Plies played before the first entry of `history`, by the FEN's move number.
    first_ply: u32,
    history: Vec<Undo>,
}

/// See [`Position::part_keys`].
pub(crate) const PARTS: usize = 3;

/// The part a man belongs to, see [`Position::part_keys`].
#[inline]
fn part(id: PieceId) -> usize {
    match id.kind() {
        PieceType::King | PieceType::Pawn => 0,
        _ => 1 + id.color().index(),
    }
}

/// What it takes to go back one ply, and what the rules ask about that ply later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    /// The move; `None` for a null move of the search.
    pub mv: Option<Move>,
    /// What it captured.
    pub captured: Option<PieceId>,
    /// Did it give check?
    pub gave_check: bool,
    /// Key of the position before the move.
    pub key: u64,
    part_keys: [u64; PARTS],
    psq: Tapered,
    phase: i32,
    quiet_plies: u32,
}

/// The move cannot be played in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("illegal move {mv} for {side}: {reason}")]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The side to move.
    pub side: Color,
    /// Why.
    pub reason: IllegalReason,
}

/// Why a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalReason {
    /// Nothing to move.
    #[error("no man of that side on {0}")]
    NoMan(Square),
    /// The man cannot go there.
    #[error("the man on {0} cannot go to {1}")]
    NoSuchMove(Square, Square),
    /// The own king could be taken.
    #[error("it leaves the king in check")]
    KingInCheck,
}

impl Position {
    /// The start position of the game.
    pub fn startpos() -> Position {
        Position::from_setup(&Setup::startpos()).expect("the start position is valid")
    }

    /// Reads a FEN; see [`fen`] for what is accepted.
    ///
    /// # Errors
    /// The first fault found, naming field and square.
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        Position::from_setup(&Setup::parse(text)?)
    }

    /// Puts the men of a setup on the board.
    ///
    /// # Errors
    /// A king is missing, a side has too many men of a kind, a man stands where it never can, the
    /// kings face each other, or the side that is not to move is in check.
    pub fn from_setup(setup: &Setup) -> Result<Position, FenError> {
        setup.validate()?;
        let mut pos = Position {
            board: [None; 90],
            squares: [None; 32],
            files: [[0; 9]; 2],
            ranks: [[0; 10]; 2],
            side: setup.side,
            phase: 0,
            psq: Tapered::ZERO,
            key: 0,
            part_keys: [0; PARTS],
            quiet_plies: setup.quiet_plies,
            first_ply: setup.move_number.saturating_sub(1).saturating_mul(2)
                + setup.side.index() as u32,
            history: Vec::with_capacity(256),
        };
        for square in Square::ALL {
            let Some(piece) = setup.board[square.index()] else { continue };
            let men = PieceId::of_kind(piece.color(), piece.kind());
            if let Some(&id) = men.iter().find(|id| pos.squares[id.index()].is_none()) {
                pos.put(id, square);
            }
        }
        if pos.side == Color::Black {
            pos.key ^= zobrist::side();
        }
        if pos.is_attacked(!pos.side) {
            return Err(FenError::wrong_side_in_check(&pos));
        }
        Ok(pos)
    }

    /// The position as a setup, history left behind.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup::empty();
        for square in Square::ALL {
            setup.board[square.index()] = self.piece_on(square);
        }
        setup.side = self.side;
        setup.quiet_plies = self.quiet_plies;
        setup.move_number = self.game_ply() / 2 + 1;
        setup
    }

    /// The FEN of the position, six fields.
    pub fn to_fen(&self) -> String {
        self.to_setup().to_string()
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// Plies since the last capture, the FEN's counter included.
    pub fn quiet_plies(&self) -> u32 {
        self.quiet_plies
    }

    /// Plies from the start of the game, by the FEN's move number.
    pub fn game_ply(&self) -> u32 {
        self.first_ply.saturating_add(self.history.len() as u32)
    }

    /// The plies played since the position was set up, oldest first.
    pub fn history(&self) -> &[Undo] {
        &self.history
    }

    /// Forgets the oldest plies: only the last `plies` can be taken back or looked at any more.
    pub fn forget_before(&mut self, plies: usize) {
        let old = self.history.len().saturating_sub(plies);
        self.history.drain(..old);
        self.first_ply = self.first_ply.saturating_add(old as u32);
    }

    /// Key of placement and side to move; the same for the same position by any path.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Keys of the parts of the position, wherever the rest stands: kings and pawns; Red's other men;
    /// Black's other men.
    #[inline]
    pub(crate) fn part_keys(&self) -> [u64; PARTS] {
        self.part_keys
    }

    /// Sum of material and square values, from Red's side.
    #[inline]
    pub fn psq(&self) -> Tapered {
        self.psq
    }

    /// Men of value on the board, from [`crate::eval::psqt::FULL_PHASE`] down to 0.
    #[inline]
    pub fn phase(&self) -> i32 {
        self.phase
    }

    /// The man on a square.
    #[inline]
    pub fn id_on(&self, square: Square) -> Option<PieceId> {
        self.board[square.index()]
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.id_on(square).map(PieceId::piece)
    }

    /// Where a man stands; `None` when it is off the board.
    #[inline]
    pub fn square_of(&self, id: PieceId) -> Option<Square> {
        self.squares[id.index()]
    }

    /// Where the king of a side stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        debug_assert!(self.square_of(PieceId::king(color)).is_some());
        // A king is never captured; the default keeps the look-up free of a panic.
        self.square_of(PieceId::king(color)).unwrap_or(Square::E0)
    }

    /// Is nothing on the square?
    #[inline]
    pub fn is_empty(&self, square: Square) -> bool {
        self.id_on(square).is_none()
    }

    /// Does a man of `color` stand there?
    #[inline]
    pub fn is_man_of(&self, color: Color, square: Square) -> bool {
        self.id_on(square).is_some_and(|id| id.color() == color)
    }

    /// Does a pawn of `color` stand there?
    #[inline]
    pub fn is_pawn_of(&self, color: Color, square: Square) -> bool {
        self.id_on(square).is_some_and(|id| id.color() == color && id.kind() == PieceType::Pawn)
    }

    /// Occupied squares of a file, bit n = rank n.
    #[inline]
    pub fn file_word(&self, file: File) -> u16 {
        self.files[0][file.index()] | self.files[1][file.index()]
    }

    /// Occupied squares of a rank, bit n = file n.
    #[inline]
    pub fn rank_word(&self, rank: Rank) -> u16 {
        self.ranks[0][rank.index()] | self.ranks[1][rank.index()]
    }

    /// A side's men on a file.
    #[inline]
    pub fn file_word_of(&self, color: Color, file: File) -> u16 {
        self.files[color.index()][file.index()]
    }

    /// A side's men on a rank.
    #[inline]
    pub fn rank_word_of(&self, color: Color, rank: Rank) -> u16 {
        self.ranks[color.index()][rank.index()]
    }

    /// What slides along the file from a square reach.
    #[inline]
    pub fn file_line(&self, square: Square) -> &'static Line {
        &LINE[square.rank().index()][usize::from(self.file_word(square.file())) & 1023]
    }

    /// What slides along the rank from a square reach; bit 9 of `quiet` means nothing.
    #[inline]
    pub fn rank_line(&self, square: Square) -> &'static Line {
        &LINE[square.file().index()][usize::from(self.rank_word(square.rank())) & 1023]
    }

    /// The bit of `square` in the word of `file`, 0 when it lies elsewhere.
    #[inline]
    pub(crate) fn file_bit(&self, square: Square, file: File) -> u16 {
        u16::from(square.file() == file) << square.rank().index()
    }

    /// The bit of `square` in the word of `rank`, 0 when it lies elsewhere.
    #[inline]
    pub(crate) fn rank_bit(&self, square: Square, rank: Rank) -> u16 {
        u16::from(square.rank() == rank) << square.file().index()
    }

    /// The bit of a man in the word of the file of `line`, 0 when it is not there.
    #[inline]
    fn bit_on_file(&self, id: PieceId, line: Square) -> u16 {
        self.square_of(id).map_or(0, |square| self.file_bit(square, line.file()))
    }

    /// The bit of a man in the word of the rank of `line`, 0 when it is not there.
    #[inline]
    fn bit_on_rank(&self, id: PieceId, line: Square) -> u16 {
        self.square_of(id).map_or(0, |square| self.rank_bit(square, line.rank()))
    }

    /// Is the side to move in check (将军)?
    pub fn is_check(&self) -> bool {
        self.is_attacked(self.side)
    }

    /// Has the side to move no legal move? Then it has lost: mated in check, stalemated else.
    pub fn is_finished(&self) -> bool {
        self.legal_moves().is_empty()
    }

    /// Does either side still own a man that can attack across the river: a rook, horse, cannon
    /// or pawn?
    pub fn can_mate(&self, color: Color) -> bool {
        PieceId::of(color)[5..].iter().any(|&id| self.square_of(id).is_some())
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// The move is illegal; the position is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check_legal(mv)?;
        self.make(mv);
        self.set_gave_check(self.is_check());
        Ok(())
    }

    /// [`Position::is_legal`] with a reason.
    ///
    /// # Errors
    /// The move is illegal.
    pub fn check_legal(&self, mv: Move) -> Result<(), IllegalMove> {
        let illegal = |reason| Err(IllegalMove { mv, side: self.side, reason });
        if !self.is_man_of(self.side, mv.from) {
            return illegal(IllegalReason::NoMan(mv.from));
        }
        if !self.is_pseudo_legal(mv) {
            return illegal(IllegalReason::NoSuchMove(mv.from, mv.to));
        }
        if !KingGuard::new(self).is_legal(self, mv) {
            return illegal(IllegalReason::KingInCheck);
        }
        Ok(())
    }

    /// Takes the last ply back and returns its move; `None` at the setup.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.history.last()?.mv?;
        self.unmake();
        Some(mv)
    }

    /// Makes a pseudo-legal move. Whether it gives check is for the caller to note with
    /// [`Position::set_gave_check`].
    #[inline]
    pub(crate) fn make(&mut self, mv: Move) {
        debug_assert!(self.is_pseudo_legal(mv), "{mv} in {self:?}");
        let Some(id) = self.id_on(mv.from) else { return };
        let captured = self.id_on(mv.to);
        self.push_undo(Some(mv), captured);
        self.quiet_plies += 1;
        if let Some(victim) = captured {
            self.take(victim, mv.to);
            self.quiet_plies = 0;
        }
        self.shift(id, mv.from, mv.to);
        let piece = id.piece();
        let values = &PSQT[piece.index()];
        self.psq += values[mv.to.index()] - values[mv.from.index()];
        let change = zobrist::piece(piece, mv.from) ^ zobrist::piece(piece, mv.to);
        self.key ^= change;
        self.part_keys[part(id)] ^= change;
        self.side = !self.side;
        self.key ^= zobrist::side();
        debug_assert!(self.is_consistent());
    }

    /// Takes back the last [`Position::make`] or [`Position::make_null`].
    #[inline]
    pub(crate) fn unmake(&mut self) {
        let Some(undo) = self.history.pop() else { return };
        self.revert(&undo);
    }

    /// Puts the board back to what it was before that ply, which must have led to it. The history
    /// is left alone, so that a [`Position::snapshot`] can be walked back along another's.
    #[inline]
    pub(crate) fn revert(&mut self, undo: &Undo) {
        self.side = !self.side;
        self.key = undo.key;
        self.part_keys = undo.part_keys;
        self.psq = undo.psq;
        self.phase = undo.phase;
        self.quiet_plies = undo.quiet_plies;
        let Some(mv) = undo.mv else { return };
        if let Some(id) = self.id_on(mv.to) {
            self.shift(id, mv.to, mv.from);
        }
        if let Some(victim) = undo.captured {
            self.lay(victim, mv.to);
        }
    }

    /// The board as it is, without the moves that led to it.
    pub(crate) fn snapshot(&self) -> Position {
        Position { history: Vec::new(), ..*self }
    }

    /// Passes the turn.
    pub(crate) fn make_null(&mut self) {
        self.push_undo(None, None);
        self.quiet_plies += 1;
        self.side = !self.side;
        self.key ^= zobrist::side();
    }

    /// Notes whether the last move gave check.
    #[inline]
    pub(crate) fn set_gave_check(&mut self, check: bool) {
        if let Some(last) = self.history.last_mut() {
            last.gave_check = check;
        }
    }

    #[inline]
    fn push_undo(&mut self, mv: Option<Move>, captured: Option<PieceId>) {
        self.history.push(Undo {
            mv,
            captured,
            gave_check: false,
            key: self.key,
            part_keys: self.part_keys,
            psq: self.psq,
            phase: self.phase,
            quiet_plies: self.quiet_plies,
        });
    }

    /// Board, list and words of one man going from one square to an empty one.
    #[inline]
    fn shift(&mut self, id: PieceId, from: Square, to: Square) {
        let color = id.color().index();
        self.board[from.index()] = None;
        self.board[to.index()] = Some(id);
        self.squares[id.index()] = Some(to);
        self.files[color][from.file().index()] &= !(1 << from.rank().index());
        self.ranks[color][from.rank().index()] &= !(1 << from.file().index());
        self.files[color][to.file().index()] |= 1 << to.rank().index();
        self.ranks[color][to.rank().index()] |= 1 << to.file().index();
    }

    /// Board, list and words of one man laid on an empty square.
    #[inline]
    fn lay(&mut self, id: PieceId, square: Square) {
        let color = id.color().index();
        self.board[square.index()] = Some(id);
        self.squares[id.index()] = Some(square);
        self.files[color][square.file().index()] |= 1 << square.rank().index();
        self.ranks[color][square.rank().index()] |= 1 << square.file().index();
    }

    /// Lays a man and counts it in.
    fn put(&mut self, id: PieceId, square: Square) {
        self.lay(id, square);
        let piece = id.piece();
        self.psq += PSQT[piece.index()][square.index()];
        self.key ^= zobrist::piece(piece, square);
        self.part_keys[part(id)] ^= zobrist::piece(piece, square);
        self.phase += PHASE[piece.kind().index()];
    }

    /// Takes a man off and counts it out. Its square on the board is left to the capturer.
    #[inline]
    fn take(&mut self, id: PieceId, square: Square) {
        let color = id.color().index();
        self.squares[id.index()] = None;
        self.files[color][square.file().index()] &= !(1 << square.rank().index());
        self.ranks[color][square.rank().index()] &= !(1 << square.file().index());
        let piece = id.piece();
        self.psq -= PSQT[piece.index()][square.index()];
        self.key ^= zobrist::piece(piece, square);
        self.part_keys[part(id)] ^= zobrist::piece(piece, square);
        self.phase -= PHASE[piece.kind().index()];
    }

    /// Do all incremental fields agree with the board? For debug builds and tests.
    pub(crate) fn is_consistent(&self) -> bool {
        let mut fresh = Position {
            board: [None; 90],
            squares: [None; 32],
            files: [[0; 9]; 2],
            ranks: [[0; 10]; 2],
            phase: 0,
            psq: Tapered::ZERO,
            key: if self.side == Color::Black { zobrist::side() } else { 0 },
            part_keys: [0; PARTS],
            history: Vec::new(),
            ..*self
        };
        for square in Square::ALL {
            if let Some(id) = self.id_on(square) {
                fresh.put(id, square);
            }
        }
        fresh.board == self.board
            && fresh.squares == self.squares
            && fresh.files == self.files
            && fresh.ranks == self.ranks
            && fresh.key == self.key
            && fresh.part_keys == self.part_keys
            && fresh.psq == self.psq
            && fresh.phase == self.phase
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::startpos()
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.to_fen())
    }
}

/// Calls `visit` with the square of every bit of a line word.
#[inline]
pub(crate) fn in_line(mut word: u16, squares: &[Square; 16], mut visit: impl FnMut(Square)) {
    while word != 0 {
        visit(squares[word.trailing_zeros() as usize & 15]);
        word &= word - 1;
    }
}
