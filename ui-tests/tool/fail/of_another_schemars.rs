use mcp_runtime::prelude::*;

/// What `schemars::JsonSchema` of another major version is: another trait.
mod schemars {
    pub trait JsonSchema {}
}

#[derive(serde::Deserialize)]
struct Target {
    path: String,
}

impl schemars::JsonSchema for Target {}

#[mcp::tool]
async fn search(target: Target) -> String {
    target.path
}

fn main() {}
