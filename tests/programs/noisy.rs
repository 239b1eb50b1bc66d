//! A program that prints where it should not, blocks, and does not end by itself: what the tests of standard streams
//! and signals run.

use std::process::Command;
use std::time::Duration;

use mcp_runtime::prelude::*;

/// Prints to standard output, and has a child print and read too.
#[mcp::tool]
async fn print() -> String {
    println!("printed by the handler");
    let child = Command::new("sh").args(["-c", "echo printed by a child; cat"]).status();
    format!("{child:?}")
}

/// Panics, which prints.
#[mcp::tool]
async fn panics() -> String {
    panic!("printed by a panic")
}

/// Fails, which the server logs.
#[mcp::tool]
async fn fails(bytes: usize) -> Result<String, mcp::ToolError> {
    Err(mcp::ToolError::internal("x".repeat(bytes)))
}

/// Returns what JSON has no form for.
#[mcp::tool]
async fn infinite() -> mcp::Json<Vec<Option<f64>>> {
    mcp::Json(vec![None, Some(f64::INFINITY)])
}

/// Blocks its thread, for longer than anybody waits.
#[mcp::tool(blocking)]
fn block() {
    std::thread::park_timeout(Duration::from_secs(600));
}

/// Blocks a thread of the runtime itself.
#[mcp::tool]
fn block_worker() {
    std::thread::park_timeout(Duration::from_secs(600));
}

/// Ends after a while.
#[mcp::tool]
async fn wait(milliseconds: u64) -> &'static str {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "waited"
}

/// Tells that it has begun, and prints its end after a while.
#[mcp::tool]
async fn tell_the_end(milliseconds: u64, ctx: mcp::Context) {
    ctx.progress(1).await;
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    eprintln!("it came to its end");
}

/// Tells that it has begun, and ends after a while.
#[mcp::tool]
async fn tell_and_wait(milliseconds: u64, ctx: mcp::Context) -> &'static str {
    ctx.progress(1).await;
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "waited"
}

/// Tells how far it has come, for ever.
#[mcp::tool]
async fn endless(ctx: mcp::Context) {
    let mut step = 0_u64;
    loop {
        step += 1;
        ctx.progress(step).message("x".repeat(1000)).await;
    }
}

#[tokio::main]
async fn main() -> mcp_runtime::Result {
    // Without the end of a line it is still buffered when the server starts.
    print!("printed before the server starts ");
    mcp_runtime::serve().shutdown_grace(Duration::from_secs(1)).await
}
