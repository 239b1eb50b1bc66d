//! A time for every request.

use std::time::Duration;

use super::call::{Call, Kind};
use super::reply::Reply;
use super::stack::{Middleware, Next};
use crate::handler::ProtocolError;

/// Ends requests that take longer than a time, with an error; their handlers are dropped. Subscriptions last for as long
/// as the client likes.
///
/// In the receive stack of a server it counts what stands behind it: the time that a person takes to answer in the
/// handshake era as well. In the send stack of a client it counts until the answer is there, and the call ends with
/// `Error::Stopped`.
#[derive(Clone, Copy, Debug)]
pub struct Timeout(Duration);

impl Timeout {
    /// A time for every request.
    pub fn new(time: Duration) -> Self {
        Self(time)
    }
}

impl Middleware for Timeout {
    async fn handle(&self, call: Call, next: Next) -> Reply {
        if call.kind() != Kind::Request || call.method() == "subscriptions/listen" {
            return next.run(call).await;
        }
        let method = call.method().to_owned();
        let name = call.name();
        match tokio::time::timeout(self.0, next.run(call)).await {
            Ok(reply) => reply,
            Err(_) => {
                let of = name.map(|name| format!(" of `{name}`")).unwrap_or_default();
                let text = format!("`{method}`{of} took longer than {:?} and is waited for no more", self.0);
                crate::log::warn(&text);
                ProtocolError::new(-32603, text).into()
            }
        }
    }
}
