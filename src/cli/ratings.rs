//! `hanxin ratings`: the players of all matches, and the titles an organiser grants.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use hanxin::arena::ledger::{Ledger, LedgerError};
use hanxin::output::json::Record;
use hanxin::output::ratings_table;

use super::Error;

const DEFAULT_FILE: &str = "ratings.toml";

/// Print the ratings that matches keep with --ledger
///
/// A rating is Elo's, with the K of the player's title; newcomers start at 800. A game that ends
/// within its first five rounds by agreement, adjudication or resignation counts as a draw. A win
/// is 10 lottery points, unless the loser resigned or left; points open rooms.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,

    /// The file of ratings
    #[arg(default_value = DEFAULT_FILE)]
    file: PathBuf,

    /// Print JSON lines; docs/json.md describes them
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Action {
    /// Grant a player one of the two titles that no rating reaches: 大将军 or 骠骑将军
    Grant {
        /// The player
        name: String,
        /// The title
        title: String,
        /// The file of ratings
        #[arg(long, value_name = "FILE", default_value = DEFAULT_FILE)]
        ledger: PathBuf,
    },
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    match &args.action {
        Some(Action::Grant { name, title, ledger }) => grant(ledger, name, title),
        None => print(args, out),
    }
}

fn grant(file: &Path, name: &str, title: &str) -> Result<(), Error> {
    let granted = Ledger::new(file).update(|ratings| ratings.grant(name, title));
    granted.map_err(|error| match error {
        LedgerError::Grant { .. } => Error::Usage(error.to_string()),
        _ => Error::Failed(error.to_string()),
    })
}

fn print(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    let ratings = Ledger::new(&args.file).read();
    let ratings = ratings.map_err(|error| Error::Usage(error.to_string()))?;
    if !args.json {
        write!(out, "{}", ratings_table(&ratings))?;
        return Ok(());
    }
    for (name, player) in ratings.ranking() {
        Record::player(name, player).write(out)?;
    }
    Ok(())
}
