//! Printing that both dialects share: a line under construction, and the commands and replies whose
//! words are the same in both.

use std::fmt::Display;

use crate::types::Move;

use super::Dialect;
use super::command::{Command, Go, GoTime, PositionText};
use super::reply::OptionKind;

/// Longest reply without its newline: clients read into buffers of 1024 bytes, we stay under 1000.
const REPLY_LIMIT: usize = 998;

/// A line under construction. Words go in whole or not at all; once one does not fit, the line is
/// full and keeps its shape.
pub(super) struct Line {
    text: String,
    limit: usize,
}

impl Line {
    /// A reply: all that is added is kept ASCII and within the limit.
    pub(super) fn reply(first: &str) -> Line {
        Line { text: first.to_owned(), limit: REPLY_LIMIT }
    }

    /// A command: of any length.
    pub(super) fn command(first: &str) -> Line {
        Line { text: first.to_owned(), limit: usize::MAX }
    }

    pub(super) fn word(&mut self, word: impl Display) {
        let word = word.to_string();
        if self.text.len() + 1 + word.len() > self.limit {
            self.limit = self.text.len();
        } else {
            self.text.push(' ');
            self.text.push_str(&word);
        }
    }

    /// Adds `flag` if it is set.
    pub(super) fn flag(&mut self, flag: &str, set: bool) {
        if set {
            self.word(flag);
        }
    }

    /// Adds `key value` if there is a value.
    pub(super) fn field(&mut self, key: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.word(format_args!("{key} {value}"));
        }
    }

    /// Adds `key m1 m2 …` if there are moves, as many as fit.
    pub(super) fn moves(&mut self, key: &str, moves: &[Move]) {
        self.field(key, moves.first());
        for mv in moves.iter().skip(1) {
            self.word(mv);
        }
    }

    /// Adds free text as ASCII words: every blank is a single one, what is not ASCII a `?`.
    pub(super) fn text(&mut self, text: &str) {
        for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
            if !word.is_empty() {
                self.word(word.replace(|c: char| !c.is_ascii(), "?"));
            }
        }
    }

    /// Adds `key` and free text, `<empty>` where there is none.
    pub(super) fn text_field(&mut self, key: &str, text: &str) {
        self.word(key);
        self.text(if text.trim().is_empty() { "<empty>" } else { text });
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// The words in which the dialects' commands differ.
pub(super) struct CommandWords {
    /// The whole line that starts a new game.
    pub(super) new_game: &'static str,
    /// What stands before the name of an option.
    pub(super) set_option: &'static str,
    /// What stands between the name and the value.
    pub(super) to: &'static str,
}

/// Any command, as a line without its end.
pub(super) fn command(command: &Command, words: &CommandWords) -> String {
    match command {
        Command::Handshake(Dialect::Ucci) => "ucci".to_owned(),
        Command::Handshake(Dialect::Uci) => "uci".to_owned(),
        Command::IsReady => "isready".to_owned(),
        Command::SetOption { name, value } => match value.as_deref() {
            None => format!("{}{name}", words.set_option),
            Some("") => format!("{}{name}{}<empty>", words.set_option, words.to),
            Some(value) => format!("{}{name}{}{value}", words.set_option, words.to),
        },
        Command::NewGame => words.new_game.to_owned(),
        Command::Position(text) => position("position", text),
        Command::BanMoves(moves) => {
            let mut line = Line::command("banmoves");
            moves.iter().for_each(|mv| line.word(mv));
            line.finish()
        }
        Command::Go(limits) => go(limits),
        Command::PonderHit { draw } => {
            let mut line = Line::command("ponderhit");
            line.flag("draw", *draw);
            line.finish()
        }
        Command::Stop => "stop".to_owned(),
        Command::Probe(text) => position("probe", text),
        Command::Quit => "quit".to_owned(),
    }
}

fn position(command: &str, position: &PositionText) -> String {
    let mut line = Line::command(command);
    match &position.fen {
        Some(fen) => line.field("fen", Some(fen)),
        None => line.word("startpos"),
    }
    line.moves("moves", &position.moves);
    line.finish()
}

/// All that is set, whichever family its word belongs to.
fn go(go: &Go) -> String {
    let amount = |time: Option<GoTime>| time.map(|GoTime(amount)| amount);
    let mut line = Line::command("go");
    line.flag("ponder", go.ponder);
    line.flag("draw", go.draw);
    line.field("time", amount(go.time));
    line.field("increment", amount(go.increment));
    line.field("opptime", amount(go.opp_time));
    line.field("oppincrement", amount(go.opp_increment));
    line.field("oppmovestogo", go.opp_moves_to_go);
    line.field("wtime", amount(go.red_time));
    line.field("btime", amount(go.black_time));
    line.field("winc", amount(go.red_increment));
    line.field("binc", amount(go.black_increment));
    line.field("movestogo", go.moves_to_go);
    line.field("movetime", amount(go.move_time));
    line.field("depth", go.depth);
    line.field("nodes", go.nodes);
    line.field("mate", go.mate);
    line.flag("infinite", go.infinite);
    line.moves("searchmoves", &go.search_moves);
    line.finish()
}

/// `id KEY TEXT`.
pub(super) fn id(key: &str, text: &str) -> String {
    let mut line = Line::reply("id");
    line.text(key);
    line.text(text);
    line.finish()
}

/// `info message TEXT` or `info string TEXT`.
pub(super) fn message(first: &str, text: &str) -> String {
    let mut line = Line::reply(first);
    line.text(text);
    line.finish()
}

/// `bestmove M [ponder M2]`, still open for the words of one dialect.
pub(super) fn best_move(mv: Move, ponder: Option<Move>) -> Line {
    let mut line = Line::reply("bestmove");
    line.word(mv);
    line.field("ponder", ponder);
    line
}

/// `pophash …`. Only UCCI has it, but who asks in UCI is answered too.
pub(super) fn pop_hash(
    best: Option<Move>,
    lower: Option<(i32, u32)>,
    upper: Option<(i32, u32)>,
) -> String {
    let mut line = Line::reply("pophash");
    let bound =
        |bound: Option<(i32, u32)>| bound.map(|(score, depth)| format!("{score} depth {depth}"));
    line.field("bestmove", best);
    line.field("lowerbound", bound(lower));
    line.field("upperbound", bound(upper));
    line.finish()
}

/// The word for the type of an option.
pub(super) fn option_type(kind: &OptionKind) -> &'static str {
    match kind {
        OptionKind::Check(_) => "check",
        OptionKind::Spin { .. } => "spin",
        OptionKind::Combo { .. } => "combo",
        OptionKind::Button => "button",
        OptionKind::String(_) => "string",
        OptionKind::Label(_) => "label",
    }
}
