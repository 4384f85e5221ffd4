//! Who plays whom, in which order, from which opening. A schedule is a pure function of its event,
//! so a match that was interrupted finds its games again by their numbers.

use crate::random::SplitMix64;

/// Which engines meet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Pairing {
    /// Everyone meets everyone.
    #[default]
    RoundRobin,
    /// The first meets everyone else.
    Gauntlet,
    /// These meet, by their numbers from 0.
    Fixed(Vec<(usize, usize)>),
}

/// What makes a schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// How many engines there are.
    pub engines: usize,
    /// Who meets whom.
    pub pairing: Pairing,
    /// So many rounds.
    pub rounds: usize,
    /// Games of each encounter in a round.
    pub games: usize,
    /// How many openings there are, at least 1.
    pub openings: usize,
    /// Shuffles the openings; `None` takes them as they come.
    pub shuffle: Option<u64>,
}

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// From 1.
    pub number: usize,
    /// From 1.
    pub round: usize,
    /// Index of the engine that plays Red.
    pub red: usize,
    /// Index of the engine that plays Black.
    pub black: usize,
    /// Index of the opening.
    pub opening: usize,
    /// Number of the pair the game belongs to: one opening, both colours.
    pub pair: usize,
}

impl Event {
    /// Who meets whom in each round, by index.
    pub fn encounters(&self) -> Vec<(usize, usize)> {
        match &self.pairing {
            Pairing::RoundRobin => (0..self.engines)
                .flat_map(|first| (first + 1..self.engines).map(move |second| (first, second)))
                .collect(),
            Pairing::Gauntlet => (1..self.engines).map(|second| (0, second)).collect(),
            Pairing::Fixed(pairs) => pairs.clone(),
        }
    }

    /// All games in the order in which they are started. The games of an encounter are numbered
    /// through its rounds: two in a row share an opening and change colours.
    pub fn schedule(&self) -> Vec<Fixture> {
        let order = self.opening_order();
        let encounters = self.encounters();
        let mut fixtures = Vec::new();
        for round in 0..self.rounds {
            for (encounter, &(first, second)) in encounters.iter().enumerate() {
                for game in round * self.games..(round + 1) * self.games {
                    let swapped = game % 2 == 1;
                    fixtures.push(Fixture {
                        number: fixtures.len() + 1,
                        round: round + 1,
                        red: if swapped { second } else { first },
                        black: if swapped { first } else { second },
                        opening: order.get(game / 2 % order.len().max(1)).copied().unwrap_or(0),
                        pair: game / 2 * encounters.len() + encounter,
                    });
                }
            }
        }
        fixtures
    }

    fn opening_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.openings).collect();
        if let Some(seed) = self.shuffle {
            SplitMix64::new(seed).shuffle(&mut order);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(engines: usize, pairing: Pairing, rounds: usize, games: usize) -> Event {
        Event { engines, pairing, rounds, games, openings: 5, shuffle: None }
    }

    #[test]
    fn four_engines_in_seventeen_rounds_play_204_games() {
        let games = event(4, Pairing::RoundRobin, 17, 2).schedule();
        assert_eq!(games.len(), 204);
        for side in 0..4 {
            let reds = games.iter().filter(|game| game.red == side).count();
            let blacks = games.iter().filter(|game| game.black == side).count();
            assert_eq!((reds, blacks), (51, 51));
        }
    }

    #[test]
    fn each_opening_is_played_with_both_colours() {
        for (rounds, games) in [(2, 2), (4, 1), (1, 6)] {
            let games = event(2, Pairing::RoundRobin, rounds, games).schedule();
            for pair in games.chunks_exact(2) {
                let [one, two] = pair else { unreachable!() };
                assert_eq!((one.red, one.black, one.opening), (two.black, two.red, two.opening));
                assert_eq!(one.pair, two.pair);
            }
        }
    }

    #[test]
    fn a_gauntlet_is_the_first_against_the_others() {
        let games = event(3, Pairing::Gauntlet, 1, 2).schedule();
        let pairs: Vec<_> = games.iter().map(|game| (game.red, game.black)).collect();
        assert_eq!(pairs, [(0, 1), (1, 0), (0, 2), (2, 0)]);
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }

    #[test]
    fn openings_are_shuffled_by_seed_alone() {
        let openings = |shuffle| {
            let event = Event { openings: 50, shuffle, ..event(2, Pairing::RoundRobin, 50, 2) };
            event.schedule().iter().step_by(2).map(|game| game.opening).collect::<Vec<_>>()
        };
        assert_eq!(openings(Some(7)), openings(Some(7)));
        assert_ne!(openings(Some(7)), openings(Some(8)));
        let mut sorted = openings(Some(7));
        sorted.sort_unstable();
        assert_eq!(sorted, openings(None));
    }

    #[test]
    fn more_rounds_keep_the_numbers_of_the_first() {
        let short = event(3, Pairing::RoundRobin, 2, 2).schedule();
        let long = event(3, Pairing::RoundRobin, 9, 2).schedule();
        assert_eq!(long[..short.len()], short);
    }
}
