//! What the tests share: example programs built and started, a raw HTTP client, a connection by lines.

pub mod events;
pub mod example;
pub mod lines;
pub mod listen;
pub mod raw;
