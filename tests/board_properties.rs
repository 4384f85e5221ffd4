//! Properties of the board that hold in every position a game can reach.

mod support;

use hanxin::board::CheckSpotter;
use hanxin::{KingGuard, Move, MoveList, Position, Square};
use proptest::prelude::*;
use support::{mirrored, random_position, swapped};

fn sorted(moves: &MoveList, map: impl Fn(Move) -> Move) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().map(map).collect();
    moves.sort();
    moves
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn play_and_undo_restore_everything(pos in random_position()) {
        let (fen, key, psq) = (pos.to_fen(), pos.key(), pos.psq());
        let mut played = pos.clone();
        for mv in &pos.legal_moves() {
            played.play(mv).expect("legal");
            prop_assert_eq!(played.undo(), Some(mv));
            prop_assert_eq!(played.to_fen(), fen.as_str());
            prop_assert_eq!((played.key(), played.psq()), (key, psq));
        }
    }

    #[test]
    fn fen_round_trips(pos in random_position()) {
        let again = Position::from_fen(&pos.to_fen()).expect("our own fen");
        prop_assert_eq!(again.to_fen(), pos.to_fen());
        prop_assert_eq!(again.key(), pos.key());
    }

    /// The guard judges moves without making them; making them and looking at the king is the
    /// definition.
    #[test]
    fn guard_agrees_with_make_and_ask(pos in random_position()) {
        let guard = KingGuard::new(&pos);
        prop_assert_eq!(guard.is_check(), pos.is_check());
        let mut moves = MoveList::new();
        pos.pseudo_legal(&mut moves);
        for mv in &moves {
            let mut setup = pos.to_setup();
            setup.board[mv.to.index()] = setup.board[mv.from.index()].take();
            setup.side = !setup.side;
            let safe = Position::from_setup(&setup).is_ok();
            prop_assert_eq!(guard.is_legal(&pos, mv), safe, "{} in {:?}", mv, pos);
        }
    }

    #[test]
    fn checks_are_spotted_before_they_are_given(pos in random_position()) {
        let spotter = CheckSpotter::new(&pos);
        for mv in &pos.legal_moves() {
            let mut after = pos.clone();
            after.play(mv).expect("legal");
            prop_assert_eq!(spotter.gives_check(&pos, mv), after.is_check(), "{} in {:?}", mv, pos);
        }
    }

    #[test]
    fn all_8100_moves_are_judged_like_the_generator(pos in random_position()) {
        let legal = pos.legal_moves();
        for from in Square::ALL {
            for to in Square::ALL {
                let mv = Move::new(from, to);
                prop_assert_eq!(pos.is_legal(mv), legal.contains(&mv), "{} in {:?}", mv, pos);
            }
        }
    }

    #[test]
    fn mirrored_and_swapped_boards_have_the_same_moves(pos in random_position()) {
        let moves = pos.legal_moves();
        let mirrored = mirrored(&pos).legal_moves();
        prop_assert_eq!(sorted(&moves, |mv| mv), sorted(&mirrored, Move::mirror));
        let swapped = swapped(&pos).legal_moves();
        prop_assert_eq!(sorted(&moves, |mv| mv), sorted(&swapped, Move::flip));
    }

    #[test]
    fn captures_and_quiets_are_told_apart(pos in random_position()) {
        let (mut captures, mut quiets) = (MoveList::new(), MoveList::new());
        pos.captures(&mut captures);
        pos.quiets(&mut quiets);
        prop_assert!(captures.into_iter().all(|mv| pos.piece_on(mv.to).is_some()));
        prop_assert!(quiets.into_iter().all(|mv| pos.piece_on(mv.to).is_none()));
    }

    #[test]
    fn what_is_forgotten_is_history_alone(pos in random_position(), plies in 0..130usize) {
        let mut recent = pos.clone();
        recent.forget_before(plies);
        let kept = &pos.history()[pos.history().len().saturating_sub(plies)..];
        prop_assert_eq!(recent.history(), kept);
        prop_assert_eq!(recent.to_fen(), pos.to_fen());
    }
}
