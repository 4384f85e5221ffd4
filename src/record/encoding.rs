//! Text of unknown encoding: Chinese files come in UTF-8 and in GBK, and seldom say which.

use std::borrow::Cow;
use std::str::FromStr;

use encoding_rs::GB18030;
use thiserror::Error;

/// An encoding that is known beforehand, by any name the web has for it: `utf-8`, `gbk`, `big5` …
///
/// ```
/// use hanxin::record::encoding::Encoding;
///
/// let big5: Encoding = "Big5".parse()?;
/// assert_eq!(big5.decode(b"\xAC\xF5"), "紅");
/// # Ok::<(), hanxin::record::encoding::UnknownEncoding>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Encoding(&'static encoding_rs::Encoding);

/// Not the name of an encoding.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no encoding \"{0}\"")]
pub struct UnknownEncoding(String);

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Encoding, UnknownEncoding> {
        let known = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes());
        known.map(Encoding).ok_or_else(|| UnknownEncoding(name.to_owned()))
    }
}

impl Encoding {
    /// Decodes text; what is broken becomes replacement characters, a byte order mark is dropped.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.0.decode_with_bom_removal(bytes).0
    }
}

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
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(bytes) {
        return Encoding(encoding).decode(bytes);
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

    #[test]
    fn a_known_encoding_is_not_guessed() {
        let decode = |name: &str, bytes| name.parse::<Encoding>().unwrap().decode(bytes);
        // The same bytes are sound in GB18030, which would win.
        assert_eq!(decode("big5", b"\xAC\xF5"), "紅");
        assert_eq!(decode("GBK", b"\xBA\xEC"), "红");
        assert_eq!(decode("utf-8", b"\xEF\xBB\xBFa\xBA"), "a\u{fffd}");
        assert_eq!(decode("utf-16le", b"\xA2\x7E"), "红");
        let error = "morse".parse::<Encoding>().unwrap_err();
        assert_eq!(error.to_string(), "no encoding \"morse\"");
    }
}
