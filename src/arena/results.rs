//! Results from the file of games alone: who played, and which games make a pair.

use super::journal::Past;
use super::record::GameRecord;
use super::schedule::Fixture;
use super::standings::Standings;
use super::stats::Sprt;

impl Past {
    /// The names of the engines, in the order of the match.
    pub fn names(&self) -> Vec<String> {
        let engines = self.settings["engines"].as_array();
        let name = |engine: &serde_json::Value| engine["name"].as_str().unwrap_or("").to_owned();
        engines.into_iter().flatten().map(name).collect()
    }

    /// The sequential test of the match.
    pub fn sprt(&self) -> Option<Sprt> {
        serde_json::from_value(self.settings["sprt"].clone()).ok()
    }

    /// The results after each game, in the order in which they were finished; the last has the
    /// faults between the games too.
    pub fn standings(&self, mut after: impl FnMut(&GameRecord, &Fixture, &Standings)) -> Standings {
        let names = self.names();
        let mut standings = Standings::new(names.iter().cloned());
        for game in &self.games {
            if let Some(fixture) = self.fixture(game, &names) {
                standings.add(&fixture, game);
                after(game, &fixture, &standings);
            }
        }
        self.faults.iter().for_each(|fault| standings.add_fault(fault));
        standings
    }

    /// The fixture of a game; `None` for engines that are not in the match. How long the match was
    /// meant to be is not in the file, so its pairs are numbered in another way than the schedule's.
    fn fixture(&self, game: &GameRecord, names: &[String]) -> Option<Fixture> {
        let find = |wanted: &String| names.iter().position(|name| name == wanted);
        let (red, black) = (find(&game.red)?, find(&game.black)?);
        let games = self.settings["games"].as_u64().map_or(2, |games| games.max(1)) as usize;
        let (number, round) = (game.game.checked_sub(1)?, game.round.checked_sub(1)?);
        // Two in a row of the games of an encounter, through all rounds.
        let pair = round.checked_mul(games)?.checked_add(number % games)? / 2;
        let encounter = red.min(black) * names.len() + red.max(black);
        Some(Fixture {
            number: game.game,
            round: game.round,
            red,
            black,
            opening: game.opening,
            pair: pair.checked_mul(names.len().pow(2))?.checked_add(encounter)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::record::Outcome;
    use super::super::schedule::{Event, Pairing};
    use super::*;

    /// Pairs are found as the schedule has them, also where a pair spans two rounds.
    #[test]
    fn pairs_are_those_of_the_schedule() {
        for (games, rounds) in [(2, 3), (1, 4), (3, 2)] {
            let event = Event {
                engines: 3,
                pairing: Pairing::RoundRobin,
                rounds,
                games,
                openings: 4,
                shuffle: Some(1),
            };
            let names = ["a", "b", "c"];
            let record = |fixture: &Fixture| GameRecord {
                game: fixture.number,
                round: fixture.round,
                opening: fixture.opening,
                red: names[fixture.red].to_owned(),
                black: names[fixture.black].to_owned(),
                fen: String::new(),
                moves: Vec::new(),
                verdict: if fixture.red == 0 { Outcome::RedWins } else { Outcome::Draw },
                reason: String::new(),
                faults: Vec::new(),
                started: 0,
                ecco: None,
                duration_ms: 0,
            };
            let engines: Vec<_> = names.iter().map(|name| json!({"name": name})).collect();
            let mut past =
                Past { settings: json!({"engines": engines, "games": games}), ..Past::default() };
            let mut played = Standings::new(names.map(str::to_owned));
            for fixture in event.schedule().iter().rev() {
                played.add(fixture, &record(fixture));
                past.games.push(record(fixture));
            }
            let found = past.standings(|_, _, _| {});
            assert_eq!(found.players, played.players);
            assert!(found.players[0].total.pairs.iter().sum::<u32>() > 0);
        }
    }
}
