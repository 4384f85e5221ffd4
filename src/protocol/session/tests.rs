//! The session as a table: what goes in, what comes out.

use std::time::Duration;

use super::*;
use crate::types::Square;

const BEST: Move = Move::new(Square::H2, Square::E2);
const REPLY: Move = Move::new(Square::H9, Square::G7);

const MATE1: &str = "3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 0 1";

/// A session that time passes for only when told, and whose search is this test.
struct Talk {
    session: Session,
    now: Instant,
}

impl Talk {
    fn boot() -> Talk {
        let now = Instant::now();
        Talk { session: Session::new(now), now }
    }

    fn new(handshake: &str) -> Talk {
        let mut talk = Talk::boot();
        let said = talk.send(handshake);
        assert_eq!(said.last(), Some(&format!("{handshake}ok")));
        talk
    }

    fn on(&mut self, event: Event) -> Vec<String> {
        let actions = self.session.on(event, self.now).into_iter();
        actions.filter(|action| !matches!(action, Action::SetBooks(_))).map(word).collect()
    }

    /// What the engine is told about books by a line.
    fn books(&mut self, line: &str) -> Vec<BookOptions> {
        let event = Event::Line(Command::parse(line.as_bytes()));
        let actions = self.session.on(event, self.now).into_iter();
        let books = actions.filter_map(|action| match action {
            Action::SetBooks(options) => Some(options),
            _ => None,
        });
        books.collect()
    }

    fn send(&mut self, line: &str) -> Vec<String> {
        self.on(Event::Line(Command::parse(line.as_bytes())))
    }

    /// Several lines one after the other.
    fn burst(&mut self, lines: &[&str]) -> Vec<String> {
        lines.iter().flat_map(|line| self.send(line)).collect()
    }

    fn done(&mut self, report: SearchReport) -> Vec<String> {
        self.on(Event::SearchDone(report))
    }

    /// The search ends; returns what is done apart from `info` lines with numbers.
    fn answer(&mut self) -> Vec<String> {
        let mut done = self.done(report());
        done.retain(|action| !action.starts_with("info depth"));
        done
    }

    fn wait(&mut self, ms: u64) {
        self.now += Duration::from_millis(ms);
    }
}

/// An action as text: lines as they are, the rest in brackets.
fn word(action: Action) -> String {
    match action {
        Action::Say(line) => line,
        Action::SetOptions(_) => "[options]".to_owned(),
        Action::SetBooks(_) => "[books]".to_owned(),
        Action::NewGame => "[new game]".to_owned(),
        Action::SetPosition(position) => format!("[{}]", position.to_fen()),
        Action::BanMoves(moves) => format!("[ban {}]", moves.len()),
        Action::Start { limits, ponder, draw } => {
            let text = request::describe(&limits).replace("searching: ", "");
            let flag = |set, word| if set { word } else { "" };
            format!("[go {text}{}{}]", flag(ponder, ", ponder"), flag(draw, ", draw"))
        }
        Action::Stop => "[stop]".to_owned(),
        Action::PonderHit { draw } => format!("[ponderhit{}]", if draw { " draw" } else { "" }),
        Action::Evaluate => "[evaluate]".to_owned(),
        Action::Probe(position) => format!("[probe {}]", position.to_fen()),
        Action::Exit => "[exit]".to_owned(),
    }
}

fn report() -> SearchReport {
    SearchReport {
        best: Some(BEST),
        ponder: Some(REPLY),
        eval: Eval::Points(12),
        depth: 5,
        nodes: 1_000,
        elapsed: Duration::from_millis(10),
        pv: vec![BEST, REPLY],
        wants_draw: false,
        resigns: false,
    }
}

fn no_move(eval: Eval) -> SearchReport {
    SearchReport { best: None, ponder: None, eval, depth: 0, pv: Vec::new(), ..report() }
}

fn line(depth: u32, eval: Eval) -> SearchEvent {
    SearchEvent::Lines(vec![SearchInfo {
        depth,
        seldepth: depth,
        multipv: 1,
        eval,
        bound: Bound::Exact,
        nodes: 500,
        elapsed: Duration::from_millis(5),
        hashfull: 1,
        pv: vec![BEST],
    }])
}

const ANSWER: &str = "bestmove h2e2 ponder h9g7";

#[test]
fn boot_accepts_a_handshake_and_nothing_else() {
    let hint = "info message say \"ucci\" or \"uci\" first";
    let mut talk = Talk::boot();
    for line in ["isready", "go depth 1", "stop", "hello", "position nonsense", "debug on"] {
        assert_eq!(talk.send(line), [hint], "{line}");
    }
    assert!(talk.burst(&["", " \t\r\n"]).is_empty());
    assert_eq!(talk.send("uci").last().unwrap(), "uciok");
    assert_eq!(talk.send("isready"), ["readyok"]);
}

#[test]
fn boot_can_be_left_without_a_word() {
    assert_eq!(Talk::boot().send("quit"), ["[exit]"]);
    assert_eq!(Talk::boot().on(Event::EndOfInput), ["[exit]"]);
}

#[test]
fn the_later_handshake_sets_the_dialect() {
    let mut talk = Talk::new("ucci");
    assert_eq!(talk.send("stop"), ["nobestmove"]);
    assert_eq!(talk.send("uci").last().unwrap(), "uciok");
    assert!(talk.send("stop").is_empty());
    assert_eq!(talk.send("ucci").last().unwrap(), "ucciok");
    assert_eq!(talk.send("quit"), ["bye", "[exit]"]);
    assert!(talk.burst(&["isready", "go", "quit"]).is_empty());
}

#[test]
fn uci_leaves_without_bye() {
    assert_eq!(Talk::new("uci").send("quit"), ["[exit]"]);
    assert_eq!(Talk::new("uci").on(Event::EndOfInput), ["[exit]"]);
    assert_eq!(Talk::new("ucci").on(Event::EndOfInput), ["bye", "[exit]"]);
}

#[test]
fn unknown_words_get_silence() {
    let mut talk = Talk::new("ucci");
    let lines =
        ["xyzzy", "setoption usebook false", "setoption name EvalFile value <empty>", "ponderhit"];
    assert!(talk.burst(&lines).is_empty());
    talk.send("go depth 5");
    assert!(talk.burst(&lines).is_empty());
    assert_eq!(talk.answer(), [ANSWER]);
}

#[test]
fn ready_while_thinking() {
    let mut talk = Talk::new("ucci");
    assert_eq!(talk.send("go depth 5"), ["[go depth 5]"]);
    assert_eq!(talk.send("isready"), ["readyok"]);
    assert_eq!(talk.send("stop"), ["[stop]"]);
    assert_eq!(talk.send("isready"), ["readyok"]);
    assert_eq!(talk.answer(), [ANSWER]);
    assert_eq!(talk.send("isready"), ["readyok"]);
}

#[test]
fn one_stop_too_many_is_no_second_answer() {
    let mut talk = Talk::new("ucci");
    assert_eq!(talk.burst(&["go infinite", "stop", "stop"]), ["[go until stop]", "[stop]"]);
    assert_eq!(talk.answer(), [ANSWER]);
}

#[test]
fn a_position_ends_the_search_and_is_set_behind_the_answer() {
    let mut talk = Talk::new("ucci");
    talk.send("go infinite");
    assert_eq!(
        talk.burst(&["position startpos moves h2e2", "go depth 3", "isready"]),
        ["[stop]", "readyok"]
    );
    assert_eq!(
        talk.answer(),
        [
            ANSWER,
            "[rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1]",
            "[go depth 3]",
        ]
    );
    assert_eq!(talk.answer(), [ANSWER]);
}

#[test]
fn stop_belongs_to_the_go_before_it() {
    let mut talk = Talk::new("uci");
    assert_eq!(talk.burst(&["go infinite", "go infinite", "stop"]), ["[go until stop]", "[stop]"]);
    assert_eq!(talk.answer(), [ANSWER, "[go until stop]", "[stop]"]);
    assert_eq!(talk.answer(), [ANSWER]);
}

#[test]
fn options_and_bans_wait_for_the_answer() {
    let mut talk = Talk::new("ucci");
    talk.send("go depth 5");
    assert!(talk.burst(&["setoption hashsize 20", "banmoves h2e2"]).is_empty());
    assert_eq!(talk.send("stop"), ["[stop]"]);
    assert_eq!(talk.answer(), [ANSWER, "[options]", "[ban 1]"]);
}

#[test]
fn a_new_game_ends_the_search_under_every_name() {
    for name in [
        "newgame",
        "ucinewgame",
        "uccinewgame",
        "uxinewgame",
        "setoption newgame",
        "setoption name Clear Hash",
    ] {
        let mut talk = Talk::new("ucci");
        assert_eq!(talk.burst(&["go infinite", name]), ["[go until stop]", "[stop]"], "{name}");
        assert_eq!(talk.answer(), [ANSWER, "[new game]"], "{name}");
    }
}

#[test]
fn quit_and_end_of_input_let_the_answer_out() {
    let mut talk = Talk::new("ucci");
    assert_eq!(talk.burst(&["go infinite", "quit"]), ["[go until stop]", "[stop]"]);
    assert_eq!(talk.answer(), [ANSWER, "bye", "[exit]"]);

    let mut talk = Talk::new("uci");
    talk.burst(&["go infinite", "setoption Hash 20"]);
    assert_eq!(talk.on(Event::EndOfInput), ["[stop]"]);
    assert_eq!(talk.answer(), [ANSWER, "[options]", "[exit]"]);
}

#[test]
fn every_go_before_quit_is_answered() {
    let mut talk = Talk::new("ucci");
    talk.burst(&["go time 500", "go depth 5", "quit"]);
    assert_eq!(talk.answer(), [ANSWER, "[go depth 5]", "[stop]"]);
    assert_eq!(talk.answer(), [ANSWER, "bye", "[exit]"]);
}

#[test]
fn batch_takes_no_input_while_thinking() {
    let mut talk = Talk::new("ucci");
    talk.burst(&["setoption batch on", "go depth 5"]);
    assert!(talk.burst(&["isready", "stop", "go depth 6", "position startpos", "quit"]).is_empty());
    assert_eq!(talk.answer(), [ANSWER, "readyok", "nobestmove", "[go depth 6]"]);
    let done = talk.answer();
    assert_eq!(done[0], ANSWER);
    assert_eq!(done[2..], ["bye", "[exit]"]);
}

#[test]
fn batch_listens_where_only_input_can_bring_the_answer() {
    let mut talk = Talk::new("ucci");
    talk.burst(&["setoption batch on", "go ponder depth 5"]);
    assert_eq!(talk.send("ponderhit"), ["[ponderhit]"]);
    assert!(talk.send("isready").is_empty());
    assert_eq!(talk.answer(), [ANSWER, "readyok"]);
    assert_eq!(talk.burst(&["go infinite", "stop"]), ["[go until stop]", "[stop]"]);
    assert_eq!(talk.answer(), [ANSWER]);
    // There may be no such mate.
    assert_eq!(talk.burst(&["go mate 3", "stop"]), ["[go mate in 3]", "[stop]"]);
}

#[test]
fn pondering_holds_the_answer() {
    for (word, dialect) in [("ponderhit", "ucci"), ("stop", "ucci"), ("stop", "uci")] {
        let mut talk = Talk::new(dialect);
        talk.send("go ponder time 60000 increment 0");
        assert!(talk.answer().is_empty());
        assert_eq!(talk.send("isready"), ["readyok"]);
        assert_eq!(talk.send(word), [ANSWER], "{word}");
    }
}

#[test]
fn ponderhit_goes_to_a_running_search() {
    let mut talk = Talk::new("ucci");
    assert_eq!(talk.send("go ponder depth 5"), ["[go depth 5, ponder]"]);
    assert_eq!(talk.send("ponderhit draw"), ["[ponderhit draw]"]);
    assert!(talk.send("ponderhit").is_empty());
    assert_eq!(talk.answer(), [ANSWER]);
}

#[test]
fn a_hit_on_an_infinite_search_still_waits_for_stop() {
    let mut talk = Talk::new("uci");
    talk.send("go ponder infinite");
    assert!(talk.answer().is_empty());
    assert!(talk.send("ponderhit").is_empty());
    assert_eq!(talk.send("stop"), [ANSWER]);
}

#[test]
fn infinite_holds_its_answer_unless_ucci_has_a_mate() {
    let mate = || SearchReport { eval: Eval::MateIn(1), ..report() };
    for (dialect, report, answers) in [
        ("ucci", report(), false),
        ("ucci", mate(), true),
        ("ucci", no_move(Eval::MatedIn(0)), true),
        ("uci", report(), false),
        ("uci", mate(), false),
        ("uci", no_move(Eval::MatedIn(0)), false),
    ] {
        let mut talk = Talk::new(dialect);
        talk.burst(&[&format!("position fen {MATE1}"), "go infinite"]);
        let done = talk.done(report);
        assert_eq!(
            done.iter().any(|line| line.contains("bestmove")),
            answers,
            "{dialect} {done:?}"
        );
        assert!(done[0].starts_with("info depth"));
        if !answers {
            assert!(talk.send("stop")[0].starts_with("bestmove"));
        }
    }
}

#[test]
fn a_proven_mate_ends_an_infinite_search_in_ucci_only() {
    for (dialect, depth, stops) in [("ucci", 3, true), ("ucci", 2, false), ("uci", 3, false)] {
        let mut talk = Talk::new(dialect);
        talk.send("go infinite");
        let done = talk.on(Event::Search(line(depth, Eval::MateIn(3))));
        assert_eq!(done.contains(&"[stop]".to_owned()), stops, "{dialect} {depth}");
    }
    let mut talk = Talk::new("ucci");
    talk.send("go depth 9");
    assert_eq!(talk.on(Event::Search(line(5, Eval::MateIn(3)))).len(), 1);
}

#[test]
fn a_finished_game_says_mate_and_no_move() {
    for (dialect, expected) in [
        ("ucci", ["info depth 0 score -10000", "nobestmove"]),
        ("uci", ["info depth 0 score mate 0", "bestmove (none)"]),
    ] {
        let mut talk = Talk::new(dialect);
        talk.send("go depth 5");
        assert_eq!(talk.done(no_move(Eval::MatedIn(0))), expected);
    }
}

#[test]
fn all_moves_banned_is_said_once() {
    let mut talk = Talk::new("ucci");
    talk.send("go depth 5");
    assert_eq!(
        talk.done(no_move(Eval::Points(7))),
        ["info message every legal move is banned", "nobestmove"]
    );
}

#[test]
fn depth_zero_is_the_static_value() {
    let mut talk = Talk::new("ucci");
    assert_eq!(talk.send("go depth 0"), ["[evaluate]"]);
    assert_eq!(
        talk.on(Event::Evaluated(Eval::Points(-31))),
        ["info depth 0 score -31", "nobestmove"]
    );
    assert_eq!(talk.send("isready"), ["readyok"]);
    let mut talk = Talk::new("uci");
    talk.send("go depth 0");
    assert_eq!(
        talk.on(Event::Evaluated(Eval::Points(5))),
        ["info depth 0 score cp 5", "bestmove (none)"]
    );
}

#[test]
fn draw_and_resign_are_ucci_words() {
    for (dialect, expected) in
        [("ucci", "bestmove h2e2 ponder h9g7 draw resign"), ("uci", "bestmove h2e2 ponder h9g7")]
    {
        let mut talk = Talk::new(dialect);
        assert_eq!(talk.send("go draw depth 5"), ["[go depth 5, draw]"]);
        let done = talk.done(SearchReport { wants_draw: true, resigns: true, ..report() });
        assert_eq!(done.last().unwrap(), expected);
    }
}

#[test]
fn bad_positions_get_one_message_and_leave_the_board() {
    let mut talk = Talk::new("uci");
    for (line, expected) in [
        ("position fen foobar", "info string position: fen board: 1 ranks instead of 10"),
        ("position fen", "info string position: no text behind \"fen\""),
        (
            "position fen 9/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
            "info string position: fen board: no black king",
        ),
        (
            "position fen 3k5/9/9/9/4B4/9/9/9/9/4K4 w - - 0 1",
            "info string position: fen board: red \"B\" can never stand on e5",
        ),
    ] {
        assert_eq!(talk.send(line), [expected], "{line}");
    }
}

#[test]
fn a_bad_move_leaves_the_position_before_it() {
    let mut talk = Talk::new("ucci");
    let after = "[rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1]";
    for (line, reason) in [
        ("position startpos moves h2e2 a0a1 h9g7", "illegal move a0a1 for black"),
        ("startpos moves h2e2 xyz h9g7", "\"xyz\" is not a move"),
    ] {
        let done = talk.send(line);
        assert_eq!(done.len(), 2, "{done:?}");
        assert!(done[0].starts_with(&format!("info message position: {reason}")), "{done:?}");
        assert_eq!(done[1], after);
    }
}

#[test]
fn probe_is_answered_in_every_state() {
    let mut talk = Talk::new("ucci");
    let fen = Position::startpos().to_fen();
    assert_eq!(talk.send("probe startpos"), [format!("[probe {fen}]")]);
    talk.send("go depth 5");
    assert_eq!(talk.send("probe startpos"), [format!("[probe {fen}]")]);
    let found = |bound| Some(ProbeResult { best: Some(BEST), score: 12, depth: 7, bound });
    for (found, expected) in [
        (None, "pophash"),
        (found(Bound::Lower), "pophash bestmove h2e2 lowerbound 12 depth 7"),
        (found(Bound::Upper), "pophash bestmove h2e2 upperbound 12 depth 7"),
        (found(Bound::Exact), "pophash bestmove h2e2 lowerbound 12 depth 7 upperbound 12 depth 7"),
    ] {
        assert_eq!(talk.on(Event::Probed(found)), [expected]);
    }
    assert_eq!(talk.send("probe fen foobar").last().unwrap(), "pophash");
}

#[test]
fn options_reach_the_engine_only_when_they_change() {
    let mut talk = Talk::new("ucci");
    assert_eq!(talk.send("setoption name hashsize value 20\r"), ["[options]"]);
    assert!(talk.burst(&["setoption Hash 20", "setoption usemillisec true"]).is_empty());
    assert_eq!(
        talk.send("setoption ponder maybe"),
        ["info message option ponder: \"maybe\" is not true or false"]
    );
    let error = HashError { wanted: 65_536, kept: 64 };
    assert_eq!(talk.on(Event::NoMemory(error)).len(), 1);
    assert!(talk.send("setoption hashsize 64").is_empty());
}

#[test]
fn seconds_after_usemillisec_false() {
    let mut talk = Talk::new("ucci");
    talk.send("setoption usemillisec false");
    assert_eq!(talk.send("go movetime 3"), ["[go 3000 ms]"]);
}

#[test]
fn clock_words_follow_the_side_to_move() {
    let mut talk = Talk::new("uci");
    talk.send("position startpos moves h2e2");
    assert_eq!(talk.send("go wtime 1000 btime 2000"), ["[go clock 0:02.0, other clock 0:01.0]"]);
}

#[test]
fn senseless_words_are_named_once() {
    let mut talk = Talk::new("ucci");
    assert_eq!(
        talk.send("go depth 4 foo bar"),
        ["info message go: \"foo bar\" makes no sense here", "[go depth 4]"]
    );
}

#[test]
fn a_bare_go_runs_on_the_engines_own_clock() {
    let mut talk = Talk::new("ucci");
    talk.burst(&["setoption firsttime 5", "setoption firstmoves 10", "setoption secondtime 1"]);
    let start = "clock 5:00.0 for 10 moves";
    assert_eq!(talk.send("go"), [format!("[go {start}, other {start}]")]);
    talk.wait(60_000);
    let done = talk.answer();
    let after = "info message clock: red 4:00.0 for 9 moves, black 5:00.0 for 10 moves";
    assert_eq!(done, [after, ANSWER]);

    // The time between belongs to nobody, analysis is free, and Black has its own clock.
    talk.wait(99_000);
    talk.burst(&["go infinite", "stop"]);
    assert_eq!(talk.answer(), [ANSWER]);
    talk.send("position startpos moves h2e2");
    let red = "clock 4:00.0 for 9 moves";
    assert_eq!(talk.send("go"), [format!("[go {start}, other {red}]")]);
    talk.wait(400_000);
    assert_eq!(
        talk.answer(),
        [
            "info message clock: red 4:00.0 for 9 moves, black 0:00.0 for 9 moves; \
         black has lost: time exceeded by 100000 ms",
            ANSWER
        ]
    );

    talk.send("newgame");
    assert_eq!(talk.send("go"), [format!("[go {start}, other {start}]")]);
}

#[test]
fn pondering_costs_no_time_before_the_hit() {
    let mut talk = Talk::new("ucci");
    talk.burst(&["setoption firsttime 5", "go ponder"]);
    talk.wait(50_000);
    talk.send("ponderhit");
    talk.wait(1_000);
    assert_eq!(talk.answer(), ["info message clock: red 4:59.0, black 5:00.0", ANSWER]);
}

#[test]
fn several_lines_are_numbered_and_one_is_not() {
    let mut talk = Talk::new("ucci");
    talk.send("go depth 5");
    let said = talk.on(Event::Search(line(3, Eval::Points(1))));
    assert!(said[0].starts_with("info depth 3 seldepth 3 score 1 nodes 500"), "{said:?}");
    talk.answer();
    talk.burst(&["setoption multipv 2", "go depth 5"]);
    let said = talk.on(Event::Search(line(3, Eval::Points(1))));
    assert!(said[0].starts_with("info depth 3 seldepth 3 multipv 1 score 1"), "{said:?}");
}

#[test]
fn debug_says_more() {
    let mut talk = Talk::new("uci");
    let current = || SearchEvent::CurrentMove { depth: 9, mv: BEST, number: 2 };
    talk.send("go depth 9");
    talk.wait(2_000);
    assert!(talk.on(Event::Search(current())).is_empty());
    talk.answer();
    talk.send("debug on");
    assert_eq!(talk.send("go depth 9")[0], "info string searching: depth 9");
    talk.wait(2_000);
    assert_eq!(talk.on(Event::Search(current())), ["info depth 9 currmove h2e2 currmovenumber 2"]);
    talk.answer();
    assert_eq!(
        talk.send("setoption MultiPV 999")[0],
        "info string option multipv: out of range, 128 taken"
    );
}

#[test]
fn messages_of_the_search_are_passed_on() {
    let mut talk = Talk::new("uci");
    talk.send("go depth 9");
    let event = SearchEvent::Message("hello".to_owned());
    assert_eq!(talk.on(Event::Search(event)), ["info string hello"]);
}

#[test]
fn the_engine_is_told_about_books_once_and_never_while_it_thinks() {
    let books = |enabled, files: &str| {
        vec![BookOptions { enabled, files: files.to_owned(), ..BookOptions::default() }]
    };
    let mut talk = Talk::new("ucci");
    assert_eq!(talk.books("go depth 3"), books(true, ""));
    assert_eq!(talk.books("setoption bookfiles 开局.book"), []);
    // The other dialect reads no books unless asked to.
    assert_eq!(talk.books("uci"), []);
    let told: Vec<String> = talk.answer();
    assert_eq!(told.last().map(String::as_str), Some("bestmove h2e2 ponder h9g7"));
    assert_eq!(talk.books("go depth 3"), []);
    talk.answer();
    assert_eq!(talk.books("setoption name OwnBook value true"), books(true, "开局.book"));
    assert_eq!(talk.books("setoption name Hash value 17"), []);
    // The files may be others by now, so naming them again is no idle word.
    let again = "setoption name BookFiles value 开局.book";
    assert_eq!(talk.books(again), books(true, "开局.book"));
    assert_eq!(talk.books("setoption name OwnBook value false"), books(false, "开局.book"));
    assert_eq!(talk.books(again), []);
}

#[test]
fn a_book_that_cannot_be_used_is_said_in_one_line() {
    use crate::book::BookFault;
    let mut talk = Talk::new("ucci");
    let fault = BookError { file: "棋.dat".to_owned(), fault: BookFault::UnknownKind };
    let said = talk.on(Event::BadBook(fault));
    assert_eq!(said, ["info message book ?.dat: no kind of book that is known"]);
}
