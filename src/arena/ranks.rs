//! Engines that count the ranks of the board from 1 to 10 instead of 0 to 9, as Fairy-Stockfish does
//! in plain UCI mode: every word that is a move is translated, in both directions, as text.

/// The line with its moves counted from 1.
pub fn from_zero_to_one(line: &str) -> String {
    let words: Vec<String> = line.split(' ').map(|word| shifted(word, 1)).collect();
    words.join(" ")
}

/// The line with its moves counted from 0. Anything that is no line of text stays as it is.
pub fn from_one_to_zero(line: &[u8]) -> Vec<u8> {
    let Ok(line) = std::str::from_utf8(line) else { return line.to_vec() };
    let words: Vec<String> = line.split(' ').map(|word| shifted(word, -1)).collect();
    words.join(" ").into_bytes()
}

/// A move with its ranks shifted; any other word as it is. A rank that falls off the board becomes
/// one that no parser takes.
fn shifted(word: &str, by: i8) -> String {
    let Some((from, to)) = squares(word.trim_end()) else { return word.to_owned() };
    let shift = |(file, rank): (char, i8)| format!("{file}{}", rank + by);
    shift(from) + &shift(to)
}

/// File letter and rank number of both squares.
fn squares(word: &str) -> Option<((char, i8), (char, i8))> {
    let second = word.char_indices().skip(1).find(|(_, c)| c.is_ascii_lowercase())?.0;
    let (from, to) = word.split_at(second);
    Some((square(from)?, square(to)?))
}

fn square(text: &str) -> Option<(char, i8)> {
    let file = text.chars().next().filter(|file| ('a'..='i').contains(file))?;
    let digits = text.get(1..).filter(|digits| (1..=2).contains(&digits.len()))?;
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    Some((file, digits.parse().ok().filter(|rank| (0..=10).contains(rank))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_shifted_and_nothing_else() {
        let zero = "position fen 3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1 moves a9i9 h2e2 a0a9";
        let one = "position fen 3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1 moves a10i10 h3e3 a1a10";
        assert_eq!(from_zero_to_one(zero), one);
        assert_eq!(from_one_to_zero(one.as_bytes()), zero.as_bytes());
        assert_eq!(from_one_to_zero(b"bestmove h10g8 ponder a1a2\r"), b"bestmove h9g7 ponder a0a1");
        for same in
            [&b"id name a b10"[..], b"info depth 10 nodes 55", b"\xff a1a2", b"bestmove a11a1"]
        {
            assert_eq!(from_one_to_zero(same), same);
        }
    }

    #[test]
    fn a_rank_off_the_board_is_no_move() {
        assert_eq!(from_one_to_zero(b"bestmove a0a1"), b"bestmove a-1a0");
    }
}
