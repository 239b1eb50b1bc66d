//! The tools of the suite.

use std::time::Duration;

use mcp_runtime::prelude::*;
use serde_json::json;

use crate::media::{png, wav};

/// Returns a text.
#[mcp::tool(order = -1)]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Returns a picture.
#[mcp::tool]
fn test_image_content() -> mcp::Blob {
    mcp::Blob::new(png(), "image/png")
}

/// Returns a sound.
#[mcp::tool]
fn test_audio_content() -> mcp::Blob {
    mcp::Blob::new(wav(), "audio/wav")
}

/// Returns a resource with its contents.
#[mcp::tool]
fn test_embedded_resource() -> mcp::ResourceContents {
    mcp::ResourceContents::text("test://embedded-resource", "This is an embedded resource content.")
        .mime_type("text/plain")
}

/// Returns a text, a picture and a resource.
#[mcp::tool]
fn test_multiple_content_types() -> Vec<mcp::ContentBlock> {
    vec![
        mcp::ContentBlock::text("Multiple content types test:"),
        mcp::ContentBlock::image(png(), "image/png"),
        mcp::ContentBlock::resource(
            mcp::ResourceContents::text("test://mixed-content-resource", r#"{"test":"data","value":123}"#)
                .mime_type("application/json"),
        ),
    ]
}

/// Fails.
#[mcp::tool]
fn test_error_handling() -> Result<(), mcp::ToolError> {
    Err(mcp::ToolError::new("This tool intentionally returns an error for testing"))
}

/// Tells how far it has come.
#[mcp::tool]
async fn test_tool_with_progress(ctx: mcp::Context) -> &'static str {
    for step in [0, 50, 100] {
        ctx.progress(step).of(100).message(format!("{step} of 100")).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "done"
}

/// Closes its connection, and answers whoever comes back.
#[mcp::tool]
async fn test_reconnection(ctx: mcp::Context) -> String {
    let closes = ctx.close_stream(Duration::from_millis(100));
    tokio::time::sleep(Duration::from_millis(100)).await;
    format!("the connection was closed on the way: {closes}")
}

/// Logs what it does.
#[mcp::tool]
async fn test_tool_with_logging(ctx: mcp::Context) -> &'static str {
    for text in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        ctx.log(mcp::LogLevel::Info, text).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "done"
}

/// Logs what it does, to clients that asked for it.
#[mcp::tool]
async fn test_logging_tool(ctx: mcp::Context) -> &'static str {
    ctx.log(mcp::LogLevel::Info, "This goes to clients that asked for it.").await;
    "done"
}

/// Tells whoever listens that the list of tools has changed.
#[mcp::tool]
async fn test_trigger_tool_change(ctx: mcp::Context) -> String {
    format!("{:?}", ctx.notify(mcp::Change::Tools))
}

/// Tells whoever listens that the list of prompts has changed.
#[mcp::tool]
async fn test_trigger_prompt_change(ctx: mcp::Context) -> String {
    format!("{:?}", ctx.notify(mcp::Change::Prompts))
}

/// Takes an argument that is mirrored into a header.
#[mcp::tool]
fn test_custom_header(
    /// What is mirrored.
    #[x_mcp_header("Value")]
    value: String,
) -> String {
    format!("The value is {value}")
}

/// Has a schema that is written by hand.
#[mcp::tool(input_schema = json_schema_2020_12())]
fn json_schema_2020_12_tool(arguments: Value) -> String {
    format!("Called with {arguments}")
}

fn json_schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}
