//! Tools and arguments that are called like what generated code is made of.

#![deny(warnings)]

use mcp_runtime::prelude::*;

/// Call.
#[mcp::tool]
async fn call(call: String, args: String, scope: String, faults: String, describe: String) -> String {
    [call, args, scope, faults, describe].concat()
}

/// Args.
#[mcp::tool]
async fn args(self_: String, p0: String, output: String, r#type: String, root: String) -> String {
    [self_, p0, output, r#type, root].concat()
}

/// Scope.
#[mcp::tool]
fn scope(#[arg(default = "a")] default: String, #[arg(name = "self", default = 5)] me: u8) -> String {
    format!("{default}{me}")
}

/// Type.
#[mcp::tool]
async fn r#type(r#fn: u8, #[x_mcp_header] r#struct: u8) -> u8 {
    r#fn + r#struct
}

/// Describe.
#[mcp::resource("describe://{uri}/{scope}")]
async fn describe(uri: String, scope: String) -> String {
    uri + &scope
}

/// Main, too.
#[mcp::prompt(name = "main")]
async fn output(mut prompt: String) -> String {
    prompt.push('.');
    prompt
}

fn main() {
    mcp_runtime_ui_tests::boots(mcp_runtime::server());
}
