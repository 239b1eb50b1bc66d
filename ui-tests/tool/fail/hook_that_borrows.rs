use mcp_runtime::prelude::*;

fn main() {
    let prefix = String::from("acme");
    let server = mcp_runtime::server().method("acme/hello", async move |params: Value, _ctx: mcp::Context| {
        mcp::Json(format!("{prefix} {params}"))
    });
    drop(server);
}
