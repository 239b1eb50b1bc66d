//! How the servers of this package are run, by their environment: over HTTP at `PORT`, else over stdio; mounted in a
//! router of axum's by `ROUTER`; with sessions by `SESSIONS`; on one thread by `THREADS=1`; with middleware that passes
//! everything on by `RECEIVE` and `SEND`.

use mcp_runtime::{Sessions, mcp};

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some()
}

/// A middleware that does nothing.
async fn pass(call: mcp::Call, next: mcp::Next) -> mcp::Reply {
    next.run(call).await
}

/// Serves what is registered in this group.
pub fn serve(group: &str) {
    let mut builder = if std::env::var("THREADS").as_deref() == Ok("1") {
        tokio::runtime::Builder::new_current_thread()
    } else {
        tokio::runtime::Builder::new_multi_thread()
    };
    let runtime = builder.enable_all().build().expect("a runtime can be made");
    runtime.block_on(async {
        let mut server = mcp_runtime::server().groups([group]).max_subscriptions(8192).max_connections(16384);
        if is_set("SESSIONS") {
            server = server.sessions(Sessions::default().max_sessions(16384));
        }
        if is_set("RECEIVE") {
            server = server.receive_middleware(pass);
        }
        if is_set("SEND") {
            server = server.send_middleware(pass);
        }
        let Ok(port) = std::env::var("PORT") else {
            return server.stdio().await.expect("it serves");
        };
        let address = ("127.0.0.1", port.parse().expect("PORT is a number"));
        if is_set("ROUTER") {
            let listener = tokio::net::TcpListener::bind(address).await.expect("the port is free");
            let router = axum::Router::new().merge(server.into_router().expect("it is in order"));
            axum::serve(listener, router).await.expect("it serves");
        } else {
            server.http(address).await.expect("it serves");
        }
    });
}
