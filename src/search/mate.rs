//! Mates by checks alone, found by proof numbers.
//!
//! A long mate in which every move of the attacker gives check (连将杀) has few moves a ply, but more plies
//! than alpha-beta sees in time. Depth-first proof-number search (df-pn, Nagai 2002) always goes on where
//! the fewest leaves are left to prove, so it follows forced lines to their end at once.
//!
//! A node is the attacker's (*or*: one move has to mate) or the defender's (*and*: every answer has to
//! be mated). A proof number counts the leaves still needed to prove the mate, a disproof number
//! those needed to refute it; 0 and [`INFINITE`] mean decided. The search is repeated with a growing
//! number of plies allowed, so that the first mate found is the shortest; what it knows of a position
//! holds for the plies left there, which keeps it sound whatever the path.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::board::{CheckSpotter, Position};
use crate::types::{Move, MoveList};

/// Proof number of what cannot be proven, disproof number of what is.
const INFINITE: u32 = 1 << 30;

/// Longest mate looked for, in plies.
const MAX_PLIES: u32 = 59;

/// What is known of a position.
#[derive(Clone, Copy)]
struct Entry {
    proof: u32,
    disproof: u32,
    /// Plies to the mate, once it is proven.
    plies: u32,
    /// The attacker's move of the proof, the defender's that holds out longest.
    best: Option<Move>,
}

impl Entry {
    const UNKNOWN: Entry = Entry { proof: 1, disproof: 1, plies: 0, best: None };
    const MATED: Entry = Entry { proof: 0, disproof: INFINITE, plies: 0, best: None };
    const NO_MATE: Entry = Entry { proof: INFINITE, disproof: 0, plies: 0, best: None };

    fn is_proven(&self) -> bool {
        self.proof == 0
    }
}

/// Keys of positions are random already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0 << 8 ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Looks for a mate by checks of the side to move. `stop` is asked now and then.
pub struct MateSearch<'a> {
    pos: Position,
    table: HashMap<u64, Entry, BuildHasherDefault<KeyHasher>>,
    /// Plies allowed in this round.
    max_plies: u32,
    /// Was anything given up in this round because of that?
    cut: bool,
    budget: u64,
    /// Nodes searched.
    pub nodes: u64,
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
}

impl<'a> MateSearch<'a> {
    /// A search of at most `budget` nodes.
    pub fn new(pos: &Position, budget: u64, stop: &'a dyn Fn() -> bool) -> MateSearch<'a> {
        MateSearch {
            pos: pos.clone(),
            table: HashMap::default(),
            max_plies: 0,
            cut: false,
            budget,
            nodes: 0,
            stop,
            stopped: false,
        }
    }

    /// The line of the shortest mate, the defender holding out as long as he can. `None` if none was
    /// found, which proves nothing.
    pub fn run(&mut self) -> Option<Vec<Move>> {
        for plies in (1..=MAX_PLIES).step_by(2) {
            self.max_plies = plies;
            self.cut = false;
            self.table.clear();
            let root = self.visit(plies, INFINITE, INFINITE);
            if root.is_proven() {
                return Some(self.line());
            }
            if self.stopped || !self.cut {
                break;
            }
        }
        None
    }

    /// Works on the position, with so many plies left, until a threshold is reached or it is decided.
    /// It is the attacker's turn when they are odd.
    fn visit(&mut self, left: u32, max_proof: u32, max_disproof: u32) -> Entry {
        self.nodes += 1;
        if self.nodes >= self.budget || self.nodes.is_multiple_of(256) && (self.stop)() {
            self.stopped = true;
        }
        let moves = self.moves(left);
        let children = self.children(left, &moves);
        let entry = loop {
            let survey = self.survey(left, &children, max_proof, max_disproof);
            let Survey { entry, next, .. } = survey;
            let enough = entry.proof >= max_proof || entry.disproof >= max_disproof;
            let Some(next) = next.filter(|_| !enough && !self.stopped) else { break entry };
            self.pos.make(next);
            self.visit(left - 1, survey.max_proof, survey.max_disproof);
            self.pos.unmake();
        };
        self.table.insert(self.key(left), entry);
        entry
    }

    /// Names the position with so many plies left.
    fn key(&self, left: u32) -> u64 {
        self.pos.key() ^ u64::from(left).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Checks for the attacker, every legal move for the defender.
    fn moves(&self, left: u32) -> MoveList {
        let mut moves = self.pos.legal_moves();
        if is_attacker(left) {
            let spotter = CheckSpotter::new(&self.pos);
            moves.retain(|mv| spotter.gives_check(&self.pos, mv));
        }
        moves
    }

    /// The moves with the keys of what they lead to. What is not known of that yet is decided if
    /// there is no move or no ply left, or guessed from the number of moves.
    fn children(&mut self, left: u32, moves: &MoveList) -> Vec<(Move, u64)> {
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            self.pos.make(mv);
            let key = self.key(left - 1);
            if !self.table.contains_key(&key) {
                let entry = self.first_look(left - 1);
                self.table.insert(key, entry);
            }
            self.pos.unmake();
            children.push((mv, key));
        }
        children
    }

    fn first_look(&mut self, left: u32) -> Entry {
        let answers = self.moves(left).len() as u32;
        match (is_attacker(left), answers) {
            (true, 0) => Entry::NO_MATE,
            (false, 0) => Entry::MATED,
            _ if left == 0 => {
                self.cut = true;
                Entry::NO_MATE
            }
            (true, _) => Entry { disproof: answers, ..Entry::UNKNOWN },
            (false, _) => Entry { proof: answers, ..Entry::UNKNOWN },
        }
    }

    /// A node's numbers from those of its children, and which child to work on up to what.
    fn survey(
        &self,
        left: u32,
        children: &[(Move, u64)],
        max_proof: u32,
        max_disproof: u32,
    ) -> Survey {
        let attacker = is_attacker(left);
        // The attacker needs one proof, the defender one disproof: `least`. For the opposite every
        // child is needed: `total`.
        let (mut least, mut second, mut total) = (INFINITE, INFINITE, 0);
        let (mut next, mut next_cost) = (None, 0);
        let (mut best, mut plies) = (None, 0);
        for &(mv, key) in children {
            let entry = self.table.get(&key).copied().unwrap_or(Entry::UNKNOWN);
            let (goal, cost) = match attacker {
                true => (entry.proof, entry.disproof),
                false => (entry.disproof, entry.proof),
            };
            total = (total + cost).min(INFINITE);
            if goal < least {
                (least, second) = (goal, least);
                (next, next_cost) = (Some(mv), cost);
            } else {
                second = second.min(goal);
            }
            let is_better = if attacker { entry.plies < plies } else { entry.plies > plies };
            if entry.is_proven() && (best.is_none() || is_better) {
                (best, plies) = (Some(mv), entry.plies);
            }
        }
        let (proof, disproof) = if attacker { (least, total) } else { (total, least) };
        let entry = Entry { proof, disproof, plies: plies + 1, best };
        let (max_goal, max_cost) =
            if attacker { (max_proof, max_disproof) } else { (max_disproof, max_proof) };
        let goal = max_goal.min(second + 1);
        let cost = (max_cost.saturating_sub(total) + next_cost).min(INFINITE);
        let (max_proof, max_disproof) = if attacker { (goal, cost) } else { (cost, goal) };
        Survey { entry, next, max_proof, max_disproof }
    }

    /// The line of the proof.
    fn line(&mut self) -> Vec<Move> {
        let root = self.pos.clone();
        let mut line = Vec::new();
        let mut left = self.max_plies;
        while let Some(mv) = self.table.get(&self.key(left)).and_then(|entry| entry.best) {
            self.pos.make(mv);
            line.push(mv);
            left -= 1;
        }
        self.pos = root;
        line
    }
}

/// Is it the attacker's turn with so many plies left?
fn is_attacker(left: u32) -> bool {
    left % 2 == 1
}

/// What [`MateSearch::survey`] finds out about a node.
struct Survey {
    entry: Entry,
    /// The child to work on next; none if there is no child.
    next: Option<Move>,
    /// Its thresholds.
    max_proof: u32,
    max_disproof: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate(fen: &str, budget: u64) -> Option<Vec<Move>> {
        let pos = Position::from_fen(fen).expect("valid");
        MateSearch::new(&pos, budget, &|| false).run()
    }

    /// Every mate of the public suite that is found within a few thousand nodes: each line is played,
    /// every second move checks, and it ends in mate.
    #[test]
    fn lines_end_in_mate() {
        let suite = include_str!("../../tests/data/mates_public.epd");
        let mut found = 0;
        for line in suite.lines().filter(|line| !line.starts_with('#')) {
            let fen = line.split(" bm ").next().expect("a line");
            let fen = fen.split(';').next().expect("a part").trim();
            let Some(moves) = mate(fen, 20_000) else { continue };
            found += 1;
            let mut pos = Position::from_fen(fen).expect("valid");
            for (n, &mv) in moves.iter().enumerate() {
                pos.play(mv).expect("legal");
                assert!(n % 2 == 1 || pos.is_check(), "{fen}: {mv}");
            }
            assert!(pos.is_finished() && pos.is_check(), "{fen}: {moves:?}");
        }
        assert!(found >= 54, "{found}");
    }

    #[test]
    fn no_mate_is_claimed_where_there_is_none() {
        assert_eq!(mate(crate::board::START_FEN, 10_000), None);
    }
}
