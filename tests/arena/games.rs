//! What engines are told, and how games end.

use encoding_rs::BIG5;
use hanxin::arena::Opening;
use hanxin::record::pgn;

use crate::harness::{Match, faults};

fn write_openings(event: &Match, text: &str) -> String {
    let path = event.path("openings.txt");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// The numbers behind a word in all lines that have it.
fn numbers(transcript: &str, word: &str) -> Vec<i64> {
    let lines = transcript.lines().map(|line| line.split(' ').skip_while(|&w| w != word).nth(1));
    lines.flatten().map(|number| number.parse().unwrap()).collect()
}

#[test]
fn a_clock_within_its_margin_never_shows_nothing() {
    let event = Match::new()
        .engine("is a little late", &["tc=200ms+50ms", "timemargin=1000"])
        .engine("is good", &["tc=1s+1s"])
        .args(&["--games", "1", "--maxplies", "12"]);
    event.run();
    assert!(faults(&event.games()[0]).is_empty(), "{:?}", event.games());
    let own = numbers(&event.transcript("is a little late"), "time");
    assert_eq!(own.len(), 6);
    // Late by 200 ms: the clock shows the increment alone.
    assert!(own.iter().all(|&time| time > 0) && own.contains(&50), "{own:?}");
    let seen = numbers(&event.transcript("is good"), "opptime");
    assert!(seen.iter().all(|&time| time > 0), "{seen:?}");
}

#[test]
fn clocks_in_stages_tell_the_moves_to_go() {
    let event = Match::new()
        .engine("is good", &["tc=2/10s:3/5s"])
        .engine("surprises", &["proto=uci", "tc=5m+3s"])
        .args(&["--games", "1", "--maxplies", "12"]);
    event.run();
    let ucci = event.transcript("is good");
    assert_eq!(numbers(&ucci, "movestogo"), [2, 1, 3, 2, 1, 3]);
    assert!(numbers(&ucci, "increment").is_empty(), "{ucci}");
    assert_eq!(numbers(&ucci, "oppincrement"), [3000; 6]);
    let uci = event.transcript("surprises");
    assert_eq!(numbers(&uci, "binc"), [3000; 6]);
    assert!(numbers(&uci, "wtime").iter().all(|&time| 0 < time && time <= 20_000), "{uci}");
}

#[test]
fn fixed_limits_are_told_in_the_words_of_each_dialect() {
    let event = Match::new()
        .engine("is good", &["st=1.5", "nodes=100"])
        .engine("surprises", &["proto=uci", "st=1500ms", "depth=3"])
        .args(&["--games", "1", "--maxplies", "2"]);
    event.run();
    assert!(event.transcript("is good").contains("\ngo time 1500 movestogo 1 nodes 100\n"));
    assert!(event.transcript("surprises").contains("\ngo movetime 1500 depth 3\n"));
}

#[test]
fn ucci_engines_get_the_game_behind_the_last_capture() {
    let event = Match::new()
        .engine("is good", &["depth=1"])
        .engine("surprises", &["depth=1", "proto=uci"])
        .args(&["--games", "1", "--maxplies", "5"]);
    // The cannon takes the horse, the rook takes back.
    let openings = write_openings(&event, "startpos moves b2b9 a9b9\n");
    let event = event.args(&["--openings", &openings]);
    event.run();
    let ucci = event.transcript("is good");
    let first =
        "position fen 1rbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/7C1/9/RNBAKABNR w - - 0 2\n";
    assert!(ucci.contains(first), "{ucci}");
    assert!(
        event.transcript("surprises").contains(" w - - 0 1 moves b2b9 a9b9 "),
        "UCI: all moves"
    );
}

#[test]
fn engines_that_know_no_move_limit_draw_by_it() {
    let event = Match::new()
        .engine("is good", &["depth=1"])
        .engine("surprises", &["depth=1"])
        .args(&["--games", "1"]);
    let openings = write_openings(&event, "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 118 90");
    let event = event.args(&["--openings", &openings]);
    event.run();
    let game = &event.games()[0];
    assert_eq!((&game["verdict"], &game["reason"]), (&"draw".into(), &"move_limit".into()));
    assert_eq!(game["moves"].as_array().unwrap().len(), 2);
}

#[test]
fn openings_with_nothing_to_play_are_refused() {
    let cycle = "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9";
    let long_check = format!("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1 moves {cycle}");
    for (opening, message) in [
        ("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 120 90", "2 is over before it begins: sixty rounds "),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "2 is over before it begins: neither side "),
        (&long_check, "2 is over before it begins: perpetual check"),
        ("h2e2 h9g7 h0g2 i9h9", "2 has 4 plies, and games end at 4: plies= takes less of it"),
    ] {
        let event = Match::new()
            .engine("is good", &["depth=1"])
            .engine("surprises", &["depth=1"])
            .args(&["--maxplies", "4"]);
        let openings = write_openings(&event, &format!("h2e2\n{opening}\n"));
        let output = event.command_with(&["--openings", &openings]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with(&format!("hanxin: openings: opening {message}")), "{error}");
        assert_eq!((output.status.code(), event.games().len()), (Some(2), 0));
    }
}

#[test]
fn draws_are_agreed_only_when_asked_for() {
    for (flag, reason) in [(&["--draw-offers"][..], "agreement"), (&[], "adjudication")] {
        let event = Match::new()
            .engine("offers a draw", &["depth=1"])
            .engine("accepts draws", &["depth=1"])
            .args(&["--games", "1", "--maxplies", "20"])
            .args(flag);
        event.run();
        assert_eq!(event.games()[0]["reason"], reason);
        assert_eq!(event.games()[0]["verdict"], "draw");
        let told = event.transcript("accepts draws");
        assert_eq!(told.contains("\ngo draw "), !flag.is_empty(), "{told}");
    }
}

#[test]
fn resignations_count_only_when_asked_for() {
    for (flag, reason) in [(&["--resignations"][..], "resignation"), (&[], "adjudication")] {
        let event = Match::new()
            .engine("resigns", &["depth=1"])
            .engine("is good", &["depth=1"])
            .args(&["--games", "1", "--maxplies", "20"])
            .args(flag);
        event.run();
        assert_eq!(event.games()[0]["reason"], reason);
    }
}

#[test]
fn moves_that_lose_by_repetition_are_banned() {
    let perpetual =
        "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1 moves a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9";
    let event = Match::new()
        .engine("is good", &["depth=1"])
        .engine("surprises", &["depth=1"])
        .args(&["--games", "1", "--maxplies", "9", "--banmoves"]);
    let openings = write_openings(&event, perpetual);
    let event = event.args(&["--openings", &openings]);
    event.run();
    let told = event.transcript("is good");
    assert!(told.contains("\nbanmoves a8a9\n"), "{told}");
}

#[test]
fn pondering_hits_and_misses() {
    let event = Match::new()
        .engine("is good", &["ponder=on", "tc=5s+1s"])
        .engine("ponders too", &["ponder=on", "tc=5s+1s", "proto=uci"])
        .engine("surprises", &["tc=5s+1s"])
        .args(&["--games", "1", "--maxplies", "12"]);
    event.run();
    assert!(event.games().iter().all(|game| faults(game).is_empty()), "{:?}", event.games());
    // The last game of "is good" was the one with surprises, of "ponders too" as well.
    let told = event.transcript("is good");
    assert!(told.contains("setoption ponder true\n") && told.contains("go ponder time "), "{told}");
    assert!(told.contains("\nstop\nposition "), "{told}");
}

#[test]
fn a_hit_is_told_with_ponderhit() {
    let event = Match::new()
        .engine("is good", &["ponder=on", "tc=5s+1s"])
        .engine("ponders too", &["ponder=on", "tc=5s+1s", "proto=uci"])
        .args(&["--games", "1", "--maxplies", "12"]);
    event.run();
    for script in ["is good", "ponders too"] {
        let told = event.transcript(script);
        assert_eq!(told.matches("ponderhit\n").count(), 5, "{told}");
    }
}

#[test]
fn adjudication_takes_scores_at_their_word() {
    let event = Match::new()
        .engine("is good", &["depth=1"])
        .engine("surprises", &["depth=1"])
        .args(&["--games", "1", "--draw", "number=1", "count=2", "score=10"]);
    let openings = write_openings(&event, "startpos moves h2e2 h9g7\n");
    let event = event.args(&["--openings", &openings]);
    event.run();
    let game = &event.games()[0];
    assert_eq!((&game["verdict"], &game["reason"]), (&"draw".into(), &"adjudication".into()));
    assert_eq!(game["moves"].as_array().unwrap().len(), 6);
}

#[test]
fn wrong_usage_is_one_line_and_status_2() {
    let engine = &["--engine", "cmd=true", "depth=1", "name=a"];
    let missing = &["--engine", "cmd=/no/such/engine", "depth=1"];
    for (args, message) in [
        (&[][..], "a match needs at least two engines"),
        (
            &[&engine[..], missing].concat(),
            "engine engine cannot be started: /no/such/engine: No such ",
        ),
        (
            &["--engine", "cmd=true", "dir=/no/such/folder", "depth=1", "name=b"]
                .into_iter()
                .chain(engine.iter().copied())
                .collect::<Vec<_>>(),
            "engine b cannot be started: true in folder /no/such/folder: No such file",
        ),
        (
            &["--engine", "cmd=true", "depth=1", "name=b", "--rounds", "1000000", "--games", "200"]
                .into_iter()
                .chain(engine.iter().copied())
                .collect::<Vec<_>>(),
            "200000000 games are too many (at most 2000000)",
        ),
        (&[&engine[..], engine].concat(), "two engines are called a: give one another name="),
        (
            &["--engine", "cmd=true", "depth=1", "name=\u{1b}[31m"]
                .into_iter()
                .chain(engine.iter().copied())
                .collect::<Vec<_>>(),
            "engine name \"\\u{1b}[31m\" has a character that cannot be shown",
        ),
        (&["--engine", "hash=1"], "no setting \"hash\" (one of name, "),
        (&["--engine", "tc=1:30"], "tc=1:30: \"1:30\" has a second stage but no moves "),
        (&["--start-limit", "0"], "invalid value '0' for '--start-limit <TIME>': \"0\" is no time"),
        (&["--ready-limit", "0s"], "invalid value '0s' for '--ready-limit <TIME>': "),
        (&["--answer-limit", "0ms"], "invalid value '0ms' for '--answer-limit <TIME>': "),
        (&["--move-limit", "0.0"], "invalid value '0.0' for '--move-limit <TIME>': "),
        (&["--resign", "points=3"], "--resign: no setting \"points\" (one of score, "),
        (&["--sprt", "elo0=5", "elo1=0"], "--sprt: elo0 must be below elo1"),
        (&["--openings", "/no/such/file"], "--openings: /no/such/file: cannot read "),
        (&["--openings", "encoding=morse"], "--openings: encoding=morse makes no sense"),
        (&["--openings", "order=upwards"], "--openings: order=upwards makes no sense"),
        (&["--pgn", "moves=wxf", "file=x"], "--pgn: moves=wxf makes no sense"),
        (&["--pgn", "moves=iccs"], "--pgn: no file is named"),
        (&["--pgn", "x", "--pgn", "y"], "--pgn: file is set twice, by x and by y\n"),
        (&["--pgn", "x", "file=y"], "--pgn: file is set twice, by x and by file=y\n"),
        (
            &["--rounds", "1", "--rounds", "2"],
            "the argument '--rounds <N>' cannot be used multiple ",
        ),
        (
            &["--draw", "count=1", "--draw", "count=2"],
            "--draw: count is set twice, by count=1 and ",
        ),
        (&["--engine", "nodes=5", "nodes=6"], "--engine: nodes is set twice, by nodes=5 and by "),
        (&["--each", "option.Hash=1", "option.hash=2"], "--each: option.hash is set twice, by "),
        (&["--pairs", "1:1"], "--pairs: no pair of engines \"1:1\""),
        (&["--config", "/no/such/file"], "/no/such/file: "),
    ] {
        let output = Match::new().args(args).command().output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.starts_with(&format!("hanxin: {message}")), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}

#[test]
fn a_file_of_options_and_the_command_line_add_up() {
    let event = Match::new();
    let (first, second) = (event.script("is good"), event.script("surprises"));
    let config = event.path("event.toml");
    let text = format!(
        "rounds = 7\nresignations = true\nmaxplies = 6\n\n[each]\ndepth = 9\noption.ponder = false\n\n\
         [[engine]]\nname = \"one\"\ncmd = {first:?}\n\n[[engine]]\nname = \"two\"\ncmd = {second:?}\n"
    );
    std::fs::write(&config, text).unwrap();
    let event =
        event.args(&["--config", config.to_str().unwrap(), "--rounds", "2", "--each", "depth=1"]);
    event.run();
    assert_eq!(event.games().len(), 4);
    assert_eq!(event.games()[0]["moves"].as_array().unwrap().len(), 6);
    let told = event.transcript("is good");
    assert!(told.contains("setoption ponder false\n") && told.contains("\ngo depth 1\n"), "{told}");
}

#[test]
fn a_file_of_options_takes_arrays_as_they_are() {
    let event = Match::new();
    let command = event.script("is good");
    let args = r#"["a b", "it's", "\"", ""]"#;
    let shell = r#"["sh", "-c", "printf '%s|' \"$@\" >seen; sleep 9", "sh"]"#;
    let dir = event.path("").display().to_string();
    let text = format!(
        r#"{{"each": {{"depth": 1}}, "games": 1, "maxplies": 2, "engine": [
            {{"name": "sh", "cmd": {shell}, "args": {args}, "dir": {dir:?}}},
            ["name=good", {good:?}]]}}"#,
        good = format!("cmd={command}"),
    );
    let config = file(&event, "event.json");
    std::fs::write(&config, text).unwrap();
    let event = event.args(&["--config", &config]);
    event.run();
    assert_eq!(std::fs::read_to_string(event.path("seen")).unwrap(), "a b|it's|\"||");
}

#[test]
fn values_that_mean_nothing_in_a_file_of_options_are_named() {
    let event = Match::new();
    for (name, text, message) in [
        ("a.json", r#"{"rounds": null}"#, "rounds: null is no text, number or boolean"),
        ("b.json", r#"{"each": {"nodes": [1]}}"#, "nodes: [1] is no text, number or boolean"),
        ("c.json", r#"{"pairs": ["1:2", 3, null]}"#, "pairs: null is no text"),
        ("d.toml", "help = true", "help is for the command line alone"),
        ("e.toml", "config = \"x\"", "config is for the command line alone"),
        ("f.toml", "log = \"x\"", "log is for the command line alone"),
        ("g.toml", "pgn = [\"x\", \"y\"]", "--pgn: file is set twice, by x and by y"),
    ] {
        let config = file(&event, name);
        std::fs::write(&config, text).unwrap();
        let output = event.command().args(["--config", &config]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with(&format!("hanxin: {config}: {message}")), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// From the end of one move to the end of the next: the runner's own work, both pipes, and the little
/// that a scripted engine does. The best game of several counts, since tests share the machine.
#[test]
fn a_move_costs_less_than_a_millisecond() {
    let event = Match::new()
        .engine("is good", &["tc=10s+1s"])
        .engine("surprises", &["proto=uci", "tc=10s+1s"])
        .args(&["--rounds", "3", "--banmoves", "--maxplies", "300"]);
    event.run();
    let cost = |game: &serde_json::Value| {
        let plies = game["moves"].as_array().unwrap().len();
        game["duration_ms"].as_f64().unwrap() / plies as f64
    };
    let best = event.games().iter().map(cost).fold(f64::INFINITY, f64::min);
    assert!(best < 1.0, "{best} ms a move");
}

fn file(event: &Match, name: &str) -> String {
    event.path(name).display().to_string()
}

#[test]
fn a_pgn_file_tells_why_a_game_was_lost() {
    let event = Match::new()
        .engine("plays an illegal move", &["depth=1"])
        .engine("is good", &["depth=1"])
        .args(&["--games", "1"]);
    let path = file(&event, "games.pgn");
    let event = event.args(&["--pgn", &path, "moves=chinese"]);
    event.run();
    let text = std::fs::read_to_string(&path).unwrap();
    let game = pgn::read(&text).next().unwrap().unwrap();
    let reason = game.tag("Termination").unwrap();
    let begin = "illegal move; plays an illegal move: illegal move: ";
    assert!(reason.starts_with(begin) && reason.contains("a0a5"), "{reason}");
    let last = game.line.plies.last().unwrap();
    assert!(last.comment.ends_with(reason), "{}", last.comment);
    assert_eq!(game.moves().count(), event.games()[0]["moves"].as_array().unwrap().len());
    assert!(text.contains("[Format \"Chinese\"]\n") && text.contains("\n1. "), "{text}");
}

/// In Big5, which as GB18030 would be other characters and no moves.
#[test]
fn a_file_in_a_named_encoding_is_read() {
    let event = Match::new()
        .engine("is good", &["depth=1"])
        .engine("surprises", &["depth=1"])
        .args(&["--games", "1", "--maxplies", "4"]);
    let path = file(&event, "big5.pgn");
    let (text, encoding, _) = BIG5.encode("1. 炮二平五 馬8進7 *");
    assert_eq!(encoding, BIG5);
    std::fs::write(&path, text).unwrap();
    let guessed = event.command_with(&["--openings", &path]).output().unwrap();
    assert_eq!(guessed.status.code(), Some(2));
    let event = event.args(&["--openings", &path, "encoding=big5"]);
    event.run();
    let (words, of_opening) = moves(&event, 0);
    assert_eq!((&words[..2], of_opening), (&["h2e2".to_owned(), "h9g7".to_owned()][..], 2));
}

/// The moves of a game, and how many of them were the opening's.
fn moves(event: &Match, game: usize) -> (Vec<String>, usize) {
    let games = event.games();
    let moves = games[game]["moves"].as_array().unwrap();
    let words = moves.iter().map(|mv| mv["move"].as_str().unwrap().to_owned()).collect();
    (words, moves.iter().filter(|mv| mv.get("time_us").is_none()).count())
}

#[test]
fn without_a_file_the_openings_are_the_built_in_ones() {
    let built_in = Opening::built_in().unwrap();
    let event = Match::with_built_in_openings()
        .engine("is good", &["depth=1"])
        .engine("surprises", &["depth=1"])
        .args(&["--rounds", "2", "--maxplies", "12"]);
    event.run();
    for game in 0..4 {
        let opening = &built_in[game / 2].moves;
        let opening: Vec<String> = opening.iter().map(ToString::to_string).collect();
        let (moves, of_opening) = moves(&event, game);
        assert_eq!((&moves[..of_opening], moves.len()), (&opening[..], 12));
    }
}

#[test]
fn games_of_a_match_are_openings_of_the_next() {
    let first = Match::new()
        .engine("is good", &["depth=1"])
        .engine("surprises", &["depth=1"])
        .args(&["--maxplies", "9"]);
    let path = file(&first, "games.pgn");
    let first = first.args(&["--pgn", &path]);
    first.run();
    let second = Match::new()
        .engine("is good", &["depth=1"])
        .engine("surprises", &["depth=1"])
        .args(&["--games", "1", "--maxplies", "7", "--openings", &path, "plies=5"]);
    second.run();
    let (words, of_opening) = moves(&second, 0);
    assert_eq!(words[..5], moves(&first, 0).0[..5]);
    assert_eq!((of_opening, words.len()), (5, 7));
}
