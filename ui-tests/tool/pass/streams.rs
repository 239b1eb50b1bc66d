//! Bodies with streams of futures, which have to be `Send` as a whole.

#![deny(warnings)]

use futures_util::future::try_join_all;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use mcp_runtime::prelude::*;

async fn fetch(page: &str) -> Result<usize, std::fmt::Error> {
    if page.is_empty() { Err(std::fmt::Error) } else { Ok(page.len()) }
}

/// Fetches pages, some at a time.
#[mcp::tool]
async fn fetch_all(
    pages: Vec<String>,
    #[arg(default = 4, range = 1..=16)] at_once: u8,
    ctx: mcp::Context,
) -> Result<usize, mcp::ToolError> {
    let fetched = stream::iter(pages.into_iter().enumerate())
        .map(|(at, page)| {
            let ctx = ctx.clone();
            async move {
                ctx.progress(at as u64).await;
                fetch(&page).await
            }
        })
        .buffer_unordered(at_once.into());
    Ok(fetched.try_fold(0, |sum, length| async move { Ok(sum + length) }).await?)
}

/// Fetches them all at once, borrowed.
#[mcp::tool]
async fn fetch_together(pages: Vec<String>) -> anyhow::Result<mcp::Json<Vec<usize>>> {
    Ok(mcp::Json(try_join_all(pages.iter().map(|page| fetch(page))).await?))
}

fn main() {
    mcp_runtime_ui_tests::boots(mcp_runtime::server());
}
