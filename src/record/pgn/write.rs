//! Writing PGN.

use super::DERIVED_TAGS;
use crate::board::{IllegalMove, Position, START_FEN};
use crate::notation::{chinese, iccs};
use crate::record::{Game, Line, Ply};
use crate::types::{Color, Move};

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveText {
    /// `H2-E2`.
    #[default]
    Iccs,
    /// `h2e2`.
    Coordinates,
    /// `炮二平五`.
    Chinese,
}

impl MoveText {
    /// Every form with its name in the tag `Format`.
    pub const NAMED: [(MoveText, &'static str); 3] = [
        (MoveText::Iccs, "ICCS"),
        (MoveText::Coordinates, "Coordinates"),
        (MoveText::Chinese, "Chinese"),
    ];

    fn name(self) -> &'static str {
        let [first, ..] = MoveText::NAMED;
        MoveText::NAMED.into_iter().find(|row| row.0 == self).unwrap_or(first).1
    }

    fn write(self, position: &Position, mv: Move) -> String {
        match self {
            MoveText::Iccs => iccs::write(mv),
            MoveText::Coordinates => mv.to_string(),
            MoveText::Chinese => chinese::write(position, mv),
        }
    }
}

/// The first line of every game that [`write()`] writes: older programs know xiangqi by it.
pub const FIRST_TAG: &str = "[Game \"Chinese Chess\"]\n";

/// The tags that come first, in this order, and what stands for those that have to be there.
const FIRST_TAGS: [(&str, Option<&str>); 8] = [
    ("Event", Some("?")),
    ("Site", Some("?")),
    ("Date", Some("????.??.??")),
    ("Round", Some("?")),
    ("RedTeam", None),
    ("Red", Some("?")),
    ("BlackTeam", None),
    ("Black", Some("?")),
];

/// Lines of moves are no longer, in characters, unless a single word is.
const WIDTH: usize = 80;

/// The text of a game, with an empty line at its end.
///
/// Texts that would break the form are bent: a `}` in a comment becomes a `)`, and whatever blanks
/// there are become one.
///
/// # Errors
/// A move of the game, or of a variation, is illegal.
pub fn write(game: &Game, form: MoveText) -> Result<String, IllegalMove> {
    let mut text = FIRST_TAG.to_owned();
    for (name, default) in FIRST_TAGS {
        if let Some(value) = game.tag(name).or(default) {
            push_tag(&mut text, name, value);
        }
    }
    push_tag(&mut text, "Result", &game.result.to_string());
    let is_first = |name: &str| {
        let mut names = FIRST_TAGS.into_iter().map(|row| row.0).chain(DERIVED_TAGS);
        names.any(|other| name.eq_ignore_ascii_case(other))
    };
    for (name, value) in game.tags.iter().filter(|tag| !is_first(&tag.0)) {
        push_tag(&mut text, name, value);
    }
    let fen = game.start.to_fen();
    if fen != START_FEN {
        push_tag(&mut text, "SetUp", "1");
        push_tag(&mut text, "FEN", &fen);
    }
    push_tag(&mut text, "Format", form.name());
    text.push('\n');

    let mut words = Vec::new();
    push_line(&mut words, &game.line, game.start.clone(), form)?;
    words.push(game.result.to_string());
    push_wrapped(&mut text, &words);
    text.push_str("\n\n");
    Ok(text)
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    text.push_str(&format!("[{name} \"{value}\"]\n"));
}

/// Appends the words of a line that begins in the position.
fn push_line(
    words: &mut Vec<String>,
    line: &Line,
    mut position: Position,
    form: MoveText,
) -> Result<(), IllegalMove> {
    push_comment(words, &line.comment);
    // Black's move has its number only where Red's is not directly before it.
    let mut needs_number = true;
    for ply in &line.plies {
        position.check_legal(ply.mv)?;
        let number = position.game_ply() / 2 + 1;
        match position.side_to_move() {
            Color::Red => words.push(format!("{number}.")),
            Color::Black if needs_number => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(form.write(&position, ply.mv));
        push_remarks(words, ply, &position, form)?;
        needs_number = !(ply.comment.is_empty() && ply.variations.is_empty());
        position.play(ply.mv)?;
    }
    Ok(())
}

/// Appends what is said about a move that is played in the position.
fn push_remarks(
    words: &mut Vec<String>,
    ply: &Ply,
    position: &Position,
    form: MoveText,
) -> Result<(), IllegalMove> {
    words.extend(ply.nags.iter().map(|nag| format!("${nag}")));
    push_comment(words, &ply.comment);
    for variation in &ply.variations {
        let first = words.len();
        push_line(words, variation, position.clone(), form)?;
        enclose(words.get_mut(first..).unwrap_or_default(), '(', ')');
    }
    Ok(())
}

fn push_comment(words: &mut Vec<String>, comment: &str) {
    let first = words.len();
    words.extend(comment.replace('}', ")").split_whitespace().map(str::to_owned));
    enclose(words.get_mut(first..).unwrap_or_default(), '{', '}');
}

/// Puts brackets around words, if there are any.
fn enclose(words: &mut [String], open: char, close: char) {
    words.first_mut().into_iter().for_each(|first| first.insert(0, open));
    words.last_mut().into_iter().for_each(|last| last.push(close));
}

/// Appends the words with blanks between them, lines broken where they grow too long.
fn push_wrapped(text: &mut String, words: &[String]) {
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
}
