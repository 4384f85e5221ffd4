//! Text of unknown encoding: Chinese files come in UTF-8 and in GBK, and seldom say which.

use std::borrow::Cow;

use encoding_rs::{Encoding, GB18030};

/// Decodes text: by its byte order mark if it has one, else as UTF-8, else as GB18030 (which
/// contains GBK and GB2312), else as UTF-8 with replacement characters where it is none.
///
/// ```
/// use hanxin::record::encoding::decode;
///
/// assert_eq!(decode("红".as_bytes()), "红");
/// assert_eq!(decode(b"\xBA\xEC"), "红");
/// ```
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let text = bytes.get(mark..).unwrap_or_default();
        return encoding.decode_without_bom_handling(text).0;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    GB18030
        .decode_without_bom_handling_and_without_replacement(bytes)
        .unwrap_or_else(|| String::from_utf8_lossy(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_win() {
        assert_eq!(decode(b"\xEF\xBB\xBFab"), "ab");
        assert_eq!(decode(b"\xFF\xFE\xA2\x7E"), "红");
        assert_eq!(decode(b"\xEF\xBB\xBF\xFF"), "\u{fffd}");
    }

    #[test]
    fn what_is_neither_loses_only_what_is_broken() {
        assert_eq!(decode(b"a\xFF\xFFb"), "a\u{fffd}\u{fffd}b");
        assert_eq!(decode(b""), "");
    }
}
