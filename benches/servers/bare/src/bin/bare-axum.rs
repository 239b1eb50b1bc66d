//! A handler on axum that reads a call and writes its answer. With `LIST=FILE` it writes that file instead.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use axum::routing::post;
use bare::{answer, port, run, stamp};

fn json(body: Option<Body>) -> Response {
    let response = match body {
        Some(body) => Response::builder().header(CONTENT_TYPE, "application/json").body(body),
        None => Response::builder().status(400).body(Body::empty()),
    };
    response.expect("its parts are valid")
}

/// A `tools/list`.
#[derive(serde::Deserialize)]
struct List {
    method: String,
}

fn main() {
    let router = match std::env::var("LIST") {
        Ok(file) => {
            let list = Bytes::from(std::fs::read(file).expect("LIST names a file"));
            Router::new().route(
                "/mcp",
                post(async move |body: Bytes| {
                    let request = serde_json::from_slice::<List>(&body).ok();
                    json(request.filter(|request| request.method == "tools/list").map(|_| list.into()))
                }),
            )
        }
        Err(_) => {
            let stamp = stamp();
            Router::new()
                .route("/mcp", post(async move |body: Bytes| json(answer(&body, stamp).map(Body::from))))
        }
    };
    run(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port())).await.expect("the port is free");
        axum::serve(listener, router).await.expect("it serves");
    });
}
