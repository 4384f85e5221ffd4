//! The referee against the published cases and against itself.

#[path = "support/slow_check.rs"]
mod slow_check;
mod support;

use hanxin::board::START_FEN;
use hanxin::rules::referee::{Foul, Referee};
use hanxin::rules::{EndReason, RuleSet, Verdict};
use hanxin::{Color, Move, Position};
use proptest::prelude::*;
use serde::Deserialize;
use slow_check::is_checked;
use support::{mirrored, random_position, swapped};

const LONE_ROOK: &str = "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1";

#[derive(Deserialize)]
struct Case {
    id: String,
    fen: String,
    moves: Vec<String>,
    kind: String,
    by_rule_set: serde_json::Map<String, serde_json::Value>,
    doubtful: bool,
}

impl Case {
    fn all() -> Vec<Case> {
        include_str!("data/rules_public.jsonl")
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn start(&self) -> Position {
        Position::from_fen(&self.fen).unwrap()
    }

    fn moves(&self) -> Vec<Move> {
        self.moves.iter().map(|mv| mv.parse().unwrap()).collect()
    }

    /// The verdict of the file, if it can be trusted for this rule set.
    fn expected(&self, rules: RuleSet) -> Option<&str> {
        let column = match rules {
            RuleSet::Axf => "AXF",
            RuleSet::Computer => "pikafish-computer",
            RuleSet::Cxa => "CXA-partial",
            _ => return None,
        };
        let verdict = match self.by_rule_set.get(column)?.as_str()? {
            "none" => "ongoing",
            verdict => verdict,
        };
        let trusted = match self.kind.as_str() {
            _ if rules != RuleSet::Cxa => true,
            "perpetual_check" | "mutual_check" | "alternate_chase" | "check_and_chase" => true,
            "perpetual_kill" => verdict != "draw",
            _ => false,
        };
        (trusted && !self.doubtful).then_some(verdict)
    }
}

/// The verdict once all moves are played, which no earlier end may cut short.
fn play(start: Position, moves: impl IntoIterator<Item = Move>, rules: RuleSet) -> Referee {
    let mut referee = Referee::new(start, rules);
    for mv in moves {
        referee.play(mv).unwrap();
    }
    referee
}

fn other_side(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Win { winner, reason } => Verdict::Win { winner: !winner, reason },
        other => other,
    }
}

#[test]
fn agrees_with_every_trusted_case() {
    for rules in [RuleSet::Axf, RuleSet::Computer, RuleSet::Cxa] {
        let (mut cases, mut wrong) = (0, Vec::new());
        for case in Case::all() {
            let verdict = play(case.start(), case.moves(), rules).verdict();
            let Some(expected) = case.expected(rules) else {
                continue;
            };
            cases += 1;
            if verdict.name() != expected {
                wrong.push(format!("{}: {verdict:?}, expected {expected}", case.id));
            }
        }
        println!("{rules:?}: {} of {cases}", cases - wrong.len());
        assert!(wrong.is_empty(), "{rules:?}: {}", wrong.join("\n"));
    }
}

#[test]
fn mirrored_and_swapped_cases_get_the_mirrored_verdict() {
    for (_, rules) in RuleSet::NAMED {
        for case in Case::all() {
            let verdict = play(case.start(), case.moves(), rules).verdict();
            let mirror = case.moves().into_iter().map(Move::mirror);
            assert_eq!(
                play(mirrored(&case.start()), mirror, rules).verdict(),
                verdict,
                "{}",
                case.id
            );
            let swap = case.moves().into_iter().map(Move::flip);
            let swapped = play(swapped(&case.start()), swap, rules).verdict();
            assert_eq!(swapped, other_side(verdict), "{}", case.id);
        }
    }
}

/// Where programs or diagrams disagree nothing is asserted: this prints what we say.
#[test]
fn doubtful_cases_get_a_verdict() {
    for case in Case::all().into_iter().filter(|case| case.doubtful) {
        for rules in [RuleSet::Cxa, RuleSet::Axf, RuleSet::Computer] {
            let referee = play(case.start(), case.moves(), rules);
            let verdict = referee.verdict();
            assert!(verdict.is_over(), "{}", case.id);
            let cycle = referee.explain().unwrap();
            let side = |color| {
                let deeds = cycle.deeds.iter().filter(|deed| deed.mover == color);
                deeds.map(|deed| deed.nature.chinese()).collect::<String>()
            };
            println!(
                "{} {rules:?}: {} by {}; red {} black {}",
                case.id,
                verdict.name(),
                verdict.reason().unwrap(),
                side(Color::Red),
                side(Color::Black)
            );
        }
    }
}

/// A game of legal moves that likes to go back and forth, until it is over.
fn wandering_game(start: Position, choices: &[(prop::sample::Index, u8)]) -> Vec<Move> {
    let mut referee = Referee::new(start, RuleSet::Off);
    let mut moves: Vec<Move> = Vec::new();
    for (choice, back) in choices {
        let legal = referee.position().legal_moves();
        let last = moves.len().checked_sub(2).map(|i| Move::new(moves[i].to, moves[i].from));
        let mv = match last.filter(|mv| legal.contains(mv)) {
            Some(mv) if *back > 0 => mv,
            _ if legal.is_empty() => break,
            _ => legal[choice.index(legal.len())],
        };
        if referee.play(mv).is_err() {
            break;
        }
        moves.push(mv);
    }
    moves
}

/// The verdict when the referee stops the game, and after how many moves.
fn outcome(start: Position, moves: &[Move], rules: RuleSet) -> (Verdict, usize) {
    let mut referee = Referee::new(start, rules);
    for &mv in moves {
        if referee.play(mv).is_err() {
            break;
        }
    }
    (referee.verdict(), referee.moves().len())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_game_gets_a_verdict_and_its_reflections_the_same(
        choices in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8), 0..80),
    ) {
        // A few men on open lines attack one another more often than the start position's.
        for fen in ["r1bak4/9/4b1n2/9/c8/4R4/9/2N1C4/4A4/2BAK4 w - - 0 1", START_FEN] {
            let start = Position::from_fen(fen).unwrap();
            let moves = wandering_game(start.clone(), &choices);
            let mirror: Vec<Move> = moves.iter().map(|mv| mv.mirror()).collect();
            let swap: Vec<Move> = moves.iter().map(|mv| mv.flip()).collect();
            for (_, rules) in RuleSet::NAMED {
                let (verdict, plies) = outcome(start.clone(), &moves, rules);
                prop_assert_eq!(outcome(mirrored(&start), &mirror, rules), (verdict, plies));
                let swapped = outcome(swapped(&start), &swap, rules);
                prop_assert_eq!(swapped, (other_side(verdict), plies));
            }
        }
    }

    #[test]
    fn two_ways_of_asking_for_check_agree(pos in random_position()) {
        for color in Color::ALL {
            prop_assert_eq!(pos.is_attacked(color), is_checked(&pos, color), "{:?}", pos);
        }
        for mv in &pos.legal_moves() {
            let mut after = pos.clone();
            after.play(mv).unwrap();
            let slow = is_checked(&after, after.side_to_move());
            prop_assert_eq!(after.is_check(), slow, "{} in {:?}", mv, pos);
            prop_assert_eq!(after.history().last().unwrap().gave_check, slow);
        }
    }

    #[test]
    fn banned_moves_are_those_that_lose_by_repetition(
        choices in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8), 0..60),
    ) {
        let start = Position::from_fen("4k4/9/9/9/1c7/9/9/9/9/1R1K5 b - - 0 1").unwrap();
        let mut referee = Referee::new(start.clone(), RuleSet::Cxa);
        for mv in wandering_game(start, &choices) {
            let us = referee.position().side_to_move();
            let banned = referee.banned_moves().contains(&mv);
            let Ok(verdict) = referee.play(mv) else { break };
            let lost = matches!(verdict, Verdict::Win { winner, .. } if winner != us);
            prop_assert_eq!(banned, lost, "{}", mv);
        }
    }
}

fn game(fen: &str, moves: &str, rules: RuleSet) -> Referee {
    let start = Position::from_fen(fen).unwrap();
    play(start, moves.split_whitespace().map(|mv| mv.parse().unwrap()), rules)
}

fn banned(referee: &Referee) -> Vec<String> {
    referee.banned_moves().into_iter().map(|mv| mv.to_string()).collect()
}

#[test]
fn the_move_that_completes_a_chase_or_a_check_is_banned() {
    let chase = ("4k4/9/9/9/1c7/9/9/9/9/1R1K5 b - - 0 1", "b5c5 b0c0 c5b5 c0b0 b5c5 b0c0 c5b5");
    let check = (LONE_ROOK, "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9");
    for (_, rules) in RuleSet::NAMED {
        let expect = |mv: &str, is_banned| if is_banned { vec![mv.to_owned()] } else { vec![] };
        let chase_loses = !matches!(rules, RuleSet::Simple | RuleSet::Off);
        assert_eq!(banned(&game(chase.0, chase.1, rules)), expect("c0b0", chase_loses));
        let check_loses = rules != RuleSet::Off;
        assert_eq!(banned(&game(check.0, check.1, rules)), expect("a8a9", check_loses));
    }
}

#[test]
fn checks_beyond_ten_are_not_counted_in_engine_matches() {
    for (_, rules) in RuleSet::NAMED {
        let referee = game("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 118 90", "a0a9 e9e8", rules);
        assert_eq!(referee.verdict(), Verdict::Draw { reason: EndReason::MoveLimit });
    }
    // Eleven checks in twenty-two plies, none of them a third occurrence.
    let checks = "a0a9 e9e8 a9a8 e8e7 a8a7 e7e8 a7a8 e8e9 a8a9 e9e8 a9i9 e8e7 i9i7 e7e8 i7i8 e8e9 \
                  i8i9 e9e8 i9b9 e8e7 b9b7 e7e8 b7b8 e8e9 b8b9 e9e8";
    let plies = checks.split_whitespace().count();
    let fen = format!("4k4/9/9/9/9/9/9/9/9/R2K5 w - - {} 90", 120 - plies);
    let given = game(&fen, checks, RuleSet::Off).position().history().to_vec();
    assert!(given.iter().filter(|undo| undo.gave_check).count() > 10);
    assert!(game(&fen, checks, RuleSet::Axf).verdict().is_over());
    assert_eq!(game(&fen, checks, RuleSet::Computer).verdict(), Verdict::Ongoing);
}

#[test]
fn mate_on_the_last_counted_move_is_mate() {
    let referee = game("3k5/R8/9/8p/9/9/9/9/1R7/4K4 w - - 119 90", "b1b9", RuleSet::Cxa);
    let mate = Verdict::Win { winner: Color::Red, reason: EndReason::Checkmate };
    assert_eq!(referee.verdict(), mate);
}

#[test]
fn a_position_may_be_over_before_the_first_move() {
    let verdict = |fen| game(fen, "", RuleSet::Cxa).verdict();
    let stalemate = Verdict::Win { winner: Color::Red, reason: EndReason::Stalemate };
    assert_eq!(verdict("3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1"), stalemate);
    let bare = Verdict::Draw { reason: EndReason::BareForces };
    assert_eq!(verdict("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"), bare);
}

#[test]
fn ends_off_the_board_count_unless_the_game_is_over() {
    type End = fn(&mut Referee, Color) -> Verdict;
    let ends: [(End, EndReason); 4] = [
        (Referee::resign, EndReason::Resignation),
        (Referee::flag, EndReason::Time),
        (Referee::illegal_move, EndReason::IllegalMove),
        (Referee::leave, EndReason::Leaving),
    ];
    for (end, reason) in ends {
        let mut referee = Referee::new(Position::startpos(), RuleSet::Cxa);
        let lost = Verdict::Win { winner: Color::Black, reason };
        assert_eq!(end(&mut referee, Color::Red), lost);
        assert_eq!(referee.agree_draw(), lost, "the first end stands");
        let late = referee.play("h2e2".parse().unwrap());
        assert_eq!(late, Err(Foul::Over(reason)));
    }
    let mut referee = Referee::new(Position::startpos(), RuleSet::Cxa);
    assert_eq!(referee.agree_draw(), Verdict::Draw { reason: EndReason::Agreement });
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut referee = Referee::new(Position::startpos(), RuleSet::Cxa);
    assert_eq!(referee.play("h2h9".parse().unwrap()), Ok(Verdict::Ongoing));
    assert!(matches!(referee.play("h9h2".parse().unwrap()), Err(Foul::Illegal(_))));
    assert_eq!((referee.moves().len(), referee.verdict()), (1, Verdict::Ongoing));
}
