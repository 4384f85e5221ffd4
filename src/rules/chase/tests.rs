use super::*;
use crate::rules::RuleSet;

/// What the side to move could win, as in `d5xc5 d5xe5`.
fn won(fen: &str, rules: RuleSet) -> String {
    let mut pos = Position::from_fen(fen).unwrap();
    let captures = Captures::of(&mut pos, rules.law());
    let men = PieceId::of(pos.side_to_move());
    let pairs = captures.won.pairs(men).map(|(attacker, victim)| {
        format!("{}x{}", pos.square_of(attacker).unwrap(), pos.square_of(victim).unwrap())
    });
    pairs.collect::<Vec<_>>().join(" ")
}

fn axf(fen: &str) -> String {
    won(fen, RuleSet::Axf)
}

#[test]
fn an_unprotected_man_is_won() {
    assert_eq!(axf("3k5/9/9/n8/9/9/9/9/9/R3K4 w - - 0 1"), "a0xa6");
    // An elephant is a chaser like any other.
    assert_eq!(axf("3k5/9/4R4/9/2b6/9/9/9/9/4K4 b - - 0 1"), "c5xe7");
    assert_eq!(axf("3k5/9/4R4/3P5/2b6/9/9/9/9/4K4 b - - 0 1"), "");
}

#[test]
fn kings_and_pawns_do_not_chase() {
    assert_eq!(axf("5k3/9/9/9/9/9/9/9/3n5/3K5 w - - 0 1"), "");
    assert_eq!(axf("3k5/9/9/3nP4/9/9/9/9/9/4K4 w - - 0 1"), "");
}

#[test]
fn pawns_are_worth_chasing_once_over_the_river() {
    assert_eq!(axf("3k5/9/9/p8/9/9/9/9/9/R3K4 w - - 0 1"), "");
    assert_eq!(axf("3k5/9/9/9/9/p8/9/9/9/R3K4 w - - 0 1"), "a0xa4");
}

#[test]
fn a_protected_man_is_not_won() {
    assert_eq!(axf("3k5/r8/9/n8/9/9/9/9/9/R3K4 w - - 0 1"), "");
}

/// The rook was the screen between the two cannons: gone with the capture.
#[test]
fn protection_is_looked_at_after_the_capture() {
    assert_eq!(axf("4k4/9/9/9/2cRc4/9/9/9/9/3K5 w - - 0 1"), "d5xc5 d5xe5");
    // The other way round: taking the horse off makes the rook the screen of the cannon.
    assert_eq!(axf("3k5/9/9/9/9/9/9/n7R/9/c3K4 w - - 0 1"), "i2xa2");
    assert_eq!(axf("3k5/9/9/9/n7R/9/9/p8/9/c3K4 w - - 0 1"), "");
}

#[test]
fn a_pinned_protector_does_not_protect() {
    // The king would have to take into the line of the rook's own back rank.
    assert_eq!(axf("5k3/9/9/9/9/9/9/9/9/3NK1c1r b - - 0 1"), "g0xd0");
    // The rook on d8 is pinned by the one on d0.
    assert_eq!(axf("3k5/n2r5/9/9/9/9/9/9/9/R2RK4 w - - 0 1"), "a0xa8");
}

#[test]
fn a_pinned_attacker_does_not_chase() {
    assert_eq!(axf("3kr4/9/9/9/4C3n/9/9/9/4R4/4K4 w - - 0 1"), "");
    assert_eq!(axf("3kr4/9/9/n3R4/9/9/9/9/9/4K4 w - - 0 1"), "");
}

#[test]
fn like_men_that_can_take_each_other_are_exchanged() {
    assert_eq!(axf("3k5/9/9/r8/9/9/9/9/9/R3K4 w - - 0 1"), "");
    // A pinned rook cannot take back.
    assert_eq!(axf("3k5/9/9/R2r5/9/9/9/9/9/3RK4 w - - 0 1"), "a6xd6");
    // Nor can a horse whose leg is hobbled: b5 hobbles the one on c5.
    assert_eq!(axf("3k5/9/9/9/2n6/N8/9/9/9/4K4 w - - 0 1"), "");
    assert_eq!(axf("3k5/9/9/9/1Pn6/N8/9/9/9/4K4 w - - 0 1"), "a4xc5");
}

#[test]
fn horse_and_cannon_chase_a_protected_rook() {
    assert_eq!(axf("3k5/2r6/9/9/2r6/9/3N5/9/9/4K4 w - - 0 1"), "d3xc5");
    assert_eq!(axf("3k5/2r6/9/9/2r6/9/2P6/9/9/2C1K4 w - - 0 1"), "c0xc5");
    assert_eq!(axf("3k5/2n6/9/9/2n6/9/3C5/9/9/4K4 w - - 0 1"), "");
}

#[test]
fn advisors_and_elephants_outrank_in_some_rule_sets() {
    let fen = "3k5/9/4R4/9/2b6/9/9/9/9/4K4 b - - 0 1";
    let protected = "3k5/4P4/4R4/9/2b6/4R4/9/9/9/4K4 b - - 0 1";
    for rules in [RuleSet::Cxa, RuleSet::Computer, RuleSet::Axf] {
        assert_eq!(won(fen, rules), "c5xe7");
        let expected = if rules == RuleSet::Axf { "" } else { "c5xe7" };
        assert_eq!(won(protected, rules), expected, "{rules:?}");
    }
}
