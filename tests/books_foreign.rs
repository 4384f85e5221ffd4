//! Books of other programs: looked up in both orientations, struck rows, broken files.
//!
//! The keys written here were computed by programs of their own, not by the code they test; those
//! of real books are marked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hanxin::book::{Book, BookFault, BookOptions, Builder, Foreign, Walk};
use hanxin::search::{Limits, SearchEvent, Signals};
use hanxin::{Engine, Position};
use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value;
use tempfile::TempDir;

/// A file of its own for one test, gone when the test ends.
struct Scratch {
    path: PathBuf,
    _folder: TempDir,
}

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Scratch { path: folder.path().join(name), _folder: folder }
    }

    fn with_bytes(name: &str, bytes: &[u8]) -> Scratch {
        let scratch = Scratch::new(name);
        fs::write(&scratch.path, bytes).expect("a file in the temporary folder");
        scratch
    }

    /// A database in which these statements have been run.
    fn with_tables(name: &str, statements: &str) -> Scratch {
        let scratch = Scratch::new(name);
        scratch.database().execute_batch(statements).expect("sound statements");
        scratch
    }

    fn database(&self) -> Connection {
        Connection::open(&self.path).expect("a database")
    }

    fn open(&self) -> Foreign {
        Foreign::open(&self.path).expect("a book")
    }
}

fn after(moves: &str) -> Position {
    let mut pos = Position::startpos();
    for mv in moves.split_whitespace() {
        pos.play(mv.parse().expect("a move")).expect("a legal move");
    }
    pos
}

/// The moves known after those moves with their weights, as `h2e2 30, b0c2 4`.
fn probe(book: &Foreign, moves: &str) -> String {
    let entries = book.probe(&after(moves)).expect("an undamaged book");
    let words: Vec<_> = entries.iter().map(|e| format!("{} {}", e.mv, e.weight)).collect();
    words.join(", ")
}

// ElephantEye

/// Records of XQWizard's book (its JavaScript edition prints them) and some that must not count.
fn elephant_eye() -> Vec<u8> {
    let after_central_cannon = 0x5396_644f;
    let start = 0x0526_56d5;
    [
        (start, 0xa7a4_u16, 1473_u16),       // b2e2
        (start, 0xa7aa, 1473),               // h2e2
        (start, 0x8999, 546),                // g3g4
        (start, 0x8999, 12),                 // again
        (start, 0x7a9a, 9),                  // an empty square moves
        (start, 0x0000, 9),                  // off the board
        (start, 0x8393, 0),                  // a3a4, not to be played
        (after_central_cannon, 0x5534, 761), // b9c7, the cannon having come from b2
        (after_central_cannon, 0x5754, 97),  // b7e7
        (after_central_cannon, 0x593a, 172), // h9g7
    ]
    .into_iter()
    .flat_map(|(lock, mv, weight)| {
        [&u32::to_le_bytes(lock)[..], &mv.to_le_bytes(), &weight.to_le_bytes()].concat()
    })
    .collect()
}

#[test]
fn elephant_eye_is_read_in_both_orientations() {
    let scratch = Scratch::with_bytes("eleeye", &elephant_eye());
    let book = scratch.open();
    // The start position is its own mirror image: its moves stand there as they are.
    assert_eq!(probe(&book, ""), "b2e2 1473, h2e2 1473, g3g4 546");
    assert_eq!(probe(&book, "b2e2"), "b9c7 761, b7e7 97, h9g7 172");
    assert_eq!(probe(&book, "h2e2"), "h9g7 761, h7e7 97, b9c7 172");
    assert_eq!(probe(&book, "g3g4"), "");
}

#[test]
fn what_is_not_in_order_is_no_elephant_eye() {
    let bytes = elephant_eye();
    let swapped = [&bytes[72..], &bytes[..72]].concat();
    for bad in [&bytes[..79], &[], b"#!/bin/bash\n1234", &swapped] {
        let scratch = Scratch::with_bytes("no-eleeye", bad);
        let fault = Foreign::open(&scratch.path).expect_err("no book");
        assert!(matches!(fault, BookFault::UnknownKind), "{bad:?}: {fault}");
    }
}

// .obk and .pfBook

const OBK: &str = "CREATE TABLE bhobk(id INTEGER PRIMARY KEY AUTOINCREMENT, vkey INTEGER,
    vmove INTEGER, vscore INTEGER, vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER,
    vmemo BLOB, vindex INTEGER); CREATE INDEX idxkey ON bhobk(vkey);";

const START_KEY: u64 = 0x628d_04d7_c9c1_44ae; // as PikaDesk tests it
const AFTER_H2E2: u64 = 0xa1ea_d1f6_470e_07ee;
const AFTER_B2E2: u64 = 0x29d4_30b1_d3af_9b9e;
const AFTER_B0C2: u64 = 0x072a_7fd9_2e10_f400;

fn float(key: u64) -> Value {
    Value::Real(f64::from_bits(key))
}

fn integer(key: u64) -> Value {
    Value::Integer(key.cast_signed())
}

/// Adds a row: key, move, score, wins, draws, valid.
fn add(scratch: &Scratch, table: &str, key: Value, row: [i64; 5]) {
    let [mv, score, wins, draws, valid] = row;
    let sql = format!(
        "INSERT INTO {table}(vkey, vmove, vscore, vwin, vdraw, vlost, vvalid)
         VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)"
    );
    let params = (key, mv, score, wins, draws, valid);
    scratch.database().execute(&sql, params).expect("a row");
}

fn obk(name: &str) -> Scratch {
    let scratch = Scratch::with_tables(name, OBK);
    add(&scratch, "bhobk", integer(START_KEY), [0xaaa7, 30, 6, 2, 1]); // h2e2
    add(&scratch, "bhobk", integer(START_KEY), [0xc4a5, 10, 1, 1, 1]); // b0c2
    add(&scratch, "bhobk", integer(START_KEY), [0x9989, 90, 1, 1, 0]); // g3g4, struck out
    add(&scratch, "bhobk", integer(START_KEY), [0x9a8a, 90, 1, 1, 1]); // an empty square moves
    add(&scratch, "bhobk", integer(START_KEY), [0xffff, 90, 1, 1, 1]); // off the board
    add(&scratch, "bhobk", integer(START_KEY), [-1, 90, 1, 1, 1]);
    add(&scratch, "bhobk", float(AFTER_H2E2), [0x3a59, 0, 3, 2, 1]); // h9g7
    scratch
}

/// B02: keys with the top bit set, and mirror images.
#[test]
fn obk_is_read_in_both_orientations() {
    let scratch = obk("both.obk");
    let book = scratch.open();
    assert_eq!(probe(&book, ""), "h2e2 30, b0c2 10");
    assert_eq!(probe(&book, "h2e2"), "h9g7 8");
    assert_eq!(probe(&book, "b2e2"), "b9c7 8");
    assert_eq!(probe(&book, "b0c2"), "");

    add(&scratch, "bhobk", integer(AFTER_B0C2), [0x6656, 5, 0, 0, 1]); // d6d7 is no move
    add(&scratch, "bhobk", integer(AFTER_B0C2), [0x6979, 5, 0, 0, 1]); // g6g5
    let book = scratch.open();
    assert_eq!(probe(&book, "b0c2"), "g6g5 5");
    assert_eq!(probe(&book, "h0g2"), "c6c5 5");
}

#[test]
fn big_keys_may_also_be_integers() {
    let scratch = Scratch::with_tables("big.obk", OBK);
    add(&scratch, "bhobk", integer(AFTER_H2E2), [0x3a59, 0, 0, 0, 1]);
    assert_eq!(probe(&scratch.open(), "b2e2"), "b9c7 1");
}

#[test]
fn pf_books_differ_by_the_name_of_the_table() {
    let scratch = Scratch::with_tables("a.pfBook", &OBK.replace("bhobk", "pfBook"));
    add(&scratch, "pfBook", integer(AFTER_B2E2), [0x3455, 7, 0, 0, 1]); // b9c7
    assert_eq!(probe(&scratch.open(), "h2e2"), "h9g7 7");
}

/// An index in another order than SQLite believes finds nothing.
#[test]
fn an_unsound_index_is_not_used() {
    let scratch = obk("index.obk");
    scratch
        .database()
        .execute_batch(
            "DROP INDEX idxkey; CREATE INDEX idxkey ON bhobk(vkey DESC);
             PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = replace(sql, 'DESC', 'ASC') WHERE name = 'idxkey';",
        )
        .expect("a schema that can be written");
    let find = "SELECT count(*) FROM bhobk WHERE vkey = ?1";
    let found: i64 =
        scratch.database().query_row(find, [float(AFTER_H2E2)], |row| row.get(0)).expect("a count");
    assert_eq!(found, 0, "the index hides the row");
    assert_eq!(probe(&scratch.open(), "h2e2"), "h9g7 8");
}

// .xqb

const XQB: &str = "CREATE TABLE information(name TEXT, value TEXT);
    INSERT INTO information VALUES ('version', '1'), ('type', 'xiangqi');
    CREATE TABLE book(Id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, Key BLOB, Move INTEGER,
    Score INTEGER, Win INTEGER, Draw INTEGER, Lost INTEGER, Valid INTEGER, Memo TEXT);
    INSERT INTO book(Key, Move, Score, Win, Draw, Valid) VALUES
    (x'ceb7cef37ac801e079f7df7df00002ebaebaeb02c004653a56939440', 0x7774, 0, 6, 2, 1),
    (x'ceb7cef37ac801e079f7df7df00002ebaebaeb02c004653a56939440', 0x6656, 0, 9, 9, 0),
    (x'ceb7cef37ac801e3c1f7df7df00002ebaebaeb02c004653a56939440', 0x9172, 4, 0, 0, 1),
    (x'ceb7cef36c801e0d79f7df7df00002ebaebaeb160004653a56939440', 0x9776, 2, NULL, NULL, 1);";

#[test]
fn xqb_is_read_in_both_orientations() {
    let scratch = Scratch::with_tables("both.xqb", XQB);
    let book = scratch.open();
    // The format keeps one image, so a symmetric position knows the moves of one side only.
    assert_eq!(probe(&book, ""), "h2e2 14");
    // Black sees the board turned round: the far left corner is i0.
    assert_eq!(probe(&book, "b2e2"), "h9g7 4");
    assert_eq!(probe(&book, "h2e2"), "b9c7 4");
    assert_eq!(probe(&book, "h2e2 h9g7"), "h0g2 2");
    assert_eq!(probe(&book, "b2e2 b9c7"), "b0c2 2");
}

#[test]
fn a_foreign_book_can_be_taken_over() {
    let scratch = obk("import.obk");
    let book = Book::open(&scratch.path).expect("a book");
    let mut builder = Builder::default();
    for known in Walk::new(&book) {
        let known = known.expect("a sound book");
        for entry in &known.entries {
            builder.add(&known.position, entry.mv, known.line.len(), entry.weight);
        }
    }
    let ours = builder.build();
    assert_eq!(ours.records().len(), 3, "h2e2 and h0g2 from the start, the answer to h2e2");
    for moves in ["h2e2", "b2e2"] {
        let theirs = book.probe(&after(moves)).expect("a sound book");
        assert_eq!(ours.probe(&after(moves)), theirs);
    }
    // From the start position mirrored moves are one, with the weight of both together.
    let weights: Vec<_> =
        ours.probe(&after("")).iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect();
    assert_eq!(weights, [("h0g2".to_owned(), 10), ("h2e2".to_owned(), 30)]);
}

// Files

#[test]
fn a_file_is_left_as_it_is() {
    let scratch = obk("untouched.obk");
    scratch.database().pragma_update(None, "journal_mode", "wal").expect("another mode");
    let before = (fs::read(&scratch.path).ok(), neighbors(&scratch.path));
    let book = scratch.open();
    assert_eq!(probe(&book, "h2e2"), "h9g7 8");
    assert_eq!((fs::read(&scratch.path).ok(), neighbors(&scratch.path)), before);
    // No lock either: the book can be replaced or written while it is open.
    add(&scratch, "bhobk", integer(AFTER_B0C2), [0x6979, 5, 0, 0, 1]);
}

/// Files whose names begin like that of the book: its journals.
fn neighbors(path: &Path) -> usize {
    let (folder, name) = (path.parent().expect("a folder"), path.file_name().expect("a name"));
    let name = name.to_string_lossy().into_owned();
    let files = fs::read_dir(folder).expect("a folder").flatten();
    files.filter(|file| file.file_name().to_string_lossy().starts_with(&name)).count()
}

#[test]
fn names_of_files_may_be_anything() {
    let scratch = Scratch::new("开局库 100%?#'\"&=.obk");
    scratch.database().execute_batch(OBK).expect("sound statements");
    add(&scratch, "bhobk", float(AFTER_H2E2), [0x3a59, 3, 0, 0, 1]);
    assert_eq!(probe(&scratch.open(), "h2e2"), "h9g7 3");
}

#[test]
fn broken_databases_are_faults() {
    let missing = Path::new("/no/such/book.obk");
    assert!(matches!(Foreign::open(missing), Err(BookFault::Io(_))));

    let scratch = Scratch::with_tables("none.obk", "CREATE TABLE games(id INTEGER);");
    assert!(matches!(Foreign::open(&scratch.path), Err(BookFault::NoTable)));

    let scratch = Scratch::with_tables("view.obk", "CREATE VIEW bhobk AS SELECT 1 AS vkey;");
    assert!(matches!(Foreign::open(&scratch.path), Err(BookFault::NoTable)));

    for (table, column) in [("bhobk", "vmove"), ("pfBook", "vmove"), ("book", "move")] {
        let scratch =
            Scratch::with_tables("column.obk", &format!("CREATE TABLE {table}(vkey, key);"));
        let error = Book::open(&scratch.path).expect_err("a column is missing").to_string();
        let message = format!("column.obk: its table {table} has no column {column}");
        assert!(error.ends_with(&message), "{error}");
    }

    let whole = fs::read(&obk("whole.obk").path).expect("a book");
    let scratch = Scratch::with_bytes("half.obk", &whole[..whole.len() / 2]);
    let fault = Foreign::open(&scratch.path).expect_err("half a book");
    assert!(matches!(fault, BookFault::Database(_)), "{fault}");
}

/// What is in SQLite's write-ahead log alone is not in the file that is read.
#[test]
fn changes_that_wait_beside_a_database_are_said() {
    let scratch = obk("waits.obk");
    let writer = scratch.database();
    writer.pragma_update(None, "journal_mode", "wal").expect("another mode");
    writer.execute_batch("UPDATE bhobk SET vscore = 1").expect("an update");
    let fault = Foreign::open(&scratch.path).expect_err("half a book");
    assert!(
        matches!(&fault, BookFault::Unmerged(log) if log.ends_with("waits.obk-wal")),
        "{fault}"
    );
    drop(writer);
    assert_eq!(probe(&scratch.open(), "h2e2"), "h9g7 1");
}

#[test]
fn other_things_than_numbers_are_faults() {
    let scratch = Scratch::with_tables("types.obk", OBK);
    add(&scratch, "bhobk", integer(START_KEY), [0xaaa7, 1, 0, 0, 1]);
    let set = "UPDATE bhobk SET vscore = 'high'";
    scratch.database().execute_batch(set).expect("a row");
    let fault = scratch.open().probe(&Position::startpos()).expect_err("a word");
    assert!(fault.to_string().contains("vscore"), "{fault}");
}

/// A book that is sound at the start and has a word for a number after h2e2.
fn damaged_further_on(name: &str) -> Scratch {
    let scratch = obk(name);
    let set = "UPDATE bhobk SET vscore = 'high' WHERE vmove = 0x3a59";
    scratch.database().execute_batch(set).expect("a row");
    scratch
}

#[test]
fn damage_met_on_the_way_fails_the_command() {
    let scratch = damaged_further_on("way.obk");
    let target = Scratch::new("way.book");
    let hanxin = |args: &[&Path]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hanxin"));
        command.arg("book").args(args).output().expect("the command")
    };
    let [import, stats, export, output] = ["import", "stats", "export", "--output"].map(Path::new);
    for args in [
        &[import, &scratch.path, output, &target.path][..],
        &[stats, &scratch.path],
        &[export, &scratch.path],
    ] {
        let done = hanxin(args);
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.contains("way.obk: database: ") && said.contains("vscore"), "{said}");
    }
    assert!(!target.path.exists());
}

#[test]
fn damage_met_in_play_is_said_once() {
    let scratch = damaged_further_on("play.obk");
    let mut engine = Engine::default();
    let files = scratch.path.display().to_string();
    let faults = engine.set_books(&BookOptions { enabled: true, files, depth: 60 });
    assert!(faults.is_empty(), "{faults:?}");
    let mut search = |moves: &str| {
        let mut said = Vec::new();
        engine.set_position(after(moves));
        let report = engine.search(&Limits::depth(1), &Signals::default(), |event| {
            if let SearchEvent::Message(text) = event {
                said.push(text);
            }
        });
        assert!(report.best.is_some());
        said
    };
    let said = search("h2e2");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("play.obk: database: ") && said[0].contains("vscore"), "{said:?}");
    // It is left out from then on, where it was sound too.
    assert_eq!(search("h2e2"), [""; 0]);
    assert_eq!(search(""), [""; 0]);
}

#[test]
fn rows_are_counted_once() {
    let eleeye = Scratch::with_bytes("count.dat", &elephant_eye());
    let xqb = Scratch::with_tables("count.xqb", XQB);
    let obk = obk("count.obk");
    let count = |scratch: &Scratch| {
        let book = scratch.open();
        let at = |moves| book.rows_at(&after(moves)).expect("a count");
        (book.rows().expect("a count"), at(""), at("b2e2"), at("h2e2"), at("g3g4"))
    };
    assert_eq!(count(&eleeye), (10, 7, 3, 3, 0));
    assert_eq!(count(&obk), (6, 5, 1, 1, 0), "less the one struck out");
    assert_eq!(count(&xqb), (3, 1, 1, 1, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_bytes_are_no_book_or_a_sound_one(
        bytes in prop::collection::vec(any::<u8>(), 0..64),
        database in any::<bool>(),
    ) {
        let head: &[u8] = if database { b"SQLite format 3\0" } else { b"" };
        let scratch = Scratch::with_bytes("random", &[head, &bytes].concat());
        if let Ok(book) = Foreign::open(&scratch.path) {
            prop_assert!(book.probe(&Position::startpos()).is_ok());
        }
    }

    #[test]
    fn damage_is_a_fault_or_not_noticed(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        static WHOLE: std::sync::LazyLock<[Vec<u8>; 3]> = std::sync::LazyLock::new(|| {
            let xqb = Scratch::with_tables("damage.xqb", XQB);
            let read = |path| fs::read(path).expect("a book");
            [read(&obk("damage.obk").path), read(&xqb.path), elephant_eye()]
        });
        let mut bytes = which.get(&*WHOLE).clone();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let scratch = Scratch::with_bytes("damaged", &bytes);
        if let Ok(book) = Foreign::open(&scratch.path) {
            for moves in ["", "h2e2", "b2e2", "h2e2 h9g7"] {
                let pos = after(moves);
                for entry in book.probe(&pos).unwrap_or_default() {
                    prop_assert!(pos.is_legal(entry.mv) && entry.weight > 0);
                }
            }
        }
    }
}
