//! Each clause of the rules of rating, with numbers worked out by hand.

use super::super::record::MoveRecord;
use super::*;

fn game(number: usize, verdict: Outcome, reason: EndReason, plies: usize) -> GameRecord {
    GameRecord {
        game: number,
        round: 1,
        opening: 0,
        red: "red".to_owned(),
        black: "black".to_owned(),
        fen: crate::board::START_FEN.to_owned(),
        moves: vec![MoveRecord { mv: "h2e2".to_owned(), thought: None }; plies],
        verdict,
        reason: reason.word().to_owned(),
        faults: Vec::new(),
        started: 0,
        ecco: None,
        duration_ms: 0,
    }
}

fn won(number: usize) -> GameRecord {
    game(number, Outcome::RedWins, EndReason::Checkmate, 41)
}

fn rated(rating: f64) -> Rated {
    Rated { rating, ..Rated::default() }
}

fn between(red: f64, black: f64) -> Ratings {
    let players = [("red".to_owned(), rated(red)), ("black".to_owned(), rated(black))];
    Ratings { players: players.into(), ..Ratings::default() }
}

/// Ratings of red and black after one game, to a hundredth, and their points.
fn after(mut ratings: Ratings, game: &GameRecord) -> ([f64; 2], [u64; 2]) {
    assert!(ratings.apply("event", game));
    let players = ["red", "black"].map(|name| ratings.players[name].clone());
    let hundredths = |player: &Rated| (player.rating * 100.0).round() / 100.0;
    ([hundredths(&players[0]), hundredths(&players[1])], players.map(|player| player.points))
}

#[test]
fn titles_and_k_go_by_rating() {
    for (rating, name, k) in [
        (3000.0, "卫将军", 10.0),
        (2200.0, "卫将军", 10.0),
        (2199.9, "右将军", 14.0),
        (1600.0, "偏将军", 14.0),
        (1599.9, "裨将军", 20.0),
        (1000.0, "骑郎将", 20.0),
        (999.9, "都尉", 30.0),
        (0.0, "伍长", 30.0),
        (-0.1, "兵卒", 50.0),
    ] {
        let title = rated(rating).title();
        assert_eq!((title.name, title.k), (name, k), "{rating}");
    }
    assert!(TITLES.is_sorted_by(|high, low| high.from > low.from));
}

#[test]
fn the_two_highest_titles_are_granted_and_kept() {
    let mut ratings = between(2650.0, 800.0);
    assert_eq!(ratings.players["red"].title().name, "卫将军");
    ratings.grant("red", "大将军").unwrap();
    ratings.players.get_mut("red").unwrap().rating = 950.0;
    let title = ratings.players["red"].title();
    assert_eq!((title.name, title.k), ("大将军", 10.0));
    assert_eq!(ratings.grant("red", "卫将军"), Err(GrantError::Title("卫将军".to_owned())));
    assert_eq!(ratings.grant("who", "大将军"), Err(GrantError::Player("who".to_owned())));
}

#[test]
fn newcomers_start_at_800() {
    // Equal players expect a half: 800 ± 30 × ½.
    assert_eq!(after(Ratings::default(), &won(1)), ([815.0, 785.0], [10, 0]));
}

#[test]
fn each_side_moves_by_its_own_k() {
    // 400 apart the weaker expects 1/11: 1000 + 20 × 10/11 = 1018.18, 1400 - 20 × 10/11 = 1381.82.
    assert_eq!(after(between(1000.0, 1400.0), &won(1)).0, [1018.18, 1381.82]);
    // The stronger of 2000 and 1600 expected 10/11 and draws: 14 × (½ - 10/11) = -5.73.
    let draw = game(1, Outcome::Draw, EndReason::Repetition, 60);
    assert_eq!(after(between(2000.0, 1600.0), &draw), ([1994.27, 1605.73], [0, 0]));
    // K 10 against K 50; 2200 apart We is 1/(1 + 10^-5.5): nothing to win, nothing to lose.
    assert_eq!(after(between(2190.0, -10.0), &won(1)).0, [2190.0, -10.0]);
    let lost = game(1, Outcome::BlackWins, EndReason::Checkmate, 41);
    assert_eq!(after(between(2200.0, -10.0), &lost).0, [2190.0, 40.0]);
}

#[test]
fn giving_up_within_five_rounds_is_a_draw() {
    for reason in [EndReason::Adjudication, EndReason::Resignation] {
        let short = game(1, Outcome::RedWins, reason, 10);
        assert_eq!(after(Ratings::default(), &short), ([800.0, 800.0], [0, 0]), "{reason}");
        let long = game(1, Outcome::RedWins, reason, 11);
        assert_eq!(after(Ratings::default(), &long).0, [815.0, 785.0], "{reason}");
    }
    let agreed = game(1, Outcome::Draw, EndReason::Agreement, 4);
    assert_eq!(after(Ratings::default(), &agreed).0, [800.0, 800.0]);
}

#[test]
fn forfeits_lose_at_any_time() {
    for reason in [EndReason::Time, EndReason::IllegalMove, EndReason::Leaving] {
        let forfeit = game(1, Outcome::BlackWins, reason, 0);
        assert_eq!(after(Ratings::default(), &forfeit).0, [785.0, 815.0], "{reason}");
    }
    let mate = game(1, Outcome::BlackWins, EndReason::Checkmate, 10);
    assert_eq!(after(Ratings::default(), &mate).0, [785.0, 815.0]);
}

#[test]
fn a_win_is_ten_points_unless_the_loser_left_or_resigned() {
    for (reason, points) in [
        (EndReason::Checkmate, 10),
        (EndReason::Time, 10),
        (EndReason::IllegalMove, 10),
        (EndReason::PerpetualCheck, 10),
        (EndReason::Adjudication, 10),
        (EndReason::Resignation, 0),
        (EndReason::Leaving, 0),
    ] {
        let game = game(1, Outcome::BlackWins, reason, 30);
        assert_eq!(after(Ratings::default(), &game).1, [0, points], "{reason}");
    }
}

#[test]
fn points_open_rooms() {
    for (points, room) in
        [(0, "beginner"), (99, "beginner"), (100, "middle"), (999, "middle"), (1000, "advanced")]
    {
        assert_eq!(Rated { points, ..Rated::default() }.room(), room);
    }
}

#[test]
fn a_game_counts_once() {
    let mut ratings = Ratings::default();
    assert!(ratings.apply("spring", &won(2)));
    let once = ratings.clone();
    assert!(!ratings.apply("spring", &won(2)));
    assert_eq!(ratings, once);
    assert!(ratings.apply("autumn", &won(2)));
    assert!(ratings.apply("spring", &won(1)));
    assert_eq!(ratings.players["red"].games, 3);
}

#[test]
fn numbers_join_to_runs_in_any_order() {
    let mut numbers = Numbers::default();
    for number in [5, 1, 3, 9, 2, 8, 4] {
        assert!(numbers.insert(number));
    }
    assert_eq!(numbers.0, [[1, 5], [8, 9]]);
    for number in [1, 3, 5, 8, 9] {
        assert!(!numbers.insert(number));
    }
    assert!(numbers.insert(7) && numbers.insert(6));
    assert_eq!(numbers.0, [[1, 9]]);
}
