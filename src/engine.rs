//! The engine as a library: a position, settings, and a search that always has a legal move.

use std::time::Duration;

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
        elapsed: Duration::ZERO,
        pv: Vec::new(),
        wants_draw: false,
        resigns: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STALEMATE: &str = "3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1";
    /// One legal move: e8f9.
    const ONLY: &str = "4k1RC1/4a4/9/9/9/9/9/9/9/3K5 b - - 0 1";

    fn engine(fen: &str) -> Engine {
        let mut engine = Engine::default();
        engine.set_position(Position::from_fen(fen).unwrap());
        engine
    }

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').map(|mv| mv.parse().unwrap()).collect()
    }

    fn best(engine: &mut Engine, limits: &Limits) -> Option<String> {
        let report = engine.search(limits, &Signals::default(), |_event| {});
        report.best.map(|mv| mv.to_string())
    }

    #[test]
    fn a_finished_game_has_no_move_and_is_mate() {
        let mut engine = engine(STALEMATE);
        assert_eq!(engine.evaluate(), Eval::MatedIn(0));
        let report = engine.search(&Limits::depth(3), &Signals::default(), |_event| {});
        assert_eq!((report.best, report.eval), (None, Eval::MatedIn(0)));
    }

    #[test]
    fn bans_hold_until_the_next_position() {
        let mut engine = engine(ONLY);
        engine.ban_moves(&moves("e8f9"));
        let report = engine.search(&Limits::depth(2), &Signals::default(), |_event| {});
        assert_eq!(report.best, None);
        assert_ne!(report.eval, Eval::MatedIn(0));
        engine.set_position(engine.position().clone());
        assert_eq!(best(&mut engine, &Limits::depth(2)).as_deref(), Some("e8f9"));
    }

    #[test]
    fn bans_add_up_and_search_moves_are_kept() {
        let mut engine = Engine::default();
        let only = |text| Limits { search_moves: moves(text), ..Limits::depth(2) };
        assert_eq!(best(&mut engine, &only("a0a1")).as_deref(), Some("a0a1"));
        engine.ban_moves(&moves("a0a1"));
        engine.ban_moves(&moves("a0a2"));
        assert_eq!(best(&mut engine, &only("a0a1 a0a2 i0i1")).as_deref(), Some("i0i1"));
        let mut messages = 0;
        let report = engine.search(&only("a0a1"), &Signals::default(), |event| {
            messages += i32::from(matches!(event, SearchEvent::Message(_)));
        });
        assert_eq!(messages, 1);
        assert!(report.best.is_some_and(|best| !moves("a0a1 a0a2").contains(&best)));
    }

    #[test]
    fn a_search_that_is_stopped_before_it_begins_has_a_legal_move() {
        let signals = Signals::default();
        signals.stop();
        let mut engine = Engine::default();
        let report = engine.search(&Limits::default(), &signals, |_event| {});
        let best = report.best.expect("a move");
        assert!(engine.position().legal_moves().contains(&best));
    }
}
