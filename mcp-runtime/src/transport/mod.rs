//! Bytes in, bytes out, and nothing else.

#[cfg(feature = "http")]
pub(crate) mod http;
pub(crate) mod stdio;
