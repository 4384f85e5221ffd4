//! Ratings of players over many events: titles and their K, lottery points, rooms, and what one
//! game changes. Pure; [`super::ledger`] keeps them in a file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::rules::EndReason;
use crate::types::Color;

use super::record::{GameRecord, Outcome};

/// A row of the table of titles.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Title {
    /// The lowest rating that has it.
    pub from: f64,
    /// Its name.
    pub name: &'static str,
    /// The most a game can move the rating of who bears it.
    pub k: f64,
    /// Only an organiser grants it; no rating reaches it.
    pub by_grant: bool,
}

/// All titles, highest first.
pub const TITLES: [Title; 15] = [
    Title { from: 2600.0, name: "大将军", k: 10.0, by_grant: true },
    Title { from: 2400.0, name: "骠骑将军", k: 10.0, by_grant: true },
    Title { from: 2200.0, name: "卫将军", k: 10.0, by_grant: false },
    Title { from: 2000.0, name: "右将军", k: 14.0, by_grant: false },
    Title { from: 1800.0, name: "轻车将军", k: 14.0, by_grant: false },
    Title { from: 1600.0, name: "偏将军", k: 14.0, by_grant: false },
    Title { from: 1400.0, name: "裨将军", k: 20.0, by_grant: false },
    Title { from: 1200.0, name: "虎贲中郎将", k: 20.0, by_grant: false },
    Title { from: 1000.0, name: "骑郎将", k: 20.0, by_grant: false },
    Title { from: 800.0, name: "都尉", k: 30.0, by_grant: false },
    Title { from: 600.0, name: "校尉", k: 30.0, by_grant: false },
    Title { from: 400.0, name: "屯长", k: 30.0, by_grant: false },
    Title { from: 200.0, name: "百长", k: 30.0, by_grant: false },
    Title { from: 0.0, name: "伍长", k: 30.0, by_grant: false },
    Title { from: f64::NEG_INFINITY, name: "兵卒", k: 50.0, by_grant: false },
];

/// Rooms with the lottery points that open them, highest first.
pub const ROOMS: [(u64, &str); 3] = [(1000, "advanced"), (100, "middle"), (0, "beginner")];

/// The rating of a newcomer.
const NEWCOMER: f64 = 800.0;

/// Lottery points (乐透币) of a won game.
const PRIZE: u64 = 10;

/// Five rounds, in plies: whoever gives up this early has not played.
const SHORT_GAME: usize = 10;

/// What is known of one player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rated {
    /// Unrounded.
    pub rating: f64,
    /// Games that counted.
    pub games: u64,
    /// Lottery points (乐透币).
    pub points: u64,
    /// The title an organiser has granted: the name of one of [`TITLES`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granted: Option<String>,
}

impl Default for Rated {
    fn default() -> Rated {
        Rated { rating: NEWCOMER, games: 0, points: 0, granted: None }
    }
}

impl Rated {
    /// The title: the granted one whatever the rating, else the highest the rating reaches.
    pub fn title(&self) -> Title {
        let [.., lowest] = TITLES;
        let granted = self.granted.as_deref().and_then(grantable);
        let reached = || TITLES.into_iter().find(|row| !row.by_grant && self.rating >= row.from);
        granted.or_else(reached).unwrap_or(lowest)
    }

    /// The room the lottery points open.
    pub fn room(&self) -> &'static str {
        let [.., (_, lowest)] = ROOMS;
        ROOMS.into_iter().find(|row| self.points >= row.0).map_or(lowest, |row| row.1)
    }

    /// `score` is 1, ½ or 0, and `opponent` the other side's rating before the game.
    fn rate(&mut self, score: f64, opponent: f64) {
        let expected = 1.0 / (1.0 + 10f64.powf((opponent - self.rating) / 400.0));
        self.rating += self.title().k * (score - expected);
        self.games += 1;
    }
}

fn grantable(name: &str) -> Option<Title> {
    TITLES.into_iter().find(|row| row.by_grant && row.name == name)
}

/// Why a title cannot be granted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GrantError {
    /// Nobody of that name has played.
    #[error("no player \"{0}\"")]
    Player(String),
    /// Not one of the titles that are granted.
    #[error("no title to be granted \"{0}\" (one of {titles})", titles = grantable_names())]
    Title(String),
}

fn grantable_names() -> String {
    let names: Vec<&str> = TITLES.iter().filter(|row| row.by_grant).map(|row| row.name).collect();
    names.join(", ")
}

/// All players, and the games they were rated by.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratings {
    /// By name.
    #[serde(default)]
    pub players: BTreeMap<String, Rated>,
    /// The games that have counted, for each event by its id.
    #[serde(default)]
    events: BTreeMap<String, Numbers>,
}

impl Ratings {
    /// Counts a game of an event. False when it has counted before: nothing changes then.
    pub fn apply(&mut self, event: &str, game: &GameRecord) -> bool {
        if !self.events.entry(event.to_owned()).or_default().insert(game.game) {
            return false;
        }
        let outcome = rated_outcome(game);
        let names = [&game.red, &game.black];
        let before = names.map(|name| self.players.get(name).map_or(NEWCOMER, |own| own.rating));
        for (side, name) in Color::ALL.into_iter().zip(names) {
            let player = self.players.entry(name.clone()).or_default();
            let score = outcome.half_points(side) as f64 / 2.0;
            player.rate(score, before[(!side).index()]);
            if outcome == Outcome::win(side) && earns_points(&game.reason) {
                player.points += PRIZE;
            }
        }
        true
    }

    /// Gives a player one of the titles that no rating reaches.
    ///
    /// # Errors
    /// The player is not known, or the title is not one of those.
    pub fn grant(&mut self, player: &str, title: &str) -> Result<(), GrantError> {
        let title = grantable(title).ok_or_else(|| GrantError::Title(title.to_owned()))?;
        let known = self.players.get_mut(player);
        let known = known.ok_or_else(|| GrantError::Player(player.to_owned()))?;
        known.granted = Some(title.name.to_owned());
        Ok(())
    }

    /// What no match has written, in words: a rating that is no number, a title nobody grants.
    pub(super) fn fault(&self) -> Option<String> {
        let fault = |(name, player): (&String, &Rated)| match &player.granted {
            _ if !player.rating.is_finite() => Some(format!("the rating of {name} is no number")),
            Some(title) if grantable(title).is_none() => {
                Some(format!("{name}: {}", GrantError::Title(title.clone())))
            }
            _ => None,
        };
        self.players.iter().find_map(fault)
    }

    /// The players from first to last, by rating.
    pub fn ranking(&self) -> Vec<(&str, &Rated)> {
        let mut players: Vec<_> =
            self.players.iter().map(|(name, player)| (name.as_str(), player)).collect();
        players.sort_by(|a, b| b.1.rating.total_cmp(&a.1.rating));
        players
    }
}

/// The outcome that counts: a short game that was given up is a draw. Openings belong to the game.
fn rated_outcome(game: &GameRecord) -> Outcome {
    let given_up = [EndReason::Agreement, EndReason::Adjudication, EndReason::Resignation];
    let is_given_up = given_up.iter().any(|reason| reason.word() == game.reason);
    if is_given_up && game.moves.len() <= SHORT_GAME { Outcome::Draw } else { game.verdict }
}

/// Is there a prize for a win by this reason?
fn earns_points(reason: &str) -> bool {
    ![EndReason::Resignation, EndReason::Leaving].iter().any(|without| without.word() == reason)
}

/// A set of numbers as runs from a first to a last, ascending: most events are a single run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Numbers(Vec<[usize; 2]>);

impl Numbers {
    /// False when the number was there already.
    fn insert(&mut self, number: usize) -> bool {
        let runs = &mut self.0;
        // The first run that ends at the number's lower neighbor or behind it.
        let at = runs.partition_point(|run| run[1].saturating_add(1) < number);
        match runs.get_mut(at) {
            Some([first, last]) if (*first..=*last).contains(&number) => return false,
            Some([_, last]) if last.saturating_add(1) == number => *last = number,
            Some([first, _]) if number.saturating_add(1) == *first => *first = number,
            _ => runs.insert(at, [number, number]),
        }
        let next = runs.get(at + 1).copied();
        if let (Some(run), Some([first, last])) = (runs.get_mut(at), next)
            && run[1].saturating_add(1) == first
        {
            run[1] = last;
            runs.remove(at + 1);
        }
        true
    }
}

#[cfg(test)]
mod tests;
