//! Repetition, in the form the search needs at every node.
//!
//! Rule set `simple`: the side whose every move in the cycle gave check loses (长将), any other
//! repetition is a draw, also when both sides check all the time.

use crate::board::Position;

/// What a repetition means for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// Nobody is to blame, or both are.
    Draw,
    /// The other side has been checking all the time.
    Win,
    /// The side to move has been checking all the time.
    Loss,
}

/// Judges the position on the board if it has occurred before.
///
/// `ply` is the distance from the root of a search: one recurrence inside the tree decides, since
/// what could be done once can be done again; positions older than the root must have occurred
/// twice, so that this is the third time. At `ply` 0 this is the rule of the game itself.
pub fn judge(pos: &Position, ply: usize) -> Option<Repetition> {
    // Captures cannot be undone, so nothing older than the last one can recur.
    let reach = (pos.quiet_plies() as usize).min(pos.history().len());
    if reach < 4 {
        return None;
    }
    let mut earlier = 0;
    let (mut we_check, mut they_check) = (true, true);
    // From the newest ply backwards, two at a time: the other side's move, then ours.
    for (pairs, pair) in pos.history().rchunks_exact(2).take(reach / 2).enumerate() {
        let [ours, theirs] = pair else { break };
        if ours.mv.is_none() || theirs.mv.is_none() {
            break; // not across a null move
        }
        we_check &= ours.gave_check;
        they_check &= theirs.gave_check;
        if ours.key != pos.key() {
            continue;
        }
        earlier += 1;
        if earlier == 2 || 2 * (pairs + 1) <= ply {
            return Some(match (we_check, they_check) {
                (true, false) => Repetition::Loss,
                (false, true) => Repetition::Win,
                _ => Repetition::Draw,
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(fen: &str, moves: &str) -> Position {
        let mut pos = Position::from_fen(fen).unwrap();
        for mv in moves.split_whitespace() {
            pos.play(mv.parse().unwrap()).unwrap();
        }
        pos
    }

    #[test]
    fn the_third_occurrence_counts() {
        let shuffle = "a0a1 a9a8 a1a0 a8a9 ";
        let start = crate::board::START_FEN;
        assert_eq!(judge(&after(start, shuffle), 0), None);
        assert_eq!(judge(&after(start, &shuffle.repeat(2)), 0), Some(Repetition::Draw));
        // Inside the tree the second time is enough.
        assert_eq!(judge(&after(start, shuffle), 4), Some(Repetition::Draw));
        assert_eq!(judge(&after(start, shuffle), 3), None);
    }

    #[test]
    fn perpetual_check_loses() {
        let checks = "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9";
        let pos = after("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1", checks);
        assert_eq!(judge(&pos, 0), Some(Repetition::Win));
        let pos = after("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1", &format!("{checks} e9e8"));
        assert_eq!(judge(&pos, 0), Some(Repetition::Loss));
    }
}
