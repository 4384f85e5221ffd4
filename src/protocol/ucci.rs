//! UCCI 3.0: how replies and commands are printed.

use super::command::Command;
use super::print::{self, CommandWords, Line};
use super::reply::{Info, OptionKind, OptionLine, Reply};

/// The reply as a line without its end.
pub fn print_reply(reply: &Reply) -> String {
    match reply {
        Reply::Id { key, text } => print::id(key, text),
        Reply::Option(option) => print_option(option),
        Reply::HandshakeOk => "ucciok".to_owned(),
        Reply::ReadyOk => "readyok".to_owned(),
        Reply::Info(info) => print_info(info),
        Reply::Message(text) => print::message("info message", text),
        Reply::BestMove { mv, ponder, draw, resign } => {
            let mut line = print::best_move(*mv, *ponder);
            line.flag("draw", *draw);
            line.flag("resign", *resign);
            line.finish()
        }
        Reply::NoBestMove => "nobestmove".to_owned(),
        Reply::PopHash { best, lower, upper } => print::pop_hash(*best, *lower, *upper),
        Reply::Bye => "bye".to_owned(),
    }
}

const COMMAND_WORDS: CommandWords =
    CommandWords { new_game: "setoption newgame", set_option: "setoption ", to: " " };

/// The command as a line without its end. A `go` is printed with the words its fields stand for, so
/// the sender fills in those of the mover and the opponent.
pub fn print_command(command: &Command) -> String {
    print::command(command, &COMMAND_WORDS)
}

/// `option NAME type T [min A] [max B] [var V]… [default D]`.
fn print_option(option: &OptionLine) -> String {
    let mut line = Line::reply("option");
    line.text(&option.name);
    line.field("type", Some(print::option_type(&option.kind)));
    match &option.kind {
        OptionKind::Check(default) => line.field("default", Some(default)),
        OptionKind::Spin { default, min, max } => {
            line.field("min", Some(min));
            line.field("max", Some(max));
            line.field("default", Some(default));
        }
        OptionKind::Combo { default, values } => {
            values.iter().for_each(|value| line.text_field("var", value));
            line.text_field("default", default);
        }
        OptionKind::Button => {}
        OptionKind::String(text) | OptionKind::Label(text) => line.text_field("default", text),
    }
    line.finish()
}

/// Depth first and pv last; the score is a bare integer.
fn print_info(info: &Info) -> String {
    let mut line = Line::reply("info");
    line.field("depth", info.depth);
    line.field("seldepth", info.seldepth);
    line.field("multipv", info.multipv);
    line.field("score", info.score.map(|score| score.to_ucci()));
    line.field("nodes", info.nodes);
    line.field("nps", info.nps);
    line.field("time", info.time.map(|time| time.as_millis()));
    line.field("currmove", info.current_move);
    line.moves("pv", &info.pv);
    line.finish()
}
