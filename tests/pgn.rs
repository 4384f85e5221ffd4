//! PGN: what is read, what is refused and where, and that what is written is read again.

#[allow(dead_code)]
mod support;

use encoding_rs::GB18030;
use hanxin::record::encoding::decode;
use hanxin::record::pgn::{self, MAX_DEPTH, MoveText, PgnFault};
use hanxin::record::{Game, GameResult, Line, Ply};
use hanxin::{Move, Position};
use proptest::prelude::*;
use support::random_position;

/// The only game of a text.
#[track_caller]
fn game(text: &str) -> Game {
    let mut games = pgn::read(text);
    let game = games.next().expect("a game").expect("a game without faults");
    assert!(games.next().is_none(), "a second game");
    game
}

fn moves(game: &Game) -> String {
    game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// Where the only game of a text is refused, and why.
#[track_caller]
fn refusal(text: &str) -> (usize, usize, String) {
    let error = pgn::read(text).next().expect("a game").expect_err("a fault");
    (error.line, error.offset, error.fault.to_string())
}

/// Do two games say the same?
fn same(one: &Game, two: &Game) -> bool {
    let parts =
        |game: &Game| (game.tags.clone(), game.start.to_fen(), game.line.clone(), game.result);
    parts(one) == parts(two)
}

// What was reported of other programs: the ids are those of the reports.

#[test]
fn n08_iccs_with_and_without_dash_and_tag() {
    for text in [
        "[Format \"ICCS\"]\n1. H2-E2 H9-G7\n1/2-1/2",
        "1. H2-E2 H9-G7 1/2-1/2",
        "1.H2E2 h9-g7 1/2-1/2",
        "[Format \"WXF\"]\n1. H2E2 H9G7 1/2-1/2",
    ] {
        let game = game(text);
        assert_eq!((moves(&game).as_str(), game.result), ("h2e2 h9g7", GameResult::Draw), "{text}");
    }
}

#[test]
fn n10_plain_coordinates() {
    let game = game("1. h2e2 h9g7 2. h0g2 *");
    assert_eq!((moves(&game).as_str(), game.result), ("h2e2 h9g7 h0g2", GameResult::Unknown));
}

#[test]
fn g02_files_that_are_not_utf_8() {
    let text = "[Red \"红\"]\n[Event \"全国象棋个人赛\"]\n\n1. 炮二平五 {好} 馬８進７ 1-0\n";
    let (gbk, _, lossy) = GB18030.encode(text);
    assert!(!lossy && std::str::from_utf8(&gbk).is_err());
    for bytes in [gbk.as_ref(), text.as_bytes(), &[b"\xEF\xBB\xBF", text.as_bytes()].concat()] {
        let game = game(&decode(bytes));
        assert_eq!((game.tag("Red"), game.tag("Event")), (Some("红"), Some("全国象棋个人赛")));
        assert_eq!((moves(&game).as_str(), game.result), ("h2e2 h9g7", GameResult::RedWins));
    }
    // Bytes that are neither spoil no more than their own place.
    let broken = b"[Red \"a\xFFb\"]\n\n1. h2e2 *\n";
    assert_eq!(game(&decode(broken)).tag("red"), Some("a\u{fffd}b"));
}

#[test]
fn all_that_may_stand_between_moves() {
    let game = game(
        "{before} 1. h2e2! $14 {the\n  centre} (1. c3c4?! {quiet} c6c5 (1... g6g5) 2. b0c2) (1. b2e2 *) \
         {again}\n% passed over h0g2\n1... 马8进7?? ; to the end (of the line\n2.  马二进三 $999 2... c6c5 1-0 {done}",
    );
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 c6c5");
    assert_eq!(game.line.comment, "before");
    let [first, second, third, last] = &game.line.plies[..] else { panic!("four plies") };
    assert_eq!((&first.nags[..], first.comment.as_str()), (&[1, 14][..], "the centre again"));
    let [quiet, other] = &first.variations[..] else { panic!("two variations") };
    assert_eq!(quiet.plies.len(), 3);
    assert_eq!((quiet.plies[0].comment.as_str(), &quiet.plies[0].nags[..]), ("quiet", &[6][..]));
    assert_eq!(quiet.plies[1].variations[0].plies[0].mv.to_string(), "g6g5");
    assert_eq!(other.plies[0].mv.to_string(), "b2e2");
    assert_eq!((&second.nags[..], second.comment.as_str()), (&[4][..], "to the end (of the line"));
    assert_eq!((&third.nags[..], last.comment.as_str()), (&[][..], "done"));
}

#[test]
fn tags_of_all_sorts() {
    let game = game(
        "[Event \"a \\\"b\\\" \\\\ c\"] [Site \"the \"old\" hall\"]\r\n[ Round 3 ]\r\n[Red \"\"]\r\n\
         [Event \"twice\"]\r\n[Result \"0-1\"]\r\n\r\n*\r\n",
    );
    assert_eq!(game.tag("EVENT"), Some("twice"));
    assert_eq!(game.tag("site"), Some("the \"old\" hall"));
    assert_eq!(
        (game.tag("Round"), game.tag("Red"), game.tag("Black")),
        (Some("3"), Some(""), None)
    );
    // A result that is not known in the moves may be known in the tags.
    assert_eq!((game.result, game.tag("Result")), (GameResult::BlackWins, None));
}

#[test]
fn games_begin_where_the_fen_says_also_with_black() {
    let fen = "4k4/9/9/9/1c7/9/9/9/9/1R1K5 b - - 0 33";
    let game = game(&format!("[FEN \"{fen}\"]\n\n33. ... 炮２平３ 34. B0-C0 0-1"));
    assert_eq!((game.start.to_fen().as_str(), moves(&game).as_str()), (fen, "b5c5 b0c0"));
    let text = pgn::write(&game, MoveText::Coordinates).unwrap();
    assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")), "{text}");
    assert!(text.ends_with("\n\n33... b5c5 34. b0c0 0-1\n\n"), "{text}");
}

#[test]
fn many_games_and_a_bad_one_among_them() {
    let text = "h2e2 *\n[Event \"1\"]\n\n1. h2e2 1-0\n[Event \"2\"]\n[Round \"2\"]\n\n1. h2e2\n2. h2e2 *\n\n\
                [Event \"3\"]\n[Round \"3\"]\n\n1. h2e2 (1. b2e2\n\n[Event \"4\"]\n\n* 1. b2e2 *";
    let games: Vec<_> = pgn::read(text).collect();
    let events = games.iter().map(|game| game.as_ref().ok().and_then(|game| game.tag("Event")));
    assert_eq!(events.collect::<Vec<_>>(), [None, Some("1"), None, None, Some("4"), None]);
    let faults: Vec<_> = games.iter().filter_map(|game| game.as_ref().err()).collect();
    assert_eq!(faults[0].line, 9);
    assert_eq!(text.get(faults[0].offset..).unwrap().lines().next(), Some("h2e2 *"));
    assert_eq!(faults[1].fault, PgnFault::OpenVariation);
    assert_eq!(moves(games[5].as_ref().unwrap()), "b2e2");
}

#[test]
fn faults_say_where_they_are() {
    for (text, expected) in [
        ("1. h2e9 *", (1, 3, "illegal move \"h2e9\": the man on h2 cannot go to e9")),
        ("\n1. hello", (2, 4, "not a move: \"hello\" (h2e2, H2-E2 and 炮二平五 are)")),
        ("[Event", (1, 0, "not a tag: \"[Event\" ([Name \"value\"] is)")),
        ("[FEN \"9/9 w\"]", (1, 0, "fen board: 2 ranks instead of 10")),
        ("h2e2 {a", (1, 5, "a comment is not closed")),
        ("h2e2 (b2e2", (1, 10, "a variation is not closed")),
        ("(b2e2)", (1, 0, "a variation without a move that it could replace")),
        ("h2e2 ) *", (1, 5, "')' closes nothing")),
        ("h2e2 } *", (1, 5, "'}' closes nothing")),
    ] {
        let (line, offset, fault) = refusal(text);
        assert_eq!((line, offset, fault.as_str()), expected, "{text}");
    }
    assert_eq!(refusal(&"h2e2 (".repeat(MAX_DEPTH + 1)).2, PgnFault::TooDeep.to_string());
    game(&format!("{}h2e2{}", "h2e2 (".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH)));
}

#[test]
fn a_written_game_has_the_tags_and_lines_that_tools_expect() {
    let mut game = game("1. h2e2 {a b} h9g7 2. h0g2 (2. b0c2 h7i7) 2... i9h9 1/2-1/2");
    game.set_tag("Termination", "agreement");
    game.set_tag("Red", "汉 \"信\"");
    game.line.plies[2].nags.push(1);
    let text = pgn::write(&game, MoveText::Chinese).unwrap();
    let expected = "[Game \"Chinese Chess\"]\n[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n\
        [Round \"?\"]\n[Red \"汉 \\\"信\\\"\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\
        [Termination \"agreement\"]\n[Format \"Chinese\"]\n\n\
        1. 炮二平五 {a b} 1... 马８进７ 2. 马二进三 $1 (2. 马八进七 炮８平９) 2... 车９平８ 1/2-1/2\n\n";
    assert_eq!(text, expected);
    game.line.comment = "long words ".repeat(40) + "a } b";
    let text = pgn::write(&game, MoveText::Iccs).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("a ) b}"), "{text}");
    game.line.plies.swap(0, 1);
    assert!(pgn::write(&game, MoveText::Iccs).is_err(), "an illegal move is not written");
}

/// A comment in the form in which it is read: no closing brace, single blanks.
fn comment() -> impl Strategy<Value = String> {
    let word = r#"[a-z0-9{(\[;%$."\\红!]{1,12}"#;
    prop::collection::vec(word, 0..4).prop_map(|words| words.join(" "))
}

/// What is drawn for one ply: its move, and what is said about it.
type Draft = (prop::sample::Index, Vec<u8>, String, Vec<prop::sample::Index>);

fn drafts() -> impl Strategy<Value = Vec<Draft>> {
    let index = any::<prop::sample::Index>;
    let nags = prop::collection::vec(any::<u8>(), 0..2);
    let variation = prop::collection::vec(index(), 0..4);
    prop::collection::vec((index(), nags, comment(), variation), 0..30)
}

/// A legal move of the position, played on it.
fn play(position: &mut Position, choice: prop::sample::Index) -> Option<Move> {
    let moves = position.legal_moves();
    let mv = (!moves.is_empty()).then(|| moves[choice.index(moves.len())])?;
    position.play(mv).expect("a legal move");
    Some(mv)
}

fn line(start: &Position, comment: String, drafts: Vec<Draft>) -> Line {
    let mut line = Line { comment, plies: Vec::new() };
    let mut position = start.clone();
    for (choice, nags, comment, variation) in drafts {
        let mut other = position.clone();
        let Some(mv) = play(&mut position, choice) else { break };
        let plies = variation.into_iter().map_while(|choice| play(&mut other, choice));
        let variation = Line { comment: String::new(), plies: plies.map(Ply::new).collect() };
        let variations = Some(variation).filter(|line| !line.plies.is_empty());
        line.plies.push(Ply { mv, nags, comment, variations: variations.into_iter().collect() });
    }
    line
}

prop_compose! {
    fn any_game()(
        start in random_position(),
        comment in comment(),
        drafts in drafts(),
        values in prop::collection::vec("\\PC{0,20}", 7),
        result in prop::sample::select(GameResult::NAMED.map(|row| row.0).to_vec()),
    ) -> Game {
        let mut game = Game::new(Position::from_fen(&start.to_fen()).expect("our own FEN"));
        let names = ["Event", "Site", "Date", "Round", "Red", "Black", "Opening"];
        names.iter().zip(values).for_each(|(name, value)| game.set_tag(name, value));
        game.line = line(&game.start, comment, drafts);
        game.result = result;
        game
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn what_is_written_is_read_in_every_form(one in any_game(), two in any_game()) {
        for (form, name) in MoveText::NAMED {
            let write = |game: &Game| pgn::write(game, form).expect("legal moves");
            let text = write(&one) + &write(&two);
            let format = format!("[Format \"{name}\"]\n");
            prop_assert!(text.contains(&format));
            let games: Vec<Game> =
                pgn::read(&text).map(|game| game.expect("our own text")).collect();
            prop_assert!(games.len() == 2 && same(&games[0], &one) && same(&games[1], &two), "{}", text);
        }
    }

    #[test]
    fn no_bytes_make_it_panic_or_go_on_for_ever(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(pgn::read(&decode(&bytes)).count() <= bytes.len());
    }

    #[test]
    fn no_words_make_it_panic_or_go_on_for_ever(words in prop::collection::vec(
        prop::sample::select(vec![
            "[", "]", "\"", "\\", "[A \"b\"]", "[FEN \"", "{", "}", "(", ")", ";", "%", "\n", "\r\n", " ", "$", "$1",
            "1.", "...", "h2e2", "H9-G7", "炮二平五", "马8进7", "b2e2", "!", "?", "1-0", "*", "红", "[B c]\n",
        ]),
        0..60,
    )) {
        let text = words.concat();
        prop_assert!(pgn::read(&text).count() <= text.len());
    }
}
