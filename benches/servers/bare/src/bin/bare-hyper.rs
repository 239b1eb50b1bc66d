//! The same on hyper alone.

use std::convert::Infallible;

use bare::{port, run, stamp};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::CONTENT_TYPE;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;

async fn respond(stamp: &str, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let answer = match request.into_body().collect().await {
        Ok(body) => bare::answer(&body.to_bytes(), stamp),
        Err(_) => None,
    };
    let response = match answer {
        Some(text) => Response::builder().header(CONTENT_TYPE, "application/json").body(text.into()),
        None => Response::builder().status(400).body(Full::default()),
    };
    response.expect("its parts are valid")
}

fn main() {
    let stamp = stamp();
    run(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port())).await.expect("the port is free");
        loop {
            let Ok((socket, _)) = listener.accept().await else { continue };
            let service = hyper::service::service_fn(move |request| async move {
                Ok::<_, Infallible>(respond(stamp, request).await)
            });
            tokio::spawn(
                hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), service),
            );
        }
    });
}
