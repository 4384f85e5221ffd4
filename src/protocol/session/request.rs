//! From the words of `go` to the limits of a search.

use std::time::Duration;

use crate::clock::ClockView;
use crate::protocol::option::Settings;
use crate::protocol::{Go, GoTime};
use crate::search::Limits;
use crate::types::Color;

/// The limits that `go` names. Without any, those of the engine's own clocks (the mover's first),
/// and without a clock the search is infinite.
pub(super) fn limits(
    go: &Go,
    settings: &Settings,
    mover: Color,
    own_clocks: [Option<ClockView>; 2],
) -> Limits {
    let [clock, opponent] = clocks(go, settings.millisec, mover);
    let mut limits = Limits {
        depth: go.depth,
        nodes: go.nodes,
        mate: go.mate,
        move_time: go.move_time.map(|time| time.duration(settings.millisec)),
        clock,
        opponent,
        infinite: go.infinite,
        search_moves: go.search_moves.clone(),
        banned_moves: Vec::new(),
    };
    if !limits.infinite && !limits.is_bounded() && limits.mate.is_none() {
        if go.broken_limit {
            limits.move_time = Some(Duration::ZERO);
        } else if own_clocks[0].is_some() {
            [limits.clock, limits.opponent] = own_clocks;
        } else {
            limits.infinite = true;
        }
    }
    limits
}

/// The mover's and the other side's clock; one given alone stands for both.
fn clocks(go: &Go, millisec: bool, mover: Color) -> [Option<ClockView>; 2] {
    let by_color = |red: Option<GoTime>, black: Option<GoTime>| match mover {
        Color::Red => [red, black],
        Color::Black => [black, red],
    };
    let times = by_color(go.red_time, go.black_time);
    let increments = by_color(go.red_increment, go.black_increment);
    // `go time T` with no other clock word is UCCI for "T for this move".
    let alone = go.increment.is_none() && go.opp_time.is_none();
    let this_move = (go.time.is_some() && alone).then_some(1);
    let own = Side {
        time: go.time.or(times[0]),
        increment: go.increment.or(increments[0]),
        moves_to_go: go.moves_to_go.or(this_move),
    };
    let other = Side {
        time: go.opp_time.or(times[1]),
        increment: go.opp_increment.or(increments[1]),
        moves_to_go: go.opp_moves_to_go,
    };
    let (own_view, other_view) = (own.view(millisec), other.view(millisec));
    match (own_view, other_view) {
        (Some(_), None) => [own_view, own_view],
        (None, Some(view)) => {
            // The words that were given for the mover's side still hold for it.
            let increment = own.increment.map_or(view.increment, |time| time.duration(millisec));
            let moves_to_go = own.moves_to_go.or(view.moves_to_go);
            [Some(ClockView { increment, moves_to_go, ..view }), other_view]
        }
        both => [both.0, both.1],
    }
}

/// What `go` says about one side's clock.
struct Side {
    time: Option<GoTime>,
    increment: Option<GoTime>,
    moves_to_go: Option<u32>,
}

impl Side {
    fn view(&self, millisec: bool) -> Option<ClockView> {
        let duration = |time: GoTime| time.duration(millisec);
        Some(ClockView {
            remaining: duration(self.time?),
            increment: self.increment.map_or(Duration::ZERO, duration),
            moves_to_go: self.moves_to_go,
        })
    }
}

/// The limits in words, for an interface's author who wonders how `go` was understood.
pub(super) fn describe(limits: &Limits) -> String {
    let mut parts = Vec::new();
    let clock = |clock: ClockView| {
        let increment = clock.increment.as_millis();
        if increment == 0 { clock.to_string() } else { format!("{clock} + {increment} ms") }
    };
    parts.extend(limits.depth.map(|depth| format!("depth {depth}")));
    parts.extend(limits.nodes.map(|nodes| format!("{nodes} nodes")));
    parts.extend(limits.mate.map(|moves| format!("mate in {moves}")));
    parts.extend(limits.move_time.map(|time| format!("{} ms", time.as_millis())));
    parts.extend(limits.clock.map(|view| format!("clock {}", clock(view))));
    parts.extend(limits.opponent.map(|view| format!("other clock {}", clock(view))));
    if limits.infinite {
        parts.push("until stop".to_owned());
    }
    format!("searching: {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Command;

    const NO_CLOCKS: [Option<ClockView>; 2] = [None, None];

    #[test]
    fn a_time_alone_is_for_one_move() {
        let moves = |line: &str| {
            let limits = limits(&read(line), &Settings::default(), Color::Red, NO_CLOCKS);
            limits.clock.and_then(|clock| clock.moves_to_go)
        };
        assert_eq!(moves("go time 1000"), Some(1));
        assert_eq!(moves("go time 1000 depth 5"), Some(1));
        assert_eq!(moves("go time 1000 movestogo 9"), Some(9));
        assert_eq!(moves("go time 1000 increment 0"), None);
        assert_eq!(moves("go time 1000 opptime 1000"), None);
        assert_eq!(moves("go wtime 1000"), None);
    }

    fn read(line: &str) -> Go {
        match Command::parse(line.as_bytes()) {
            Ok(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn understood(line: &str, mover: Color) -> String {
        let limits = limits(&read(line), &Settings::default(), mover, NO_CLOCKS);
        describe(&limits).replace("searching: ", "")
    }

    #[test]
    fn clocks_of_both_families() {
        for (line, expected) in [
            ("go time 1000 increment 0", "clock 0:01.0, other clock 0:01.0"),
            ("go opptime 1000 movestogo 3", "clock 0:01.0 for 3 moves, other clock 0:01.0"),
            (
                "go time 60000 increment 1000 opptime 61000 oppincrement 2000",
                "clock 1:00.0 + 1000 ms, other clock 1:01.0 + 2000 ms",
            ),
            (
                "go time 60000 movestogo 9 opptime 61000 oppmovestogo 10",
                "clock 1:00.0 for 9 moves, other clock 1:01.0 for 10 moves",
            ),
            ("go wtime 5000 btime 7000 winc 10", "clock 0:05.0 + 10 ms, other clock 0:07.0"),
            ("go time -5 increment 100", "clock 0:00.0 + 100 ms, other clock 0:00.0 + 100 ms"),
        ] {
            assert_eq!(understood(line, Color::Red), expected, "{line}");
        }
        let line = "go wtime 5000 btime 7000 winc 10 binc 20";
        assert_eq!(
            understood(line, Color::Black),
            "clock 0:07.0 + 20 ms, other clock 0:05.0 + 10 ms"
        );
        assert_eq!(understood("go wtime 5000", Color::Black), "clock 0:05.0, other clock 0:05.0");
    }

    #[test]
    fn all_limits_hold_at_once() {
        assert_eq!(
            understood("go time 500 depth 10 nodes 7 mate 2 movetime 500", Color::Red),
            "depth 10, 7 nodes, mate in 2, 500 ms, clock 0:00.5 for 1 move, other clock 0:00.5 for 1 move"
        );
    }

    #[test]
    fn no_limit_is_infinite_and_a_broken_one_is_now() {
        for line in ["go", "go infinite", "go searchmoves a0a1", "go draw", "go ponder"] {
            assert_eq!(understood(line, Color::Red), "until stop", "{line}");
        }
        for line in ["go depth", "go time x", "go movetime 0", "go movetime -1"] {
            assert_eq!(understood(line, Color::Red), "0 ms", "{line}");
        }
    }

    #[test]
    fn seconds() {
        let settings = Settings { millisec: false, ..Settings::default() };
        let limits = limits(&read("go time 3 movestogo 1"), &settings, Color::Red, NO_CLOCKS);
        assert_eq!(limits.clock.map(|clock| clock.remaining), Some(Duration::from_secs(3)));
    }

    #[test]
    fn the_engines_own_clock_serves_a_bare_go_only() {
        let view = ClockView { remaining: Duration::from_secs(90), ..ClockView::default() };
        let own = [Some(view), Some(view)];
        let settings = Settings::default();
        let limits = |line: &str| limits(&read(line), &settings, Color::Red, own);
        assert_eq!(limits("go").clock, Some(view));
        assert_eq!(limits("go depth 3").clock, None);
        assert!(limits("go infinite").infinite);
    }
}
