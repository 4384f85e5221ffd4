//! `hanxin judge`: how a game stands by the rules, and why.

use std::io::Write;
use std::path::{Path, PathBuf};

use hanxin::Position;
use hanxin::notation::{NotationError, parse_any};
use hanxin::output::json::Record;
use hanxin::output::{Style, cycle_table, verdict_words};
use hanxin::rules::RuleSet;
use hanxin::rules::referee::{Foul, Referee};
use serde::Deserialize;
use serde_json::Value;

use super::{Error, progress};

/// Judge a game: who has won, or why it is drawn
///
/// The game is played by the rules from the position on. It ends at the first mate, stalemate,
/// losing or drawn repetition, sixty rounds without a capture, or illegal move; moves after that
/// are left out. A repetition is explained move by move. docs/rules.md describes the rule sets.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hanxin judge --fen '4k4/9/9/9/9/9/9/9/9/R2K5 w' \\
      --moves 'a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9'
  hanxin judge --jsonl games.jsonl --ruleset axf --json")]
pub struct Args {
    /// The position, instead of the start position
    #[arg(long, value_parser = Position::from_fen)]
    fen: Option<Position>,

    /// The moves of the game: h2e2, H2-E2 or 炮二平五
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,

    /// Judge the games of a file, one JSON object a line: {"id", "fen", "moves": [...]}
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    jsonl: Option<PathBuf>,

    /// The repetition rules: cxa, axf, computer, simple or off
    #[arg(long, value_name = "RULES", default_value = "cxa")]
    ruleset: RuleSet,

    /// Print JSON lines; docs/json.md describes them
    #[arg(long)]
    json: bool,

    /// Leave Chinese out
    #[arg(long)]
    ascii: bool,
}

/// One line of a file of games; what else is in it does not matter.
#[derive(Deserialize)]
struct Game {
    #[serde(default)]
    id: Value,
    fen: Option<String>,
    moves: Vec<String>,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    if let Some(path) = &args.jsonl {
        return judge_file(args, path, out);
    }
    let start = args.fen.clone().unwrap_or_else(Position::startpos);
    let words = args.moves.iter().flat_map(|argument| argument.split_whitespace());
    let referee = judge(start, words, args.ruleset)
        .map_err(|cause| Error::Usage(format!("--moves: {cause}")))?;
    if args.json {
        return Ok(Record::game(Value::Null, &referee).write(out)?);
    }
    let style = Style::for_stdout(args.ascii);
    writeln!(out, "{}", headline(&referee, style))?;
    if let Some(cycle) = referee.explain() {
        write!(out, "\n{}", cycle_table(&cycle, style))?;
    }
    Ok(())
}

fn judge_file(args: &Args, path: &Path, out: &mut impl Write) -> Result<(), Error> {
    let name = path.display();
    let text = std::fs::read(path)
        .map_err(|cause| Error::Usage(format!("cannot read {name}: {cause}")))?;
    let text = String::from_utf8_lossy(&text);
    let lines = || (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let style = Style::for_stdout(args.ascii);
    let bar = progress::bar(lines().count());
    let mut faults = 0;
    for (number, line) in lines() {
        let judged = judge_line(line, args.ruleset);
        bar.suspend(|| match (judged, args.json) {
            (Ok((id, referee)), true) => Record::game(id, &referee).write(out),
            (Ok((id, referee)), false) => {
                let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
                writeln!(out, "{number:>4}  {id}  {}", headline(&referee, style))
            }
            (Err(message), json) => {
                faults += 1;
                eprintln!("hanxin: {name}: line {number}: {message}");
                if json { Record::Error { position: number, message }.write(out) } else { Ok(()) }
            }
        })?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    match faults {
        0 => Ok(()),
        n => Err(Error::Failed(format!("{name}: {n} lines could not be read"))),
    }
}

fn judge_line(line: &str, rules: RuleSet) -> Result<(Value, Referee), String> {
    let game: Game = serde_json::from_str(line).map_err(|cause| format!("no game: {cause}"))?;
    let start = match &game.fen {
        None => Position::startpos(),
        Some(fen) => Position::from_fen(fen).map_err(|cause| cause.to_string())?,
    };
    let referee = judge(start, game.moves.iter().map(String::as_str), rules)?;
    Ok((game.id, referee))
}

/// Plays the moves until the game is over. What is no move at all is an error; a move against the
/// rules loses.
fn judge<'a>(
    start: Position,
    moves: impl Iterator<Item = &'a str>,
    rules: RuleSet,
) -> Result<Referee, String> {
    let mut referee = Referee::new(start, rules);
    for (number, text) in (1..).zip(moves) {
        if referee.verdict().is_over() {
            break;
        }
        let side = referee.position().side_to_move();
        let foul = match parse_any(referee.position(), text) {
            Ok(mv) => matches!(referee.play(mv), Err(Foul::Illegal(_))),
            Err(NotationError::NoSuchMove { .. } | NotationError::Illegal { .. }) => true,
            Err(cause) => return Err(format!("move {number}: {cause}")),
        };
        if foul {
            referee.illegal_move(side);
        }
    }
    Ok(referee)
}

/// The verdict with the rule set and the moment, in plies.
fn headline(referee: &Referee, style: Style) -> String {
    let verdict = verdict_words(referee.verdict(), style);
    let last = referee.moves().last().map_or(String::new(), |mv| format!(" ({mv})"));
    format!("{verdict}, {} rules, after {} plies{last}", referee.rules(), referee.moves().len())
}
