//! `hanxin analyse`: what the engine thinks of a position, or of many.

use std::io::{Read, Write};
use std::time::Duration;

use hanxin::notation::chinese;
use hanxin::output::json::Record;
use hanxin::output::{Style, draw_board, score_words};
use hanxin::search::{Limits, SearchEvent, SearchInfo, SearchReport, Signals};
use hanxin::{Color, Engine, Move, Position};

use super::options::{EngineArgs, LimitArgs, PositionArgs};
use super::{Error, progress};

const DEFAULT_TIME: Duration = Duration::from_secs(3);

/// Analyse a position, or many from stdin
///
/// Without a limit every position gets three seconds. Scores are from the side of the mover, in
/// pieces: a horse or a cannon is about 1.
#[derive(clap::Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:
  hanxin analyse --moves h2e2 h9g7 --movetime 5000
  hanxin analyse --moves 炮二平五 马8进7 --depth 12
  hanxin analyse --fen '3k5/R8/9/8p/9/9/9/9/1R7/4K4 w' --depth 8 --multipv 3
  hanxin analyse - --nodes 100000 --json <positions.txt"
)]
pub struct Args {
    /// Read positions from stdin, one FEN a line; each is searched as a new game
    #[arg(value_name = "-", value_parser = ["-"], hide_possible_values = true, conflicts_with_all = ["fen", "moves"])]
    stdin: Option<String>,

    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// How many of the best moves to analyse
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=128))]
    multipv: u16,

    #[command(flatten)]
    engine: EngineArgs,

    /// Print JSON lines; docs/json.md describes them
    #[arg(long)]
    json: bool,

    /// Draw the board with letters, and leave Chinese out
    #[arg(long)]
    ascii: bool,
}

pub fn run(args: &Args, out: &mut (impl Write + Send)) -> Result<(), Error> {
    let mut engine = args.engine.engine(args.multipv.into())?;
    let limits = args.limits.limits(DEFAULT_TIME);
    if args.stdin.is_some() {
        return analyse_stdin(&mut engine, &limits, args.json, out);
    }
    let position = args.position.position()?;
    if args.json {
        return analyse_json(&mut engine, position, 1, &limits, out);
    }
    let style = Style::for_stdout(args.ascii);
    let last = position.history().last().and_then(|ply| ply.mv);
    writeln!(out, "{}", draw_board(&position, last, style))?;
    writeln!(out, "{}\n\n{}", position.to_fen(), HEADER)?;
    let report = search(&mut engine, position.clone(), &limits, |info| {
        writeln!(out, "{}", table_row(info))?;
        Ok(())
    })?;
    writeln!(out, "\n{}", conclusion(&position, &report, style))?;
    Ok(())
}

/// Searches, and hands over each line of analysis until one cannot be written.
fn search(
    engine: &mut Engine,
    position: Position,
    limits: &Limits,
    mut write: impl FnMut(&SearchInfo) -> Result<(), Error> + Send,
) -> Result<SearchReport, Error> {
    let signals = Signals::default();
    let mut written = Ok(());
    engine.set_position(position);
    let report = engine.search(limits, &signals, |event| match event {
        SearchEvent::Lines(lines) if written.is_ok() => {
            written = lines.iter().try_for_each(&mut write);
            if written.is_err() {
                signals.stop();
            }
        }
        SearchEvent::Message(text) => eprintln!("{text}"),
        _ => {}
    });
    written.map(|()| report)
}

fn analyse_json(
    engine: &mut Engine,
    position: Position,
    number: usize,
    limits: &Limits,
    out: &mut (impl Write + Send),
) -> Result<(), Error> {
    let fen = position.to_fen();
    let report = search(engine, position, limits, |info| {
        Record::line(number, info).write(out)?;
        out.flush()?;
        Ok(())
    })?;
    Record::result(number, fen, &report).write(out)?;
    Ok(())
}

/// One FEN a line; a faulty one is said and the rest goes on.
fn analyse_stdin(
    engine: &mut Engine,
    limits: &Limits,
    json: bool,
    out: &mut (impl Write + Send),
) -> Result<(), Error> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|cause| Error::Failed(format!("cannot read stdin: {cause}")))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<(usize, &str)> =
        (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect();

    let bar = progress::bar(lines.len());
    let mut faults = 0;
    for &(number, fen) in &lines {
        match Position::from_fen(fen) {
            Ok(position) if json => {
                engine.new_game();
                bar.suspend(|| analyse_json(engine, position, number, limits, out))?;
            }
            Ok(position) => {
                engine.new_game();
                let mover = position.side_to_move();
                let report = search(engine, position, limits, |_| Ok(()))?;
                bar.suspend(|| writeln!(out, "{number:>4}  {}", summary_row(&report, mover)))?;
            }
            Err(fault) => {
                faults += 1;
                let message = fault.to_string();
                bar.suspend(|| {
                    if json {
                        Record::Error { position: number, message }.write(out)
                    } else {
                        eprintln!("hanxin: line {number}: {message}");
                        Ok(())
                    }
                })?;
            }
        }
        out.flush()?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    match faults {
        0 => Ok(()),
        n => Err(Error::Failed(format!("{n} of {} positions could not be read", lines.len()))),
    }
}

const HEADER: &str = "depth    score       nodes     time  line";

fn table_row(info: &SearchInfo) -> String {
    let rank = if info.multipv > 1 { format!("#{}", info.multipv) } else { info.depth.to_string() };
    let seconds = info.elapsed.as_secs_f64();
    format!("{rank:>5}  {:>7}  {:>10}  {seconds:>6.2}s  {}", info.eval, info.nodes, join(&info.pv))
}

fn summary_row(report: &SearchReport, mover: Color) -> String {
    let best = report.best.map_or("none".to_owned(), |mv| mv.to_string());
    let (score, words) = (report.eval, score_words(report.eval, mover));
    format!("{best}  {score:>7}  {words:<25}  {}", join(&report.pv)).trim_end().to_owned()
}

fn conclusion(position: &Position, report: &SearchReport, style: Style) -> String {
    let words = score_words(report.eval, position.side_to_move());
    let Some(best) = report.best else { return format!("{words}: no legal move") };
    let name = if style.ascii {
        best.to_string()
    } else {
        format!("{best} ({})", chinese::write(position, best))
    };
    format!("best move  {name}\nscore      {}, {words}", report.eval)
}

fn join(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}
