//! `hanxin match`: engines play each other.

mod distinct;
mod settings;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use clap::{CommandFactory, FromArgMatches, ValueEnum};
use crossbeam_channel::{Receiver, bounded};
use hanxin::arena::adjudicate::Adjudication;
use hanxin::arena::config::{EngineConfig, Waiting};
use hanxin::arena::game::GameRules;
use hanxin::arena::schedule::Pairing;
use hanxin::arena::stats::Sprt;
use hanxin::arena::{
    ArenaError, GuardProgram, Match, Past, Progress, Standings, Summary, journal, parse_limit,
};
use hanxin::files;
use hanxin::output::{html, match_report};
use hanxin::rules::RuleSet;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use self::settings::EngineArgs;
use super::{Cli, Command, Error};

/// The hidden command under which this program keeps watch over engines.
pub const GUARD: &str = "guard-engines";

const EXAMPLES: &str = "\
Examples:
  Two engines, 100 games, two at once, the games kept in a file; the same line again goes on
  after an interruption:
    hanxin match --engine cmd=hanxin --engine cmd=eleeye --each tc=1m+0.5s \\
      --rounds 50 --concurrency 2 --jsonl games.jsonl
  Is the new build stronger? A sequential test at fixed nodes:
    hanxin match --engine name=new cmd=./new --engine name=old cmd=./old --each nodes=20000 \\
      --rounds 5000 --openings file=book.epd order=random --sprt elo0=0 elo1=10
  A round robin with a UCI engine that counts ranks from 1 to 10:
    hanxin match --engine cmd=hanxin name=A --engine cmd=hanxin name=B option.hashsize=1 \\
      --engine cmd=fairy-stockfish proto=uci ranks=1 option.UCI_Variant=xiangqi \\
      --each tc=1s+0.01s --rounds 10";

/// Play engines against each other
///
/// UCCI and UCI engines play under the rules of xiangqi; who breaks the protocol, the clock or the
/// rules loses that game and the match goes on. Mate is tested first, then repetition, then the
/// move limit.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    engines: EngineArgs,

    /// Options from a TOML or JSON file; those given here are added to it or replace its own
    #[arg(long, value_name = "FILE", help_heading = "Engines")]
    config: Option<PathBuf>,

    /// Who meets whom
    #[arg(long, value_enum, default_value_t, help_heading = "Event")]
    tournament: Tournament,

    /// Only these meet: names or numbers of engines, as in A:B or 1:3
    #[arg(long, value_name = "A:B", num_args = 1.., help_heading = "Event")]
    pairs: Vec<String>,

    /// Rounds; in each everyone meets
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count(), help_heading = "Event")]
    rounds: u32,

    /// Games of each encounter in a round; two in a row share an opening, with colours changed
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = count(), help_heading = "Event")]
    games: u32,

    /// Games played at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count(), help_heading = "Event")]
    concurrency: u32,

    /// Openings: a PGN file, or one a line, FEN or EPD, or moves from the start position; without it
    /// a balanced set that is built in. Settings: file=, plies= takes the first of each, order=
    /// sequential or random, encoding= of the file (gbk, big5, …) where a guess would be wrong
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Event")]
    openings: Vec<String>,

    /// Seed for the random order
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Event")]
    seed: u64,

    /// Stop as soon as it is clear whether the first engine is stronger: elo0=0 elo1=10 alpha=0.05
    /// beta=0.05 model=normalized or logistic
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., help_heading = "Event")]
    sprt: Option<Vec<String>>,

    /// Repetition rules: cxa, axf, computer, simple or off
    #[arg(long, value_name = "SET", default_value = "cxa", help_heading = "Referee")]
    ruleset: RuleSet,

    /// End lost games: score=600 count=3 twosided
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., help_heading = "Referee")]
    resign: Option<Vec<String>>,

    /// End level games: number=40 count=8 score=10
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., help_heading = "Referee")]
    draw: Option<Vec<String>>,

    /// Games of so many plies are drawn
    #[arg(long, value_name = "N", value_parser = count(), help_heading = "Referee")]
    maxplies: Option<u32>,

    /// Pass on draw offers of UCCI engines
    #[arg(long, help_heading = "Referee")]
    draw_offers: bool,

    /// Let UCCI engines resign
    #[arg(long, help_heading = "Referee")]
    resignations: bool,

    /// Tell UCCI engines which moves would lose by repetition
    #[arg(long, help_heading = "Referee")]
    banmoves: bool,

    /// How long an engine may take to start
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_limit, help_heading = "Limits")]
    start_limit: std::time::Duration,

    /// How long it may take to be ready for a game
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_limit, help_heading = "Limits")]
    ready_limit: std::time::Duration,

    /// How long it is waited for behind its time, and after stop and quit
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_limit, help_heading = "Limits")]
    answer_limit: std::time::Duration,

    /// How long it may take for a move without a clock
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_limit, help_heading = "Limits")]
    move_limit: std::time::Duration,

    /// Keep the games here, one a line as JSON; what it holds already is not played again
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    jsonl: Option<PathBuf>,

    /// Keep the players' ratings here, over many matches; hanxin ratings prints them
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    ledger: Option<PathBuf>,

    /// Write a page with tables, curves and all games to replay; without engines, from the file of
    /// --jsonl alone
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,

    /// Add the games to this PGN file; with --jsonl none is missing or twice there when a match goes
    /// on. Settings: file=, moves=iccs, coordinates or chinese
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Output")]
    pgn: Option<Vec<String>>,

    /// Print the table after every so many games
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count(), help_heading = "Output")]
    ratinginterval: u32,
}

fn count() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=1_000_000)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Tournament {
    /// Everyone meets everyone
    #[default]
    RoundRobin,
    /// The first engine meets all others
    Gauntlet,
}

pub fn run(args: Args, log: Option<&Path>, out: &mut impl Write) -> Result<(), Error> {
    let args = args.with_file()?;
    distinct::check_distinct(&args.files(log)?)?;
    let report = args.report.as_deref().map(Report::open).transpose()?;
    if let (Some(report), Some(journal), true) = (&report, &args.jsonl, args.engines.is_empty()) {
        return report.write(&journal::read(journal).map_err(|cause| failure(cause.into()))?);
    }
    let (event, interval) = (args.event()?, args.ratinginterval);
    let sprt = event.sprt;
    let stop = stop_on_signal()?;
    let mut display = Display::new(interval, sprt, out);
    // What is in a file need not be kept in memory too.
    let mut played = (report.is_some() && args.jsonl.is_none()).then(Past::default);
    let summary = event.run(&stop, |progress| {
        display.show(&progress);
        match (&mut played, progress) {
            (Some(played), Progress::Finished { record, .. }) => played.games.push(record.clone()),
            (Some(played), Progress::Fault(fault)) => played.faults.push(fault.clone()),
            _ => {}
        }
    });
    let summary = summary.map_err(failure)?;
    display.finish(&summary)?;
    if let Some(report) = report {
        let past = match (played, &args.jsonl) {
            (None, Some(journal)) => {
                journal::read(journal).map_err(|cause| failure(cause.into()))?
            }
            (played, _) => Past { settings: summary.settings, ..played.unwrap_or_default() },
        };
        report.write(&past)?;
    }
    if summary.stopped { Err(Error::Interrupted) } else { Ok(()) }
}

/// The page to be written at the end.
struct Report<'a> {
    path: &'a Path,
}

impl Report<'_> {
    /// Finds out before hours of play whether the page can be written.
    fn open(path: &Path) -> Result<Report<'_>, Error> {
        files::check_replaceable(path)
            .map_err(|cause| Error::Usage(format!("--report: {}: {cause}", path.display())))?;
        Ok(Report { path })
    }

    fn write(&self, past: &Past) -> Result<(), Error> {
        files::replace(self.path, html::match_page(past).as_bytes())
            .map_err(|cause| Error::Failed(format!("{}: {cause}", self.path.display())))
    }
}

fn failure(error: ArenaError) -> Error {
    match error {
        ArenaError::Journal(_)
        | ArenaError::Ledger(_)
        | ArenaError::Pgn(_)
        | ArenaError::Thread(_) => Error::Failed(error.to_string()),
        _ => Error::Usage(error.to_string()),
    }
}

/// Disconnected at the first Ctrl-C or termination; the second ends the program at once.
fn stop_on_signal() -> Result<Receiver<()>, Error> {
    let (running, stop) = bounded(0);
    let running = Mutex::new(Some(running));
    ctrlc::set_handler(move || {
        let first = running.lock().ok().and_then(|mut running| running.take());
        if first.is_none() {
            std::process::exit(super::INTERRUPTED.into());
        }
    })
    .map_err(|cause| Error::Failed(format!("cannot catch Ctrl-C: {cause}")))?;
    Ok(stop)
}

/// The options of a match as words; of what is set again the last holds.
fn parse(words: &[OsString]) -> Result<Args, clap::Error> {
    let words = ["hanxin", "match"].map(OsString::from).into_iter().chain(words.iter().cloned());
    let matches = Cli::command().args_override_self(true).try_get_matches_from(words)?;
    match Cli::from_arg_matches(&matches)?.command {
        Some(Command::Match(args)) => Ok(*args),
        _ => Err(clap::Error::new(clap::error::ErrorKind::InvalidSubcommand)),
    }
}

impl Args {
    /// The options of the file, if one is named, and then those of the command line on top. Only
    /// between the two may anything be set twice.
    fn with_file(self) -> Result<Args, Error> {
        self.check_repeats()?;
        let Some(path) = &self.config else { return Ok(self) };
        let refuse = |message: &str| Error::Usage(format!("{}: {message}", path.display()));
        let parse = |words: &[OsString]| {
            parse(words).map_err(|error| refuse(&super::one_line(&error.to_string())))
        };
        let mut words: Vec<OsString> =
            settings::options_of_file(path)?.into_iter().map(Into::into).collect();
        parse(&words)?.check_repeats().map_err(|error| refuse(&error.to_string()))?;
        words.extend(std::env::args_os().skip_while(|word| word != "match").skip(1));
        parse(&words)
    }

    fn check_repeats(&self) -> Result<(), Error> {
        self.engines.check_repeats()?;
        settings::check_repeats("openings", &self.openings)?;
        let others = [
            ("pgn", &self.pgn),
            ("sprt", &self.sprt),
            ("resign", &self.resign),
            ("draw", &self.draw),
        ];
        others.into_iter().try_for_each(|(option, settings)| {
            settings::check_repeats(option, settings.as_deref().unwrap_or_default())
        })
    }

    /// All files that are named, each with its option.
    fn files(&self, log: Option<&Path>) -> Result<Vec<(&'static str, PathBuf)>, Error> {
        let pgn = self.pgn.as_deref().map(settings::pgn).transpose()?;
        let files = [
            ("--config", self.config.clone()),
            ("--openings", settings::take_file(&self.openings).0),
            ("--jsonl", self.jsonl.clone()),
            ("--ledger", self.ledger.clone()),
            ("--report", self.report.clone()),
            ("--pgn", pgn.map(|output| output.path)),
            ("--log", log.map(Path::to_owned)),
        ];
        Ok(files.into_iter().filter_map(|(option, path)| Some((option, path?))).collect())
    }

    fn event(&self) -> Result<Match, Error> {
        let usage = |cause: &dyn std::fmt::Display| Error::Usage(cause.to_string());
        let engines = self.engines.configs().map_err(|cause| usage(&cause))?;
        let (openings, is_random) = settings::openings(&self.openings)?;
        let adjudication = Adjudication {
            resign: self.resign.as_deref().map(settings::resign_rule).transpose()?,
            draw: self.draw.as_deref().map(settings::draw_rule).transpose()?,
            max_plies: self.maxplies,
        };
        Ok(Match {
            pairing: self.pairing(&engines)?,
            engines,
            rounds: self.rounds as usize,
            games: self.games as usize,
            openings,
            shuffle: is_random.then_some(self.seed),
            concurrency: self.concurrency as usize,
            rules: GameRules {
                rule_set: self.ruleset,
                adjudication,
                draw_offers: self.draw_offers,
                resignations: self.resignations,
                ban_moves: self.banmoves,
            },
            waiting: Waiting {
                start: self.start_limit,
                ready: self.ready_limit,
                answer: self.answer_limit,
                untimed: self.move_limit,
            },
            sprt: self.sprt.as_deref().map(settings::sprt).transpose()?,
            journal: self.jsonl.clone(),
            ledger: self.ledger.clone(),
            pgn: self.pgn.as_deref().map(settings::pgn).transpose()?,
            guard: Some(GuardProgram::this_program(GUARD)?),
        })
    }

    fn pairing(&self, engines: &[EngineConfig]) -> Result<Pairing, Error> {
        let find = |text: &str| {
            let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let named = engines.iter().position(|engine| engine.name == text);
            named.or(number).filter(|&index| index < engines.len())
        };
        let pair = |text: &String| {
            let (first, second) = text.split_once(':')?;
            Some((find(first)?, find(second)?)).filter(|(first, second)| first != second)
        };
        if self.pairs.is_empty() {
            return Ok(match self.tournament {
                Tournament::RoundRobin => Pairing::RoundRobin,
                Tournament::Gauntlet => Pairing::Gauntlet,
            });
        }
        let pairs = self.pairs.iter().map(|text| {
            pair(text)
                .ok_or_else(|| Error::Usage(format!("--pairs: no pair of engines \"{text}\"")))
        });
        Ok(Pairing::Fixed(pairs.collect::<Result<_, _>>()?))
    }
}

/// Shows a match as it goes: a bar and the table on a terminal, lines elsewhere.
struct Display<'a, W: Write> {
    interval: u32,
    sprt: Option<Sprt>,
    bar: ProgressBar,
    games: usize,
    out: &'a mut W,
    is_terminal: bool,
}

impl<'a, W: Write> Display<'a, W> {
    fn new(interval: u32, sprt: Option<Sprt>, out: &'a mut W) -> Display<'a, W> {
        let is_terminal = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
        let target =
            if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{msg}\n{bar:40} {pos}/{len}  {eta} left");
        let bar = ProgressBar::with_draw_target(None, target)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Display { interval, sprt, bar, games: 0, out, is_terminal }
    }

    /// A reader that went away does not stop a match: its games are kept.
    fn show(&mut self, progress: &Progress) {
        let _ = match progress {
            Progress::Begins { games, standings } => self.begin(*games, standings),
            Progress::Finished { record, standings } => {
                self.bar.inc(1);
                let line = match_report::game_line(record, self.games);
                if self.is_terminal {
                    self.bar.set_message(format!("{}{line}", match_report::table(standings)));
                    return;
                }
                let is_due = standings.games().is_multiple_of(self.interval);
                let table = if is_due { self.state(standings) } else { String::new() };
                write!(self.out, "{line}\n{table}").and_then(|()| self.out.flush())
            }
            Progress::Fault(fault) => {
                let line = format!("{}: {}", fault.engine, fault.fault);
                self.bar.suspend(|| writeln!(self.out, "{line}"))
            }
        };
    }

    fn begin(&mut self, games: usize, standings: &Standings) -> std::io::Result<()> {
        self.games = games;
        self.bar.set_length(games as u64);
        self.bar.set_position(u64::from(standings.games()));
        self.bar.reset_eta();
        match standings.games() {
            0 => Ok(()),
            played => writeln!(self.out, "goes on behind {played} of {games} games"),
        }
    }

    fn state(&self, standings: &Standings) -> String {
        let mut text = match_report::table(standings);
        if let (Some(sprt), [first, ..]) = (&self.sprt, &standings.players[..]) {
            let tally = first.against.get(1).copied().unwrap_or_default();
            text += &match_report::sprt_line(sprt, &tally);
            text.push('\n');
        }
        text
    }

    fn finish(&mut self, summary: &Summary) -> std::io::Result<()> {
        self.bar.finish_and_clear();
        let report = match_report::report(&summary.standings, self.sprt.as_ref());
        write!(self.out, "\n{report}")?;
        if summary.stopped {
            writeln!(self.out, "stopped, {} games left", summary.left)?;
        }
        self.out.flush()
    }
}
