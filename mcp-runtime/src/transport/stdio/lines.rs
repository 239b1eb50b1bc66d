//! Bytes cut into lines: at `\n` and nowhere else, none longer than the limit. A `\r` before it is no part of a line.

use bytes::{Bytes, BytesMut};

use crate::engine::Frame;
use crate::protocol::fault::{Fault, FaultKind, Leg};
use crate::transport::mark::mark;

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line that is not blank, without its end.
    Message(Bytes),
    /// A line longer than the limit; its bytes are gone.
    TooLong,
}

/// Complete lines, as they are handed over together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// One or more whole lines.
    Lines(Bytes),
    /// A line that was too long was skipped.
    TooLong,
}

/// Collects bytes until they make whole lines.
pub(crate) struct Cutter {
    kept: BytesMut,
    /// The rest of a line that was too long is on its way.
    skipping: bool,
    max_line: usize,
}

impl Cutter {
    pub(crate) fn new(max_line: usize) -> Self {
        Self { kept: BytesMut::new(), skipping: false, max_line }
    }

    /// Takes more bytes, and calls `each` for what became whole.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(Block)) {
        if self.skipping {
            let Some(end) = memchr::memchr(b'\n', bytes) else { return };
            self.skipping = false;
            bytes = &bytes[end + 1..];
        }
        match memchr::memrchr(b'\n', bytes) {
            None => self.kept.extend_from_slice(bytes),
            Some(last) => {
                self.kept.extend_from_slice(&bytes[..=last]);
                each(Block::Lines(self.kept.split().freeze()));
                self.kept.extend_from_slice(&bytes[last + 1..]);
            }
        }
        // The last byte may be a `\r` that turns out to be no part of the line.
        if self.kept.len() > self.max_line + 1 {
            self.kept = BytesMut::new();
            self.skipping = true;
            each(Block::TooLong);
        }
    }

    /// The line that the end of the input ends.
    pub(crate) fn end(self) -> Option<Block> {
        (!self.kept.is_empty()).then(|| Block::Lines(self.kept.freeze()))
    }
}

/// The lines of a block. Blank ones are none.
pub(crate) fn lines(block: Bytes, max_line: usize) -> impl Iterator<Item = Line> {
    let mut start = 0;
    std::iter::from_fn(move || {
        while start < block.len() {
            let rest = &block[start..];
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let line = &rest[..end];
            start += end;
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            if text.strip_suffix(b"\r").unwrap_or(text).len() > max_line {
                return Some(Line::TooLong);
            }
            let message = line.trim_ascii();
            let message = &message[mark(message)..];
            if !message.is_empty() {
                return Some(Line::Message(block.slice_ref(message)));
            }
        }
        None
    })
}

/// The answer to a line that was too long.
pub(crate) fn too_long(max_line: usize) -> Frame {
    let text = format!("The line is longer than {max_line} bytes, the most that this server takes");
    crate::engine::error(&Fault::new(FaultKind::TooLarge, text), Leg::Edge, None).frame
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of the input when it arrives in pieces of that size.
    fn cut(input: &[u8], piece: usize, max_line: usize) -> Vec<Line> {
        let mut cutter = Cutter::new(max_line);
        let mut blocks = Vec::new();
        for bytes in input.chunks(piece) {
            cutter.push(bytes, |block| blocks.push(block));
        }
        blocks.extend(cutter.end());
        blocks
            .into_iter()
            .flat_map(|block| match block {
                Block::TooLong => vec![Line::TooLong],
                Block::Lines(block) => lines(block, max_line).collect(),
            })
            .collect()
    }

    fn message(text: &'static str) -> Line {
        Line::Message(Bytes::from_static(text.as_bytes()))
    }

    #[test]
    fn pieces_do_not_matter() {
        let input = "a\r\n\n  \nb\u{2028}c\u{85}\r d\nlast".as_bytes();
        let expected = [message("a"), message("b\u{2028}c\u{85}\r d"), message("last")];
        for piece in 1..=input.len() {
            assert_eq!(cut(input, piece, 100), expected, "{piece}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_is_read() {
        let mut input = vec![b'x'; 50];
        input.extend_from_slice(b"\nok\n");
        for piece in [1, 7, 11, 100] {
            assert_eq!(cut(&input, piece, 10), [Line::TooLong, message("ok")], "{piece}");
        }
    }

    #[test]
    fn what_ends_a_line_is_not_counted() {
        for end in ["", "\n", "\r\n", "\r"] {
            for piece in [1, 3, 10, 11, 100] {
                let input = format!("0123456789{end}");
                assert_eq!(cut(input.as_bytes(), piece, 10), [message("0123456789")], "{end:?} {piece}");
                let input = format!("0123456789x{end}");
                assert_eq!(cut(input.as_bytes(), piece, 10), [Line::TooLong], "{end:?} {piece}");
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_message() {
        let input = "\u{feff}a\n\u{feff}\n \u{feff}\u{feff}b\n";
        assert_eq!(cut(input.as_bytes(), 100, 100), [message("a"), message("\u{feff}b")]);
    }
}
