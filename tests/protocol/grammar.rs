//! The shape every output line must have, written down apart from the code that prints.

/// What is wrong with the line, if anything.
pub fn fault(line: &str) -> Option<&'static str> {
    if line.len() >= 999 {
        return Some("1000 bytes or more with its end");
    }
    if !line.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Some("not printable ASCII");
    }
    if line.is_empty() || line.starts_with(' ') || line.ends_with(' ') || line.contains("  ") {
        return Some("blanks are not single ones between words");
    }
    let words: Vec<&str> = line.split(' ').collect();
    let is_sound = match words.as_slice() {
        ["ucciok" | "uciok" | "readyok" | "nobestmove" | "bye"] => true,
        ["id", "name" | "version" | "copyright" | "author" | "user", _, ..] => true,
        ["option", ..] => is_option(line),
        ["info", "message" | "string", _, ..] => true,
        ["info", "depth", fields @ ..] => is_info(fields),
        ["bestmove", "(none)"] => true,
        ["bestmove", mv, rest @ ..] => is_move(mv) && is_behind_best_move(rest),
        ["pophash", rest @ ..] => is_pop_hash(rest),
        _ => false,
    };
    (!is_sound).then_some("not a reply of either dialect")
}

fn is_option(line: &str) -> bool {
    let Some((_, kind)) = line.split_once(" type ") else { return false };
    match kind.split(' ').next() {
        Some("check") => kind == "check default true" || kind == "check default false",
        Some("spin") => ["min ", "max ", "default "].iter().all(|word| kind.contains(word)),
        Some("combo") => kind.contains("default ") && kind.contains("var "),
        Some("string") => kind.starts_with("string default "),
        Some("button") => kind == "button",
        _ => false,
    }
}

/// The words behind `info depth`.
fn is_info(fields: &[&str]) -> bool {
    let [depth, fields @ ..] = fields else { return false };
    let mut seen = vec!["depth"];
    let mut rest = fields;
    while let [key, tail @ ..] = rest {
        if seen.contains(key) {
            return false;
        }
        seen.push(key);
        rest = match (*key, tail) {
            ("score", ["cp" | "mate", value, tail @ ..] | [value, tail @ ..])
                if is_number(value) =>
            {
                tail
            }
            (
                "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "time",
                [value, tail @ ..],
            ) if is_count(value) => tail,
            ("currmove", [mv, tail @ ..]) if is_move(mv) => tail,
            ("currmovenumber", [value, tail @ ..]) if is_count(value) => tail,
            ("pv", [_, ..]) if tail.iter().all(|mv| is_move(mv)) => &[],
            _ => return false,
        };
    }
    let has = |keys: &[&str]| keys.iter().all(|key| seen.contains(key));
    // A line of analysis is complete; the others are the static value and the root move.
    is_count(depth)
        && (has(&["seldepth", "score", "nodes", "nps", "time", "pv"])
            || seen == ["depth", "score"]
            || seen[..2] == ["depth", "currmove"])
}

fn is_behind_best_move(rest: &[&str]) -> bool {
    match rest {
        [] | ["draw"] | ["resign"] | ["draw", "resign"] => true,
        ["ponder", mv, rest @ ..] => {
            is_move(mv) && !rest.contains(&"ponder") && is_behind_best_move(rest)
        }
        _ => false,
    }
}

fn is_pop_hash(rest: &[&str]) -> bool {
    match rest {
        [] => true,
        ["bestmove", mv, rest @ ..] => is_move(mv) && is_pop_hash(rest),
        ["lowerbound" | "upperbound", value, "depth", depth, rest @ ..] => {
            is_number(value) && is_count(depth) && is_pop_hash(rest)
        }
        _ => false,
    }
}

fn is_move(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'i', b'0'..=b'9', b'a'..=b'i', b'0'..=b'9'])
}

fn is_count(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_number(word: &str) -> bool {
    is_count(word.strip_prefix('-').unwrap_or(word))
}

#[test]
fn the_grammar_tells_good_from_bad() {
    for good in [
        "info depth 5 seldepth 7 score -3 nodes 9 nps 8 time 1 pv h2e2 h9g7",
        "info depth 5 seldepth 7 multipv 2 score mate -1 nodes 9 nps 8 hashfull 1 time 1 pv h2e2",
        "info depth 0 score -10000",
        "info depth 9 currmove h2e2 currmovenumber 3",
        "bestmove h2e2 ponder h9g7 draw",
        "pophash bestmove h2e2 lowerbound 5 depth 3",
        "option name Move Overhead type spin default 30 min 0 max 5000",
    ] {
        assert_eq!(fault(good), None, "{good}");
    }
    for bad in [
        "",
        " readyok",
        "readyok ",
        "info  depth 1",
        "info nodes 5",
        "info depth 5 score 3 pv h2e2",
        "info depth 5 seldepth 7 score -3 nodes 9 nps 8 nps 8 time 1 pv h2e2",
        "info depth 5 seldepth 7 score -3 nodes 9 nps 8 time 1 pv",
        "bestmove",
        "bestmove h2e2 x",
        "bestmove h2e10",
        "hello",
        "info message \u{70ae}",
    ] {
        assert!(fault(bad).is_some(), "{bad}");
    }
}
