//! What the tests share: example programs built and started, and their standard streams.

pub mod example;
