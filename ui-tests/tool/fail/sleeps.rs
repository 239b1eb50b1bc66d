// mistakes: 3
#![deny(deprecated)]

use mcp_runtime::prelude::*;
use std::thread;
use std::time::Duration;

/// Blocks the thread that it is called on.
#[mcp::tool]
fn doze(seconds: u64) {
    thread::sleep(Duration::from_secs(seconds));
}

/// Blocks the thread that it is polled on.
#[mcp::tool]
async fn nap(seconds: u64) {
    if seconds > 0 {
        std::thread::sleep(Duration::from_secs(seconds));
    }
}

/// Has a thread of its own.
#[mcp::tool(blocking)]
fn rest(seconds: u64) {
    thread::sleep(Duration::from_secs(seconds));
}

/// Blocks a thread that is there for it.
#[mcp::tool]
async fn hibernate(seconds: u64) {
    let _ = tokio::task::spawn_blocking(move || thread::sleep(Duration::from_secs(seconds))).await;
}

/// Blocks, too.
#[mcp::resource("bed://here")]
fn lie() -> &'static str {
    std::thread::sleep(Duration::ZERO);
    ""
}

fn main() {}
