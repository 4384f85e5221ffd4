//! The evaluation: properties that hold everywhere, and for each term positions that differ in what the
//! term is about.

mod support;

use hanxin::Position;
use hanxin::eval::{Knowledge, LinearForm, Term, WEIGHTS, evaluate, trace};
use hanxin::types::Score;
use hanxin::types::score::EVAL_LIMIT;
use proptest::prelude::*;
use support::{mirrored, random_position, swapped};

const LEVELS: [Knowledge; 4] =
    [Knowledge::None, Knowledge::Small, Knowledge::Medium, Knowledge::Large];

/// A position with few men: captures are played whenever there are any.
fn sparse_position() -> impl Strategy<Value = Position> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..160).prop_map(|choices| {
        let mut pos = Position::startpos();
        for choice in choices {
            let mut moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            if moves.into_iter().any(|mv| pos.piece_on(mv.to).is_some()) {
                moves.retain(|mv| pos.piece_on(mv.to).is_some());
            }
            pos.play(moves[choice.index(moves.len())]).expect("a legal move");
        }
        pos
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn reflections_have_the_same_value(pos in prop_oneof![random_position(), sparse_position()]) {
        for level in LEVELS {
            let score = evaluate(&pos, level);
            prop_assert_eq!(evaluate(&mirrored(&pos), level), score, "{:?} {:?}", level, pos);
            prop_assert_eq!(evaluate(&swapped(&pos), level), score, "{:?} {:?}", level, pos);
        }
    }

    #[test]
    fn trace_adds_up(pos in prop_oneof![random_position(), sparse_position()]) {
        let trace = trace(&pos);
        prop_assert_eq!(trace.score(), evaluate(&pos, Knowledge::Large));
        prop_assert!(trace.score().abs() < EVAL_LIMIT);
        let base = trace.row(Term::Material).total() + trace.row(Term::Squares).total();
        prop_assert_eq!(base, pos.psq());
    }

    #[test]
    fn coefficients_give_the_same_value(pos in prop_oneof![random_position(), sparse_position()]) {
        let weights: Vec<[f64; 2]> =
            WEIGHTS.iter().map(|w| [w.mg().into(), w.eg().into()]).collect();
        let exact = LinearForm::new(&pos).value(&weights);
        // Blending and scaling round towards zero, each by less than one.
        let lost = exact.abs() - f64::from(trace(&pos).red_score().abs());
        prop_assert!((-1e-9..2.0).contains(&lost), "{} {:?}", exact, pos);
        prop_assert!(exact * f64::from(trace(&pos).red_score()) >= 0.0, "{:?}", pos);
    }
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

/// What a term gives Red, the middle game's half.
fn red(term: Term, fen: &str) -> Score {
    trace(&position(fen)).row(term).red.mg()
}

fn large(fen: &str) -> Score {
    evaluate(&position(fen), Knowledge::Large)
}

#[test]
fn start_position_is_level_but_for_the_move() {
    let start = Position::startpos();
    let trace = trace(&start);
    for row in trace.rows() {
        assert_eq!(row.red == row.black, row.term != Term::Tempo, "{row:?}");
    }
    assert_eq!(evaluate(&start, Knowledge::None), 0);
    assert!((1..=20).contains(&evaluate(&start, Knowledge::Large)));
}

// What each term counts. What that is worth is for the tuner to say.

#[test]
fn mobility_counts_points_to_go_to() {
    let (knight, rook) = (WEIGHTS.knight_mobility, WEIGHTS.rook_mobility);
    let free = red(Term::Mobility, "3k5/9/9/9/9/9/9/2N6/9/4K4 w");
    assert_eq!(free, knight[8].mg());
    // The same horse with a leg blocked (蹩马腿).
    let blocked = red(Term::Mobility, "3k5/9/9/9/9/9/2P6/2N6/9/4K4 w");
    assert_eq!(blocked, knight[6].mg());
    let free = red(Term::Mobility, "3k5/9/9/9/9/9/9/R8/9/4K4 w");
    assert_eq!(free, rook[17].mg());
    let shut = red(Term::Mobility, "3k5/9/9/9/9/9/P8/RN7/9/4K4 w");
    assert_eq!(shut, rook[2].mg() + knight[6].mg());
}

#[test]
fn pawns_are_seen_hand_in_hand_and_free() {
    let together = red(Term::Pawns, "3k5/9/9/2PP5/9/9/9/9/9/4K4 w");
    assert_eq!(together, WEIGHTS.pawns_hand_in_hand.mg());
    assert_eq!(red(Term::Pawns, "3k5/9/9/2P1P4/9/9/9/9/9/4K4 w"), 0);
    let free = red(Term::Pawns, "3k5/9/9/9/9/9/P8/9/9/4K4 w");
    assert_eq!(free, WEIGHTS.free_pawn.mg());
    assert_eq!(red(Term::Pawns, "3k5/9/9/p8/9/9/P8/9/9/4K4 w"), 0);
}

#[test]
fn guards_are_missed_while_rooks_are_there() {
    assert_eq!(red(Term::Guards, "3akab2/9/4b4/9/9/9/9/9/9/R3K4 w"), 0);
    let no_advisors = red(Term::Guards, "4k1b2/9/4b4/9/9/9/9/9/9/R3K4 w");
    assert_eq!(no_advisors, 2 * WEIGHTS.missing_advisor[1].mg());
    assert_eq!(red(Term::Guards, "4k1b2/9/4b4/9/9/9/9/9/9/4K4 w"), 0);
    // Two elephants protect each other until the eye between them is blocked (塞象眼).
    let linked = red(Term::Guards, "3k5/9/9/9/9/9/9/4B4/9/4K1B2 w");
    assert_eq!(linked, WEIGHTS.linked_bishops.mg());
    assert_eq!(red(Term::Guards, "3k5/9/9/9/9/9/9/4B4/5r3/4K1B2 w"), 0);
}

#[test]
fn rooks_are_seen_on_open_and_flank_files() {
    let (half_open, open) = (WEIGHTS.rook_half_open_file.mg(), WEIGHTS.rook_open_file.mg());
    assert_eq!(red(Term::Files, "5k3/9/9/9/9/9/2P6/9/9/2R1K4 w"), 0);
    assert_eq!(red(Term::Files, "5k3/9/9/2p6/9/9/9/9/9/2R1K4 w"), half_open);
    assert_eq!(red(Term::Files, "5k3/9/9/9/9/9/9/9/9/2R1K4 w"), open);
    let flank = red(Term::Files, "5k3/9/9/9/9/9/9/9/9/3RK4 w");
    assert_eq!(flank, open + WEIGHTS.rook_flank_file.mg());
}

#[test]
fn cannons_are_seen_on_the_lines_of_the_king() {
    let (bare, commands) = (WEIGHTS.bare_king_file.mg(), WEIGHTS.king_commands_file.mg());
    let on_file = WEIGHTS.cannon_on_king_file;
    // Hollow cannon (空头炮) against a middle file with two men on it and with one king aside.
    let hollow = red(Term::KingLines, "rnbakabnr/9/9/9/4C4/9/9/9/9/3K5 b");
    assert_eq!(hollow, on_file[0].mg() + bare + commands);
    let covered = red(Term::KingLines, "rn2kabnr/4a4/4b4/9/4C4/9/9/9/9/3K5 b");
    assert_eq!(covered, on_file[2].mg() + commands);
    assert_eq!(red(Term::KingLines, "rnbakabnr/9/9/9/3C5/9/9/9/9/3K5 b"), bare);
    // Bottom cannon (沉底炮).
    let bottom = red(Term::KingLines, "C1bakab2/9/9/9/9/9/9/9/9/3K5 b");
    let above = red(Term::KingLines, "2bakab2/C8/9/9/9/9/9/9/9/3K5 b");
    assert_eq!(bottom - above, WEIGHTS.cannon_on_king_rank[2].mg());
}

#[test]
fn cover_of_the_middle_file_is_seen() {
    let commands = WEIGHTS.king_commands_file.mg();
    let bare = red(Term::KingLines, "3ak4/9/9/9/9/9/9/9/9/R2K5 w");
    assert_eq!(bare, WEIGHTS.bare_king_file.mg() + commands);
    assert_eq!(red(Term::KingLines, "4k4/4a4/9/9/9/9/9/9/9/R2K5 w"), commands);
    // A horse in the palace's centre (窝心马) covers it badly.
    let smothered = red(Term::KingLines, "3ak4/4n4/9/9/9/9/9/9/9/R2K5 w");
    assert_eq!(smothered, WEIGHTS.smothering_knight.mg() + commands);
    assert_eq!(red(Term::KingLines, "3k5/9/9/9/9/9/9/9/9/4K4 w"), commands);
    assert_eq!(red(Term::KingLines, "3k5/9/9/9/9/9/4P4/9/9/4K4 w"), 0);
}

#[test]
fn attackers_are_counted() {
    let lone = red(Term::KingAttack, "3akab2/9/4b1N2/9/9/9/9/9/9/4K4 w");
    assert_eq!(lone, WEIGHTS.king_attack[4][1].mg());
    // A horse, a pawn and a rook, which counts twice, against three guards.
    let three = red(Term::KingAttack, "3ak1b2/9/4b1N2/2P6/9/9/9/9/9/3RK4 w");
    assert_eq!(three, WEIGHTS.king_attack[3][4].mg());
}

#[test]
fn blocked_legs_and_eyes_are_counted() {
    assert_eq!(red(Term::LegsAndEyes, "3k5/9/9/9/9/9/9/2N6/9/4K4 w"), 0);
    let own = red(Term::LegsAndEyes, "3k5/9/9/9/9/9/2P6/2N6/9/4K4 w");
    assert_eq!(own, WEIGHTS.leg_blocked_by_own.mg());
    let enemy = red(Term::LegsAndEyes, "3k5/9/9/9/9/9/2p6/2N6/9/4K4 w");
    assert_eq!(enemy, WEIGHTS.leg_blocked_by_enemy.mg());
    let eye = red(Term::LegsAndEyes, "3k5/9/9/9/9/9/9/4B4/3r5/4K4 w");
    assert_eq!(eye, WEIGHTS.blocked_eye.mg());
}

#[test]
fn the_mix_of_men_is_seen() {
    // With no more than eight men on the board. Pairs are by advisor, elephant, horse, rook, cannon, pawn.
    let (knight, cannon) = (WEIGHTS.knight_by_men[0].mg(), WEIGHTS.cannon_by_men[0].mg());
    let (pairs, against) = (WEIGHTS.pairs, WEIGHTS.against);
    let different = red(Term::Imbalance, "3k5/9/9/9/9/9/9/2N1C4/9/4K4 w");
    assert_eq!(different, knight + cannon + WEIGHTS.knight_with_cannon.mg() + pairs[2][4].mg());
    let alike = red(Term::Imbalance, "3k5/9/9/9/9/9/9/2N1N4/9/4K4 w");
    assert_eq!(alike, 2 * knight + pairs[2][2].mg());
    let guarded = red(Term::Imbalance, "3k5/9/9/9/9/9/9/2C6/4A4/4K4 w");
    assert_eq!(guarded, cannon + WEIGHTS.cannon_per_guard.mg() + pairs[0][4].mg());
    let only_rook = red(Term::Imbalance, "3k5/9/2n6/9/9/9/9/9/9/R3K4 w");
    assert_eq!(only_rook, WEIGHTS.only_rooks.mg() + against[3][2].mg());
    let rooks = red(Term::Imbalance, "r2k5/9/9/9/9/9/9/9/9/R3K4 w");
    assert_eq!(rooks, against[3][3].mg());
}

#[test]
fn leads_that_cannot_win_shrink() {
    // Advisors and elephants alone, a lone cannon without a screen: nothing to win with.
    assert_eq!(large("3k5/9/9/9/9/9/9/4B4/4A4/2BAK4 w - - 0 1"), 0);
    assert_eq!(large("3k5/9/9/9/9/9/9/4C4/9/4K4 w - - 0 1"), 0);
    let share = |fen: &str| trace(&position(fen)).scale();
    let horse_full = share("2bakab2/9/9/9/4N4/9/9/9/9/4K4 w");
    let horse_bare = share("3k5/9/9/9/4N4/9/9/9/9/4K4 w");
    let rook_full = share("2bakab2/9/9/9/3R5/9/9/9/4A4/4K4 w");
    let rook_three = share("2baka3/9/9/9/3R5/9/9/9/4A4/4K4 w");
    assert!(horse_full < horse_bare && rook_full < rook_three);
    assert_eq!(horse_bare, rook_three);
    assert_eq!(share("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"), 64);
}

#[test]
fn a_man_more_is_worth_its_value() {
    // Red without a horse, a cannon, a rook.
    let horse = large("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR b");
    let cannon = large("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/7C1/9/RNBAKABNR b");
    let rook = large("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR b");
    assert!((60..160).contains(&horse), "{horse}");
    assert!((60..160).contains(&cannon), "{cannon}");
    assert!((160..320).contains(&rook), "{rook}");
}

#[test]
fn trace_prints_a_table() {
    let text = trace(&Position::startpos()).to_string();
    let width = |line: &str| line.chars().count();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 + Term::ALL.len() + 3);
    for (term, line) in Term::ALL.iter().zip(&lines[2..]) {
        assert!(line.starts_with(term.name()), "{line}");
        assert_eq!(width(line), width(lines[0]), "{line}");
    }
}
