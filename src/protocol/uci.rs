//! UCI as current interfaces speak it to xiangqi engines: how replies and commands are printed.

use crate::types::Eval;

use super::command::Command;
use super::print::{self, CommandWords, Line};
use super::reply::{Info, OptionKind, OptionLine, Reply};

/// The reply as a line without its end; `None` for `bye` and labels, which UCI does not know.
/// The `draw` and `resign` of a best move go unsaid.
pub fn print_reply(reply: &Reply) -> Option<String> {
    Some(match reply {
        Reply::Id { key, text } => print::id(key, text),
        Reply::Option(option) => return print_option(option),
        Reply::HandshakeOk => "uciok".to_owned(),
        Reply::ReadyOk => "readyok".to_owned(),
        Reply::Info(info) => print_info(info),
        Reply::Message(text) => print::message("info string", text),
        Reply::BestMove { mv, ponder, .. } => print::best_move(*mv, *ponder).finish(),
        Reply::NoBestMove => "bestmove (none)".to_owned(),
        Reply::PopHash { best, lower, upper } => print::pop_hash(*best, *lower, *upper),
        Reply::Bye => return None,
    })
}

const COMMAND_WORDS: CommandWords =
    CommandWords { new_game: "ucinewgame", set_option: "setoption name ", to: " value " };

/// The command as a line without its end. A `go` is printed with the words its fields stand for, so
/// the sender fills in those of the two sides.
pub fn print_command(command: &Command) -> String {
    print::command(command, &COMMAND_WORDS)
}

/// `option name NAME type T [default D] [min A] [max B] [var V]…`.
fn print_option(option: &OptionLine) -> Option<String> {
    let mut line = Line::reply("option name");
    line.text(&option.name);
    line.field("type", Some(print::option_type(&option.kind)));
    match &option.kind {
        OptionKind::Check(default) => line.field("default", Some(default)),
        OptionKind::Spin { default, min, max } => {
            line.field("default", Some(default));
            line.field("min", Some(min));
            line.field("max", Some(max));
        }
        OptionKind::Combo { default, values } => {
            line.text_field("default", default);
            values.iter().for_each(|value| line.text_field("var", value));
        }
        OptionKind::Button => {}
        OptionKind::String(text) => line.text_field("default", text),
        OptionKind::Label(_) => return None,
    }
    Some(line.finish())
}

/// Depth first and pv last; the score says its kind.
fn print_info(info: &Info) -> String {
    let mut line = Line::reply("info");
    line.field("depth", info.depth);
    line.field("seldepth", info.seldepth);
    line.field("multipv", info.multipv);
    line.field("score", info.score.map(print_score));
    line.field("nodes", info.nodes);
    line.field("nps", info.nps);
    line.field("hashfull", info.hashfull);
    line.field("time", info.time.map(|time| time.as_millis()));
    line.field("currmove", info.current_move);
    line.field("currmovenumber", info.current_move_number);
    line.moves("pv", &info.pv);
    line.finish()
}

/// `cp N`, or `mate N` in moves of the side that mates, negative when the mover is mated.
fn print_score(score: Eval) -> String {
    match score {
        Eval::Points(points) => format!("cp {points}"),
        Eval::MateIn(plies) => format!("mate {}", plies.div_ceil(2)),
        Eval::MatedIn(0) => "mate 0".to_owned(),
        Eval::MatedIn(plies) => format!("mate -{}", plies.div_ceil(2)),
    }
}
