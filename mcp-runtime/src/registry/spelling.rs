//! One spelling for each URI (RFC 3986, section 6.2.2): what stands for the same is compared as the same.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The URI with its scheme in lower case, everything encoded that does not stand in a URI, nothing encoded that need
/// not be, and hexadecimal digits in upper case. What stands for a host keeps its case, since templates have variables
/// there. A `%` that no two digits follow stays as it is.
pub(crate) fn canonical(uri: &str) -> Cow<'_, str> {
    let bytes = uri.as_bytes();
    let scheme = scheme(uri);
    let is_lower = !scheme.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_lower && !bytes.iter().any(|byte| *byte == b'%' || is_foreign(*byte)) {
        return Cow::Borrowed(uri);
    }
    let mut spelled = String::with_capacity(uri.len() + 16);
    spelled.push_str(&scheme.to_ascii_lowercase());
    let mut at = scheme.len();
    while let Some(byte) = bytes.get(at) {
        let escaped = if *byte == b'%' { escaped(&bytes[at + 1..]) } else { None };
        at += if escaped.is_some() { 3 } else { 1 };
        match escaped {
            Some(meant) if is_unreserved(meant) => spelled.push(char::from(meant)),
            Some(meant) => encode(meant, &mut spelled),
            None if is_foreign(*byte) => encode(*byte, &mut spelled),
            None => spelled.push(char::from(*byte)),
        }
    }
    Cow::Owned(spelled)
}

/// What stands before the first colon, where that is a scheme.
fn scheme(uri: &str) -> &str {
    let scheme = &uri[..uri.find(':').unwrap_or(0)];
    let fits = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if fits { scheme } else { "" }
}

/// The byte that two hexadecimal digits stand for.
fn escaped(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

fn encode(byte: u8, spelled: &mut String) {
    // Writing to a text does not fail.
    let _ = write!(spelled, "%{byte:02X}");
}

/// Whether the byte stands in no URI as it is.
fn is_foreign(byte: u8) -> bool {
    !byte.is_ascii_graphic() || b"\"<>\\^`{|}".contains(&byte)
}

/// Whether the byte means the same, encoded or not.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_the_same_is_spelled_the_same() {
        for (one, other) in [
            ("file:///docs/café/a", "file:///docs/caf%c3%a9/a"),
            ("file:///my docs/{x}", "file:///my%20docs/%7bx%7D"),
            ("x:%7Euser/%41", "x:~user/A"),
            ("Notes://Today", "notes://Today"),
        ] {
            assert_eq!(canonical(one), canonical(other));
        }
    }

    #[test]
    fn what_means_something_else_stays_so() {
        for uri in [
            "x:a%2Fb",
            "x://A",
            "",
            ":",
            "a",
            "A%25:b",
            "x:a/b",
            "x:%2541",
            "x:%25",
            "x:%",
            "x:%4",
            "x:%zz",
            "x:%E0%A4",
            "x:a+b?c=d&e#f",
        ] {
            assert_eq!(canonical(uri), uri);
        }
    }
}
