//! Bytes in, bytes out, and nothing else.

#[cfg(feature = "http")]
pub(crate) mod http;
mod mark;
#[cfg(feature = "client")]
pub(crate) mod memory;
pub(crate) mod stdio;
