//! Closures as handlers, in every form.

#![deny(warnings)]

use mcp_runtime::prelude::*;

fn main() {
    let prefix = String::from("acme");
    let schema = serde_json::json!({"type": "object"});
    let server = mcp_runtime::server()
        .method("acme/one", async |params: Value, _ctx: mcp::Context| mcp::Json(params))
        .method("acme/two", move |params: Value, _ctx: mcp::Context| {
            let prefix = prefix.clone();
            async move { mcp::Json(format!("{prefix} {params}")) }
        })
        .tool(mcp::Tool::new("three", schema, async |arguments: Value, _ctx: mcp::Context| {
            arguments.to_string()
        }));
    mcp_runtime_ui_tests::boots(server);
}
