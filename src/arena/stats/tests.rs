use super::*;

/// Wins, draws and losses that fit the pairs as well as they can; only the pairs count.
fn pairs(pairs: [u32; 5]) -> Tally {
    let half_points: u32 = (0..).zip(pairs).map(|(points, count)| points * count).sum();
    let games = 2 * pairs.iter().sum::<u32>();
    let (wins, draws) = (half_points / 2, half_points % 2);
    Tally { wins, draws, losses: games - wins - draws, pairs }
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

/// Results that users of fastchess have published: pairs, Elo ±, normalised Elo ±, LOS in per cent,
/// and LLR with the bounds of a test in normalised Elo.
#[test]
fn published_results_are_reproduced() {
    for (counts, elo, normalized, los, llr, bounds) in [
        ([307, 619, 1202, 725, 353], (10.73, 6.70), (13.63, 8.50), 99.92, 2.95, (0.0, 5.0)),
        ([134, 448, 1012, 492, 196], (12.79, 7.08), (18.22, 10.08), 99.98, 2.96, (0.0, 5.0)),
        ([40, 67, 295, 123, 54], (25.25, 13.92), (36.44, 20.01), 99.98, 2.95, (0.0, 10.0)),
        ([29, 80, 142, 101, 60], (35.12, 19.06), (44.04, 23.72), 99.99, 2.97, (-5.0, 5.0)),
        ([120, 246, 645, 386, 302], (51.92, 9.55), (64.48, 11.68), 100.0, 2.95, (40.0, 45.0)),
    ] {
        let tally = pairs(counts);
        assert_near(tally.elo().value, elo.0, 0.006);
        assert_near(tally.elo().margin, elo.1, 0.006);
        assert_near(tally.normalized_elo().value, normalized.0, 0.006);
        assert_near(tally.normalized_elo().margin, normalized.1, 0.006);
        assert_near(100.0 * tally.los().unwrap(), los, 0.006);
        let sprt = test(bounds.0, bounds.1, EloModel::Normalized);
        // Some versions cut the ratio, others round it.
        assert_near(sprt.llr(&tally), llr, 0.01);
        assert_eq!(sprt.decide(&tally), Some(Decision::H1));
    }
}

fn test(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
    Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
}

#[test]
fn the_bounds_are_those_of_wald() {
    let (lower, upper) = test(0.0, 5.0, EloModel::Normalized).bounds();
    assert_near(upper, 19f64.ln(), 1e-12);
    assert_near(lower, -19f64.ln(), 1e-12);
}

/// With small bounds the exact ratio comes near to the published approximation
/// n (s1 − s0)(2s − s0 − s1) / 2σ².
#[test]
fn the_logistic_ratio_agrees_with_its_approximation() {
    for counts in [[30, 200, 500, 220, 50], [10, 150, 700, 130, 10], [5, 40, 60, 45, 9]] {
        let tally = pairs(counts);
        let sample = tally.sample();
        let (s0, s1) = (expected_score(-2.0), expected_score(3.0));
        let approximation =
            sample.count * (s1 - s0) * (2.0 * sample.mean - s0 - s1) / (2.0 * sample.variance);
        let llr = test(-2.0, 3.0, EloModel::Logistic).llr(&tally);
        assert_near(llr, approximation, 0.01 * approximation.abs().max(0.1));
    }
}

/// The most likely distributions are found by an independent search: no small step that keeps the
/// constraint makes what was found more likely.
#[test]
fn solutions_are_the_most_likely_ones() {
    let found = normalized(&pairs([30, 200, 500, 220, 50]).outcomes());
    let likelihood = |distribution: &Distribution| -> f64 {
        found.iter().zip(distribution).map(|(found, under)| found.1 * under.1.ln()).sum()
    };
    let solution = with_mean(&found, 0.52);
    let (mean, _) = moments(&solution);
    assert_near(mean, 0.52, 1e-9);
    assert_near(solution.iter().map(|outcome| outcome.1).sum(), 1.0, 1e-9);
    // Steps that change neither the sum nor the mean of probabilities.
    for step in [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 1.0, 0.0], [1.0, 0.0, -2.0, 0.0, 1.0]]
    {
        for size in [1e-4, -1e-4] {
            let other: Distribution =
                solution.iter().zip(step).map(|(&(s, p), d)| (s, p + size * d)).collect();
            assert!(likelihood(&other) < likelihood(&solution));
        }
    }
    let solution = with_distance(&found, 0.1);
    let (mean, variance) = moments(&solution);
    assert_near((mean - 0.5) / variance.sqrt(), 0.1, 1e-9);
}

#[test]
fn the_elo_scale_is_the_usual_one() {
    for (score, expected) in [(0.5, 0.0), (0.75, 190.848), (0.640_065, 100.0), (0.909_091, 400.0)] {
        assert_near(elo(score), expected, 0.001);
        assert_near(expected_score(expected), score, 1e-5);
    }
    assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
}

/// 100 games, 30 won, 50 drawn, 20 lost: variance (30 × 0.45² + 50 × 0.05² + 20 × 0.55²) / 100
/// = 0.1225, z = 0.05 / 0.035 = 1.4286, Φ(z) = 0.9234.
#[test]
fn single_games_serve_where_there_are_no_pairs() {
    let tally = Tally { wins: 30, draws: 50, losses: 20, ..Tally::default() };
    assert_near(tally.score(), 0.55, 1e-12);
    assert_near(tally.draw_ratio(), 0.5, 1e-12);
    assert_near(tally.los().unwrap(), 0.923_4, 1e-4);
    assert_near(tally.elo().value, 34.86, 0.01);
    assert_near(tally.normalized_elo().value, 0.05 / 0.35 * 347.436, 0.01);
    assert_near(tally.normalized_elo().margin, 68.1, 0.01);
}

#[test]
fn extremes_are_no_numbers_to_trip_over() {
    let nothing = Tally::default();
    assert_eq!((nothing.elo().value, nothing.elo().margin), (0.0, f64::INFINITY));
    assert_eq!(nothing.los(), None);
    assert_eq!(test(0.0, 5.0, EloModel::Normalized).llr(&nothing), 0.0);
    let all = pairs([0, 0, 0, 0, 20]);
    assert_eq!(all.elo().value, f64::INFINITY);
    assert_eq!(all.elo().margin, f64::INFINITY);
    for model in [EloModel::Normalized, EloModel::Logistic] {
        let llr = test(0.0, 10.0, model).llr(&all);
        assert!(llr.is_finite() && llr > 0.0, "{llr}");
        let llr = test(0.0, 10.0, model).llr(&pairs([20, 0, 0, 0, 0]));
        assert!(llr.is_finite() && llr < 0.0, "{llr}");
    }
    let even = pairs([0, 0, 9, 0, 0]);
    assert_eq!((even.elo().value, even.elo().margin, even.los()), (0.0, f64::INFINITY, Some(0.5)));
    assert_eq!(even.normalized_elo().value, 0.0);
    // Ten games won in a row: z = 10 / √10 = 3.1623, Φ(z) = 0.9992.
    let row = Tally { wins: 10, ..Tally::default() };
    assert_near(row.los().unwrap(), 0.999_22, 1e-5);
    let row = Tally { losses: 10, ..Tally::default() };
    assert_near(row.los().unwrap(), 0.000_78, 1e-5);
}
