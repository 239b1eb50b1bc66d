// mistakes: 4
use mcp_runtime::prelude::*;

fn schema() -> Value {
    Value::Null
}

#[mcp::tool(input_schema = schema)]
async fn none() {}

#[mcp::tool(input_schema = schema)]
async fn two(one: Value, other: Value) {
    let _ = (one, other);
}

#[mcp::tool(input_schema = schema)]
async fn beside(arguments: Value, text: String) {
    let _ = (arguments, text);
}

#[mcp::tool(input_schema = "{}")]
async fn text(arguments: Value) {
    let _ = arguments;
}

fn main() {}
