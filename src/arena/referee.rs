//! Who has won, and which moves lose by repetition.

use crate::board::{IllegalMove, Position};
use crate::rules::repetition::{self, Repetition};
use crate::rules::{EndReason, RuleSet, Verdict};
use crate::types::{Color, Move, MoveList};

/// Plies without a capture after which the game is drawn.
const MOVE_LIMIT: u32 = 120;

/// A game under rule set `simple`.
pub struct Referee {
    position: Position,
}

impl Referee {
    pub fn new(position: Position, _rule_set: RuleSet) -> Referee {
        Referee { position }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    pub fn play(&mut self, mv: Move) -> Result<Verdict, IllegalMove> {
        self.position.play(mv)?;
        Ok(self.verdict())
    }

    pub fn verdict(&self) -> Verdict {
        let pos = &self.position;
        let side = pos.side_to_move();
        let win = |winner, reason| Verdict::Win { winner, reason };
        let perpetual = EndReason::PerpetualCheck;
        if pos.is_finished() {
            let mated = pos.is_check();
            return win(!side, if mated { EndReason::Checkmate } else { EndReason::Stalemate });
        }
        match repetition::judge(pos, 0) {
            Some(Repetition::Draw) => return Verdict::Draw { reason: EndReason::Repetition },
            Some(Repetition::Win) => return win(side, perpetual),
            Some(Repetition::Loss) => return win(!side, perpetual),
            None => {}
        }
        if pos.quiet_plies() >= MOVE_LIMIT {
            return Verdict::Draw { reason: EndReason::MoveLimit };
        }
        if Color::ALL.into_iter().all(|color| !pos.can_mate(color)) {
            return Verdict::Draw { reason: EndReason::BareForces };
        }
        Verdict::Ongoing
    }

    pub fn banned_moves(&self) -> MoveList {
        let mut pos = self.position.clone();
        let mut banned = pos.legal_moves();
        banned.retain(|mv| {
            let loses = pos.play(mv).is_ok() && repetition::judge(&pos, 0) == Some(Repetition::Win);
            pos.undo();
            loses
        });
        banned
    }
}
