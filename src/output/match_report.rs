//! A match in text: a line for each game, the table, the numbers of the test.

use std::fmt::Write;

use crate::arena::fault::FaultKind;
use crate::arena::standings::Player;
use crate::arena::stats::{Decision, Estimate, Sprt, Tally};
use crate::arena::{GameRecord, Standings};
use crate::rules::EndReason;

/// One game on one line: number, names, score, reason, length, and what went wrong.
pub fn game_line(record: &GameRecord, games: usize) -> String {
    let width = games.to_string().len();
    let reason = reason_name(&record.reason);
    let mut line = format!(
        "game {:>width$}/{games}  {} - {}  {}  {reason}, {} plies, {:.1} s",
        record.game,
        record.red,
        record.black,
        record.verdict.score(),
        record.moves.len(),
        record.duration_ms as f64 / 1000.0,
    );
    for fault in &record.faults {
        let _ = write!(line, "; {}: {}", fault.engine, fault.fault);
    }
    line
}

/// The name for people of a reason in the file of games, as in `checkmate (将死)`.
pub fn reason_name(word: &str) -> String {
    let reason = EndReason::NAMED.into_iter().find(|row| row.1 == word);
    reason.map_or(word.to_owned(), |row| row.0.to_string())
}

/// The table of a match, best first.
pub fn table(standings: &Standings) -> String {
    let names = standings.players.iter().map(|player| player.name.chars().count());
    let width = names.max().unwrap_or(0).max("engine".len());
    let mut text = format!(
        "{:>2}  {:<width$}  {:>5}  {:>6}  {:>6}  {:>12}  {:>12}  {:>6}  {:>6}  {:>6}  {:>8}  {:>9}\n",
        "",
        "engine",
        "games",
        "points",
        "score",
        "Elo",
        "nElo",
        "LOS",
        "draws",
        "depth",
        "nodes/s",
        "time",
    );
    for (rank, (_, player)) in standings.ranking().into_iter().enumerate() {
        let (total, effort) = (&player.total, &player.effort);
        let _ = writeln!(
            text,
            "{:>2}  {:<width$}  {:>5}  {:>6}  {:>6}  {:>12}  {:>12}  {:>6}  {:>6}  {:>6}  {:>8}  {:>9}",
            rank + 1,
            player.name,
            total.games(),
            total.points(),
            percent(total.score()),
            estimate(total.elo()),
            estimate(total.normalized_elo()),
            total.los().map_or("-".to_owned(), percent),
            percent(total.draw_ratio()),
            effort.depth().map_or("-".to_owned(), |depth| format!("{depth:.1}")),
            effort.nps().map_or("-".to_owned(), short),
            format!("{:.1} s", effort.time().as_secs_f64()),
        );
    }
    text
}

/// Everything there is to say: the table, each encounter, faults, and the sequential test.
pub fn report(standings: &Standings, sprt: Option<&Sprt>) -> String {
    let mut text = table(standings);
    for (number, player) in standings.players.iter().enumerate() {
        let others = standings.players.iter().enumerate().skip(number + 1);
        for (other, opponent) in others {
            let tally = player.against.get(other).copied().unwrap_or_default();
            if tally.games() > 0 {
                text += &encounter(player, opponent, &tally);
            }
        }
    }
    for player in &standings.players {
        let _ = writeln!(text, "faults of {}: {}", player.name, faults(player));
    }
    if let (Some(sprt), [first, ..]) = (sprt, &standings.players[..]) {
        let tally = first.against.get(1).copied().unwrap_or_default();
        text += &sprt_line(sprt, &tally);
        text.push('\n');
    }
    text
}

fn encounter(player: &Player, opponent: &Player, tally: &Tally) -> String {
    let [none, half, one, more, two] = tally.pairs;
    format!(
        "{} - {}: +{} ={} -{}, pairs 0-2: {none} {half} {one} {more} {two}, Elo {}\n",
        player.name,
        opponent.name,
        tally.wins,
        tally.draws,
        tally.losses,
        estimate(tally.elo()),
    )
}

fn faults(player: &Player) -> String {
    let count = |kind: FaultKind| player.faults.get(&kind).copied().unwrap_or(0);
    let texts: Vec<String> = FaultKind::NAMED
        .into_iter()
        .filter(|row| count(row.0) > 0)
        .map(|(kind, name)| format!("{} × {name}", count(kind)))
        .collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

/// The state of the sequential test on one line.
pub fn sprt_line(sprt: &Sprt, tally: &Tally) -> String {
    let (lower, upper) = sprt.bounds();
    let state = match sprt.decide(tally) {
        None => "goes on",
        Some(Decision::H0) => "H0 accepted",
        Some(Decision::H1) => "H1 accepted",
    };
    format!(
        "SPRT [{}, {}] {}: LLR {:.2} ({lower:.2}, {upper:.2}), {state}",
        sprt.elo0,
        sprt.elo1,
        sprt.model.name(),
        sprt.llr(tally),
    )
}

/// A share with one decimal, as in `52.5%`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// A value and, when both are known, half the width of its interval, as in `+12.0 ± 8.1`.
pub(super) fn estimate(estimate: Estimate) -> String {
    if estimate.value.is_finite() && estimate.margin.is_finite() {
        format!("{:+.1} ± {:.1}", estimate.value, estimate.margin)
    } else {
        format!("{:+.1}", estimate.value)
    }
}

/// A large number with a thousand or million cut off, as in `1.45M`.
pub(super) fn short(number: f64) -> String {
    if number >= 1e6 {
        format!("{:.2}M", number / 1e6)
    } else if number >= 1e3 {
        format!("{:.0}k", number / 1e3)
    } else {
        format!("{number:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As other runners print it.
    #[test]
    fn games_that_were_all_won_are_infinite_and_no_more() {
        let all = Tally { wins: 10, pairs: [0, 0, 0, 0, 5], ..Tally::default() };
        assert_eq!([all.elo(), all.normalized_elo()].map(estimate), ["+inf", "+inf"]);
        assert_eq!(all.los().map(percent).as_deref(), Some("99.9%"));
    }
}
