//! What the author of a server must not miss: a `tracing` event, or a line on stderr where nobody listens.

mod stderr;

use std::error::Error;
use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher, RandomState};

/// Logs an error that the client does not see, and gives the id it does see.
pub(crate) fn masked(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let _ = write!(text, ": {inner}");
        source = inner.source();
    }
    masked_text(&text)
}

/// The same for a text.
pub(crate) fn masked_text(text: &str) -> String {
    let id = format!("{:012x}", RandomState::new().build_hasher().finish() & 0xffff_ffff_ffff);
    error(&format!("internal error {id}: {text}"));
    id
}

/// Logs something that is wrong.
pub(crate) fn error(text: &str) {
    if tracing::dispatcher::has_been_set() {
        tracing::error!(target: "mcp_runtime", "{text}");
    } else {
        stderr::write(&format!("mcp-runtime: error: {text}"));
    }
}

/// Logs something that may be wrong.
pub(crate) fn warn(text: &str) {
    if tracing::dispatcher::has_been_set() {
        tracing::warn!(target: "mcp_runtime", "{text}");
    } else {
        stderr::write(&format!("mcp-runtime: warning: {text}"));
    }
}

/// Logs what a server tells of itself.
pub(crate) fn info(text: &str) {
    if tracing::dispatcher::has_been_set() {
        tracing::info!(target: "mcp_runtime", "{text}");
    } else {
        stderr::write(&format!("mcp-runtime: {text}"));
    }
}

/// Waits until what was told is written, as long as the end of a program may.
pub(crate) fn flush() {
    stderr::flush();
}

/// Flushes when it is dropped: at the end of whatever serves.
pub(crate) struct Flushed;

impl Drop for Flushed {
    fn drop(&mut self) {
        flush();
    }
}
