//! A message is one line, also for readers who break lines where Unicode does and not only at a line feed.

use bytes::Bytes;

/// A JSON text without what separates lines: U+0085, U+2028 and U+2029 are escaped, as JSON has control characters
/// escaped anyway. They stand within texts alone, so that the value is the same.
pub(crate) fn one_line(json: Vec<u8>) -> Bytes {
    let mut separators = separators(&json).peekable();
    if separators.peek().is_none() {
        drop(separators);
        return json.into();
    }
    let mut line = Vec::with_capacity(json.len() + 32);
    let mut from = 0;
    for (at, length, escaped) in separators {
        line.extend_from_slice(&json[from..at]);
        line.extend_from_slice(escaped);
        from = at + length;
    }
    line.extend_from_slice(&json[from..]);
    line.into()
}

/// Where each separator begins, how long it is, and what stands for it.
fn separators(text: &[u8]) -> impl Iterator<Item = (usize, usize, &'static [u8])> {
    memchr::memchr2_iter(0xc2, 0xe2, text).filter_map(|at| match &text[at..] {
        [0xc2, 0x85, ..] => Some((at, 2, br"\u0085".as_slice())),
        [0xe2, 0x80, 0xa8, ..] => Some((at, 3, br"\u2028".as_slice())),
        [0xe2, 0x80, 0xa9, ..] => Some((at, 3, br"\u2029".as_slice())),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_escaped_and_nothing_else() {
        for (text, line) in [
            ("\"a\"", "\"a\""),
            ("\"é«“”…â\u{84}\u{2027}\u{202a}\"", "\"é«“”…â\u{84}\u{2027}\u{202a}\""),
            ("[\"\u{2028}\",\"a\u{2029}\u{85}b\"]", r#"["\u2028","a\u2029\u0085b"]"#),
        ] {
            assert_eq!(one_line(text.as_bytes().to_vec()), line.as_bytes());
        }
        assert_eq!(one_line(vec![0xe2]), [0xe2].as_slice());
    }
}
