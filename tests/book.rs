//! Opening books end to end: the book in the repository, the commands, and the engine behind pipes.

#[path = "support/process.rs"]
mod process;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use hanxin::book::{Book, Builder, Compiled, Ecco, Entry, Opening, Walk, source};
use hanxin::{Move, Position};
use process::Process;
use tempfile::TempDir;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/book");
const BUILT: &[u8] = include_bytes!("../book/hanxin.book");

/// A folder that goes away with the test.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// A book of this text.
    fn book(&self, name: &str, text: &str) -> String {
        let file = self.file(name);
        fs::write(&file, build(text).encode()).unwrap();
        file
    }
}

fn build(text: &str) -> Compiled {
    let mut builder = Builder::default();
    source::lines(text).for_each(|line| builder.add_line(&line.unwrap()));
    builder.build()
}

fn after(moves: &str) -> Position {
    let mut position = Position::startpos();
    moves.split_whitespace().for_each(|mv| position.play(mv.parse().unwrap()).unwrap());
    position
}

fn hanxin(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hanxin")).arg("book").args(args).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Sends lines and returns what is said up to the answer, which comes last.
fn ask(engine: &mut Process, lines: &[&str]) -> Vec<String> {
    lines.iter().for_each(|line| engine.send(line));
    let mut said = Vec::new();
    loop {
        let line = engine.read_line().expect("an answer");
        let is_answer = line.starts_with("bestmove") || line == "nobestmove";
        said.push(line);
        if is_answer {
            return said;
        }
    }
}

fn is_from_book(said: &[String]) -> bool {
    said.iter().any(|line| line.contains(" book: "))
}

#[test]
fn the_built_book_is_that_of_the_text() {
    let scratch = Scratch::new();
    let file = scratch.file("rebuilt.book");
    stdout(&hanxin(&["build", FOLDER, "--output", &file]));
    let rebuilt = fs::read(file).unwrap();
    assert!(rebuilt == BUILT, "hanxin book build book --output book/hanxin.book");
}

#[test]
fn every_move_of_the_book_is_reached_and_legal() {
    let book = Compiled::decode(BUILT).unwrap();
    let records = book.records().len();
    let positions = book.positions();
    let walk = Walk::new(&Book::Compiled(book)).collect::<Result<Vec<_>, _>>();
    let known = walk.expect("a sound book");
    assert_eq!(known.len(), positions);
    assert_eq!(known.iter().map(|known| known.entries.len()).sum::<usize>(), records);
}

#[test]
fn named_openings_are_their_own_classification() {
    let ecco = Ecco::embedded();
    let codes: BTreeSet<&str> = ecco.openings().iter().map(|it| it.code.as_str()).collect();
    assert!(codes.len() >= 5, "{codes:?}");
    let start = Position::startpos();
    for opening in ecco.openings() {
        let found = ecco.classify(&start, opening.moves.iter().copied());
        assert_eq!(found, Some(opening));
        let mirrored = opening.moves.iter().map(|mv| mv.mirror());
        assert_eq!(ecco.classify(&start, mirrored), Some(opening), "mirrored");
    }
    let fen = "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1";
    let ending = Position::from_fen(fen).unwrap();
    assert_eq!(ecco.classify(&ending, ["a0a9".parse().unwrap()]).map(Opening::to_string), None);
}

/// Names say left and right, and files, as the moves of the line have them and not its mirror image.
#[test]
fn names_of_lines_have_the_orientation_of_their_moves() {
    let mut named = 0;
    for entry in fs::read_dir(FOLDER).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|name| name != "txt") || path.ends_with("ecco.txt") {
            continue;
        }
        for line in source::lines(&fs::read_to_string(&path).unwrap()) {
            let line = line.unwrap();
            let moves: Vec<String> = line.moves.iter().map(Move::to_string).collect();
            for (part, mv) in [
                ("转左中炮", "b2e2"),
                ("转右中炮", "h2e2"),
                ("转中炮对卒底炮", "h2e2"),
                ("连进3卒", "c5c4"),
                ("连进7卒", "g5g4"),
            ] {
                if line.name.contains(part) {
                    named += 1;
                    assert!(moves.iter().any(|it| it == mv), "{}: {moves:?}", line.name);
                }
            }
        }
    }
    assert!(named > 0);
}

#[test]
fn screen_horses_are_found_after_an_exchange_of_pawn_moves() {
    let ecco = Ecco::embedded();
    let name = |moves: &str| {
        let moves = moves.split(' ').map(|mv| mv.parse().unwrap());
        ecco.classify(&Position::startpos(), moves).map(Opening::to_string)
    };
    let screens = Some("C00 中炮对屏风马".to_owned());
    assert_eq!(name("h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 c3c4 b9c7"), screens);
    assert_eq!(name("h2e2 h9g7 h0g2 i9h9 i0h0 c6c5 g3g4 b9c7"), screens);
}

/// Report B02: a mirrored position is found, and answered with mirrored moves.
#[test]
fn b02_mirrored_positions_have_mirrored_moves() {
    let book = build("h0g2 h9g7 ; 3\nh0g2 b9c7 ; 2");
    let probe = |moves: &str| -> BTreeSet<String> {
        book.probe(&after(moves)).iter().map(|entry| entry.mv.to_string()).collect()
    };
    assert_eq!(probe("h0g2"), ["h9g7", "b9c7"].map(String::from).into());
    assert_eq!(probe("b0c2"), ["b9c7", "h9g7"].map(String::from).into());
    let weight = |moves: &str, mv: &str| {
        let mv: Move = mv.parse().unwrap();
        let entries = book.probe(&after(moves));
        entries.iter().find(|entry| entry.mv == mv).map(|entry: &Entry| entry.weight)
    };
    assert_eq!((weight("h0g2", "h9g7"), weight("b0c2", "b9c7")), (Some(3), Some(3)));
}

/// Report B04: neither a banned move nor one that repeats a position comes from a book.
#[test]
fn b04_banned_and_repeating_moves_are_not_taken_from_a_book() {
    let scratch = Scratch::new();
    let file = scratch.book("one.book", "i0i1 ; 1");
    let mut engine = Process::greeted("ucci");
    let bookfiles = format!("setoption bookfiles {file}");
    let said = ask(&mut engine, &[&bookfiles, "position startpos", "go depth 1"]);
    assert!(is_from_book(&said), "{said:?}");
    assert_eq!(said.last().unwrap(), "bestmove i0i1");
    let line = said.iter().find(|line| line.starts_with("info depth 0 ")).expect("a line");
    assert!(line.ends_with(" pv i0i1"), "{line}");

    let said = ask(&mut engine, &["position startpos", "banmoves i0i1", "go depth 1"]);
    assert!(!is_from_book(&said), "{said:?}");
    let shuffle = "position startpos moves i0i1 i9i8 i1i0 i8i9 i0i1 i9i8 i1i0 i8i9";
    let said = ask(&mut engine, &[shuffle, "go depth 1"]);
    assert!(!is_from_book(&said), "{said:?}");
    let said = ask(&mut engine, &["position startpos", "go depth 1 searchmoves h2e2"]);
    assert!(!is_from_book(&said), "{said:?}");
}

/// Report B06: off means off, and analysis is never answered from a book.
#[test]
fn b06_off_is_total() {
    let mut engine = Process::greeted("ucci");
    assert!(is_from_book(&ask(&mut engine, &["position startpos", "go depth 5"])));
    let said = ask(&mut engine, &["go mate 1 depth 2"]);
    assert!(!is_from_book(&said), "{said:?}");
    engine.send("go infinite");
    let said = ask(&mut engine, &["stop"]);
    assert!(!is_from_book(&said), "{said:?}");
    let said = ask(&mut engine, &["setoption usebook false", "position startpos", "go depth 5"]);
    assert!(!is_from_book(&said), "{said:?}");
    assert!(said.iter().any(|line| line.starts_with("info depth 5 ")), "{said:?}");

    let mut engine = Process::greeted("uci");
    assert!(!is_from_book(&ask(&mut engine, &["position startpos", "go depth 5"])));
    let said = ask(&mut engine, &["setoption name OwnBook value true", "go depth 5"]);
    assert!(is_from_book(&said), "{said:?}");
    let said = ask(&mut engine, &["setoption name BookDepth value 0", "go depth 2"]);
    assert!(!is_from_book(&said), "{said:?}");
}

#[test]
fn a_missing_book_is_one_message_and_the_others_are_read() {
    let scratch = Scratch::new();
    let good = scratch.book("开局 a.book", "a3a4 ; 1");
    let bad = scratch.file("bad.book");
    fs::write(&bad, "hanxin book\nxxxx").unwrap();
    let mut engine = Process::greeted("ucci");
    let bookfiles = format!("setoption bookfiles no-such.book; {bad} ;no-such.book;{good};{bad}");
    let said = ask(&mut engine, &[&bookfiles, "position startpos", "go depth 1"]);
    let messages: Vec<&String> =
        said.iter().filter(|line| line.starts_with("info message book ")).collect();
    assert_eq!(messages.len(), 2, "{said:?}");
    assert!(messages[0].contains("no-such.book: "), "{said:?}");
    assert!(messages[1].contains("bad.book: damaged at byte 16: "), "{said:?}");
    assert_eq!(said.last().unwrap(), "bestmove i3i4");
}

#[test]
fn a_name_of_any_length_leaves_room_for_the_reason() {
    let mut engine = Process::greeted("ucci");
    let bookfiles = format!("setoption bookfiles /{}.book", "x/".repeat(2_500));
    let said = ask(&mut engine, &[&bookfiles, "position startpos", "go depth 1"]);
    let message = said.iter().find(|line| line.starts_with("info message book ..."));
    assert!(message.is_some_and(|line| line.contains("x/.book: ")), "{said:?}");
}

#[test]
fn naming_the_same_files_again_reads_them_again() {
    let scratch = Scratch::new();
    let bookfiles = format!("setoption bookfiles {}", scratch.book("a.book", "a3a4 ; 1"));
    let mut engine = Process::greeted("ucci");
    let go = [&bookfiles, "position startpos", "go depth 1"];
    assert_eq!(ask(&mut engine, &go).last().unwrap(), "bestmove i3i4");
    scratch.book("a.book", "i0i1 ; 1");
    assert_eq!(ask(&mut engine, &go[1..]).last().unwrap(), "bestmove i3i4");
    assert_eq!(ask(&mut engine, &go).last().unwrap(), "bestmove i0i1");
}

/// What may have no end or never begin is not read: the engine goes on to answer.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused() {
    let scratch = Scratch::new();
    let pipe = scratch.file("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Process::greeted("ucci");
    let bookfiles = format!("setoption bookfiles {pipe};/dev/zero;{}", scratch.0.path().display());
    let said = ask(&mut engine, &[&bookfiles, "position startpos", "go depth 1"]);
    let refused = said.iter().filter(|line| line.ends_with(": not a regular file")).count();
    assert_eq!(refused, 3, "{said:?}");

    let text = scratch.file("lines.txt");
    fs::write(&text, "h2e2 ; 1\n").unwrap();
    for irregular in [&pipe, "/dev/zero"] {
        let output = scratch.file("my.book");
        let build = hanxin(&["build", irregular, "--output", &output]);
        let check = hanxin(&["check", &text, "--nodes", "1", "--memory", irregular]);
        let make = hanxin(&["make", irregular, "--output", &output]);
        for refused in [build, check, make] {
            assert!(!refused.status.success());
            assert!(stderr(&refused).contains("not a regular file"), "{}", stderr(&refused));
        }
        assert!(!Path::new(&output).exists());
    }
}

/// An interface on Chinese Windows writes names of files in GBK.
#[test]
fn a_name_in_gbk_is_found() {
    let scratch = Scratch::new();
    let file = scratch.book("开局.book", "i3i4 ; 1");
    let (folder, _) = file.rsplit_once('/').unwrap();
    let mut engine = Process::greeted("ucci");
    let line = format!("setoption bookfiles {folder}/");
    engine.send_bytes(&[line.as_bytes(), b"\xBF\xAA\xBE\xD6.book"].concat());
    let said = ask(&mut engine, &["position startpos", "go depth 1"]);
    assert_eq!(said.last().unwrap(), "bestmove i3i4", "{said:?}");
}

/// Nor is the file's own name always UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn a_file_named_in_gbk_is_found() {
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new();
    let name = b"\xBF\xAA\xBE\xD6.book";
    let file = scratch.0.path().join(std::ffi::OsStr::from_bytes(name));
    fs::write(file, build("i3i4 ; 1").encode()).unwrap();
    let folder = format!("setoption bookfiles {}/", scratch.0.path().display());
    for name in [&name[..], "开局.book".as_bytes()] {
        let mut engine = Process::greeted("ucci");
        engine.send_bytes(&[folder.as_bytes(), name].concat());
        let said = ask(&mut engine, &["position startpos", "go depth 1"]);
        assert_eq!(said.last().unwrap(), "bestmove i3i4", "{said:?}");
    }
}

#[test]
fn commands_build_look_through_and_export() {
    let scratch = Scratch::new();
    let text = scratch.file("lines.txt");
    fs::write(&text, "h2e2 h9g7 h0g2 i9h9 ; 20 ; 中炮 ;\n\nh2e2 h7e7 ; 9\n").unwrap();
    let file = scratch.file("my.book");
    let built = hanxin(&["build", &text, "--output", &file]);
    assert_eq!(stdout(&built), "4 positions, 5 moves\n");
    let stats = hanxin(&["stats", &file, "--json"]);
    let stats: serde_json::Value = serde_json::from_str(stdout(&stats)).unwrap();
    assert_eq!(stats["type"], "book");
    assert_eq!(
        (&stats["positions"], &stats["choices"], &stats["depth"]),
        (&4.into(), &1.into(), &4.into())
    );
    assert!(stats["covered"].as_u64() > Some(0), "{stats}");

    let exported = scratch.file("exported.txt");
    fs::write(&exported, stdout(&hanxin(&["export", &file]))).unwrap();
    let again = scratch.file("again.book");
    stdout(&hanxin(&["build", &exported, "--output", &again]));
    assert_eq!(fs::read(&again).unwrap(), fs::read(&file).unwrap());
    let imported = scratch.file("imported.book");
    let import = hanxin(&["import", &file, "--output", &imported]);
    assert_eq!(stdout(&import), "4 positions, 5 moves, 5 of 5 rows reached\n");
    assert_eq!(fs::read(&imported).unwrap(), fs::read(&file).unwrap());
    let bounded = |bound| hanxin(&["import", &file, "--output", &imported, bound, "2"]);
    assert_eq!(stdout(&bounded("--plies")), "2 positions, 3 moves, 3 of 5 rows reached\n");
    assert_eq!(stdout(&bounded("--positions")), "2 positions, 3 moves, 3 of 5 rows reached\n");

    fs::write(&text, "h2e2 ; 1\nh2e2 h9g8 ; 1\nh2e2 ; x\n").unwrap();
    let failed = hanxin(&["build", &text, "--output", &file]);
    assert_eq!(failed.status.code(), Some(1));
    let said = stderr(&failed);
    assert!(said.contains("lines.txt:2:6: ") && said.contains("lines.txt:3:8: "), "{said}");
    assert!(Path::new(&file).exists(), "what was there stays");
}

#[test]
fn what_is_no_text_is_said_in_few_lines() {
    let scratch = Scratch::new();
    let (built, output) = (format!("{FOLDER}/hanxin.book"), scratch.file("new.book"));
    let failed = hanxin(&["build", &built, "--output", &output]);
    assert_eq!(failed.status.code(), Some(2));
    assert_eq!(stderr(&failed).lines().count(), 1, "{}", stderr(&failed));
    assert!(stderr(&failed).contains("is it a built book?"), "{}", stderr(&failed));

    let prose = scratch.file("prose.txt");
    fs::write(&prose, "some words\n".repeat(50)).unwrap();
    let failed = hanxin(&["build", &prose, "--output", &output]);
    assert_eq!(failed.status.code(), Some(1));
    let said: Vec<&str> = stderr(&failed).lines().collect();
    assert_eq!((said.len(), said[20]), (22, "... and 30 more"), "{said:?}");
    assert!(said[21].contains("50 lines of the book could not be read"), "{said:?}");
    assert!(!Path::new(&output).exists());
}

#[test]
fn a_book_without_moves_is_not_written() {
    let scratch = Scratch::new();
    let (text, output) = (scratch.file("empty.txt"), scratch.file("new.book"));
    fs::write(&text, "# nothing\n").unwrap();
    let failed = hanxin(&["build", &text, "--output", &output]);
    assert_eq!(failed.status.code(), Some(1));
    let message = format!("hanxin: no move to write into {output}\n");
    assert_eq!(stderr(&failed), message);
    let games = scratch.file("games.pgn");
    fs::write(&games, "1. h2e2 h9g7 1-0\n").unwrap();
    let failed = hanxin(&["make", &games, "--output", &output]);
    assert_eq!(stderr(&failed), message, "no move has two games");
    assert!(!Path::new(&output).exists());
}

#[test]
fn a_book_is_made_of_games() {
    let scratch = Scratch::new();
    let (pgn, lines) = (scratch.file("games.pgn"), scratch.file("games.jsonl"));
    fs::write(&pgn, "[Result \"1-0\"]\n\n1. h2e2 h9g7 2. h0g2 1-0\n\n").unwrap();
    let game = r#"{"type":"event","id":"x","settings":{}}
{"type":"game","game":1,"fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1","moves":[{"move":"b2e2"},{"move":"b9c7"}],"verdict":"draw"}
"#;
    fs::write(&lines, game).unwrap();
    let file = scratch.file("made.book");
    let made = hanxin(&["make", &pgn, &lines, "--output", &file]);
    assert_eq!(stdout(&made), "2 games, 2 positions, 2 moves\n");
    let text = hanxin(&["export", &file]);
    assert_eq!(stdout(&text), "h2e2 ; 3\nh2e2 | h9g7 ; 1\n");
}

#[test]
fn one_move_is_no_moves() {
    let scratch = Scratch::new();
    let (text, output) = (scratch.file("one.txt"), scratch.file("one.book"));
    fs::write(&text, "h2e2 ; 1\n").unwrap();
    let built = hanxin(&["build", &text, "--output", &output]);
    assert_eq!(stdout(&built), "1 position, 1 move\n");
    let stats = hanxin(&["stats", &output]);
    let begin = "      1 position, 0 of them with a choice\n      1 move\n      1 ply deep\n";
    assert!(stdout(&stats).starts_with(begin), "{}", stdout(&stats));
}

#[test]
fn a_check_names_what_loses_and_remembers() {
    let scratch = Scratch::new();
    let text = scratch.file("lines.txt");
    fs::write(&text, "h2e2 h9g7 ; 2\nh2h9 i9h9 ; 1\n").unwrap();
    let memory = scratch.file("memory.jsonl");
    let check = |extra: &[&str]| {
        let args = ["check", &text, "--nodes", "5000", "--threads", "1", "--memory", &memory];
        hanxin(&[&args, extra].concat())
    };
    let first = check(&[]);
    assert_eq!(first.status.code(), Some(1));
    let said = String::from_utf8(first.stdout).unwrap();
    assert!(said.starts_with("start: h2h9 炮二进七 loses "), "{said}");
    let remembered = fs::read_to_string(&memory).unwrap();
    assert!(remembered.lines().count() >= 4, "{remembered}");
    // A torn last line, as a power cut leaves it, is searched again; the rest is not.
    fs::write(&memory, &remembered[..remembered.len() - 3]).unwrap();
    let second = check(&[]);
    assert_eq!(String::from_utf8(second.stdout).unwrap(), said);
    assert_eq!(fs::read_to_string(&memory).unwrap(), remembered);
    assert!(check(&["--tolerance", "9000"]).status.success());
}
