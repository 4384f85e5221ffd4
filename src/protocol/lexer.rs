//! Bytes to words. Never fails: any bytes, any length, any mixture of blanks.
//!
//! Space, tab, CR and every other control byte separate words (some clients send the NUL that ends
//! their buffer). Nothing is decoded before a word is known to be text for people.

use crate::types::Move;

/// The words of one line, first to last. A position in the line, so cloning looks ahead for free.
#[derive(Clone)]
pub(super) struct Words<'a> {
    /// What is unread, with no blank at either end.
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a [u8]) -> Words<'a> {
        let mut rest = skip_blanks(line);
        while let [front @ .., last] = rest {
            if !is_blank(*last) {
                break;
            }
            rest = front;
        }
        Words { rest }
    }

    /// All that is unread, verbatim but for the blanks at both ends.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        self.clone().next()
    }

    /// Takes the next word if it is this one, or the front of it when more is glued on.
    pub(super) fn strip(&mut self, prefix: &[u8]) -> bool {
        let Some(rest) = self.rest.strip_prefix(prefix) else { return false };
        self.rest = skip_blanks(rest);
        true
    }

    /// Takes the letters the next word begins with, so that `depth5` reads as `depth 5`.
    pub(super) fn letters(&mut self) -> &'a [u8] {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        self.take(count)
    }

    /// Takes the number the next word begins with, saturated. What is glued to it stays as the
    /// next word; a word that begins with no number stays whole.
    pub(super) fn number(&mut self) -> Option<i64> {
        let (sign, digits) = match self.rest {
            [b'-', digits @ ..] => (-1, digits),
            [b'+', digits @ ..] => (1, digits),
            digits => (1, digits),
        };
        let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return None;
        }
        self.rest = digits;
        let magnitude = self.take(count).iter().fold(0i64, |value, digit| {
            value.saturating_mul(10).saturating_add(i64::from(digit - b'0'))
        });
        Some(sign * magnitude)
    }

    /// As [`Words::number`]; negative numbers become 0.
    pub(super) fn u64(&mut self) -> Option<u64> {
        self.number().map(|number| number.max(0).unsigned_abs())
    }

    /// As [`Words::u64`], saturated.
    pub(super) fn u32(&mut self) -> Option<u32> {
        self.u64().map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// As [`Words::number`], saturated, for scores.
    pub(super) fn i32(&mut self) -> Option<i32> {
        const LIMIT: i64 = i32::MAX as i64;
        self.number().map(|number| number.clamp(-LIMIT, LIMIT) as i32)
    }

    /// Takes the next word if it is a move.
    pub(super) fn mv(&mut self) -> Option<Move> {
        let mut ahead = self.clone();
        let mv = read_move(ahead.next()?)?;
        *self = ahead;
        Some(mv)
    }

    /// Takes all moves up to the first word that is none.
    pub(super) fn moves(&mut self) -> Vec<Move> {
        std::iter::from_fn(|| self.mv()).collect()
    }

    /// Takes words up to one that `stops`, which is left, and joins at most `limit` of them.
    pub(super) fn text_until(&mut self, limit: usize, stops: impl Fn(&[u8]) -> bool) -> String {
        let mut text = String::new();
        let mut taken = 0;
        while let Some(word) = self.peek().filter(|word| !stops(word)) {
            self.take(word.len());
            if taken < limit {
                if taken > 0 {
                    text.push(' ');
                }
                text.push_str(&lossy(word));
            }
            taken += 1;
        }
        text
    }

    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = skip_blanks(rest);
        taken
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let count = self.rest.iter().take_while(|&&byte| !is_blank(byte)).count();
        (count > 0).then(|| self.take(count))
    }
}

/// The word as a move in coordinates.
pub(super) fn read_move(word: &[u8]) -> Option<Move> {
    if word.len() != 4 {
        return None;
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Text for people, whatever its encoding was.
pub(super) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A word as it is quoted in a message: lossy and short.
pub(super) fn quoted(word: &[u8]) -> String {
    const LENGTH: usize = 24;
    let front = word.chunks(4 * LENGTH).next().unwrap_or_default();
    String::from_utf8_lossy(front).chars().take(LENGTH).collect()
}

fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f
}

fn skip_blanks(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes {
        if !is_blank(*first) {
            break;
        }
        bytes = rest;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &[u8]) -> Vec<&[u8]> {
        Words::new(line).collect()
    }

    #[test]
    fn any_blanks_separate_any_bytes() {
        assert!(words(b"").is_empty());
        assert!(words(b" \t\r\n\0\x7f").is_empty());
        assert_eq!(words(b"\tgo  depth\t5 \r"), [&b"go"[..], b"depth", b"5"]);
        assert_eq!(words(b"\xff\xfe\0\xc4\xe3"), [&b"\xff\xfe"[..], b"\xc4\xe3"]);
    }

    #[test]
    fn the_rest_is_verbatim() {
        let mut line = Words::new(b"a  C:\\My  Books\\b.bin \r");
        line.next();
        assert_eq!(line.rest(), b"C:\\My  Books\\b.bin");
    }

    #[test]
    fn numbers_are_read_to_the_last_digit() {
        let read = |line: &'static [u8]| {
            let mut words = Words::new(line);
            (words.number(), words.rest())
        };
        assert_eq!(read(b"300increment 3"), (Some(300), &b"increment 3"[..]));
        assert_eq!(read(b"+7 x"), (Some(7), &b"x"[..]));
        assert_eq!(read(b"-5"), (Some(-5), &b""[..]));
        assert_eq!(read(b"99999999999999999999"), (Some(i64::MAX), &b""[..]));
        assert_eq!(read(b"-99999999999999999999"), (Some(-i64::MAX), &b""[..]));
        assert_eq!(read(b"12/24"), (Some(12), &b"/24"[..]));
        for none in [&b""[..], b"-", b"x5", b"\xef\xbc\x95"] {
            assert_eq!(Words::new(none).number(), None);
            assert_eq!(Words::new(none).rest(), none);
        }
        assert_eq!(Words::new(b"-5").u32(), Some(0));
        assert_eq!(Words::new(b"99999999999").u32(), Some(u32::MAX));
    }

    #[test]
    fn quotes_are_short() {
        assert_eq!(quoted(b"h2e2"), "h2e2");
        assert_eq!(quoted(&[0xff; 1_000]).chars().count(), 24);
        assert_eq!(quoted("\u{ff48}".repeat(99).as_bytes()).chars().count(), 24);
    }
}
