//! The stacks, and the way through one.

use std::pin::Pin;
use std::sync::Arc;

use super::call::Call;
use super::reply::Reply;

/// What stands around every message of one direction.
///
/// Any `Fn(Call, Next) -> impl Future<Output = Reply>` is one: an `async fn`, or a closure that returns a future.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// async fn only_reads(call: mcp::Call, next: mcp::Next) -> mcp::Reply {
///     if call.method() == "tools/call" && call.params()["name"] == "drop_table" {
///         return mcp::ProtocolError::invalid_params("This server is read-only").into();
///     }
///     next.run(call).await
/// }
///
/// let server = mcp_runtime::server().receive_middleware(only_reads);
/// # let _ = server;
/// ```
#[diagnostic::on_unimplemented(
    message = "MCP099: `{Self}` is no middleware",
    label = "not a middleware",
    note = "write `async fn name(call: mcp::Call, next: mcp::Next) -> mcp::Reply`, or the closure \
            `move |call: mcp::Call, next: mcp::Next| async move {{ next.run(call).await }}`; what it holds has to be \
            `Send + Sync + 'static`, and its future `Send`",
    note = "an `async |call, next|` closure is none: its future cannot be required to be `Send`",
    note = "a type of yours is one by `impl mcp::Middleware for …`, with `async fn handle(&self, call: mcp::Call, next: mcp::Next) -> mcp::Reply`"
)]
pub trait Middleware: Send + Sync + 'static {
    /// Does what it does before, runs what stands behind it by [`Next::run`], and does what it does after that. Who
    /// does not run it, refuses or drops the message.
    fn handle(&self, call: Call, next: Next) -> impl Future<Output = Reply> + Send;
}

impl<F, Fut> Middleware for F
where
    F: Fn(Call, Next) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Reply> + Send,
{
    fn handle(&self, call: Call, next: Next) -> impl Future<Output = Reply> + Send {
        self(call, next)
    }
}

/// A middleware, without its type.
trait Layer: Send + Sync {
    fn handle(&self, call: Call, next: Next) -> Pin<Box<dyn Future<Output = Reply> + Send + '_>>;
}

impl<M: Middleware> Layer for M {
    fn handle(&self, call: Call, next: Next) -> Pin<Box<dyn Future<Output = Reply> + Send + '_>> {
        Box::pin(Middleware::handle(self, call, next))
    }
}

/// The middleware of one direction, the outermost first.
#[derive(Clone, Default)]
pub(crate) struct Stack(Vec<Arc<dyn Layer>>);

impl Stack {
    pub(crate) fn push(&mut self, middleware: impl Middleware) {
        self.0.push(Arc::new(middleware));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// It, where there is anything in it.
    #[cfg(feature = "client")]
    pub(crate) fn into_shared(self) -> Option<Arc<Self>> {
        (!self.is_empty()).then(|| Arc::new(self))
    }

    /// Sends a call through all of it, to its end.
    pub(crate) fn run(self: &Arc<Self>, call: Call) -> impl Future<Output = Reply> + Send + use<> {
        Next { stack: Arc::clone(self), at: 0 }.run(call)
    }
}

/// What stands behind a middleware: the others, and in the end whatever the message is for.
///
/// A clone runs the same again, with a clone of the call: so a client sends once more. A server handles a call once,
/// and refuses it from then on.
#[derive(Clone)]
#[must_use = "without `run`, the message goes no further"]
pub struct Next {
    stack: Arc<Stack>,
    at: usize,
}

impl Next {
    /// Hands the message on, and waits for what becomes of it.
    pub async fn run(self, call: Call) -> Reply {
        let Self { stack, at } = self;
        match stack.0.get(at) {
            Some(layer) => layer.handle(call, Self { stack: Arc::clone(&stack), at: at + 1 }).await,
            None => call.end().await,
        }
    }
}

impl std::fmt::Debug for Next {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Next").field("behind", &(self.stack.0.len() - self.at)).finish()
    }
}
