//! A limit for the size of requests, below that of the transport.

use super::call::Call;
use super::reply::Reply;
use super::stack::{Middleware, Next};
use crate::handler::ProtocolError;

/// Refuses messages that are longer than a number of bytes, of one method or of all. What no message may exceed, says
/// [`max_body_bytes`](crate::Server::max_body_bytes).
///
/// ```
/// use mcp_runtime::middleware::PayloadLimit;
///
/// let server = mcp_runtime::server()
///     .receive_middleware(PayloadLimit::new(64 * 1024))
///     .receive_middleware(PayloadLimit::new(1024).of("completion/complete"));
/// # let _ = server;
/// ```
#[derive(Clone, Debug)]
pub struct PayloadLimit {
    most: usize,
    method: Option<String>,
}

impl PayloadLimit {
    /// A limit of so many bytes.
    pub fn new(bytes: usize) -> Self {
        Self { most: bytes, method: None }
    }

    /// Only for messages of that method.
    pub fn of(mut self, method: impl Into<String>) -> Self {
        self.method = Some(method.into());
        self
    }
}

impl Middleware for PayloadLimit {
    async fn handle(&self, call: Call, next: Next) -> Reply {
        let (size, most) = (call.size(), self.most);
        let is_meant = self.method.as_ref().is_none_or(|method| method == call.method());
        if is_meant && size > most {
            let text = format!("The message has {size} bytes; for `{}` {most} are taken", call.method());
            return ProtocolError::invalid_params(text).into();
        }
        next.run(call).await
    }
}
