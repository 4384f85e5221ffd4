//! Verdicts in words, and a repetition as a table: what every move of it was.

use super::Style;
use crate::notation::chinese;
use crate::rules::Verdict;
use crate::rules::cycle::Cycle;
use crate::rules::threat::{Chase, Deed};
use crate::types::Piece;

/// The verdict as a sentence without a full stop, as in `black wins: perpetual check (长将)`.
pub fn verdict_words(verdict: Verdict, style: Style) -> String {
    let reason = verdict.reason().map(|reason| match style.ascii {
        true => reason.english().to_owned(),
        false => reason.to_string(),
    });
    match (verdict, reason) {
        (Verdict::Win { winner, .. }, Some(reason)) => format!("{winner} wins: {reason}"),
        (_, Some(reason)) => format!("draw: {reason}"),
        (_, None) => "the game goes on".to_owned(),
    }
}

/// One line a move: who, the move in coordinates and in Chinese, what it was, who chases whom.
pub fn cycle_table(cycle: &Cycle, style: Style) -> String {
    cycle.deeds.iter().map(|deed| row(deed, style) + "\n").collect()
}

fn row(deed: &Deed, style: Style) -> String {
    let mover = deed.mover.to_string();
    let chases: Vec<String> = deed.chases.iter().map(|chase| chase_words(chase, style)).collect();
    let chases = chases.join(", ");
    let row = if style.ascii {
        format!("{mover:<5}  {}  {:<13}  {chases}", deed.mv, deed.nature.english())
    } else {
        // A Chinese move is four glyphs of two columns each.
        let text = chinese::write(&deed.before, deed.mv);
        format!("{mover:<5}  {}  {text}  {:<15}  {chases}", deed.mv, deed.nature.to_string())
    };
    row.trim_end().to_owned()
}

fn chase_words(chase: &Chase, style: Style) -> String {
    let man = |piece: Piece| match style.ascii {
        true => piece.letter(),
        false => piece.glyph(),
    };
    format!("{}{} x {}{}", man(chase.attacker), chase.from, man(chase.victim), chase.on)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::rules::RuleSet;
    use crate::rules::referee::Referee;

    #[test]
    fn a_chase_in_words() {
        let start = Position::from_fen("4k4/9/9/9/1c7/9/9/9/9/1R1K5 b - - 0 1").unwrap();
        let mut referee = Referee::new(start, RuleSet::Axf);
        for mv in "b5c5 b0c0 c5b5 c0b0 ".repeat(2).split_whitespace() {
            referee.play(mv.parse().unwrap()).unwrap();
        }
        let (plain, ascii) = (Style::default(), Style { ascii: true, ..Style::default() });
        let words = verdict_words(referee.verdict(), plain);
        assert_eq!(words, "black wins: perpetual chase (长捉)");
        assert_eq!(verdict_words(referee.verdict(), ascii), "black wins: perpetual chase");
        assert_eq!(verdict_words(Verdict::Ongoing, plain), "the game goes on");
        let table = cycle_table(&referee.explain().unwrap(), plain);
        assert_eq!(
            table,
            "black  b5c5  炮２平３  idle (闲)\n\
             red    b0c0  车八平七  chase (捉)        车c0 x 炮c5\n\
             black  c5b5  炮３平２  idle (闲)\n\
             red    c0b0  车七平八  chase (捉)        车b0 x 炮b5\n"
        );
        let table = cycle_table(&referee.explain().unwrap(), ascii);
        assert!(table.is_ascii() && table.contains("red    b0c0  chase          Rc0 x cc5\n"));
    }
}
