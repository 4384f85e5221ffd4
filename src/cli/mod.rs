//! The command line. One file per command: it parses, calls the library and formats.

mod analyse;
mod bench;
mod book;
#[cfg(unix)]
mod comply;
mod datagen;
mod eval;
mod judge;
mod logging;
#[cfg(unix)]
mod match_;
mod options;
mod perft;
mod progress;
#[cfg(unix)]
mod ratings;
mod suite;
mod tune;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use hanxin::book::BookError;
use hanxin::protocol::driver;
use log::LevelFilter;
use thiserror::Error;

/// Exit status after Ctrl-C, as shells have it.
const INTERRUPTED: u8 = 130;

/// A xiangqi (Chinese chess) engine.
///
/// Without a command it talks UCCI or UCI on stdin and stdout: that is how interfaces start it.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// Write the log to this file instead of stderr
    #[arg(long, global = true, value_name = "FILE", help_heading = "Logging")]
    log: Option<PathBuf>,

    /// How much to log: off, error, warn, info, debug or trace
    #[arg(long, global = true, value_name = "LEVEL", help_heading = "Logging")]
    log_level: Option<LevelFilter>,
}

#[derive(Subcommand)]
enum Command {
    Analyse(analyse::Args),
    Bench(bench::Args),
    Book(book::Args),
    #[cfg(unix)]
    Comply(comply::Args),
    Datagen(datagen::Args),
    Eval(eval::Args),
    Judge(judge::Args),
    #[cfg(unix)]
    Match(Box<match_::Args>),
    /// Ends what a match has started, should the match be killed
    #[cfg(unix)]
    #[command(name = match_::GUARD, hide = true)]
    Guard,
    Perft(perft::Args),
    #[cfg(unix)]
    Ratings(ratings::Args),
    Suite(suite::Args),
    Tune(tune::Args),
}

/// Why a command did not do its job, as one line that says what to do.
#[derive(Debug, Error)]
pub enum Error {
    /// The command line asks for something that cannot be.
    #[error("{0}")]
    Usage(String),
    /// The job itself failed.
    #[error("{0}")]
    Failed(String),
    /// A signal ended the job before its time.
    #[error("interrupted")]
    Interrupted,
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(#[from] io::Error),
}

impl From<BookError> for Error {
    fn from(fault: BookError) -> Error {
        Error::Failed(fault.to_string())
    }
}

impl Cli {
    /// Runs the command; its answer goes to stdout.
    pub fn run(self) -> Result<(), Error> {
        // Some referees read stderr too, so the protocol loop is silent unless told otherwise.
        let quiet = if self.command.is_some() { LevelFilter::Warn } else { LevelFilter::Off };
        logging::init(self.log.as_deref(), self.log_level, quiet)?;
        let Some(command) = self.command else { return converse() };
        let out = &mut io::stdout();
        match command {
            Command::Analyse(args) => analyse::run(&args, out)?,
            Command::Bench(args) => bench::run(&args, out)?,
            Command::Book(args) => book::run(&args, out)?,
            #[cfg(unix)]
            Command::Comply(args) => comply::run(&args, out)?,
            Command::Datagen(args) => datagen::run(&args, out)?,
            Command::Eval(args) => eval::run(&args, out)?,
            Command::Judge(args) => judge::run(&args, out)?,
            #[cfg(unix)]
            Command::Match(args) => match_::run(*args, self.log.as_deref(), out)?,
            #[cfg(unix)]
            Command::Guard => hanxin::arena::keep_guard(),
            Command::Perft(args) => perft::run(&args, out)?,
            #[cfg(unix)]
            Command::Ratings(args) => ratings::run(&args, out)?,
            Command::Suite(args) => suite::run(&args, out)?,
            Command::Tune(args) => tune::run(&args, out)?,
        }
        out.flush()?;
        Ok(())
    }
}

/// The protocol loop. A person at a terminal is told what it waits for.
fn converse() -> Result<(), Error> {
    if io::stdin().is_terminal() {
        eprintln!("hanxin waits for \"ucci\" or \"uci\"; see hanxin --help for other commands");
    }
    driver::run_stdio().map_err(|cause| Error::Failed(format!("cannot start a thread: {cause}")))
}

/// Says on stderr what went wrong: exit status 1 when the job failed, 2 for wrong usage, 130 when it
/// was interrupted. A reader that went away, as `head` does, is no failure.
pub fn report(error: &Error) -> ExitCode {
    match error {
        Error::Output(cause) if cause.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Error::Usage(_) => {
            eprintln!("hanxin: {error}");
            ExitCode::from(2)
        }
        Error::Interrupted => {
            eprintln!("hanxin: {error}");
            ExitCode::from(INTERRUPTED)
        }
        _ => {
            eprintln!("hanxin: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints what the parser has to say: help and version as they are, an error as one line.
pub fn report_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let written = error.print();
        return written.map_or_else(|cause| report(&Error::Output(cause)), |()| ExitCode::SUCCESS);
    }
    report(&Error::Usage(one_line(&error.to_string())))
}

/// The parser's message without its usage block, on one line.
fn one_line(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let reason = message.split("\n\nUsage:").next().unwrap_or(message);
    let reason = reason.split("\n\nFor more information").next().unwrap_or(reason);
    let words: Vec<&str> = reason.split_whitespace().collect();
    format!("{} (try --help)", words.join(" "))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn errors_take_one_line_and_say_what_to_do() {
        for line in ["hanxin perft", "hanxin perft x", "hanxin prft 3", "hanxin perft 3 --fen 9/9"]
        {
            let error = Cli::try_parse_from(line.split(' ')).err().unwrap();
            let text = one_line(&error.to_string());
            assert!(!text.contains('\n') && text.ends_with("(try --help)"), "{text}");
        }
    }
}
