//! The results of a match so far: who has how many points, and what each engine needed and did wrong.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use crate::types::Color;

use super::fault::FaultKind;
use super::record::{FaultRecord, GameRecord};
use super::schedule::Fixture;
use super::stats::Tally;

/// All players with their results. The order is that of the engines of the match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standings {
    /// The players.
    pub players: Vec<Player>,
    /// First games of pairs whose second is not finished: half points of the engine with the
    /// smaller number.
    open_pairs: HashMap<usize, usize>,
}

/// One engine's part.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Player {
    /// Its name.
    pub name: String,
    /// Against all.
    pub total: Tally,
    /// Against each, by number.
    pub against: Vec<Tally>,
    /// What it needed.
    pub effort: Effort,
    /// How often it did what wrong.
    pub faults: BTreeMap<FaultKind, u32>,
}

/// What an engine needed for its moves, openings left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// Time for them, in microseconds.
    pub time_us: u64,
    /// Sum of depths, and moves that told one.
    depths: (u64, u64),
    /// Sum of nodes, and the time in microseconds of the moves that told them.
    nodes: (u64, u64),
}

impl Effort {
    /// Mean depth, in plies.
    pub fn depth(&self) -> Option<f64> {
        let (sum, count) = self.depths;
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// Nodes per second.
    pub fn nps(&self) -> Option<f64> {
        let (nodes, time_us) = self.nodes;
        (time_us > 0).then(|| nodes as f64 * 1e6 / time_us as f64)
    }

    /// Time for all moves.
    pub fn time(&self) -> Duration {
        Duration::from_micros(self.time_us)
    }
}

impl Standings {
    /// Nobody has played yet.
    pub fn new(names: impl IntoIterator<Item = String>) -> Standings {
        let names: Vec<String> = names.into_iter().collect();
        let player = |name: &String| Player {
            name: name.clone(),
            against: vec![Tally::default(); names.len()],
            ..Player::default()
        };
        Standings { players: names.iter().map(player).collect(), open_pairs: HashMap::new() }
    }

    /// Counts a finished game.
    pub fn add(&mut self, fixture: &Fixture, record: &GameRecord) {
        let seats = [(fixture.red, fixture.black), (fixture.black, fixture.red)];
        for (side, (own, other)) in Color::ALL.into_iter().zip(seats) {
            let half_points = record.verdict.half_points(side);
            self.tallies(own, other, |tally| tally.add_game(half_points));
        }
        self.add_pair(fixture, record);
        self.add_effort(fixture, record);
        record.faults.iter().for_each(|fault| self.add_fault(fault));
    }

    fn add_pair(&mut self, fixture: &Fixture, record: &GameRecord) {
        let (low, high) = (fixture.red.min(fixture.black), fixture.red.max(fixture.black));
        let side = if low == fixture.red { Color::Red } else { Color::Black };
        let half_points = record.verdict.half_points(side);
        match self.open_pairs.remove(&fixture.pair) {
            None => {
                self.open_pairs.insert(fixture.pair, half_points);
            }
            Some(first) => {
                self.tallies(low, high, |tally| tally.add_pair(first + half_points));
                self.tallies(high, low, |tally| tally.add_pair(4 - first - half_points));
            }
        }
    }

    /// Changes what stands for an engine against another, and against all.
    fn tallies(&mut self, own: usize, other: usize, change: impl Fn(&mut Tally)) {
        let Some(player) = self.players.get_mut(own) else { return };
        change(&mut player.total);
        player.against.get_mut(other).into_iter().for_each(change);
    }

    fn add_effort(&mut self, fixture: &Fixture, record: &GameRecord) {
        // The FEN says who began; every ply changes the side.
        let red_begins = record.fen.split(' ').nth(1) != Some("b");
        for (ply, mv) in record.moves.iter().enumerate() {
            let is_red = (ply % 2 == 0) == red_begins;
            let index = if is_red { fixture.red } else { fixture.black };
            let player = self.players.get_mut(index);
            let (Some(player), Some(thought)) = (player, &mv.thought) else { continue };
            let effort = &mut player.effort;
            effort.moves += 1;
            effort.time_us += thought.time_us;
            if let Some(depth) = thought.depth {
                effort.depths.0 += u64::from(depth);
                effort.depths.1 += 1;
            }
            if let Some(nodes) = thought.nodes {
                effort.nodes.0 = effort.nodes.0.saturating_add(nodes);
                effort.nodes.1 += thought.time_us;
            }
        }
    }

    /// Counts a fault.
    pub fn add_fault(&mut self, fault: &FaultRecord) {
        let player = self.players.iter_mut().find(|player| player.name == fault.engine);
        if let Some(player) = player {
            *player.faults.entry(fault.fault.kind).or_default() += 1;
        }
    }

    /// Games counted.
    pub fn games(&self) -> u32 {
        self.players.iter().map(|player| player.total.games()).sum::<u32>() / 2
    }

    /// The players, with their numbers, from first to last by their share of points.
    pub fn ranking(&self) -> Vec<(usize, &Player)> {
        let mut players: Vec<(usize, &Player)> = self.players.iter().enumerate().collect();
        players.sort_by(|a, b| b.1.total.score().total_cmp(&a.1.total.score()));
        players
    }
}

#[cfg(test)]
mod tests {
    use super::super::fault::Fault;
    use super::super::record::{MoveRecord, Outcome, Thought};
    use super::super::schedule::{Event, Pairing};
    use super::*;

    fn record(verdict: Outcome) -> GameRecord {
        let thought = |depth, nodes| Thought { depth, nodes, time_us: 500, ..Thought::default() };
        let mv = |thought| MoveRecord { mv: "h2e2".to_owned(), thought };
        GameRecord {
            game: 1,
            round: 1,
            opening: 0,
            red: String::new(),
            black: String::new(),
            fen: "x b".to_owned(),
            moves: vec![
                mv(None),
                mv(Some(thought(Some(7), Some(1_000)))),
                mv(Some(thought(None, None))),
                mv(Some(thought(Some(8), None))),
            ],
            verdict,
            reason: String::new(),
            faults: vec![FaultRecord {
                engine: "b".to_owned(),
                fault: Fault::new(FaultKind::Stall, ""),
            }],
            started: 0,
            ecco: None,
            duration_ms: 0,
        }
    }

    #[test]
    fn pairs_are_those_of_an_opening_in_any_order() {
        let event = Event {
            engines: 2,
            pairing: Pairing::RoundRobin,
            rounds: 2,
            games: 2,
            openings: 2,
            shuffle: None,
        };
        let schedule = event.schedule();
        let mut standings = Standings::new(["a".to_owned(), "b".to_owned()]);
        // Games 1 and 2: a wins both. Games 3 and 4: a loses as red, draws as black.
        let verdicts = [Outcome::RedWins, Outcome::BlackWins, Outcome::BlackWins, Outcome::Draw];
        for index in [2, 1, 3, 0] {
            standings.add(&schedule[index], &record(verdicts[index]));
        }
        let [a, b] = &standings.players[..] else { panic!() };
        assert_eq!((a.total.wins, a.total.draws, a.total.losses), (2, 1, 1));
        assert_eq!(a.against[1].pairs, [0, 1, 0, 0, 1]);
        assert_eq!(b.total.pairs, [1, 0, 0, 1, 0]);
        assert_eq!(standings.games(), 4);
        assert_eq!(b.faults[&FaultKind::Stall], 4);
        assert!(standings.open_pairs.is_empty());
    }

    #[test]
    fn effort_goes_to_the_mover() {
        let fixture = Fixture { number: 1, round: 1, red: 0, black: 1, opening: 0, pair: 0 };
        let mut standings = Standings::new(["a".to_owned(), "b".to_owned()]);
        standings.add(&fixture, &record(Outcome::Draw));
        // Black began, so plies 2 and 4 are Red's.
        let effort = &standings.players[0].effort;
        assert_eq!((effort.moves, effort.time_us), (2, 1_000));
        assert_eq!(effort.depth(), Some(7.5));
        assert_eq!(effort.nps(), Some(2e6));
        assert_eq!(standings.players[1].effort.moves, 1);
        assert_eq!(standings.players[1].effort.depth(), None);
    }
}
