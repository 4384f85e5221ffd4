//! The engine as a library: a position, settings, and a search that always has a legal move.

use crate::board::Position;
use crate::search::{
    HashError, Limits, Prober, SearchEvent, SearchOptions, SearchReport, Searcher, Signals,
};
use crate::types::{Eval, Move, MoveList};

/// A position and the searcher that thinks about it. Knows neither protocol nor dialect.
///
/// ```
/// use hanxin::{Engine, Limits, Signals};
///
/// let mut engine = Engine::default();
/// let report = engine.search(&Limits::depth(4), &Signals::default(), |_event| {});
/// assert!(report.best.is_some());
/// ```
#[derive(Debug)]
pub struct Engine {
    searcher: Searcher,
    position: Position,
    banned: Vec<Move>,
}

impl Engine {
    /// An engine at the start position.
    pub fn new(options: &SearchOptions) -> Engine {
        Engine {
            searcher: Searcher::new(options),
            position: Position::startpos(),
            banned: Vec::new(),
        }
    }

    /// Takes over settings; they hold from the next search on.
    ///
    /// # Errors
    /// There is no memory for the hash table. Everything else is set and a smaller table in use.
    pub fn set_options(&mut self, options: &SearchOptions) -> Result<(), HashError> {
        self.searcher.set_options(options)
    }

    /// Forgets the former game: hash table and histories. The position stays.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// What is on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets the board. Bans on moves end.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
        self.banned.clear();
    }

    /// Forbids moves in this position, until [`Engine::set_position`]. More may be added.
    pub fn ban_moves(&mut self, moves: &[Move]) {
        self.banned.extend_from_slice(moves);
    }

    /// Value of the position without any search, from the side to move.
    pub fn evaluate(&self) -> Eval {
        if self.position.is_finished() {
            return Eval::MatedIn(0);
        }
        Eval::from_score(self.searcher.evaluate(&self.position))
    }

    /// Looks positions up in the hash table, also while a search runs. Valid until the next
    /// [`Engine::set_options`].
    pub fn prober(&self) -> Prober {
        self.searcher.prober()
    }

    /// Thinks until a limit is reached or `signals` says stop, and says on the way what it finds.
    ///
    /// The report has a move whenever a legal one exists that is not banned. `search_moves` of
    /// which none can be played are ignored, with a message.
    pub fn search(
        &mut self,
        limits: &Limits,
        signals: &Signals,
        mut on_event: impl FnMut(SearchEvent) + Send,
    ) -> SearchReport {
        let mut limits = limits.clone();
        limits.banned_moves.extend_from_slice(&self.banned);
        let legal = self.position.legal_moves();
        if legal.is_empty() {
            return no_move(Eval::MatedIn(0));
        }
        let unbanned = filtered(&legal, |mv| !limits.banned_moves.contains(&mv));
        if unbanned.is_empty() {
            return no_move(self.evaluate());
        }
        let mut moves = filtered(&unbanned, |mv| limits.search_moves.contains(&mv));
        if moves.is_empty() {
            if !limits.search_moves.is_empty() {
                let text = "searchmoves: none of them can be played, all moves are searched";
                on_event(SearchEvent::Message(text.to_owned()));
            }
            limits.search_moves.clear();
            moves = unbanned;
        }
        let mut report = self.searcher.search(&self.position, &limits, signals, &mut on_event);
        if report.best.is_none_or(|best| !moves.contains(&best)) {
            debug_assert!(false, "{report:?} in {:?}", self.position);
            report.best = moves.first().copied();
            report.ponder = None;
        }
        report
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new(&SearchOptions::default())
    }
}

fn filtered(moves: &MoveList, keep: impl FnMut(Move) -> bool) -> MoveList {
    let mut kept = moves.clone();
    kept.retain(keep);
    kept
}

fn no_move(eval: Eval) -> SearchReport {
    SearchReport {
        best: None,
        ponder: None,
        eval,
        depth: 0,
        nodes: 0,
        elapsed: std::time::Duration::ZERO,
        pv: Vec::new(),
        wants_draw: false,
        resigns: false,
    }
}
