//! Header values that mirror the body: the Base64 sentinel and exact decimal numbers
//! (2026-07-28, Streamable HTTP, "Value Encoding").

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

const PREFIX: &[u8] = b"=?base64?";
const SUFFIX: &[u8] = b"?=";

/// Why a mirrored header value cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// A byte that no header value may hold.
    Byte,
    /// Base64 that is not canonical, or not of UTF-8 text.
    Base64,
}

impl Malformed {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Byte => "holds a byte outside visible ASCII (encode such values as `=?base64?…?=`)",
            Self::Base64 => "is not canonical, padded Base64 of UTF-8 text",
        }
    }
}

/// A header value without the optional whitespace around it (RFC 9110: space and tab, no other).
pub(crate) fn trim(value: &[u8]) -> &[u8] {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = value.iter().position(|byte| !blank(byte)).unwrap_or(value.len());
    let end = value.iter().rposition(|byte| !blank(byte)).map_or(start, |last| last + 1);
    &value[start..end]
}

/// A header value that holds visible ASCII, spaces and tabs alone.
pub(crate) fn plain(value: &[u8]) -> Result<&str, Malformed> {
    if value.iter().all(|byte| matches!(byte, 0x20..=0x7e | b'\t')) {
        std::str::from_utf8(value).map_err(|_| Malformed::Byte)
    } else {
        Err(Malformed::Byte)
    }
}

/// The text that a header value stands for. Markers that are not written exactly so are text themselves.
pub(crate) fn decode(value: &[u8]) -> Result<Cow<'_, str>, Malformed> {
    let encoded = value.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    match encoded {
        None => plain(value).map(Cow::Borrowed),
        Some(encoded) => STANDARD
            .decode(encoded)
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .map(Cow::Owned)
            .ok_or(Malformed::Base64),
    }
}

/// The header value that stands for a text: itself, where a header can hold it as it is.
#[cfg(feature = "client")]
pub(crate) fn encode(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let plain = bytes.iter().all(|byte| matches!(byte, 0x20..=0x7e)) && trim(bytes).len() == bytes.len();
    let looks_encoded = bytes.starts_with(PREFIX) && bytes.ends_with(SUFFIX);
    if plain && !looks_encoded {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("=?base64?{}?=", STANDARD.encode(bytes)))
}

/// Whether a header value is this very text, without blanks and encoded in no way: then it stands for the text.
pub(crate) fn is_plainly(value: &[u8], text: &str) -> bool {
    value == text.as_bytes() && value.iter().all(u8::is_ascii_graphic) && !value.starts_with(PREFIX)
}

/// A finite decimal number, exactly: `0.digits * 10^exponent`, without zeros at either end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// Reads `-?digits(.digits)?`, the form a header carries.
    pub(crate) fn from_header(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = match unsigned.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (unsigned, ""),
        };
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        (!whole.is_empty() && digits(whole) && digits(fraction))
            .then(|| Self::new(text.starts_with('-'), whole, fraction, 0))
            .flatten()
    }

    /// Reads a JSON number as written, exponent included.
    pub(crate) fn from_json(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()?),
            None => (unsigned, 0_i64),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        Self::new(text.starts_with('-'), whole, fraction, exponent)
    }

    fn new(negative: bool, whole: &str, fraction: &str, exponent: i64) -> Option<Self> {
        let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        let mut exponent = exponent.checked_add(i64::try_from(whole.len()).ok()?)?;
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        let leading = digits.iter().take_while(|digit| **digit == b'0').count();
        digits.drain(..leading);
        exponent = exponent.checked_sub(i64::try_from(leading).ok()?)?;
        if digits.is_empty() {
            return Some(Self { negative: false, digits, exponent: 0 });
        }
        Some(Self { negative, digits, exponent })
    }

    /// Whether it is an integer that every JavaScript number holds exactly: at most 2^53 - 1 either way.
    pub(crate) fn is_safe_integer(&self) -> bool {
        const MOST: &[u8] = b"9007199254740991";
        let places = MOST.len() as i64;
        if self.exponent > places || self.exponent < self.digits.len() as i64 {
            return self.digits.is_empty();
        }
        if self.exponent < places {
            return true;
        }
        let mut padded = self.digits.clone();
        padded.resize(MOST.len(), b'0');
        padded.as_slice() <= MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentinels_are_strict_and_look_alikes_are_text() {
        let text = |value: &'static str| decode(value.as_bytes());
        assert_eq!(text("=?base64?SGVsbG8sIOS4lueVjA==?=").unwrap(), "Hello, 世界");
        assert_eq!(text("=?base64??=").unwrap(), "");
        for literal in ["=?BASE64?eA==?=", "=?base64?SGVsbG8=", "SGVsbG8=", "a\tb"] {
            assert_eq!(text(literal).unwrap(), literal);
        }
        for bad in ["=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?eB==?=", "=?base64?/w==?="] {
            assert_eq!(text(bad), Err(Malformed::Base64), "{bad}");
        }
        assert_eq!(decode("é".as_bytes()), Err(Malformed::Byte));
        assert_eq!(decode(b"a\x01"), Err(Malformed::Byte));
    }

    #[cfg(feature = "client")]
    #[test]
    fn what_is_encoded_decodes_to_itself() {
        for plain in ["us west 1", "", "=?BASE64?eA==?=", "~"] {
            assert_eq!(encode(plain), plain);
        }
        for text in [
            "Hello, 世界",
            " padded ",
            "\tindented",
            "a\tb",
            "line1\r\nline2",
            "=?base64?literal?=",
            "\u{7f}",
        ] {
            assert_ne!(encode(text), text);
            assert_eq!(decode(encode(text).as_bytes()).unwrap(), text);
        }
    }

    #[test]
    fn only_spaces_and_tabs_are_trimmed() {
        assert_eq!(trim(b" \tx \t"), b"x");
        assert_eq!(trim(b"  "), b"");
        assert_eq!(trim("\u{a0}x".as_bytes()), "\u{a0}x".as_bytes());
    }

    #[test]
    fn decimals_compare_by_value_and_never_round() {
        let header = |text| Decimal::from_header(text);
        let json = |text| Decimal::from_json(text).unwrap();
        for (body, head) in [
            ("42", "42.0"),
            ("42.0", "42"),
            ("4.2e1", "42.00"),
            ("42", "042"),
            ("-0", "0"),
            ("0", "-0"),
            ("0.0e5", "0"),
        ] {
            assert_eq!(Some(json(body)), header(head), "{body} {head}");
        }
        assert_ne!(Some(json("9007199254740993")), header("9007199254740992"));
        for bad in ["", "+42", "42x", "0x2a", "4.2e1", ".5", "5.", "--1", " 42"] {
            assert_eq!(header(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_safe_range_ends_at_two_to_the_53_minus_one() {
        let safe = |text| Decimal::from_json(text).unwrap().is_safe_integer();
        for yes in ["0", "-0", "42", "42.0", "4.2e1", "9007199254740991", "-9007199254740991", "9e15", "1e15"]
        {
            assert!(safe(yes), "{yes}");
        }
        for no in ["9007199254740992", "-9007199254740992", "42.5", "1e400", "1e16", "0.1", "1e-1"] {
            assert!(!safe(no), "{no}");
        }
        assert!(Decimal::from_json("1e99999999999999999999").is_none());
    }
}
