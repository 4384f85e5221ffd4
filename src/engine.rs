//! The engine as a library: a position, settings, and a search that always has a legal move.

use std::time::{Duration, Instant};

use crate::board::Position;
use crate::book::{BookError, BookOptions, Entry, Shelf};
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
    books: Shelf,
}

impl Engine {
    /// An engine at the start position, without books.
    pub fn new(options: &SearchOptions) -> Engine {
        Engine {
            searcher: Searcher::new(options),
            position: Position::startpos(),
            banned: Vec::new(),
            books: Shelf::default(),
        }
    }

    /// Takes over settings; they hold from the next search on.
    ///
    /// # Errors
    /// There is no memory for the hash table. Everything else is set and a smaller table in use.
    pub fn set_options(&mut self, options: &SearchOptions) -> Result<(), HashError> {
        self.searcher.set_options(options)
    }

    /// Takes over which books to play from. Those that cannot be opened are left out and returned.
    pub fn set_books(&mut self, options: &BookOptions) -> Vec<BookError> {
        self.books.set_options(options)
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
    /// which none can be played are ignored, with a message. A move that a book knows is played at
    /// once, at depth 0, unless something is to be analysed: with an infinite search, one for a mate,
    /// or more than one line.
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
        let is_analysis = limits.infinite || limits.mate.is_some() || self.searcher.multipv() > 1;
        if !is_analysis && let Some(report) = self.book_move(&moves, &mut on_event) {
            return report;
        }
        let mut report = self.searcher.search(&self.position, &limits, signals, &mut on_event);
        if report.best.is_none_or(|best| !moves.contains(&best)) {
            debug_assert!(false, "{report:?} in {:?}", self.position);
            report.best = moves.first().copied();
            report.ponder = None;
        }
        report
    }

    /// Draws one of the moves from the books, and says so.
    fn book_move(
        &mut self,
        moves: &MoveList,
        on_event: &mut impl FnMut(SearchEvent),
    ) -> Option<SearchReport> {
        let start = Instant::now();
        let mut say = |text: String| on_event(SearchEvent::Message(text));
        let known = self.books.probe(&self.position, moves, |fault| say(fault.to_string()));
        let Entry { mv, weight } = self.books.draw(&known, self.searcher.randomness())?;
        let total: u64 = known.iter().map(|entry| u64::from(entry.weight)).sum();
        let count = known.len();
        say(format!("book: {mv}, weight {weight} of {total}, moves known {count}"));
        let mut after = self.position.clone();
        after.play(mv).ok()?;
        let moves = after.legal_moves();
        let answers = self.books.probe(&after, &moves, |fault| say(fault.to_string()));
        let ponder = answers.iter().max_by_key(|entry| entry.weight).map(|entry| entry.mv);
        Some(SearchReport {
            best: Some(mv),
            ponder,
            eval: self.evaluate(),
            pv: std::iter::once(mv).chain(ponder).collect(),
            elapsed: start.elapsed(),
            ..no_move(Eval::Points(0))
        })
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
    use crate::book::{Builder, source};

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

    /// An engine with a book of this text.
    fn reader(text: &str) -> Engine {
        let mut builder = Builder::default();
        source::lines(text).for_each(|line| builder.add_line(&line.unwrap()));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, builder.build().encode()).unwrap();
        let mut engine = Engine::default();
        let files = file.path().display().to_string();
        let faults = engine.set_books(&BookOptions { enabled: true, files, depth: 60 });
        assert!(faults.is_empty(), "{faults:?}");
        engine
    }

    #[test]
    fn a_book_move_is_played_at_once_and_said() {
        let mut engine = reader("i3i4 i6i5 ; 3");
        let mut events = Vec::new();
        let report = engine
            .search(&Limits::nodes(1_000_000), &Signals::default(), |event| events.push(event));
        let text = "book: i3i4, weight 3 of 3, moves known 1".to_owned();
        assert_eq!(events, [SearchEvent::Message(text)]);
        assert_eq!(report.pv, moves("i3i4 i6i5"));
        assert_eq!((report.best, report.ponder), (Some(report.pv[0]), Some(report.pv[1])));
        assert_eq!((report.depth, report.nodes), (0, 0));
    }

    #[test]
    fn books_are_off_in_analysis_and_for_moves_that_are_not_to_be_played() {
        let mut engine = reader("i3i4 ; 3");
        let is_read = |engine: &mut Engine, limits: &Limits| {
            let signals = Signals::default();
            let report = engine.search(limits, &signals, |event| {
                // An infinite search says what it finds, then it is enough.
                if matches!(event, SearchEvent::Lines(_)) {
                    signals.stop();
                }
            });
            assert!(report.best.is_some());
            report.nodes == 0
        };
        let depth = Limits::depth(1);
        assert!(is_read(&mut engine, &depth));
        assert!(!is_read(&mut engine, &Limits { infinite: true, ..Limits::default() }));
        assert!(!is_read(&mut engine, &Limits { mate: Some(1), ..depth.clone() }));
        assert!(!is_read(&mut engine, &Limits { search_moves: moves("h2e2"), ..depth.clone() }));
        assert!(is_read(&mut engine, &Limits { search_moves: moves("i3i4"), ..depth.clone() }));
        let lines = SearchOptions { multipv: 2, ..SearchOptions::default() };
        engine.set_options(&lines).unwrap();
        assert!(!is_read(&mut engine, &depth));
        engine.set_options(&SearchOptions::default()).unwrap();
        engine.ban_moves(&moves("i3i4"));
        assert!(!is_read(&mut engine, &depth));
        engine.set_position(Position::startpos());
        assert!(is_read(&mut engine, &depth));
        engine.set_books(&BookOptions::default());
        assert!(!is_read(&mut engine, &depth));
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
