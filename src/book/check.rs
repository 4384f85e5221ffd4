//! Does the engine agree with a book? Each of its moves beside the engine's own choice.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::key::BookKey;
use super::walk::Known;
use crate::engine::Engine;
use crate::search::{Limits, Signals};
use crate::types::Move;

/// A search and its outcome: a line of the file that remembers them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Searched {
    #[serde(flatten)]
    pub question: Question,
    #[serde(flatten)]
    pub answer: Answer,
}

/// What came of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The engine's choice, as the book keeps moves.
    pub best: String,
    /// Value for the mover, as the bare integer of UCCI.
    pub score: i32,
}

/// What there is to search.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Question {
    /// Key of the position, in hexadecimal.
    pub key: String,
    /// The move alone, as the book keeps it; `None` for the engine's choice among all.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// Depth in plies, where it was limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes, where they were limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds, where they were limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

/// A book move that the engine thinks little of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// The move.
    pub mv: Move,
    /// What the engine would play.
    pub best: Move,
    /// How much less the move is worth, in centi-pieces.
    pub loss: i32,
}

/// How a book is checked.
#[derive(Clone, Debug)]
pub struct Checker {
    /// How much to search.
    pub limits: Limits,
    /// How much to search again where a move seems to lose too much.
    pub recheck: Option<Limits>,
    /// Centi-pieces that a move may lose.
    pub tolerance: i32,
    /// What was searched before.
    pub memory: HashMap<Question, Answer>,
}

impl Checker {
    /// The moves of a position that lose too much, and what had to be searched to know it.
    pub fn check(&self, engine: &mut Engine, known: &Known) -> (Vec<Doubt>, Vec<Searched>) {
        let mut searched = Vec::new();
        let moves = known.entries.iter().map(|entry| entry.mv).collect();
        let mut doubts = self.doubts(engine, known, moves, &self.limits, &mut searched);
        if let (Some(limits), false) = (&self.recheck, doubts.is_empty()) {
            let moves = doubts.iter().map(|doubt| doubt.mv).collect();
            doubts = self.doubts(engine, known, moves, limits, &mut searched);
        }
        (doubts, searched)
    }

    /// Those of the moves that lose too much by searches with these limits.
    fn doubts(
        &self,
        engine: &mut Engine,
        known: &Known,
        moves: Vec<Move>,
        limits: &Limits,
        searched: &mut Vec<Searched>,
    ) -> Vec<Doubt> {
        let mut ask = |mv| self.ask(engine, known, mv, limits, searched);
        let Some((best, score)) = ask(None) else { return Vec::new() };
        let others = moves.into_iter().filter(|&mv| mv != best);
        others
            .filter_map(|mv| {
                let loss = score - ask(Some(mv))?.1;
                (loss > self.tolerance).then_some(Doubt { mv, best, loss })
            })
            .collect()
    }

    /// The engine's choice and its value, from memory or by a search; of one move where one is given.
    fn ask(
        &self,
        engine: &mut Engine,
        known: &Known,
        mv: Option<Move>,
        limits: &Limits,
        searched: &mut Vec<Searched>,
    ) -> Option<(Move, i32)> {
        let key = BookKey::of(&known.position);
        let question = question(key, mv, limits);
        let answer = match self.memory.get(&question) {
            Some(answer) => answer.clone(),
            None => {
                let answer = search(engine, known, key, mv, limits)?;
                searched.push(Searched { question, answer: answer.clone() });
                answer
            }
        };
        Some((key.unfold(answer.best.parse().ok()?), answer.score))
    }
}

fn question(key: BookKey, mv: Option<Move>, limits: &Limits) -> Question {
    let &Limits { depth, nodes, move_time, .. } = limits;
    Question {
        key: format!("{:016x}", key.key),
        mv: mv.map(|mv| key.fold(mv).to_string()),
        depth,
        nodes,
        time_ms: move_time.map(|time| time.as_millis() as u64),
    }
}

/// Searches as a new game.
fn search(
    engine: &mut Engine,
    known: &Known,
    key: BookKey,
    mv: Option<Move>,
    limits: &Limits,
) -> Option<Answer> {
    engine.new_game();
    engine.set_position(known.position.clone());
    let limits = Limits { search_moves: mv.into_iter().collect(), ..limits.clone() };
    let report = engine.search(&limits, &Signals::default(), |_| {});
    let best = key.fold(report.best?).to_string();
    Some(Answer { best, score: report.eval.to_ucci() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Book, Builder, Walk, source};
    use super::*;

    #[test]
    fn a_blunder_is_found_and_nothing_is_searched_twice() {
        let mut builder = Builder::default();
        // The cannon takes a horse and is lost for it.
        let text = "h2e2 ; 9\nh2h9 ; 1";
        source::lines(text).for_each(|line| builder.add_line(&line.unwrap()));
        let book = Book::Compiled(builder.build());
        let start = Walk::new(&book).next().unwrap().unwrap();
        let limits = Limits::nodes(20_000);
        let mut checker = Checker { limits, recheck: None, tolerance: 40, memory: HashMap::new() };
        let mut engine = Engine::default();
        let (doubts, searched) = checker.check(&mut engine, &start);
        assert_eq!(doubts.len(), 1);
        assert_eq!(doubts[0].mv.to_string(), "h2h9");
        assert!(doubts[0].loss > 40, "{doubts:?}");
        let text: Vec<String> =
            searched.iter().map(|line| serde_json::to_string(line).unwrap()).collect();
        let read = |line: &String| serde_json::from_str::<Searched>(line).unwrap();
        checker.memory = text.iter().map(read).map(|line| (line.question, line.answer)).collect();
        assert_eq!(checker.check(&mut engine, &start), (doubts.clone(), Vec::new()));
        checker.recheck = Some(Limits::nodes(30_000));
        let (deeper, again) = checker.check(&mut engine, &start);
        assert_eq!(deeper.iter().map(|doubt| doubt.mv).collect::<Vec<_>>(), [doubts[0].mv]);
        assert_eq!(again.len(), 2, "the choice and the doubtful move: {again:?}");
        assert!(again.iter().all(|line| line.question.nodes == Some(30_000)));
    }
}
