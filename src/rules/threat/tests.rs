use super::*;
use crate::rules::RuleSet;

/// The move, classified.
fn deed(fen: &str, mv: &str, rules: RuleSet) -> Deed {
    let mut pos = Position::from_fen(fen).unwrap();
    let mv = mv.parse().unwrap();
    pos.play(mv).unwrap();
    classify(&pos, pos.history().last().unwrap(), mv, rules.law())
}

fn nature(fen: &str, mv: &str) -> Nature {
    deed(fen, mv, RuleSet::Axf).nature
}

fn chases(deed: &Deed) -> Vec<String> {
    deed.chases.iter().map(|chase| format!("{}x{}", chase.from, chase.on)).collect()
}

#[test]
fn check() {
    assert_eq!(nature("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1", "a0a9"), Nature::Check);
}

#[test]
fn chase_names_hunter_and_prey() {
    let deed = deed("3k5/9/9/n8/9/9/9/9/9/1R2K4 w - - 0 1", "b0a0", RuleSet::Axf);
    assert_eq!(deed.nature, Nature::Chase);
    let [chase] = deed.chases[..] else { panic!("{:?}", deed.chases) };
    assert_eq!((chase.attacker, chase.from), (Piece::RedRook, Square::A0));
    assert_eq!((chase.victim, chase.on), (Piece::BlackKnight, Square::A6));
}

#[test]
fn a_pawn_or_king_that_uncovers_an_attack_makes_a_chaser() {
    let pawn = deed("3k5/9/9/n8/P8/9/9/9/9/R3K4 w - - 0 1", "a5b5", RuleSet::Axf);
    assert_eq!(chases(&pawn), ["a0xa6"]);
    let king = deed("3k5/9/9/9/9/9/9/9/9/1n2K3R w - - 0 1", "e0e1", RuleSet::Axf);
    assert_eq!(chases(&king), ["i0xb0"]);
}

#[test]
fn two_men_may_chase_one() {
    let deed = deed("3k5/9/9/c8/9/N8/9/9/9/R3K4 w - - 0 1", "a4c5", RuleSet::Axf);
    assert_eq!(chases(&deed), ["c5xa6", "a0xa6"]);
}

/// The rook attacked the horse all along; its screen leaving, the cannon no longer protects it.
#[test]
fn an_old_attack_is_a_new_chase_where_only_the_victim_counts() {
    let fen = "5k3/9/9/9/9/9/9/9/2nRA3c/4K4 w - - 0 1";
    assert_eq!(deed(fen, "e1f0", RuleSet::Axf).chases, []);
    assert_eq!(chases(&deed(fen, "e1f0", RuleSet::Computer)), ["d1xc1"]);
}

/// The cannon attacked the horse all along; now the king may not take back.
#[test]
fn pinning_the_protector_makes_a_chase() {
    let fen = "5k3/9/9/9/9/9/9/9/9/3NK1cr1 b - - 0 1";
    let before = "5k3/9/9/9/9/9/9/7r1/9/3NK1c2 b - - 0 1";
    assert_eq!(chases(&deed(before, "h2h0", RuleSet::Axf)), ["g0xd0"]);
    assert_eq!(deed(fen, "h0h2", RuleSet::Axf).chases, []);
}

#[test]
fn mate_threat() {
    let fen = "3k5/R8/9/8p/9/9/9/9/9/1R2K4 w - - 0 1";
    assert_eq!(nature(fen, "b0b1"), Nature::Idle, "the threat was there");
    let fen = "3k5/9/R8/8p/9/9/9/9/9/1R3K3 w - - 0 1";
    assert_eq!(nature(fen, "a7a8"), Nature::MateThreat);
}

#[test]
fn exchange() {
    assert_eq!(nature("3k5/9/9/r8/9/9/9/9/9/1R2K4 w - - 0 1", "b0a0"), Nature::Exchange);
}

#[test]
fn offer() {
    let fen = "3k5/9/9/r8/9/9/9/9/9/1C2K4 w - - 0 1";
    assert_eq!(nature(fen, "b0a0"), Nature::Offer);
}

#[test]
fn block() {
    // The protected advisor stops the rook's way down the file.
    let fen = "5k3/9/9/3r5/9/9/9/R8/4A4/4K4 w - - 0 1";
    assert_eq!(nature(fen, "e1d2"), Nature::Block);
}

#[test]
fn follow() {
    let fen = "3k5/r8/9/n8/9/9/9/9/9/1R2K4 w - - 0 1";
    assert_eq!(nature(fen, "b0a0"), Nature::Follow);
}

#[test]
fn idle() {
    assert_eq!(nature(crate::board::START_FEN, "a0a1"), Nature::Idle);
}

#[test]
fn names_are_in_index_order() {
    for (nature, ..) in Nature::NAMED {
        assert_eq!(Nature::NAMED[nature as usize].0, nature);
    }
    assert_eq!(Nature::MateThreat.to_string(), "mate threat (杀)");
}
