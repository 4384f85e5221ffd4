//! Plays all games of a match, several at once, and keeps the books.

use std::collections::HashSet;
use std::path::PathBuf;
use std::thread::{self, Scope};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, never, select, unbounded};
use serde_json::{Value, json};
use thiserror::Error;

use crate::protocol::Dialect;

use super::config::{ConfigError, EngineConfig, Waiting, complete};
use super::engine::{House, can_start};
use super::game::{self, GameRules, Seat};
use super::guard::GuardProgram;
use super::journal::{Journal, JournalError, Past, new_id};
use super::ledger::{Ledger, LedgerError};
use super::openings::{Opening, OpeningError};
use super::pgn::{PgnFile, PgnFileError, PgnOutput};
use super::record::{FaultRecord, GameRecord};
use super::schedule::{Event, Fixture, Pairing};
use super::standings::Standings;
use super::stats::{Decision, Sprt};

/// Most games of a match; the whole schedule is in memory.
const MOST_GAMES: usize = 2_000_000;

/// A match as it is asked for.
#[derive(Clone, Debug)]
pub struct Match {
    /// Who plays.
    pub engines: Vec<EngineConfig>,
    /// Who meets whom.
    pub pairing: Pairing,
    /// So many rounds.
    pub rounds: usize,
    /// Games of each encounter in a round.
    pub games: usize,
    /// Where the games begin; never empty.
    pub openings: Vec<Opening>,
    /// Shuffles the openings.
    pub shuffle: Option<u64>,
    /// So many games at once.
    pub concurrency: usize,
    /// What holds for each game.
    pub rules: GameRules,
    /// How long engines are waited for.
    pub waiting: Waiting,
    /// Ends the match early; for two engines.
    pub sprt: Option<Sprt>,
    /// The file of games.
    pub journal: Option<PathBuf>,
    /// The file of ratings.
    pub ledger: Option<PathBuf>,
    /// The PGN file.
    pub pgn: Option<PgnOutput>,
    /// Keeps watch over the engines.
    pub guard: Option<GuardProgram>,
}

/// A match cannot be played, or not to its end.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// An engine's settings.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// An engine that does not exist.
    #[error("engine {name} cannot be started: {cause}")]
    Engine {
        /// Its name.
        name: String,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The openings.
    #[error("openings: {0}")]
    Openings(#[from] OpeningError),
    /// The file of games.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// The file of ratings.
    #[error("{0}")]
    Ledger(#[from] LedgerError),
    /// The PGN file.
    #[error("{0}")]
    Pgn(#[from] PgnFileError),
    /// A sequential test of more or less than two engines.
    #[error("a sequential test is for two engines and an even number of games")]
    Sprt,
    /// More games than can be kept in mind.
    #[error("{0} games are too many (at most {MOST_GAMES})")]
    TooManyGames(usize),
    /// No thread can be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// What happens in a match.
#[derive(Debug)]
pub enum Progress<'a> {
    /// It begins, with so many games in all and the results of an earlier start.
    Begins {
        /// Games of the whole match.
        games: usize,
        /// Results of those that were finished before.
        standings: &'a Standings,
    },
    /// A game was finished.
    Finished {
        /// The game.
        record: &'a GameRecord,
        /// Results with it.
        standings: &'a Standings,
    },
    /// An engine did something wrong between the games.
    Fault(&'a FaultRecord),
}

/// How a match ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// What was played, as the file of games has it.
    pub settings: Value,
    /// Results of all its games.
    pub standings: Standings,
    /// Games that are left to be played.
    pub left: usize,
    /// What the sequential test says.
    pub decision: Option<Decision>,
    /// Was it stopped from outside?
    pub stopped: bool,
}

/// From the players to the keeper of the books.
enum Report {
    Game(Fixture, Box<GameRecord>),
    Fault(FaultRecord),
}

impl Match {
    /// Plays all games that the file of games does not hold yet. Whatever happens is told to
    /// `progress`, in this thread. When `stop` is disconnected, the games under way are given up.
    ///
    /// # Errors
    /// The match cannot be begun, or a finished game cannot be written down.
    pub fn run(
        mut self,
        stop: &Receiver<()>,
        mut progress: impl FnMut(Progress),
    ) -> Result<Summary, ArenaError> {
        self.check()?;
        let schedule = self.event().schedule();
        let mut books = Books::open(&self, &schedule)?;
        progress(Progress::Begins { games: schedule.len(), standings: &books.standings });
        let left: Vec<Fixture> = schedule
            .into_iter()
            .filter(|fixture| !books.played.contains(&fixture.number))
            .collect();
        if books.decision.is_none() {
            self.play(&left, stop, &mut books, &mut progress)?;
        }
        Ok(Summary {
            left: left.iter().filter(|fixture| !books.played.contains(&fixture.number)).count(),
            settings: self.settings(),
            standings: books.standings,
            decision: books.decision,
            stopped: books.stopped,
        })
    }

    fn check(&mut self) -> Result<(), ArenaError> {
        complete(&mut self.engines)?;
        if self.sprt.is_some() && (self.engines.len() != 2 || self.rounds * self.games % 2 == 1) {
            return Err(ArenaError::Sprt);
        }
        let encounters = self.event().encounters().len();
        let games = self.rounds.saturating_mul(self.games).saturating_mul(encounters);
        if games > MOST_GAMES {
            return Err(ArenaError::TooManyGames(games));
        }
        self.check_openings()?;
        for engine in &self.engines {
            can_start(engine, self.guard.as_ref())
                .map_err(|cause| ArenaError::Engine { name: engine.name.clone(), cause })?;
        }
        Ok(())
    }

    /// Behind every opening there has to be something to play.
    fn check_openings(&self) -> Result<(), OpeningError> {
        if self.openings.is_empty() {
            return Err(OpeningError::Empty);
        }
        for (number, opening) in (1..).zip(&self.openings) {
            if let Some(reason) = opening.verdict(self.rules.rule_set).reason() {
                return Err(OpeningError::Decided { number, reason });
            }
            let plies = opening.moves.len();
            let most = self.rules.adjudication.max_plies;
            if let Some(most) = most.filter(|&most| plies >= most as usize) {
                return Err(OpeningError::TooLong { number, plies, most });
            }
        }
        Ok(())
    }

    fn event(&self) -> Event {
        Event {
            engines: self.engines.len(),
            pairing: self.pairing.clone(),
            rounds: self.rounds,
            games: self.games,
            openings: self.openings.len(),
            shuffle: self.shuffle,
        }
    }

    fn play(
        &self,
        fixtures: &[Fixture],
        stop: &Receiver<()>,
        books: &mut Books,
        progress: &mut impl FnMut(Progress),
    ) -> Result<(), ArenaError> {
        // Dropped to stop the games under way, also when something below fails.
        let (running, stopped) = bounded(0);
        let house = House { waiting: self.waiting, guard: self.guard.clone(), stop: stopped };
        let (jobs, queue) = unbounded();
        for &fixture in fixtures {
            // The receiver is right here.
            let _ = jobs.send(fixture);
        }
        drop(jobs);
        thread::scope(|scope| {
            let (sender, reports) = unbounded();
            let running = running;
            for number in 0..self.concurrency.min(fixtures.len()) {
                let worker = Worker {
                    event: self,
                    house: house.clone(),
                    queue: queue.clone(),
                    reports: sender.clone(),
                };
                worker.start(scope, number).map_err(ArenaError::Thread)?;
            }
            drop(sender);
            books.keep(&reports, stop, running, progress)
        })
    }

    /// All that has to be the same when a match goes on: everything but its length and its speed.
    fn settings(&self) -> Value {
        let engines: Vec<Value> = self.engines.iter().map(engine_settings).collect();
        let rules = &self.rules;
        json!({
            "engines": engines,
            "pairing": format!("{:?}", self.pairing),
            "games": self.games,
            "openings": format!("{:016x}", fingerprint(&self.openings)),
            "shuffle": self.shuffle,
            "rules": format!("{:?}", rules.rule_set).to_lowercase(),
            "resign": rules.adjudication.resign,
            "draw": rules.adjudication.draw,
            "maxplies": rules.adjudication.max_plies,
            "draw_offers": rules.draw_offers,
            "resignations": rules.resignations,
            "ban_moves": rules.ban_moves,
            "sprt": self.sprt,
        })
    }
}

fn engine_settings(engine: &EngineConfig) -> Value {
    let dialect = engine.dialect.map_or("auto", |dialect| match dialect {
        Dialect::Ucci => "ucci",
        Dialect::Uci => "uci",
    });
    json!({
        "name": engine.name,
        "command": engine.command,
        "args": engine.args,
        "dir": engine.dir,
        "protocol": dialect,
        "options": engine.options,
        "limits": engine.limits.describe(),
        "ponder": engine.ponder,
        "margin_ms": engine.margin().as_millis() as u64,
        "ranks": u8::from(engine.ranks_from_one),
    })
}

/// FNV-1a over the text of the openings: the same in every version of this program.
fn fingerprint(openings: &[Opening]) -> u64 {
    let moves = openings.iter().flat_map(|opening| &opening.moves).map(ToString::to_string);
    let fens = openings.iter().map(|opening| opening.fen.clone());
    fens.chain(moves).flat_map(String::into_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Plays one game after the other.
struct Worker<'a> {
    event: &'a Match,
    house: House,
    queue: Receiver<Fixture>,
    reports: Sender<Report>,
}

impl<'a> Worker<'a> {
    fn start<'scope>(self, scope: &'scope Scope<'scope, 'a>, number: usize) -> std::io::Result<()> {
        let thread = thread::Builder::new().name(format!("game {number}"));
        thread.spawn_scoped(scope, move || self.run()).map(drop)
    }

    fn run(&self) {
        // The engines of the last game. Who does not play does not run.
        let mut seats: Vec<(usize, Seat)> = Vec::new();
        for fixture in &self.queue {
            if self.house.stop.try_recv() == Err(TryRecvError::Disconnected) {
                break;
            }
            let Some(mut pair) = self.take_seats(&mut seats, &fixture) else { break };
            let [red, black] = &mut pair;
            let numbers = [fixture.number, fixture.round, fixture.opening];
            let Some(opening) = self.event.openings.get(fixture.opening) else { break };
            let game = game::play(numbers, opening, &self.event.rules, [&mut red.1, &mut black.1]);
            seats.extend(pair);
            let Ok(record) = game else { break };
            if self.reports.send(Report::Game(fixture, Box::new(record))).is_err() {
                break;
            }
        }
        self.close(seats);
    }

    /// The seats of both engines; those of others are closed.
    fn take_seats(
        &self,
        seats: &mut Vec<(usize, Seat)>,
        fixture: &Fixture,
    ) -> Option<[(usize, Seat); 2]> {
        let (kept, others) = std::mem::take(seats)
            .into_iter()
            .partition(|(index, _)| [fixture.red, fixture.black].contains(index));
        self.close(others);
        let mut kept: Vec<(usize, Seat)> = kept;
        let mut take = |index: usize| {
            let place = kept.iter().position(|seat| seat.0 == index);
            let new = || {
                let config = self.event.engines.get(index)?.clone();
                Some((index, Seat::new(config, self.house.clone())))
            };
            place.map(|place| kept.swap_remove(place)).or_else(new)
        };
        Some([take(fixture.red)?, take(fixture.black)?])
    }

    fn close(&self, seats: Vec<(usize, Seat)>) {
        for (_, mut seat) in seats {
            if let Some(fault) = seat.close() {
                // Nobody listens once the match has failed.
                let _ = self.reports.send(Report::Fault(fault));
            }
        }
    }
}

/// Results on paper and in memory.
struct Books {
    journal: Option<Journal>,
    ledger: Option<Ledger>,
    /// Of this event, for the file of ratings.
    id: String,
    pgn: Option<PgnFile>,
    standings: Standings,
    /// Numbers of the games that are finished.
    played: HashSet<usize>,
    sprt: Option<Sprt>,
    decision: Option<Decision>,
    stopped: bool,
}

impl Books {
    fn open(event: &Match, schedule: &[Fixture]) -> Result<Books, ArenaError> {
        let names = event.engines.iter().map(|engine| engine.name.clone());
        let mut books = Books {
            journal: None,
            ledger: event.ledger.as_deref().map(Ledger::new),
            id: new_id(),
            pgn: None,
            standings: Standings::new(names),
            played: HashSet::new(),
            sprt: event.sprt,
            decision: None,
            stopped: false,
        };
        let mut past = Past::default();
        if let Some(path) = &event.journal {
            let (journal, found) = Journal::open(path, &event.settings())?;
            books.id = journal.id().to_owned();
            books.journal = Some(journal);
            past = found;
            for game in &past.games {
                // Fixtures are numbered from 1 in their order.
                let fixture = game.game.checked_sub(1).and_then(|index| schedule.get(index));
                fixture.into_iter().for_each(|fixture| books.count(fixture, game));
            }
            past.faults.iter().for_each(|fault| books.standings.add_fault(fault));
        }
        // Also without games: what is no file of ratings is found before any is played.
        books.rate(&past.games)?;
        if let Some(output) = &event.pgn {
            books.pgn = Some(PgnFile::open(output, &event.engines, &past.games)?);
        }
        Ok(books)
    }

    /// Has games count in the file of ratings, those left out that have counted before.
    fn rate(&self, games: &[GameRecord]) -> Result<(), LedgerError> {
        let Some(ledger) = &self.ledger else { return Ok(()) };
        ledger.update(|ratings| {
            for game in games {
                ratings.apply(&self.id, game);
            }
            Ok(())
        })
    }

    fn count(&mut self, fixture: &Fixture, record: &GameRecord) {
        self.standings.add(fixture, record);
        self.played.insert(fixture.number);
        let first = self.standings.players.first().and_then(|player| player.against.get(1));
        // A decision stands, whatever the games under way bring.
        self.decision = self.decision.or_else(|| self.sprt?.decide(first?));
    }

    /// Takes reports until all players have gone home. They are sent home by dropping `running`.
    fn keep(
        &mut self,
        reports: &Receiver<Report>,
        stop: &Receiver<()>,
        running: Sender<()>,
        progress: &mut impl FnMut(Progress),
    ) -> Result<(), ArenaError> {
        let mut running = Some(running);
        let never = never();
        loop {
            let stop = if running.is_some() { stop } else { &never };
            let report = select! {
                recv(reports) -> report => report,
                recv(stop) -> _ => {
                    self.stopped = true;
                    running = None;
                    continue;
                }
            };
            match report {
                Ok(Report::Game(fixture, record)) => {
                    if let Some(journal) = &mut self.journal {
                        journal.add_game(&record)?;
                    }
                    self.rate(std::slice::from_ref(&*record))?;
                    // Behind the journal: what is missing here is found there.
                    if let Some(pgn) = &mut self.pgn {
                        pgn.add(&record)?;
                    }
                    self.count(&fixture, &record);
                    progress(Progress::Finished { record: &record, standings: &self.standings });
                    if self.decision.is_some() {
                        running = None;
                    }
                }
                Ok(Report::Fault(fault)) => {
                    if let Some(journal) = &mut self.journal {
                        journal.add_fault(&fault)?;
                    }
                    self.standings.add_fault(&fault);
                    progress(Progress::Fault(&fault));
                }
                Err(_) => return Ok(()),
            }
        }
    }
}
