//! An `async fn`, a closure that returns a future, and a type with what it needs.

use mcp_runtime::prelude::*;

async fn function(call: mcp::Call, next: mcp::Next) -> mcp::Reply {
    next.run(call).await
}

struct Counted(std::sync::atomic::AtomicUsize);

impl mcp::Middleware for Counted {
    async fn handle(&self, call: mcp::Call, next: mcp::Next) -> mcp::Reply {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        next.run(call).await
    }
}

fn main() {
    let allowed = vec!["echo".to_owned()];
    let server = mcp_runtime::server()
        .receive_middleware(function)
        .receive_middleware(|call: mcp::Call, next: mcp::Next| next.run(call))
        .receive_middleware(move |call: mcp::Call, next: mcp::Next| {
            let is_allowed = allowed.iter().any(|name| call.params()["name"] == *name);
            async move {
                if is_allowed { next.run(call).await } else { mcp::Reply::none() }
            }
        })
        .send_middleware(Counted(0.into()));
    let _ = server;
}
