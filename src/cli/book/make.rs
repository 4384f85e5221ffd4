//! `hanxin book make`: a book from games.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::value_parser;
use hanxin::book::make::{MakeOptions, Maker};
use hanxin::record::encoding::decode;
use hanxin::record::{GameResult, pgn};
use hanxin::{Move, Position};
use serde::Deserialize;

use super::super::progress::LongJob;
use super::Error;

/// Make a book from games
///
/// A move's weight is two for every game that the side that played it won, and one for every draw.
/// Games without a result do not count.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hanxin book make games.jsonl master.pgn --output my.book")]
pub struct Args {
    /// Files of games: PGN, or the JSON lines of `hanxin match`
    #[arg(required = true)]
    games: Vec<PathBuf>,

    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Plies of each game that count
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u16).range(1..))]
    plies: u16,

    /// Leave moves out that fewer games have
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_games: u32,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<(), Error> {
    let options = MakeOptions { plies: args.plies, min_games: args.min_games };
    let mut maker = Maker::new(options);
    let mut job = LongJob::new(args.games.len() as u64, 0);
    let mut faults = 0;
    for path in &args.games {
        let bytes = super::read_file(path)
            .map_err(|cause| Error::Usage(format!("cannot read {}: {cause}", path.display())))?;
        let text = decode(&bytes);
        faults +=
            if is_pgn(path) { add_pgn(&mut maker, &text) } else { add_lines(&mut maker, &text) };
        job.step(format!("{} games", maker.games()));
    }
    job.finish();
    if faults > 0 {
        let games = super::plural(faults, "game");
        log::warn!("{faults} {games} could not be read: left out");
    }
    if maker.games() == 0 {
        return Err(Error::Failed("no game with a result".to_owned()));
    }
    let games = maker.games();
    let book = maker.build();
    super::write(&args.output, &book)?;
    let game = super::plural(games as usize, "game");
    writeln!(out, "{games} {game}, {}", super::size(&book))?;
    Ok(())
}

fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|name| name.eq_ignore_ascii_case("pgn"))
}

/// Counts the games of a PGN text; returns how many cannot be read.
fn add_pgn(maker: &mut Maker, text: &str) -> usize {
    let mut faults = 0;
    for game in pgn::read(text) {
        match game {
            Ok(game) => maker.add(&game.start, game.moves(), game.result),
            Err(_) => faults += 1,
        }
    }
    faults
}

/// A line of the match runner's file; other lines have another type.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    Game {
        fen: String,
        moves: Vec<LineMove>,
        verdict: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct LineMove {
    #[serde(rename = "move")]
    mv: String,
}

/// Counts the games of JSON lines; returns how many cannot be read.
fn add_lines(maker: &mut Maker, text: &str) -> usize {
    let mut faults = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Ok(line) = serde_json::from_str(line) else {
            faults += 1;
            continue;
        };
        let Line::Game { fen, moves, verdict } = line else { continue };
        let result = match verdict.as_str() {
            "red_wins" => GameResult::RedWins,
            "black_wins" => GameResult::BlackWins,
            "draw" => GameResult::Draw,
            _ => GameResult::Unknown,
        };
        match Position::from_fen(&fen) {
            Ok(start) => {
                // Moves behind one that is none do not count, as behind an illegal one.
                let moves = moves.iter().map_while(|text| text.mv.parse::<Move>().ok());
                maker.add(&start, moves, result);
            }
            Err(_) => faults += 1,
        }
    }
    faults
}
