//! The protocol's text layer: the byte streams captured from real clients, and properties that keep
//! both ends speaking one language.

use std::time::Duration;

use hanxin::protocol::{
    Command, Dialect, Go, GoTime, Info, OptionKind, OptionLine, PositionText, Reply,
};
use hanxin::{Eval, Move};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
const DIALECTS: [Dialect; 2] = [Dialect::Ucci, Dialect::Uci];

fn assert_stream(stream: &[(&str, Command)]) {
    for (line, command) in stream {
        assert_eq!(Command::parse(line.as_bytes()).as_ref(), Ok(command), "{line:?}");
    }
}

fn option(name: &str, value: &str) -> Command {
    Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }
}

fn position(fen: &str, moves: &str) -> Command {
    Command::Position(PositionText {
        fen: Some(fen.to_owned()),
        moves: moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect(),
        bad_move: None,
    })
}

fn time(amount: i64) -> Option<GoTime> {
    Some(GoTime(amount))
}

#[test]
fn stream_of_the_ucci_league() {
    let fen = format!("{START} w - - 0 1");
    let go = |own, opponent| {
        Command::Go(Go {
            time: time(own),
            increment: time(1_000),
            opp_time: time(opponent),
            opp_increment: time(1_000),
            ..Go::default()
        })
    };
    assert_stream(&[
        ("ucci\n", Command::Handshake(Dialect::Ucci)),
        ("setoption promotion false\n", option("promotion", "false")),
        ("setoption ponder false\n", option("ponder", "false")),
        ("setoption newgame\n", Command::NewGame),
        ("setoption usemillisec true\n", option("usemillisec", "true")),
        ("setoption hashsize 64\r\n", option("hashsize", "64")),
        ("setoption usebook false\r\n", option("usebook", "false")),
        (&format!("position fen {fen}\n"), position(&fen, "")),
        ("go time 60000 increment 1000 opptime 60000 oppincrement 1000\n", go(60_000, 60_000)),
        (&format!("position fen {fen} moves a0a1 a9a8\n"), position(&fen, "a0a1 a9a8")),
        ("go time 60998 increment 1000 opptime 60999 oppincrement 1000\n", go(60_998, 60_999)),
        ("quit\n", Command::Quit),
    ]);
}

#[test]
fn stream_of_uci2wb_in_ucci() {
    let fen = format!("{START} w - - 0 1");
    let reply = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 1";
    assert_stream(&[
        ("isready\n", Command::IsReady),
        ("setoption threads 2\n", option("threads", "2")),
        ("setoption ponder 1\n", option("ponder", "1")),
        (&format!("position fen {fen} moves h2e2\n"), position(&fen, "h2e2")),
        (
            "go time 300000 opptime 300000 oppincrement 2000 increment 2000\n",
            Command::Go(Go {
                time: time(300_000),
                opp_time: time(300_000),
                increment: time(2_000),
                opp_increment: time(2_000),
                ..Go::default()
            }),
        ),
        (&format!("position fen {reply} moves\n"), position(reply, "")),
        (
            "go draw time 291998 opptime 300000 movetime 2970\n",
            Command::Go(Go {
                draw: true,
                time: time(291_998),
                opp_time: time(300_000),
                move_time: time(2_970),
                ..Go::default()
            }),
        ),
        ("go infinite\n", Command::Go(Go { infinite: true, ..Go::default() })),
    ]);
}

#[test]
fn stream_of_uci2wb_in_cyclone_dialect() {
    assert_stream(&[
        ("uci\n", Command::Handshake(Dialect::Uci)),
        ("ucinewgame\n", Command::NewGame),
        ("setoption name threads value 2\n", option("threads", "2")),
        ("setoption name ponder value 1\n", option("ponder", "1")),
        (&format!("fen {START} r moves h2e2\n"), position(&format!("{START} r"), "h2e2")),
        (
            "go btime 300000 wtime 300000 winc 2000 binc 2000\n",
            Command::Go(Go {
                red_time: time(300_000),
                black_time: time(300_000),
                red_increment: time(2_000),
                black_increment: time(2_000),
                ..Go::default()
            }),
        ),
        (
            "go btime 292000 wtime 300000 movetime 2970\n",
            Command::Go(Go {
                red_time: time(300_000),
                black_time: time(292_000),
                move_time: time(2_970),
                ..Go::default()
            }),
        ),
    ]);
}

#[test]
fn stream_of_pypi_cchess() {
    let fen = format!("{START} w");
    assert_stream(&[
        ("ucci\r\n", Command::Handshake(Dialect::Ucci)),
        ("setoption name hashsize value 64\r\n", option("hashsize", "64")),
        ("setoption name usebook value false\r\n", option("usebook", "false")),
        (&format!("position fen {fen}\r\n"), position(&fen, "")),
        ("go depth 5\r\n", Command::Go(Go { depth: Some(5), ..Go::default() })),
        ("stop\r\n", Command::Stop),
        ("go \r\n", Command::Go(Go::default())),
        ("quit\r\n", Command::Quit),
    ]);
}

// What each side can say in a dialect.

fn any_move() -> impl Strategy<Value = Move> {
    (1..=8100u16).prop_map(|bits| Move::unpack(bits).unwrap())
}

fn any_moves(most: usize) -> impl Strategy<Value = Vec<Move>> {
    vec(any_move(), 0..=most)
}

/// One to four printable ASCII words, none of them a keyword: keywords are lower case.
fn any_text() -> impl Strategy<Value = String> {
    "[!-;=@-Z]{1,10}( [!-;=@-Z]{1,10}){0,3}"
}

fn any_time() -> impl Strategy<Value = Option<GoTime>> {
    of((-i64::MAX..=i64::MAX).prop_map(GoTime))
}

fn any_position() -> impl Strategy<Value = PositionText> {
    let fen = of("[0-9A-Za-ln-z/]{1,40}( [wrb]( [-0-9]{1,9}){0,4})?");
    (fen, any_moves(300)).prop_map(|(fen, moves)| PositionText { fen, moves, bad_move: None })
}

fn any_go() -> impl Strategy<Value = Go> {
    let ucci = (any_time(), any_time(), any_time(), any_time(), of(1..u32::MAX));
    let uci = (any_time(), any_time(), any_time(), any_time(), of(1..u32::MAX));
    let limits =
        (of(any::<u32>()), of(0..=i64::MAX as u64), of(1..u32::MAX), any_time(), any_moves(20));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (ucci, uci, limits, flags).prop_map(|(ucci, uci, limits, flags)| {
        let mut go = Go {
            ponder: flags.0,
            draw: flags.1,
            infinite: flags.2,
            depth: limits.0,
            nodes: limits.1,
            mate: limits.2,
            move_time: limits.3,
            time: ucci.0,
            increment: ucci.1,
            moves_to_go: uci.4,
            opp_time: ucci.2,
            opp_increment: ucci.3,
            opp_moves_to_go: ucci.4,
            red_time: uci.0,
            black_time: uci.1,
            red_increment: uci.2,
            black_increment: uci.3,
            search_moves: limits.4,
            ..Go::default()
        };
        // An increment without any time reads as a broken limit.
        go.time = go.time.or(Some(GoTime(1)));
        go
    })
}

/// A name with a blank in it can be said in UCI only.
fn any_command(dialect: Dialect) -> BoxedStrategy<Command> {
    let name = match dialect {
        Dialect::Ucci => "[a-m][a-z]{0,9}x",
        Dialect::Uci => "[a-z]{1,9}x( [a-z]{1,9}x)?",
    };
    prop_oneof![
        Just(Command::Handshake(Dialect::Ucci)),
        Just(Command::Handshake(Dialect::Uci)),
        Just(Command::IsReady),
        (name, of(prop_oneof![Just(String::new()), "[!-;=?-~]([ -~]{0,30}[!-~])?"]))
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        Just(Command::NewGame),
        any_position().prop_map(Command::Position),
        any_moves(120).prop_map(Command::BanMoves),
        any_go().prop_map(Command::Go),
        any::<bool>().prop_map(|draw| Command::PonderHit { draw }),
        Just(Command::Stop),
        any_position().prop_map(Command::Probe),
        Just(Command::Quit),
    ]
    .boxed()
}

/// UCI counts mates in moves, so the winner's plies are odd and the loser's even.
fn any_eval(dialect: Dialect) -> BoxedStrategy<Eval> {
    let points = (-9_000..=9_000).prop_map(Eval::Points);
    match dialect {
        Dialect::Ucci => {
            let mate = (1..1_000u32).prop_map(Eval::MateIn);
            let mated = (0..1_000u32).prop_map(Eval::MatedIn);
            prop_oneof![points, mate, mated].boxed()
        }
        Dialect::Uci => prop_oneof![
            points,
            (1..1_000u32).prop_map(|moves| Eval::MateIn(2 * moves - 1)),
            (0..1_000u32).prop_map(|moves| Eval::MatedIn(2 * moves)),
        ]
        .boxed(),
    }
}

fn any_info(dialect: Dialect) -> impl Strategy<Value = Info> {
    let number = || of(0..=i64::MAX as u64);
    (
        (of(any::<u32>()), of(any::<u32>()), of(any::<u32>()), of(any_eval(dialect))),
        (number(), number(), number(), of(any::<u32>()), of(any::<u32>())),
        (of(any_move()), any_moves(100)),
    )
        .prop_map(move |(head, counts, moves)| Info {
            depth: head.0,
            seldepth: head.1,
            multipv: head.2,
            score: head.3,
            nodes: counts.0,
            nps: counts.1,
            time: counts.2.map(Duration::from_millis),
            hashfull: counts.3.filter(|_| dialect == Dialect::Uci),
            current_move_number: counts.4.filter(|_| dialect == Dialect::Uci),
            current_move: moves.0,
            pv: moves.1,
        })
}

fn any_option(dialect: Dialect) -> impl Strategy<Value = OptionLine> {
    let text = || prop_oneof![Just(String::new()), any_text()];
    let spin = (any::<i32>(), any::<i32>(), any::<i32>()).prop_map(|(default, min, max)| {
        OptionKind::Spin { default: default.into(), min: min.into(), max: max.into() }
    });
    let kind = prop_oneof![
        any::<bool>().prop_map(OptionKind::Check),
        spin,
        (any_text(), vec(any_text(), 0..5))
            .prop_map(|(default, values)| OptionKind::Combo { default, values }),
        Just(OptionKind::Button),
        text().prop_map(OptionKind::String),
        text().prop_map(move |text| match dialect {
            Dialect::Ucci => OptionKind::Label(text),
            Dialect::Uci => OptionKind::String(text),
        }),
    ];
    ("[A-Z][a-z]{0,9}( [A-Z][a-z]{0,9})?", kind).prop_map(|(name, kind)| OptionLine { name, kind })
}

fn any_reply(dialect: Dialect) -> BoxedStrategy<Reply> {
    let ucci = dialect == Dialect::Ucci;
    let bound = || of((-10_000..10_000, any::<u32>()));
    prop_oneof![
        ("[a-z]{1,9}", any_text()).prop_map(|(key, text)| Reply::Id { key, text }),
        any_option(dialect).prop_map(Reply::Option),
        Just(Reply::HandshakeOk),
        Just(Reply::ReadyOk),
        any_info(dialect).prop_map(Reply::Info),
        prop_oneof![Just(String::new()), any_text()].prop_map(Reply::Message),
        (any_move(), of(any_move()), any::<bool>(), any::<bool>()).prop_map(
            move |(mv, ponder, draw, resign)| Reply::BestMove {
                mv,
                ponder,
                draw: draw && ucci,
                resign: resign && ucci,
            }
        ),
        Just(Reply::NoBestMove),
        (of(any_move()), bound(), bound()).prop_map(|(best, lower, upper)| Reply::PopHash {
            best,
            lower,
            upper
        }),
        Just(if ucci { Reply::Bye } else { Reply::ReadyOk }),
    ]
    .boxed()
}

/// The output grammar: what every line an interface gets must look like.
fn assert_reply_line(line: &str) {
    assert!(line.len() + 1 < 1_000, "{} bytes", line.len());
    assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line:?}");
    assert_eq!(line.split(' ').filter(|word| word.is_empty()).count(), 0, "{line:?}");
    let words: Vec<&str> = line.split(' ').collect();
    if words[0] == "info" && !matches!(words.get(1), Some(&"message" | &"string")) {
        let depth = words.iter().position(|&word| word == "depth");
        assert!(depth.is_none_or(|place| place == 1), "{line:?}");
        let mut line_of_play = words.iter().skip_while(|&&word| word != "pv").skip(1);
        assert!(line_of_play.all(|word| word.parse::<Move>().is_ok()), "{line:?}");
    }
}

/// Words of the protocol between arbitrary bytes: reaches further into the parsers than noise.
fn almost_a_line() -> impl Strategy<Value = Vec<u8>> {
    const WORDS: &str = "position fen startpos moves h2e2 go time depth searchmoves infinite \
        setoption name value <empty> banmoves probe ponderhit draw info score cp mate pv string \
        bestmove ponder option type spin combo default var min pophash lowerbound id debug nodes \
        -1 99999999999999999999";
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let word = prop_oneof![
        4 => prop::sample::select(words).prop_map(|word| word.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..6),
    ];
    let blank = prop_oneof![5 => Just(&b" "[..]), 1 => Just(&b"\t "[..]), 1 => Just(&b""[..])];
    vec((word, blank), 0..12).prop_map(|words| {
        words.into_iter().flat_map(|(word, blank)| [word, blank.to_vec()].concat()).collect()
    })
}

proptest! {
    #[test]
    fn no_bytes_are_too_much(line in prop_oneof![vec(any::<u8>(), 0..200), almost_a_line()]) {
        let command = Command::parse(&line);
        let reply = Reply::parse(&line);
        for dialect in DIALECTS {
            if let Ok(command) = &command {
                dialect.print_command(command);
            }
            if let Some(line) = reply.as_ref().ok().and_then(|reply| dialect.print_reply(reply)) {
                assert_reply_line(&line);
            }
        }
    }

    #[test]
    fn messages_of_any_text_are_lines(text in any::<String>()) {
        for dialect in DIALECTS {
            assert_reply_line(&dialect.print_reply(&Reply::Message(text.clone())).unwrap());
        }
    }

    #[test]
    fn ucci_commands_round_trip(command in any_command(Dialect::Ucci)) {
        let line = Dialect::Ucci.print_command(&command);
        prop_assert_eq!(Command::parse(line.as_bytes()), Ok(command), "{}", line);
    }

    #[test]
    fn uci_commands_round_trip(command in any_command(Dialect::Uci)) {
        let line = Dialect::Uci.print_command(&command);
        prop_assert_eq!(Command::parse(line.as_bytes()), Ok(command), "{}", line);
    }

    #[test]
    fn ucci_replies_round_trip(reply in any_reply(Dialect::Ucci)) {
        let line = Dialect::Ucci.print_reply(&reply).unwrap();
        assert_reply_line(&line);
        prop_assert_eq!(Reply::parse(line.as_bytes()), Ok(reply), "{}", line);
    }

    #[test]
    fn uci_replies_round_trip(reply in any_reply(Dialect::Uci)) {
        let line = Dialect::Uci.print_reply(&reply).unwrap();
        assert_reply_line(&line);
        prop_assert_eq!(Reply::parse(line.as_bytes()), Ok(reply), "{}", line);
    }
}
