//! The id of a request, kept as it was written.

use std::fmt;
use std::hash::{Hash, Hasher};

use bytes::Bytes;

use super::shared::Span;

/// The JSON text of a request's id: a string or an integer, echoed byte for byte.
///
/// `5` and `"5"` are different ids, `"5"` and `"\u0035"` are the same one, and no number is ever rounded.
#[derive(Clone)]
pub struct RequestId {
    written: Bytes,
    /// The text of a string that is written with escapes.
    unescaped: Option<Box<str>>,
}

impl RequestId {
    pub(crate) fn of(body: &Bytes, span: Span) -> Self {
        let written = body.slice(span.range());
        let unescaped = if written.contains(&b'\\') { serde_json::from_slice(&written).ok() } else { None };
        Self { written, unescaped }
    }

    /// The id's JSON text, quotes included.
    pub fn as_json(&self) -> &str {
        // The bytes are a part of a message that was checked to be UTF-8, cut at the ends of a JSON token.
        std::str::from_utf8(&self.written).unwrap_or_default()
    }

    /// Whether a JSON text is one that JSON-RPC allows as an id: a string or an integer. Half a surrogate pair is no
    /// part of a string.
    pub(crate) fn is_valid(raw: &str) -> bool {
        if raw.starts_with('"') {
            return !raw.contains('\\') || serde_json::from_str::<Box<str>>(raw).is_ok();
        }
        let digits = raw.strip_prefix('-').unwrap_or(raw);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// What ids are told apart by: whether it is a string, and its text.
    fn key(&self) -> (bool, &[u8]) {
        let quoted = self.written.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
        let text = self.unescaped.as_deref().map(str::as_bytes).or(quoted);
        (text.is_some(), text.unwrap_or(&self.written))
    }
}

impl PartialEq for RequestId {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for RequestId {}

impl Hash for RequestId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_json())
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RequestId({})", self.as_json())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_integers_are_ids() {
        for id in [
            "0",
            "-5",
            "9007199254740993",
            "18446744073709551616",
            "\"\"",
            "\"5\"",
            "\"Ω\"",
            r#""\ud83d\ude00""#,
        ] {
            assert!(RequestId::is_valid(id), "{id}");
        }
        for id in ["null", "true", "1.5", "1.0", "1e3", "{}", "[]", "-", r#""\ud83d""#, r#""\ude00\ud83d""#] {
            assert!(!RequestId::is_valid(id), "{id}");
        }
    }

    #[test]
    fn strings_are_told_apart_by_their_text_and_numbers_by_their_digits() {
        let id = |raw: &'static str| {
            let body = Bytes::from_static(raw.as_bytes());
            RequestId::of(&body, Span::of(&body, raw))
        };
        assert_eq!(id(r#""5\\""#), id(r#""\u0035\u005c""#));
        assert_eq!(id(r#""\u0035""#).as_json(), r#""\u0035""#);
        for (a, b) in [("5", "\"5\""), ("5", r#""\u0035""#), ("\"a\"", "\"A\""), ("\"\"", r#""\"""#)] {
            assert_ne!(id(a), id(b));
        }
        let known: std::collections::HashSet<_> = [id("\"5\""), id("5")].into();
        assert!(known.contains(&id(r#""\u0035""#)) && known.len() == 2);
    }
}
