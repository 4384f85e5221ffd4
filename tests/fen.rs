//! FEN strings seen in the wild: the sure ones are read or refused as the file says, and none of
//! them, whole or cut short, does worse than an error.

use hanxin::Position;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    fen: String,
    valid: bool,
    /// Where this is false either answer is fine.
    certain: bool,
    normalized: Option<String>,
}

fn cases() -> Vec<Case> {
    let lines = include_str!("data/fen_edge.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect("a case a line")).collect()
}

#[test]
fn read_or_refused_as_the_file_says() {
    assert_eq!(cases().len(), 49);
    for case in cases() {
        match Position::from_fen(&case.fen) {
            Ok(position) => {
                assert!(case.valid || !case.certain, "{} was accepted", case.id);
                let text = position.to_fen();
                if case.certain {
                    assert_eq!(Some(&text), case.normalized.as_ref(), "{}", case.id);
                }
                let again = Position::from_fen(&text).map(|position| position.to_fen());
                assert_eq!(again.as_ref(), Ok(&text), "{}: what is printed reads back", case.id);
            }
            Err(error) => {
                assert!(!case.valid || !case.certain, "{} was refused: {error}", case.id);
                let message = error.to_string();
                assert!(!message.contains('\n') && message.starts_with("fen "), "{message}");
            }
        }
    }
}

#[test]
fn every_beginning_of_every_case_is_answered() {
    for case in cases() {
        for (end, _) in case.fen.char_indices().take(200) {
            if let Ok(position) = Position::from_fen(&case.fen[..end]) {
                assert!(Position::from_fen(&position.to_fen()).is_ok(), "{}", case.id);
            }
        }
    }
}
