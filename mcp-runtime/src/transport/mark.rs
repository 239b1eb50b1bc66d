//! The byte order mark before a message, which some programs write and nothing behind the transports has to know.

use bytes::Bytes;

/// The bytes of a message without the mark before them.
pub(super) fn without_mark(message: Bytes) -> Bytes {
    if message.starts_with("\u{feff}".as_bytes()) { message.slice('\u{feff}'.len_utf8()..) } else { message }
}
