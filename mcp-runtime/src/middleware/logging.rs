//! What goes through a stack, told to the log.

use std::time::Instant;

use super::call::{Call, Kind};
use super::reply::Reply;
use super::stack::{Middleware, Next};

/// Tells `tracing` of every message: its kind, method and id, of requests the name of the tool or prompt or the URI, what
/// became of them and how long that took. Nothing else of what they carry, unless [`with_payloads`](Self::with_payloads) says so.
///
/// The events are of the level `info`, of the target `mcp_runtime::messages`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Logging {
    payloads: bool,
}

impl Logging {
    /// Without payloads.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells the parameters too. They may hold secrets.
    pub fn with_payloads(mut self) -> Self {
        self.payloads = true;
        self
    }
}

impl Middleware for Logging {
    async fn handle(&self, mut call: Call, next: Next) -> Reply {
        if !tracing::enabled!(target: "mcp_runtime::messages", tracing::Level::INFO) {
            return next.run(call).await;
        }
        let (kind, method) = (call.kind(), call.method().to_owned());
        let id = call.request_id().map(|id| id.to_string());
        let (id, name) = (id.as_deref(), call.name());
        let name = name.as_deref();
        let params = self.payloads.then(|| call.params().to_string());
        let params = params.as_deref();
        let code = call.reply().error_code();
        let began = Instant::now();
        let reply = next.run(call).await;
        let took = began.elapsed();
        match (kind, reply.error_code().or(code)) {
            (Kind::Request, None) => {
                tracing::info!(target: "mcp_runtime::messages", method, name, id, params, ?took, "request");
            }
            (Kind::Request, Some(code)) => {
                tracing::info!(target: "mcp_runtime::messages", method, name, id, params, ?took, code, "request refused");
            }
            (Kind::Notification, _) => {
                tracing::info!(target: "mcp_runtime::messages", method, params, "notification");
            }
            (Kind::Answer, None) => tracing::info!(target: "mcp_runtime::messages", method, id, "answer"),
            (Kind::Answer, Some(code)) => {
                tracing::info!(target: "mcp_runtime::messages", method, id, code, "error");
            }
        }
        reply
    }
}
