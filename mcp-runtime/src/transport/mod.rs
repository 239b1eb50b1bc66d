//! Bytes in, bytes out, and nothing else.

#[cfg(feature = "http")]
pub(crate) mod http;
mod mark;
pub(crate) mod stdio;
