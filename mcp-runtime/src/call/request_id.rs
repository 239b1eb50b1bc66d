//! The id of a request, kept as it was written.

use std::fmt;

use bytes::Bytes;

use super::shared::Span;

/// The JSON text of a request's id: a string or an integer, echoed byte for byte.
///
/// `5` and `"5"` are different ids, and no number is ever rounded.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestId(Bytes);

impl RequestId {
    pub(crate) fn of(body: &Bytes, span: Span) -> Self {
        Self(body.slice(span.range()))
    }

    /// The id's JSON text, quotes included.
    pub fn as_json(&self) -> &str {
        // The bytes are a part of a message that was checked to be UTF-8, cut at the ends of a JSON token.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Whether a JSON text is one that JSON-RPC allows as an id: a string or an integer.
    pub(crate) fn is_valid(raw: &str) -> bool {
        let digits = raw.strip_prefix('-').unwrap_or(raw);
        raw.starts_with('"') || (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
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
        for id in ["0", "-5", "9007199254740993", "18446744073709551616", "\"\"", "\"5\"", "\"Ω\""] {
            assert!(RequestId::is_valid(id), "{id}");
        }
        for id in ["null", "true", "1.5", "1.0", "1e3", "{}", "[]", "-"] {
            assert!(!RequestId::is_valid(id), "{id}");
        }
    }
}
