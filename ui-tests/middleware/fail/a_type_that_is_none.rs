//! What is handed over as middleware is none.

struct Limit(usize);

fn main() {
    let server = mcp_runtime::server().receive_middleware(Limit(3));
    let _ = server;
}
