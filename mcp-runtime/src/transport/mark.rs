//! The byte order mark before a message, which some programs write and nothing behind the transports has to know.

const MARK: &[u8] = "\u{feff}".as_bytes();

/// How long the mark before a message is.
pub(super) fn mark(message: &[u8]) -> usize {
    if message.starts_with(MARK) { MARK.len() } else { 0 }
}
