//! The resources of the suite.

use mcp_runtime::prelude::*;
use serde_json::json;

use crate::media::png;

/// A text that does not change.
#[mcp::resource("test://static-text", mime_type = "text/plain", order = -1)]
fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// A picture that does not change.
#[mcp::resource("test://static-binary", mime_type = "image/png")]
fn static_binary() -> Vec<u8> {
    png()
}

/// A family of resources.
#[mcp::resource("test://template/{id}/data", mime_type = "application/json")]
fn template(id: String) -> mcp::Json<Value> {
    mcp::Json(json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") }))
}
