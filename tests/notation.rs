//! Notation: what is written, all that is read, and what is refused.

mod support;

use std::collections::HashSet;

use hanxin::board::START_FEN;
use hanxin::notation::{NotationError, chinese, coordinates, iccs, parse_any};
use hanxin::{Color, Move, Piece, PieceType, Position, Setup, Square};
use proptest::prelude::*;
use support::{mirrored, random_position, swapped};

/// Two pawns on each of two files.
const TWO_FILES: &str = "3k5/9/9/2P3P2/2P3P2/9/9/9/9/4K4 w - - 0 1";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a FEN")
}

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

/// The game as the other side sees it: colours exchanged and the board turned round.
fn turned(pos: &Position) -> Position {
    mirrored(&swapped(pos))
}

fn turned_move(mv: Move) -> Move {
    mv.flip().mirror()
}

/// Red's text as Black writes the move; the first character may be a pawn's place, which Black
/// does not write with digits of its own.
fn for_black(text: &str) -> String {
    let translate = |(place, character): (usize, char)| {
        let pairs = ["帅将", "仕士", "相象", "兵卒"];
        let digits = ["一１", "二２", "三３", "四４", "五５", "六６", "七７", "八８", "九９"];
        let digits = if place == 0 { [].iter() } else { digits.iter() };
        let pair = pairs.iter().chain(digits).find(|pair| pair.starts_with(character));
        pair.and_then(|pair| pair.chars().nth(1)).unwrap_or(character)
    };
    text.chars().enumerate().map(translate).collect()
}

/// Each text names the move, for Red and, the board turned round, for Black.
fn assert_reads(fen: &str, cases: &[(&str, &str)]) {
    let pos = position(fen);
    for (text, coordinates) in cases {
        let expected = mv(coordinates);
        assert_eq!(parse_any(&pos, text), Ok(expected), "{text} in {fen}");
        let (other, expected) = (turned(&pos), turned_move(expected));
        assert_eq!(parse_any(&other, text), Ok(expected), "{text} in {other:?}");
    }
}

/// The same for what is written.
fn assert_writes(red_fen: &str, cases: &[(&str, &str)]) {
    let red = position(red_fen);
    let black = turned(&red);
    for (coordinates, text) in cases {
        let mv = mv(coordinates);
        assert!(red.is_legal(mv), "{coordinates} in {red_fen}");
        assert_eq!(chinese::write(&red, mv), *text, "{coordinates} in {red_fen}");
        assert_eq!(chinese::write(&black, turned_move(mv)), for_black(text), "{black:?}");
    }
    assert_round_trip(&red);
    assert_round_trip(&black);
}

/// Every legal move has a text of its own, of four characters, which reads back.
fn assert_round_trip(pos: &Position) {
    let mut texts = HashSet::new();
    for mv in &pos.legal_moves() {
        let text = chinese::write(pos, mv);
        assert_eq!(text.chars().count(), 4, "{text}");
        assert_eq!(parse_any(pos, &text), Ok(mv), "{text} in {pos:?}");
        assert!(texts.insert(text), "{mv} in {pos:?}");
        assert_eq!(parse_any(pos, &iccs::write(mv)), Ok(mv));
        assert_eq!(parse_any(pos, &mv.to_string()), Ok(mv));
    }
}

#[test]
fn a_game_agrees_in_every_notation() {
    let mut pos = Position::startpos();
    let game = include_str!("data/game_notation.txt");
    for line in game.lines().filter(|line| !line.starts_with('#')) {
        let (plain, text) = line.split_once(' ').expect("two columns");
        assert_eq!(chinese::write(&pos, mv(plain)), text);
        assert_eq!(chinese::parse(&pos, text), Ok(mv(plain)), "{text}");
        assert_eq!(coordinates::parse(&pos, plain), Ok(mv(plain)));
        assert_eq!(coordinates::parse(&pos, &iccs::write(mv(plain))), Ok(mv(plain)));
        pos.play(mv(plain)).expect("a legal move");
    }
    assert!(pos.is_finished());
}

#[test]
fn coordinates_are_read_in_either_case_and_with_or_without_a_dash() {
    assert_eq!(iccs::write(mv("h2e2")), "H2-E2");
    for text in ["h2e2", "H2E2", "H2-E2", "h2-e2", "H2e2", " h2e2\n"] {
        assert_eq!(parse_any(&Position::startpos(), text), Ok(mv("h2e2")), "{text:?}");
    }
}

#[test]
fn men_that_keep_their_file_count_points_and_others_name_a_file() {
    let cases = [
        ("h2e2", "炮二平五"),
        ("h2h9", "炮二进七"),
        ("h0g2", "马二进三"),
        ("g0e2", "相三进五"),
        ("d0e1", "仕六进五"),
        ("e0e1", "帅五进一"),
        ("a0a2", "车九进二"),
        ("c3c4", "兵七进一"),
    ];
    assert_writes(START_FEN, &cases);
    let backwards = "3k5/9/9/9/9/2N4R1/9/4B4/4A4/5K3 w";
    let cases = [
        ("h4h0", "车二退四"),
        ("c4d2", "马七退六"),
        ("c4e3", "马七退五"),
        ("e2g0", "相五退三"),
        ("e1d0", "仕五退六"),
    ];
    assert_writes(backwards, &cases);
}

#[test]
fn two_men_on_a_file_are_front_and_rear() {
    let rooks = "3k5/9/9/7R1/9/9/7R1/9/9/4K4 w";
    assert_writes(rooks, &[("h6h7", "前车进一"), ("h3h5", "后车进二"), ("h6f6", "前车平四")]);
    assert_reads(rooks, &[("前車進一", "h6h7"), ("後俥平四", "h3f3"), ("一车进一", "h6h7")]);
    assert_reads(rooks, &[("前车二平四", "h6f6"), ("前二车平四", "h6f6"), ("车二进三", "h6h9")]);
    let horses = "4k4/9/9/9/2N6/9/2N6/9/9/3K5 w";
    assert_writes(horses, &[("c5d7", "前马进六"), ("c3e4", "后马进五"), ("c3d1", "后马退六")]);
    // The third pawn shares its file with none: it is named by it, and the pair is not counted.
    let pawns = "3k5/9/9/2P6/2P6/6P2/9/9/9/4K4 w";
    assert_writes(pawns, &[("c6c7", "前兵进一"), ("c5b5", "后兵平八"), ("g4g5", "兵三进一")]);
    assert_reads(pawns, &[("一兵进一", "c6c7"), ("二兵平八", "c5b5"), ("兵七进一", "c6c7")]);
}

#[test]
fn the_way_tells_two_advisors_or_elephants_apart() {
    let advisors = position("3a5/3k5/3a5/9/9/9/9/9/9/4K4 b");
    for (text, plain) in [("士4进5", "d9e8"), ("士4退5", "d7e8"), ("后士进5", "d9e8")] {
        assert_eq!(chinese::parse(&advisors, text), Ok(mv(plain)), "{text}");
    }
    assert_writes(&turned(&advisors).to_fen(), &[("f0e1", "仕四进五"), ("f2e1", "仕四退五")]);
    let elephants = "3k5/9/9/9/9/6B2/9/9/9/4K1B2 w";
    assert_writes(elephants, &[("g0e2", "相三进五"), ("g4e2", "相三退五"), ("g0i2", "相三进一")]);
    assert_reads(elephants, &[("前相退五", "g4e2"), ("后象进五", "g0e2")]);
}

#[test]
fn three_pawns_on_a_file_have_a_middle_one() {
    let three = "3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w";
    assert_writes(three, &[("e8f8", "前兵平四"), ("e7f7", "中兵平四"), ("e6f6", "后兵平四")]);
    assert_reads(three, &[("一兵平四", "e8f8"), ("二兵平四", "e7f7"), ("三兵平四", "e6f6")]);
    assert_reads(three, &[("前五平四", "e8f8"), ("中五平四", "e7f7"), ("中卒平4", "e7f7")]);
}

#[test]
fn four_and_five_pawns_on_a_file_are_read_in_three_conventions() {
    let four = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w";
    let cases =
        [("e8f8", "一兵平四"), ("e7f7", "二兵平四"), ("e6f6", "三兵平四"), ("e5f5", "四兵平四")];
    assert_writes(four, &cases);
    assert_reads(four, &[("前兵平四", "e8f8"), ("后兵平四", "e5f5"), ("后五平四", "e5f5")]);
    let five = "P2k5/P8/P8/P8/P8/9/9/9/9/4K4 w";
    assert_writes(five, &[("a9b9", "一兵平八"), ("a7b7", "三兵平八"), ("a5b5", "五兵平八")]);
    assert_reads(five, &[("前兵平八", "a9b9"), ("中兵平八", "a7b7"), ("后兵平八", "a5b5")]);
}

#[test]
fn pawns_on_two_files_are_counted_from_the_right_and_the_front() {
    let cases =
        [("g6g7", "一兵进一"), ("g5f5", "二兵平四"), ("c6b6", "三兵平八"), ("c5d5", "四兵平六")];
    assert_writes(TWO_FILES, &cases);
    let cases = [
        ("前七进一", "c6c7"),
        ("后三平四", "g5f5"),
        ("前兵七平八", "c6b6"),
        ("后七兵平六", "c5d5"),
        ("前兵平八", "c6b6"),
        ("后兵平四", "g5f5"),
        ("３兵平８", "c6b6"),
    ];
    assert_reads(TWO_FILES, &cases);
    // Black's right is the a-file.
    let black = position("4k4/9/9/9/9/2p3p2/2p3p2/9/9/3K5 b");
    assert_eq!(chinese::parse(&black, "一卒进１"), Ok(mv("c3c2")));
    // Three on one file and two on the other. A count that fits no move may be that of one file.
    let five = "3k5/9/2P6/2P3P2/2P3P2/9/9/9/9/4K4 w";
    assert_writes(five, &[("g6g7", "一兵进一"), ("c7c8", "三兵进一"), ("c5d5", "五兵平六")]);
    assert_reads(five, &[("中七平六", "c6d6"), ("中兵平六", "c6d6"), ("二兵平六", "c6d6")]);
    // A fifth pawn alone on its file is not counted.
    let odd = "3k5/9/9/2P3P2/2P1P1P2/9/9/9/9/5K3 w";
    assert_writes(odd, &[("e5e6", "兵五进一"), ("c5b5", "四兵平八")]);
}

#[test]
fn traditional_characters_and_all_digits_are_read() {
    let cases = [
        ("砲二平五", "h2e2"),
        ("包2平5", "h2e2"),
        ("炮２平５", "h2e2"),
        ("傌八進七", "b0c2"),
        ("馬八上七", "b0c2"),
        ("俥九進一", "a1a2"),
        ("車九退一", "a1a0"),
        ("車九下一", "a1a0"),
        ("士六進五", "d0e1"),
        ("象七進九", "c0a2"),
        ("帥五進一", "e0e1"),
        ("將五進一", "e0e1"),
    ];
    assert_reads("3k5/9/9/9/4p4/9/9/1C5C1/R8/1NBAKABN1 w", &cases);
}

#[test]
fn what_has_several_meanings_lists_them() {
    let meanings = vec![mv("c6c7"), mv("g6g7")];
    let expected = NotationError::Ambiguous { text: "前兵进一".to_owned(), meanings };
    assert_eq!(expected.to_string(), "ambiguous move \"前兵进一\": it could be c6c7 or g6g7");
    assert_eq!(chinese::parse(&position(TWO_FILES), "前兵进一"), Err(expected));
}

#[test]
fn refusals_say_why() {
    let message = |pos: &Position, text| parse_any(pos, text).expect_err("refused").to_string();
    let start = Position::startpos();
    assert_eq!(message(&start, "马二进四"), "no man of red can play \"马二进四\"");
    assert_eq!(message(&start, "h2h2"), "illegal move \"h2h2\": the man on h2 cannot go to h2");
    assert_eq!(message(&start, "H7-E7"), "illegal move \"H7-E7\": no man of that side on h7");
    let pinned = position("4k4/9/9/9/4r4/9/9/9/4R4/4K4 w");
    let expected = "illegal move \"车五平六\": it leaves the king in check";
    assert_eq!(message(&pinned, "车五平六"), expected);
    for text in ["", "炮", "炮二平", "炮二平五五", "前前车进一", "炮二五平", "h2", "h-2e2", "C2=5"]
    {
        let expected = Err(NotationError::Unreadable(text.to_owned()));
        assert_eq!(parse_any(&start, text), expected, "{text}");
    }
    assert!(!message(&start, "a\nb").contains('\n'));
}

#[test]
fn without_a_man_a_move_is_written_in_coordinates() {
    assert_eq!(chinese::write(&Position::startpos(), mv("e4e5")), "e4e5");
}

/// Positions with several men of a kind on few files, which play seldom reaches.
fn crowded_position() -> impl Strategy<Value = Position> {
    let files = prop::sample::subsequence((0..9).collect::<Vec<i32>>(), 1..4);
    let spots = prop::collection::vec((any::<prop::sample::Index>(), 0..10), 11);
    (files, spots, any::<bool>()).prop_filter_map("black is in check", |(files, spots, turn)| {
        let pairs = [PieceType::Rook, PieceType::Knight, PieceType::Cannon];
        let kinds =
            [PieceType::Pawn; 5].into_iter().chain(pairs.into_iter().flat_map(|it| [it; 2]));
        let mut setup = Setup::empty();
        for (kind, (file, rank)) in kinds.zip(spots) {
            let rank = if kind == PieceType::Pawn { 5 + rank / 2 } else { rank };
            let square = Square::at(*file.get(&files), rank)?;
            setup.board[square.index()] = Some(Piece::new(Color::Red, kind));
        }
        setup.board[Square::E0.index()] = Some(Piece::RedKing);
        setup.board[Square::D9.index()] = Some(Piece::BlackKing);
        let pos = Position::from_setup(&setup).ok()?;
        Some(if turn { turned(&pos) } else { pos })
    })
}

/// Text made of the characters of moves, so that much of it nearly is one.
fn near_move() -> impl Strategy<Value = String> {
    let characters: Vec<char> =
        "帅士象马车炮兵卒前中后进退平一三五七九１５９159ah09-é".chars().collect();
    prop::collection::vec(prop::sample::select(characters), 0..7)
        .prop_map(|characters| characters.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn all_moves_of_played_positions_go_both_ways(pos in random_position()) {
        assert_round_trip(&pos);
    }

    #[test]
    fn all_moves_of_crowded_positions_go_both_ways(pos in crowded_position()) {
        assert_round_trip(&pos);
    }

    #[test]
    fn any_text_is_a_legal_move_or_refused(
        pos in prop_oneof![random_position(), crowded_position()],
        text in prop_oneof![any::<String>(), near_move(), "[前中后一二三四][兵车一五][进平退][一-九]"],
    ) {
        match parse_any(&pos, &text) {
            Ok(mv) => prop_assert!(pos.is_legal(mv)),
            Err(error) => prop_assert_eq!(error.to_string().lines().count(), 1),
        }
    }
}
