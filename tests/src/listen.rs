//! A server over HTTP within the test's own process.

use std::net::SocketAddr;
use std::sync::mpsc::channel;

use mcp_runtime::{Library, Server};

/// Serves HTTP on a thread of its own, for as long as the test's process lives.
pub fn listen(server: impl FnOnce() -> Server<Library> + Send + 'static) -> SocketAddr {
    let (ready, address) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            ready.send(listener.local_addr().expect("an address")).expect("the test waits");
            server().http_on(listener).await.expect("it serves");
        });
    });
    address.recv().expect("the server listens")
}
