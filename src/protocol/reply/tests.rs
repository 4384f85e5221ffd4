use crate::protocol::Dialect;

use super::*;

fn parse(line: &str) -> Result<Reply, ParseReplyError> {
    Reply::parse(line.as_bytes())
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(mv).collect()
}

fn best(text: &str, ponder: Option<&str>, draw: bool, resign: bool) -> Reply {
    Reply::BestMove { mv: mv(text), ponder: ponder.map(mv), draw, resign }
}

fn option(name: &str, kind: OptionKind) -> Reply {
    Reply::Option(OptionLine { name: name.to_owned(), kind })
}

fn full_info(score: Eval) -> Info {
    Info {
        depth: Some(9),
        seldepth: Some(14),
        multipv: Some(2),
        score: Some(score),
        nodes: Some(12_345),
        nps: Some(678_900),
        hashfull: Some(31),
        time: Some(Duration::from_millis(18)),
        current_move: None,
        current_move_number: None,
        pv: moves("h2e2 h9g7"),
    }
}

/// The replies as each dialect prints them; every line parses back to what it says.
#[test]
fn printed_lines() {
    let combo = OptionKind::Combo {
        default: "solid".to_owned(),
        values: vec!["solid".to_owned(), "risky".to_owned()],
    };
    let current =
        Info { current_move: Some(mv("a0a1")), current_move_number: Some(7), ..Info::default() };
    for (reply, ucci, uci) in [
        (Reply::HandshakeOk, "ucciok", "uciok"),
        (Reply::ReadyOk, "readyok", "readyok"),
        (
            Reply::Id { key: "name".to_owned(), text: "hanxin 0.1".to_owned() },
            "id name hanxin 0.1",
            "id name hanxin 0.1",
        ),
        (
            option("hashsize", OptionKind::Spin { default: 16, min: 0, max: 1024 }),
            "option hashsize type spin min 0 max 1024 default 16",
            "option name hashsize type spin default 16 min 0 max 1024",
        ),
        (
            option("ponder", OptionKind::Check(true)),
            "option ponder type check default true",
            "option name ponder type check default true",
        ),
        (
            option("style", combo),
            "option style type combo var solid var risky default solid",
            "option name style type combo default solid var solid var risky",
        ),
        (
            option("newgame", OptionKind::Button),
            "option newgame type button",
            "option name newgame type button",
        ),
        (
            option("bookfiles", OptionKind::String(String::new())),
            "option bookfiles type string default <empty>",
            "option name bookfiles type string default <empty>",
        ),
        (
            Reply::Info(full_info(Eval::Points(-7))),
            "info depth 9 seldepth 14 multipv 2 score -7 nodes 12345 nps 678900 time 18 \
             pv h2e2 h9g7",
            "info depth 9 seldepth 14 multipv 2 score cp -7 nodes 12345 nps 678900 hashfull 31 \
             time 18 pv h2e2 h9g7",
        ),
        (Reply::Info(current), "info currmove a0a1", "info currmove a0a1 currmovenumber 7"),
        (
            Reply::Message("hash 16 MB".to_owned()),
            "info message hash 16 MB",
            "info string hash 16 MB",
        ),
        (best("h2e2", None, false, false), "bestmove h2e2", "bestmove h2e2"),
        (
            best("h2e2", Some("h9g7"), true, true),
            "bestmove h2e2 ponder h9g7 draw resign",
            "bestmove h2e2 ponder h9g7",
        ),
        (Reply::NoBestMove, "nobestmove", "bestmove (none)"),
        (
            Reply::PopHash { best: Some(mv("h2e2")), lower: Some((-3, 8)), upper: Some((12, 7)) },
            "pophash bestmove h2e2 lowerbound -3 depth 8 upperbound 12 depth 7",
            "pophash bestmove h2e2 lowerbound -3 depth 8 upperbound 12 depth 7",
        ),
        (Reply::PopHash { best: None, lower: None, upper: None }, "pophash", "pophash"),
    ] {
        for (dialect, line) in [(Dialect::Ucci, ucci), (Dialect::Uci, uci)] {
            assert_eq!(dialect.print_reply(&reply).as_deref(), Some(line));
            let again = Reply::parse(line.as_bytes()).unwrap();
            assert_eq!(dialect.print_reply(&again).as_deref(), Some(line));
        }
    }
}

#[test]
fn uci_has_no_bye_and_no_labels() {
    let label = option("about", OptionKind::Label("hanxin".to_owned()));
    for (reply, ucci) in [(Reply::Bye, "bye"), (label, "option about type label default hanxin")] {
        assert_eq!(Dialect::Ucci.print_reply(&reply).as_deref(), Some(ucci));
        assert_eq!(Dialect::Uci.print_reply(&reply), None);
        assert_eq!(parse(ucci), Ok(reply));
    }
}

#[test]
fn mate_scores() {
    for (eval, ucci, uci) in [
        (Eval::MatedIn(0), "-10000", "mate 0"),
        (Eval::MateIn(1), "9999", "mate 1"),
        (Eval::MateIn(3), "9997", "mate 2"),
        (Eval::MatedIn(2), "-9998", "mate -1"),
        (Eval::Points(-9_000), "-9000", "cp -9000"),
    ] {
        let reply = Reply::Info(Info { depth: Some(0), score: Some(eval), ..Info::default() });
        for (dialect, score) in [(Dialect::Ucci, ucci), (Dialect::Uci, uci)] {
            let line = format!("info depth 0 score {score}");
            assert_eq!(dialect.print_reply(&reply).as_ref(), Some(&line));
            assert_eq!(parse(&line), Ok(reply.clone()));
        }
    }
}

#[test]
fn scores_of_other_engines() {
    for (text, score) in [
        ("cp 12", Some(Eval::Points(12))),
        ("12", Some(Eval::Points(12))),
        ("cp 9999", Some(Eval::Points(9_999))),
        ("+12 upperbound", Some(Eval::Points(12))),
        ("mate +3", Some(Eval::MateIn(5))),
        ("mate -99999999999", Some(Eval::MatedIn(u32::MAX - 1))),
        ("31000", Some(Eval::Points(31_000))),
        ("mate", None),
        ("cp none", None),
    ] {
        let expected = Info { depth: Some(3), score, nodes: Some(5), ..Info::default() };
        assert_eq!(parse(&format!("info depth 3 score {text} nodes 5")), Ok(Reply::Info(expected)));
    }
}

#[test]
fn info_passes_over_what_it_does_not_know() {
    let line =
        "info  depth 12/24 tbhits 0 wdl 1 2 3 score cp 5 lowerbound pv h2e2 h9g7 x string hi";
    let expected = Info {
        depth: Some(12),
        score: Some(Eval::Points(5)),
        pv: moves("h2e2 h9g7"),
        ..Info::default()
    };
    assert_eq!(parse(line), Ok(Reply::Info(expected)));
    assert_eq!(parse("info depth score 3"), parse("info score 3"));
    assert_eq!(parse("info"), Ok(Reply::Info(Info::default())));
    assert_eq!(parse("info string  pv  a0a1 "), Ok(Reply::Message("pv  a0a1".to_owned())));
    let gbk = Reply::parse(b"info message \xc4\xe3");
    assert_eq!(gbk, Ok(Reply::Message("\u{fffd}\u{fffd}".to_owned())));
}

#[test]
fn answers_of_other_engines() {
    for line in
        ["nobestmove", "bestmove (none)", "bestmove null", "bestmove 0000", "bestmove resign\r\n"]
    {
        assert_eq!(parse(line), Ok(Reply::NoBestMove), "{line}");
    }
    for (line, reply) in [
        ("bestmove h2e2 ponder", best("h2e2", None, false, false)),
        ("bestmove h2e2 ponder (none)", best("h2e2", None, false, false)),
        ("bestmove h2e2 draw ponder h9g7", best("h2e2", Some("h9g7"), true, false)),
        ("bestmove h2e2 win resign", best("h2e2", None, false, true)),
    ] {
        assert_eq!(parse(line), Ok(reply), "{line}");
    }
    for word in ["", "draw", "h2e", "h2e2x", "H2E2", "a0a10"] {
        let error = ParseReplyError::BestMove(word.to_owned());
        assert_eq!(parse(&format!("bestmove {word}")), Err(error));
    }
}

#[test]
fn options_of_other_engines() {
    let unbounded = OptionKind::Spin { default: 4, min: i64::MIN, max: i64::MAX };
    let combo = OptionKind::Combo {
        default: "two words".to_owned(),
        values: vec!["one".to_owned(), "two words".to_owned()],
    };
    let path = OptionKind::String("C:\\min max\\a.bin".to_owned());
    for (line, reply) in [
        ("option threads type spin default 4", option("threads", unbounded)),
        (
            "option name Style A type combo var one default two words var two words",
            option("Style A", combo),
        ),
        ("option books type string default C:\\min max\\a.bin", option("books", path)),
        ("option x type string", option("x", OptionKind::String(String::new()))),
        ("option x type check default on", option("x", OptionKind::Check(true))),
        ("option x type check", option("x", OptionKind::Check(false))),
    ] {
        assert_eq!(parse(line), Ok(reply), "{line}");
    }
    for (line, error) in [
        ("option", ParseReplyError::OptionName),
        ("option name type spin", ParseReplyError::OptionName),
        (
            "option x type float",
            ParseReplyError::OptionType { name: "x".to_owned(), kind: "float".to_owned() },
        ),
    ] {
        assert_eq!(parse(line), Err(error), "{line}");
    }
}

#[test]
fn what_is_no_reply() {
    assert_eq!(parse(" \r\n"), Err(ParseReplyError::Blank));
    assert_eq!(parse("id"), Err(ParseReplyError::Id));
    let banner = parse("Fairy-Stockfish by its authors").unwrap_err();
    assert_eq!(banner.to_string(), "unknown reply: \"Fairy-Stockfish\"");
}

#[test]
fn text_is_made_one_ascii_line() {
    let reply = Reply::Message(" move \u{ff48}2 \n\tin\0 Hàn xìn ".to_owned());
    let line = Dialect::Ucci.print_reply(&reply).unwrap();
    assert_eq!(line, "info message move ?2 in H?n x?n");
}

#[test]
fn long_lines_are_cut_at_whole_words() {
    let mut info = full_info(Eval::Points(1));
    info.pv = vec![mv("h2e2"); 500];
    for dialect in [Dialect::Ucci, Dialect::Uci] {
        let line = dialect.print_reply(&Reply::Info(info.clone())).unwrap();
        assert!((990..1000).contains(&line.len()), "{}", line.len());
        assert!(line.ends_with(" h2e2"));
        let text = Reply::Message("words ".repeat(400));
        assert!(dialect.print_reply(&text).unwrap().ends_with(" words"));
    }
}

#[test]
fn values_of_options_are_those_announced() {
    let expected = |line: &str, value: &str| match Reply::parse(line.as_bytes()) {
        Ok(Reply::Option(option)) => option.kind.expected(value),
        other => panic!("{other:?}"),
    };
    let spin = "option level type spin min 1 max 5 default 3";
    let combo = "option style type combo default solid var solid var risky";
    let check = "option ponder type check default false";
    for (line, value) in [
        (spin, "1"),
        (spin, "5"),
        (combo, "Risky"),
        (check, "TRUE"),
        ("option file type string default x", "9"),
        ("option hash type spin", "-9"),
    ] {
        assert_eq!(expected(line, value), None, "{line}: {value}");
    }
    for (line, value, message) in [
        (spin, "0", "a number from 1 to 5"),
        (spin, "6", "a number from 1 to 5"),
        (spin, "x", "a number from 1 to 5"),
        (combo, "wild", "one of solid, risky"),
        (check, "1", "true or false"),
    ] {
        assert_eq!(expected(line, value).as_deref(), Some(message), "{line}: {value}");
    }
}
