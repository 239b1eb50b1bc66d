use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp::tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tokio::main]
async fn main() -> mcp_runtime::Result {
    mcp_runtime::serve().await
}

#[cfg(test)]
mod tests {
    #[tokio::test]
    async fn adds() {
        let client = mcp_runtime::testing::client().await;
        client.call("add", serde_json::json!({ "a": 1, "b": 2 })).await.shows("3");
    }
}
