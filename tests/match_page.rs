//! The page of a match, from a small file of games whose numbers are known.
#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// An engine's name that would run a script, were it not escaped.
const NASTY: &str = "<script>alert('&\"')</script>";

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// A folder that goes away with the test.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempfile::tempdir().expect("a temporary folder"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn with_games() -> Scratch {
        let scratch = Scratch::new();
        let lines: Vec<String> = journal().iter().map(Value::to_string).collect();
        let games = lines.join("\n") + "\n";
        fs::write(scratch.file("games.jsonl"), games).expect("a file of games");
        scratch
    }

    /// Runs `hanxin match` with the file of games and the page of this folder.
    fn run(&self) -> Output {
        self.run_after("")
    }

    /// Runs it in a shell that has run these commands before.
    fn run_after(&self, commands: &str) -> Output {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{commands}\nexec \"$0\" \"$@\""));
        shell.args([env!("CARGO_BIN_EXE_hanxin"), "match"]);
        shell.arg("--jsonl").arg(self.file("games.jsonl"));
        shell.arg("--report").arg(self.file("page.html")).output().expect("the binary runs")
    }
}

fn game(number: usize, red: &str, black: &str, verdict: &str, reason: &str) -> Value {
    json!({
        "type": "game", "game": number, "round": 1, "opening": (number - 1) / 2,
        "red": red, "black": black, "fen": START,
        "moves": [
            {"move": "h2e2"},
            {"move": "h9g7", "score": -12, "depth": 9, "nodes": 4000, "time_us": 2000},
            {"move": "h0g2", "score": 9996, "depth": 10, "nodes": 8000, "time_us": 6000},
        ],
        "verdict": verdict, "reason": reason, "started": 1_700_000_000, "duration_ms": 1500,
    })
}

/// Four games: the nasty engine wins both of the first pair, then draws and loses.
fn journal() -> Vec<Value> {
    let engine = |name: &str| json!({"name": name, "command": [name], "limits": "nodes 9"});
    let settings = json!({"engines": [engine(NASTY), engine("good")], "games": 4, "sprt": null});
    let mut broken = game(4, "good", NASTY, "red_wins", "</script><b>");
    broken["faults"] = json!([{"engine": NASTY, "kind": "crash", "detail": "<img src=x>"}]);
    vec![
        json!({"type": "event", "id": "1", "settings": settings}),
        game(1, NASTY, "good", "red_wins", "checkmate"),
        game(2, "good", NASTY, "black_wins", "checkmate"),
        game(3, NASTY, "good", "draw", "move_limit"),
        broken,
    ]
}

fn page() -> String {
    let scratch = Scratch::with_games();
    let output = scratch.run();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(scratch.file("page.html")).expect("a page")
}

/// What stands between two marks.
#[track_caller]
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after}")).0
}

/// The text of a part of the page, without its tags.
fn words(html: &str) -> String {
    let parts = html.split('<').map(|part| part.split_once('>').map_or(part, |split| split.1));
    parts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_numbers_are_those_of_the_games() {
    let page = page();
    let escaped = "&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;";
    let header = words(between(&page, "<header>", "</header>"));
    assert!(header.starts_with(&format!("{escaped} – good 2.5 : 1.5 2 1 1 games 4 ")), "{header}");
    // Red won, drew and won once each, and lost once.
    assert!(
        header.contains("Red's score 62.5% draws 25.0% plies a game 3 time a game 1.5 s faults 1")
    );
    let standings = words(between(&page, "id=\"standings\"", "</section>"));
    assert!(standings.contains(&format!("1. {escaped} 4 2.5 62.5% 2 1 1 +88.7 ")), "{standings}");
    assert!(standings.contains("2. good 4 1.5 37.5% 1 1 2 -88.7 "), "{standings}");
    let cross = words(between(&page, "id=\"crosstable\"", "</section>"));
    assert!(cross.contains(&format!("1. {escaped} × 2.5 /4 +2 =1 −1")), "{cross}");
    // The first pair brought 2 points, the second a half.
    assert!(cross.contains("0 1 0 0 1 The last five columns"), "{cross}");
    let faults = words(between(&page, "id=\"faults\"", "</section>"));
    assert!(faults.ends_with(&format!("engine crash {escaped} 1 good 0")), "{faults}");
    let endings = words(between(&page, "id=\"endings\"", "</section>"));
    assert!(endings.contains("checkmate (将死) 2 1 1"), "{endings}");
    let openings = words(between(&page, "id=\"openings\"", "</section>"));
    assert!(openings.contains("1 炮二平五 2 50.0% 1 1 2/2 0/2"), "{openings}");
    assert!(openings.contains("2 炮二平五 2 75.0% 1 1 0.5/2 1.5/2"), "{openings}");
}

#[test]
fn the_games_are_there_as_data() {
    let page = page();
    let text = between(&page, "id=\"data\">", "</script>");
    assert!(!text.contains('<'), "nothing may end the element");
    let data: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(data["glyphs"]["k"], "将");
    let games = data["games"].as_array().expect("games");
    assert_eq!(games.len(), 4);
    let last = &games[3];
    assert_eq!(
        (&last["n"], &last["opening"], &last["result"]),
        (&json!(4), &json!(2), &json!("1-0"))
    );
    assert_eq!(last["black"], NASTY);
    assert_eq!(last["reason"], "</script><b>");
    assert_eq!(last["faults"], json!([format!("{NASTY}: crash: <img src=x>")]));
    assert_eq!(
        (&last["moves"], &last["chinese"]),
        (&json!("h2e2h9g7h0g2"), &json!("炮二平五马８进７马二进三"))
    );
    assert_eq!(last["score"], json!([null, -12, 9996]));
    assert_eq!(last["us"], json!([null, 2000, 6000]));
}

#[test]
fn the_page_is_whole_and_alone() {
    let page = page();
    for foreign in
        ["http://", "https://", "//fonts", "@import", "url(", "<img", "<link rel=\"style"]
    {
        let found = page.replace("<img src=x>", "").contains(foreign);
        assert!(!found, "{foreign}");
    }
    assert!(!page.contains("<script>alert"));
    assert_well_formed(&page);
}

/// Every element that begins ends, in the right order; no quote or bracket is left open in a tag.
fn assert_well_formed(page: &str) {
    const VOID: [&str; 4] = ["meta", "link", "input", "br"];
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a document type");
    let mut open: Vec<&str> = Vec::new();
    while let Some((_, tag)) = rest.split_once('<') {
        let (tag, behind) = tag.split_once('>').expect("the end of a tag");
        assert!(!tag.contains('<') && tag.matches('"').count() % 2 == 0, "<{tag}>");
        rest = behind;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if !VOID.contains(&name) && !tag.ends_with('/') {
            open.push(name);
        }
        if ["script", "style"].contains(&name) {
            let end = rest.find(&format!("</{name}>")).expect("the end of a script");
            rest = &rest[end..];
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn what_is_no_match_is_refused() {
    let scratch = Scratch::new();
    let output = scratch.run();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && message.contains("games.jsonl: No such file"), "{message}");
    fs::write(scratch.file("games.jsonl"), "").expect("an empty file");
    let message = String::from_utf8_lossy(&scratch.run().stderr).into_owned();
    assert!(message.ends_with("games.jsonl holds no match\n"), "{message}");
    assert!(!scratch.file("page.html").exists());
}

/// Where no file can grow, as on a full disk, the page from before stays, and none is begun.
#[test]
fn a_page_is_written_whole_or_not_at_all() {
    let scratch = Scratch::with_games();
    let page = scratch.file("page.html");
    for before in [None, Some("the page of yesterday")] {
        before.iter().for_each(|text| fs::write(&page, text).expect("a page"));
        let output = scratch.run_after("trap '' XFSZ; ulimit -f 0");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && message.contains("page.html: "), "{message}");
        assert_eq!(fs::read_to_string(&page).ok().as_deref(), before);
        let files = fs::read_dir(&scratch.0).expect("a folder").count();
        assert_eq!(files, 1 + usize::from(before.is_some()));
    }
}
