//! The referee: plays a game by the rules and says when it is over, and why.

use thiserror::Error;

use super::cycle::Cycle;
use super::{EndReason, MOVE_LIMIT, RuleSet, Verdict};
use crate::board::{IllegalMove, Position};
use crate::types::{Color, Move, MoveList};

/// Why a move was not played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Foul {
    /// The move is against the rules of the pieces. The game goes on until somebody says that it
    /// does not, see [`Referee::illegal_move`].
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The game has ended before.
    #[error("the game is over: {0}")]
    Over(EndReason),
}

/// Watches one game.
///
/// ```
/// use hanxin::Position;
/// use hanxin::rules::referee::Referee;
/// use hanxin::rules::{EndReason, RuleSet};
///
/// let start = Position::from_fen("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1")?;
/// let mut referee = Referee::new(start, RuleSet::Cxa);
/// for mv in "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9".split(' ') {
///     referee.play(mv.parse()?)?;
/// }
/// assert_eq!(referee.verdict().name(), "black_wins");
/// assert_eq!(referee.verdict().reason(), Some(EndReason::PerpetualCheck));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Referee {
    position: Position,
    rules: RuleSet,
    moves: Vec<Move>,
    verdict: Verdict,
}

/// One way for a game to end on the board.
type Test = fn(&Position, RuleSet) -> Verdict;

/// All of them in the order in which they are looked at: a mate on the last counted move is a mate.
const TESTS: [Test; 4] = [no_legal_move, repetition, move_limit, bare_forces];

/// How the game stands after the moves that led to the position.
pub fn verdict_on(pos: &Position, rules: RuleSet) -> Verdict {
    TESTS
        .into_iter()
        .map(|test| test(pos, rules))
        .find(|verdict| verdict.is_over())
        .unwrap_or(Verdict::Ongoing)
}

/// Checkmate 将死 and stalemate 困毙: either way the side to move has lost.
fn no_legal_move(pos: &Position, _: RuleSet) -> Verdict {
    if !pos.is_finished() {
        return Verdict::Ongoing;
    }
    let reason = if pos.is_check() { EndReason::Checkmate } else { EndReason::Stalemate };
    Verdict::Win { winner: !pos.side_to_move(), reason }
}

fn repetition(pos: &Position, rules: RuleSet) -> Verdict {
    Cycle::of(pos, rules).map_or(Verdict::Ongoing, |cycle| cycle.verdict)
}

fn move_limit(pos: &Position, rules: RuleSet) -> Verdict {
    if !is_move_limit(pos, rules) {
        return Verdict::Ongoing;
    }
    Verdict::Draw { reason: EndReason::MoveLimit }
}

/// Sixty rounds without a capture, the FEN's counter included. Some rule sets do not count all of
/// a side's checks.
pub fn is_move_limit(pos: &Position, rules: RuleSet) -> bool {
    pos.quiet_plies() >= MOVE_LIMIT
        && pos.quiet_plies() - uncounted_checks(pos, rules) >= MOVE_LIMIT
}

/// Checks since the last capture beyond those that the rule set counts as plies.
fn uncounted_checks(pos: &Position, rules: RuleSet) -> u32 {
    let Some(counted) = rules.law().counted_checks else { return 0 };
    let mut checks = [0u32; 2];
    let mut mover = !pos.side_to_move();
    for undo in pos.history().iter().rev().take(pos.quiet_plies() as usize) {
        checks[mover.index()] += u32::from(undo.gave_check);
        mover = !mover;
    }
    checks.into_iter().map(|checks| checks.saturating_sub(counted)).sum()
}

/// Neither side has a man left that crosses the river.
fn bare_forces(pos: &Position, _: RuleSet) -> Verdict {
    if Color::ALL.into_iter().any(|color| pos.can_mate(color)) {
        return Verdict::Ongoing;
    }
    Verdict::Draw { reason: EndReason::BareForces }
}

/// Legal moves that would lose by repetition at once, judged in full.
pub fn losing_moves(pos: &Position, rules: RuleSet) -> MoveList {
    let us = pos.side_to_move();
    let mut after = pos.clone();
    let mut losing = MoveList::new();
    for mv in &pos.legal_moves() {
        if after.play(mv).is_err() {
            continue;
        }
        if let Verdict::Win { winner, .. } = repetition(&after, rules)
            && winner != us
            && !no_legal_move(&after, rules).is_over()
        {
            losing.push(mv);
        }
        after.undo();
    }
    losing
}

impl Referee {
    /// A game from `start`; moves that led to it count for repetitions. It may be over already.
    pub fn new(start: Position, rules: RuleSet) -> Referee {
        let verdict = verdict_on(&start, rules);
        Referee { position: start, rules, moves: Vec::new(), verdict }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// The move is illegal or the game is over; nothing has changed.
    pub fn play(&mut self, mv: Move) -> Result<Verdict, Foul> {
        if let Some(reason) = self.verdict.reason() {
            return Err(Foul::Over(reason));
        }
        self.position.play(mv)?;
        self.moves.push(mv);
        self.verdict = verdict_on(&self.position, self.rules);
        Ok(self.verdict)
    }

    /// How the game stands.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The board as it stands, with its history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The rules in force.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The moves played here, oldest first.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Legal moves that would lose by repetition at once.
    pub fn banned_moves(&self) -> MoveList {
        losing_moves(&self.position, self.rules)
    }

    /// The repetition that the position on the board completes, move by move.
    pub fn explain(&self) -> Option<Cycle> {
        Cycle::of(&self.position, self.rules)
    }

    /// 认输: `side` gives up.
    pub fn resign(&mut self, side: Color) -> Verdict {
        self.lose(side, EndReason::Resignation)
    }

    /// 超时: the clock of `side` has run out.
    pub fn flag(&mut self, side: Color) -> Verdict {
        self.lose(side, EndReason::Time)
    }

    /// 违例: `side` insists on an illegal move.
    pub fn illegal_move(&mut self, side: Color) -> Verdict {
        self.lose(side, EndReason::IllegalMove)
    }

    /// 退出: `side` has left the game.
    pub fn leave(&mut self, side: Color) -> Verdict {
        self.lose(side, EndReason::Leaving)
    }

    /// 议和: both sides want a draw.
    pub fn agree_draw(&mut self) -> Verdict {
        self.end(Verdict::Draw { reason: EndReason::Agreement })
    }

    fn lose(&mut self, side: Color, reason: EndReason) -> Verdict {
        self.end(Verdict::Win { winner: !side, reason })
    }

    /// Ends the game unless it is over: what came first stands.
    fn end(&mut self, verdict: Verdict) -> Verdict {
        if !self.verdict.is_over() {
            self.verdict = verdict;
        }
        self.verdict
    }
}
