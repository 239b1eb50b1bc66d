//! The endpoint in a router of one's own, and layers around it.

use std::net::SocketAddr;
use std::sync::mpsc::channel;

use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use mcp_runtime::prelude::*;

use crate::{call, listen, server, shown};
use mcp_runtime_tests::raw::send;

/// What a layer attaches to requests.
#[derive(Clone)]
struct Tenant(String);

/// Which tenant, by the extension, the header and the context.
#[mcp::tool(group = "mounted")]
async fn tenant(tenant: mcp::Extension<Tenant>, headers: mcp::Headers, ctx: mcp::Context) -> String {
    let by_context =
        ctx.extensions().and_then(|extensions| extensions.get::<Tenant>()).map(|tenant| tenant.0.clone());
    let header = ctx.headers().and_then(|headers| headers.get("x-tenant"));
    format!("{} {:?} {} {:?}", tenant.0.0, by_context, headers["x-tenant"] == "t1", header)
}

/// Which tenant, if any.
#[mcp::tool(group = "mounted")]
async fn any_tenant(tenant: Option<mcp::Extension<Tenant>>) -> String {
    tenant.map_or_else(|| "none".to_owned(), |tenant| tenant.0.0)
}

async fn attach(mut request: Request, next: Next) -> Response {
    if let Some(name) =
        request.headers().get("x-tenant").and_then(|name| name.to_str().ok()).map(str::to_owned)
    {
        request.extensions_mut().insert(Tenant(name));
    }
    let mut response = next.run(request).await;
    response.headers_mut().insert("x-layer", http::HeaderValue::from_static("seen"));
    response
}

const EXPECTED: &str = "t1 Some(\"t1\") true Some(\"t1\")";

#[test]
fn a_layer_sees_requests_and_answers_and_attaches_what_handlers_read() {
    let address = listen(|| server("mounted").layer(from_fn(attach)));
    let answer = call(address, "tenant", &[("X-Tenant", "t1")]);
    assert_eq!((shown(&answer).as_str(), answer.header("x-layer")), (EXPECTED, Some("seen")));
}

#[test]
fn an_extension_that_nobody_attached_is_an_internal_error() {
    let address = listen(|| server("mounted"));
    let answer = call(address, "tenant", &[]);
    assert_eq!(answer.message()["error"]["code"], -32603);
    assert!(!answer.text().contains("Tenant"), "the log has it, not the client: {}", answer.text());
}

#[test]
fn an_optional_extension_is_there_or_not() {
    let address = listen(|| server("mounted").layer(from_fn(attach)));
    assert_eq!(shown(&call(address, "any_tenant", &[("X-Tenant", "t1")])), "t1");
    assert_eq!(shown(&call(address, "any_tenant", &[])), "none");
}

fn mounted() -> SocketAddr {
    let (ready, address) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            ready.send(listener.local_addr().expect("an address")).expect("the test waits");
            let endpoint = server("mounted").path("/tools/mcp/").into_router().expect("it is in order");
            let router = axum::Router::new()
                .route("/health", axum::routing::get(|| async { "ok" }))
                .merge(endpoint)
                .layer(from_fn(attach));
            axum::serve(listener, router).await.expect("it serves");
        });
    });
    address.recv().expect("the server listens")
}

#[test]
fn the_endpoint_is_merged_into_a_router() {
    let address = mounted();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tenant"}}"#;
    for path in ["/tools/mcp", "/tools/mcp/"] {
        let answer =
            send(address, "POST", path, &crate::headers(&[("X-Tenant", "t1")], body.len()), body.as_bytes());
        assert_eq!(shown(&answer), EXPECTED, "{path}");
    }
    let health = send(address, "GET", "/health", &crate::headers(&[], 0), b"");
    assert_eq!((health.status, health.text().as_str()), (200, "ok"));
    assert_eq!(send(address, "POST", "/mcp", &crate::headers(&[], body.len()), body.as_bytes()).status, 404);
}
