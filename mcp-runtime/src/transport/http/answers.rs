//! Answers as HTTP has them: statuses, headers, bodies.

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, Method, Response, StatusCode};

use super::head::Accepts;
use super::reply::Reply;
use super::sessions;
use super::stream::{Detached, Stream, event};
use crate::auth::Refusal;
use crate::engine::{Answer, Frame, error, internal};
use crate::protocol::ResponseFormat;
use crate::protocol::fault::{Fault, FaultKind, Leg};
use crate::session::Session;

/// An answer in the form that the client takes: JSON where it can.
pub(super) fn whole(answer: Answer, accepts: Accepts) -> Response<Reply> {
    let as_json = match answer.format() {
        Some(ResponseFormat::EventStream) => !accepts.stream,
        Some(ResponseFormat::JsonBody) | None => accepts.json,
    };
    if as_json || answer.status != 200 { json(answer) } else { stream(event(&answer.frame), None) }
}

pub(super) fn json(answer: Answer) -> Response<Reply> {
    let challenge = answer.http.and_then(|http| http.challenge);
    let mut response = Response::new(Reply::Whole(answer.frame));
    // The statuses of the error table are all valid.
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if answer.status == 503 {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    if let Some(challenge) = challenge {
        challenged(&mut response, &challenge);
    }
    response
}

pub(super) fn stream(first: Bytes, running: Option<Detached>) -> Response<Reply> {
    streaming(Reply::Stream(Box::new(Stream::new(first, running))))
}

pub(super) fn streaming(reply: Reply) -> Response<Reply> {
    let mut response = Response::new(reply);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

pub(super) fn empty(status: u16) -> Response<Reply> {
    let mut response = Response::new(Reply::empty());
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::ACCEPTED);
    response
}

pub(super) fn refused(fault: &Fault) -> Response<Reply> {
    json(error(fault, Leg::Edge, None))
}

pub(super) fn not_acceptable() -> Response<Reply> {
    refused(&Fault::new(
        FaultKind::NotAcceptable,
        "The answer is JSON or a stream of events: send `Accept: application/json, text/event-stream`",
    ))
}

/// To a request that was cancelled nothing is answered; over HTTP, that is an answer with nothing in it.
pub(super) fn unanswered(accepts: Accepts) -> Response<Reply> {
    if accepts.stream { streaming(Reply::empty()) } else { empty(202) }
}

pub(super) fn name_session(response: &mut Response<Reply>, session: &Session) {
    // The id is made of hexadecimal digits.
    if let Ok(id) = HeaderValue::from_str(&session.id) {
        response.headers_mut().insert(HeaderName::from_static(sessions::SESSION), id);
    }
}

pub(super) fn other_method(method: &Method, served: &'static str) -> Response<Reply> {
    if method == Method::OPTIONS {
        let mut response = empty(204);
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(served));
        return response;
    }
    let text = format!("{method} is not served here: POST a JSON-RPC message to this URL");
    let mut response = refused(&Fault::new(FaultKind::MethodNotAllowed, text));
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(served));
    response
}

/// The server's own failure: the log has it, not the client.
pub(crate) fn failed(text: &str) -> Response<Reply> {
    refused(&internal(&crate::log::masked_text(text)))
}

pub(super) fn turned_away(refusal: &Refusal) -> Response<Reply> {
    let mut response = refused(&Fault::new(FaultKind::Forbidden, refusal.message.clone()));
    *response.status_mut() = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::FORBIDDEN);
    if let Some(challenge) = &refusal.challenge {
        challenged(&mut response, challenge);
    }
    response
}

fn challenged(response: &mut Response<Reply>, challenge: &str) {
    match HeaderValue::from_str(challenge) {
        Ok(challenge) => {
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        Err(_) => crate::log::error("the challenge of a refusal is not a header value; it was left out"),
    }
}

/// The answer to a request for a path that is not the endpoint's.
pub(super) fn not_found(path: &str) -> Response<Reply> {
    let text = format!("The MCP endpoint of this server is `{path}`\n");
    let mut response = Response::new(Reply::Whole(Frame::from(Bytes::from(text))));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}
