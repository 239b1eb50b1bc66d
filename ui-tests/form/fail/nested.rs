// mistakes: 2
use mcp_runtime::prelude::*;

use std::collections::HashMap;

#[derive(mcp::Args)]
struct Address {
    street: String,
}

#[derive(mcp::Form)]
struct Login {
    user: String,
    address: Address,
    more: HashMap<String, String>,
}

fn main() {}
