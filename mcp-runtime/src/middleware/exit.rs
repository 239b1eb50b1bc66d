//! What leaves a server, through its send stack where there is one.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::call::{Call, End};
use super::reply::Reply;
use super::stack::Stack;
use crate::call::Shared;
use crate::protocol::Answer;

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The way out of a server.
#[derive(Clone, Default)]
pub(crate) struct Exit(Option<Arc<Stack>>);

impl Exit {
    pub(crate) fn new(stack: Stack) -> Self {
        Self((!stack.is_empty()).then(|| Arc::new(stack)))
    }

    /// Whether nothing stands in the way.
    pub(crate) fn is_open(&self) -> bool {
        self.0.is_none()
    }

    /// Sends a request or a notification; nothing comes out where it is dropped.
    pub(crate) fn message(&self, of: Option<Arc<Shared>>, message: Bytes) -> Boxed<Option<Bytes>> {
        let Some(stack) = self.0.clone() else { return Box::pin(std::future::ready(Some(message))) };
        let (out, end) = taken(Call::into_bytes);
        Box::pin(async move {
            // Nothing answers to what leaves here.
            let _ = stack.run(Call::leaving(of, message, end)).await;
            out.get().cloned()
        })
    }

    /// Sends an answer. What comes out is what is to be written.
    pub(crate) fn answer(&self, of: &Arc<Shared>, answer: Answer) -> Boxed<Reply> {
        let reply = Reply::written(answer);
        let Some(stack) = self.0.clone() else { return Box::pin(std::future::ready(reply)) };
        let (out, end) = taken(Call::into_reply);
        let call = Call::answer(Some(Arc::clone(of)), of.method.clone(), reply, end);
        Box::pin(async move {
            let instead = stack.run(call).await;
            // An error in place of an answer that went no further is the answer.
            out.get().cloned().unwrap_or(instead)
        })
    }

    /// Sends what belongs to no call and nobody waits for.
    pub(crate) fn tell(&self, message: Bytes, deliver: impl FnOnce(Bytes) + Send + 'static) {
        if self.is_open() {
            return deliver(message);
        }
        let sent = self.message(None, message);
        // Where nothing runs any more, nobody is there to read it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Some(message) = sent.await {
                    deliver(message);
                }
            });
        }
    }
}

/// The end of a way out, and what came to it first.
fn taken<T: Send + Sync + 'static>(take: fn(Call) -> T) -> (Arc<OnceLock<T>>, End) {
    let out = Arc::new(OnceLock::new());
    let slot = Arc::clone(&out);
    let end: End = Arc::new(move |call| {
        let _ = slot.set(take(call));
        Box::pin(std::future::ready(Reply::none()))
    });
    (out, end)
}
