//! Whatever a handler may end with.

#![deny(warnings)]

use mcp_runtime::prelude::*;

#[derive(Debug)]
struct Own;

impl std::fmt::Display for Own {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("own")
    }
}

impl std::error::Error for Own {}

/// Anyhow.
#[mcp::tool]
async fn anyhow(number: String) -> anyhow::Result<u32> {
    anyhow::ensure!(!number.is_empty(), "empty");
    Ok(number.parse()?)
}

/// Own.
#[mcp::tool]
fn own() -> Result<(), Own> {
    Err(Own)
}

/// Text.
#[mcp::tool]
fn text() -> Result<&'static str, String> {
    Err("text".to_owned())
}

/// Boxed.
#[mcp::tool]
fn boxed() -> Result<Vec<mcp::ContentBlock>, Box<dyn std::error::Error + Send + Sync>> {
    Err("boxed")?
}

/// Tool error.
#[mcp::tool]
fn tool_error() -> Result<mcp::CallToolResult, mcp::ToolError> {
    Err(Own)?
}

/// Protocol error.
#[mcp::tool]
fn protocol_error() -> Result<mcp::Json<Value>, mcp::ProtocolError> {
    Err(mcp::ProtocolError::invalid_params("no"))
}

/// Nothing.
#[mcp::tool]
async fn nothing() {}

/// Prompt.
#[mcp::prompt]
async fn prompt() -> anyhow::Result<mcp::Prompt> {
    Ok(mcp::Prompt::new())
}

/// Resource.
#[mcp::resource("a:b")]
async fn resource() -> Result<Vec<u8>, mcp::ResourceError> {
    Err(Own)?
}

#[mcp::method("acme/own")]
async fn method() -> Result<(), Own> {
    Err(Own)
}

#[mcp::notification("notifications/acme/own")]
async fn notification() -> Result<(), Own> {
    Err(Own)
}

fn main() {
    mcp_runtime_ui_tests::boots(mcp_runtime::server());
}
