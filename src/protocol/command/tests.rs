use super::*;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

fn parse(line: &str) -> Result<Command, ParseCommandError> {
    Command::parse(line.as_bytes())
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn position(fen: Option<&str>, list: &str) -> PositionText {
    PositionText { fen: fen.map(str::to_owned), moves: moves(list), bad_move: None }
}

fn set_option(name: &str, value: Option<&str>) -> Command {
    Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
}

fn go(line: &str) -> Go {
    match parse(line) {
        Ok(Command::Go(go)) => go,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn plain_commands() {
    for (line, command) in [
        ("ucci", Command::Handshake(Dialect::Ucci)),
        ("uci", Command::Handshake(Dialect::Uci)),
        ("isready", Command::IsReady),
        ("newgame", Command::NewGame),
        ("ucinewgame", Command::NewGame),
        ("uccinewgame", Command::NewGame),
        ("uxinewgame", Command::NewGame),
        ("ponderhit", Command::PonderHit { draw: false }),
        ("ponderhit draw", Command::PonderHit { draw: true }),
        ("stop", Command::Stop),
        ("quit", Command::Quit),
        (" \t quit  now \r\n", Command::Quit),
        ("quit\0\0", Command::Quit),
    ] {
        assert_eq!(parse(line), Ok(command), "{line:?}");
    }
}

#[test]
fn what_is_no_command() {
    for line in ["", " ", "\t\r\n", "\0"] {
        assert_eq!(parse(line), Err(ParseCommandError::Blank));
    }
    for line in ["ponderhint", "UCCI", "Go depth 3", "setoption", "setoption name", "xyzzy 1"] {
        assert!(matches!(parse(line), Err(ParseCommandError::Unknown(_))), "{line:?}");
    }
    let long = parse(&"x".repeat(1 << 20)).unwrap_err();
    assert_eq!(long.to_string(), format!("unknown command: \"{}\"", "x".repeat(24)));
    assert!(Command::parse(b"\xc4\xe3\xba\xc3 \xff").is_err());
}

#[test]
fn options_of_both_families() {
    for (line, command) in [
        ("setoption hashsize 64\r\n", set_option("hashsize", Some("64"))),
        ("setoption name hashsize value 64\r\n", set_option("hashsize", Some("64"))),
        ("setoption Threads 2", set_option("threads", Some("2"))),
        ("setoption name Move  Overhead value 50", set_option("move overhead", Some("50"))),
        ("setoption name Clear Hash", set_option("clear hash", None)),
        ("setoption name Hash value", set_option("hash", None)),
        ("setoption name SyzygyPath value <empty>", set_option("syzygypath", Some(""))),
        ("setoption bookfiles <empty>", set_option("bookfiles", Some(""))),
        ("setoption bookfiles", set_option("bookfiles", None)),
        (
            "setoption bookfiles C:\\My  Books\\a.bin;b value.bin \r\n",
            set_option("bookfiles", Some("C:\\My  Books\\a.bin;b value.bin")),
        ),
        (
            "setoption name EvalFile value my  nets/a value b.bin",
            set_option("evalfile", Some("my  nets/a value b.bin")),
        ),
        ("setoption newgame", Command::NewGame),
        ("setoption name NewGame", Command::NewGame),
        ("debug on", set_option("debug", Some("on"))),
        ("debug off", set_option("debug", Some("off"))),
        ("debug", set_option("debug", Some("on"))),
    ] {
        assert_eq!(parse(line), Ok(command), "{line:?}");
    }
}

#[test]
fn positions_of_every_shape() {
    let full = format!("{START} w - - 0 1");
    let short = format!("{START} w");
    for (line, expected) in [
        ("position startpos".to_owned(), position(None, "")),
        ("startpos moves h2e2".to_owned(), position(None, "h2e2")),
        ("position startpos moves".to_owned(), position(None, "")),
        ("position startposmoves h2e2 h9g7".to_owned(), position(None, "h2e2 h9g7")),
        ("position startpos - - 0 1 moves h2e2".to_owned(), position(None, "h2e2")),
        (format!("position fen {full}"), position(Some(&full), "")),
        (format!("position  fen\t{full} moves\r\n"), position(Some(&full), "")),
        (format!("position fen {START}"), position(Some(START), "")),
        (format!("position fen {START} moves h2e2"), position(Some(START), "h2e2")),
        (format!("position fen {short}\r\n"), position(Some(&short), "")),
        (format!("position fen {short} moves h2e2"), position(Some(&short), "h2e2")),
        (format!("fen {START} r moves h2e2"), position(Some(&format!("{START} r")), "h2e2")),
        (format!("position fen {full} # note; moves h2e2"), position(Some(&full), "h2e2")),
    ] {
        assert_eq!(parse(&line), Ok(Command::Position(expected.clone())), "{line:?}");
        let probe = line.trim_start_matches("position");
        assert_eq!(parse(&format!("probe {probe}")), Ok(Command::Probe(expected)), "{line:?}");
    }
}

#[test]
fn league_comment_with_gbk_bytes() {
    let line = [
        format!("position fen {START} w - - 0 1   ;").as_bytes(),
        b"\xbf\xaa\xbe\xd6\xff test - - 0 1 moves a0a1",
    ]
    .concat();
    let expected = position(Some(&format!("{START} w - - 0 1")), "a0a1");
    assert_eq!(Command::parse(&line), Ok(Command::Position(expected)));
    let gbk = Command::parse(b"position fen \xbf\xaa w");
    assert_eq!(gbk, Ok(Command::Position(position(Some("\u{fffd}\u{fffd} w"), ""))));
}

#[test]
fn positions_that_name_none() {
    for (line, fault) in [
        ("position", PositionFault::Kind(String::new())),
        ("position rnbakabnr/9 w", PositionFault::Kind("rnbakabnr/9".to_owned())),
        ("position moves h2e2", PositionFault::Kind("moves".to_owned())),
        ("probe", PositionFault::Kind(String::new())),
        ("position fen", PositionFault::NoFen),
        ("position fen moves h2e2", PositionFault::NoFen),
        ("fen", PositionFault::NoFen),
    ] {
        assert_eq!(parse(line), Err(ParseCommandError::Malformed(fault)), "{line:?}");
    }
    let said = parse("position foo").unwrap_err().to_string();
    assert_eq!(said, "position: expected \"fen\" or \"startpos\", found \"foo\"");
}

#[test]
fn move_lists_end_at_the_first_word_that_is_no_move() {
    for (list, good, bad) in [
        ("h2e2 h9g7", "h2e2 h9g7", None),
        ("\u{ff48}\u{ff12}\u{ff45}\u{ff12}", "", Some("\u{ff48}\u{ff12}\u{ff45}\u{ff12}")),
        ("h2e2 H9G7 a0a1", "h2e2", Some("H9G7")),
        ("h2e2 h9g7x", "h2e2", Some("h9g7x")),
        ("j0j1", "", Some("j0j1")),
        ("a9a10", "", Some("a9a10")),
    ] {
        let expected =
            PositionText { fen: None, moves: moves(good), bad_move: bad.map(str::to_owned) };
        let line = format!("position startpos moves {list}");
        assert_eq!(parse(&line), Ok(Command::Position(expected)), "{list}");
    }
}

#[test]
fn bans() {
    assert_eq!(parse("banmoves"), Ok(Command::BanMoves(Vec::new())));
    assert_eq!(parse("banmoves a0a1 b2e2"), Ok(Command::BanMoves(moves("a0a1 b2e2"))));
    assert_eq!(parse("banmoves a0a1 ? b2e2"), Ok(Command::BanMoves(moves("a0a1 b2e2"))));
}

#[test]
fn go_in_every_form() {
    let time = |amount| Some(GoTime(amount));
    for (line, expected) in [
        ("go", Go::default()),
        ("go \r\n", Go::default()),
        ("go infinite", Go { infinite: true, ..Go::default() }),
        ("go ponder infinite", Go { ponder: true, infinite: true, ..Go::default() }),
        ("go depth 0", Go { depth: Some(0), ..Go::default() }),
        ("go  depth\t6", Go { depth: Some(6), ..Go::default() }),
        ("go depth6", Go { depth: Some(6), ..Go::default() }),
        ("go depth 99999999999999999999", Go { depth: Some(u32::MAX), ..Go::default() }),
        ("go nodes 1000000", Go { nodes: Some(1_000_000), ..Go::default() }),
        ("go nodes -1", Go { nodes: Some(0), ..Go::default() }),
        ("go mate 3", Go { mate: Some(3), ..Go::default() }),
        ("go movetime 50", Go { move_time: time(50), ..Go::default() }),
        ("go time 500 depth 10", Go { time: time(500), depth: Some(10), ..Go::default() }),
        ("go time 500 time 300 time 400", Go { time: time(300), ..Go::default() }),
        ("go time -5 increment 100", Go { time: time(-5), increment: time(100), ..Go::default() }),
        ("go time 3 movestogo 1", Go { time: time(3), moves_to_go: Some(1), ..Go::default() }),
        ("go time 300increment 3", Go { time: time(300), increment: time(3), ..Go::default() }),
        (
            "go draw time 60000 movestogo 40 opptime 50000 oppincrement 7 oppmovestogo 39",
            Go {
                draw: true,
                time: time(60_000),
                moves_to_go: Some(40),
                opp_time: time(50_000),
                opp_increment: time(7),
                opp_moves_to_go: Some(39),
                ..Go::default()
            },
        ),
        (
            "go btime 300000 wtime 200000 winc 2000 binc 1000",
            Go {
                red_time: time(200_000),
                black_time: time(300_000),
                red_increment: time(2_000),
                black_increment: time(1_000),
                ..Go::default()
            },
        ),
        (
            "go searchmoves a0a1 b2e2 depth 4",
            Go { depth: Some(4), search_moves: moves("a0a1 b2e2"), ..Go::default() },
        ),
        ("go ponder wtime 1000", Go { ponder: true, red_time: time(1_000), ..Go::default() }),
    ] {
        assert_eq!(go(line), expected, "{line:?}");
    }
}

#[test]
fn go_drops_what_makes_no_sense() {
    for (line, broken_limit, dropped) in [
        ("go fast", false, &["fast"][..]),
        ("go depth", true, &["depth"]),
        ("go depth five", true, &["depth", "five"]),
        ("go depth -3", true, &["depth", "-3"]),
        ("go time increment 5", true, &["time"]),
        ("go time 300xyz 3", false, &["xyz", "3"]),
        ("go mate 0", true, &["mate", "0"]),
        ("go movestogo 0", true, &["movestogo", "0"]),
        ("go time \u{ff15}", true, &["time", "\u{ff15}"]),
        ("go searchmoves depth 1", false, &["searchmoves"]),
        ("go searchmoves a0a1 a0a1x", false, &["a0a1x"]),
        ("go 5", false, &["5"]),
    ] {
        let go = go(line);
        assert_eq!(go.broken_limit, broken_limit, "{line:?}");
        assert_eq!(go.dropped, dropped, "{line:?}");
    }
}

#[test]
fn an_increment_alone_is_a_broken_limit() {
    for line in ["go winc 100 binc 100", "go increment 5", "go movestogo 20", "go oppmovestogo 2"] {
        assert!(go(line).broken_limit, "{line}");
    }
    assert!(!go("go movestogo 20 opptime 5").broken_limit);
}

#[test]
fn huge_lines_keep_little() {
    let line = "go ".to_owned() + &"a ".repeat(5 << 20);
    assert_eq!(go(&line).dropped.len(), DROPPED_WORDS);
    let line = format!("position fen {START} {} moves h2e2", "x ".repeat(5 << 20));
    let Ok(Command::Position(position)) = parse(&line) else { panic!("no position") };
    assert_eq!(position.fen, Some(format!("{START} x x x x x")));
    assert_eq!(position.moves, moves("h2e2"));
}

#[test]
fn times_have_the_unit_of_the_session() {
    assert_eq!(GoTime(3).duration(true), Duration::from_millis(3));
    assert_eq!(GoTime(3).duration(false), Duration::from_secs(3));
    assert_eq!(GoTime(-3).duration(false), Duration::ZERO);
    assert_eq!(GoTime(i64::MAX).duration(false), Duration::from_secs(i64::MAX as u64));
}

#[test]
fn the_value_of_an_option_is_read_in_the_encoding_of_the_interface() {
    let value = |line: &[u8]| match Command::parse(line) {
        Ok(Command::SetOption { value, .. }) => value,
        other => panic!("{other:?}"),
    };
    let expected = Some("D:\\棋谱\\a b.book".to_owned());
    assert_eq!(value("setoption bookfiles D:\\棋谱\\a b.book".as_bytes()), expected);
    assert_eq!(value(b"setoption bookfiles D:\\\xC6\xE5\xC6\xD7\\a b.book\r\n"), expected);
}
