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
        Box::pin(async move {
            let out = Arc::new(OnceLock::new());
            // Nothing answers to what leaves here.
            let _ = stack.run(Call::leaving(of, message, End::Taken(Arc::clone(&out)))).await;
            taken(out).map(Call::into_bytes)
        })
    }

    /// Sends an answer. What comes out is what is to be written.
    pub(crate) fn answer(&self, of: &Arc<Shared>, answer: Answer) -> Boxed<Reply> {
        let reply = Reply::written(answer);
        let Some(stack) = self.0.clone() else { return Box::pin(std::future::ready(reply)) };
        let of = Arc::clone(of);
        Box::pin(async move {
            let out = Arc::new(OnceLock::new());
            let method = of.method.clone();
            let call = Call::answer(Some(of), method, reply, End::Taken(Arc::clone(&out)));
            let instead = stack.run(call).await;
            // An error in place of an answer that went no further is the answer.
            taken(out).map_or(instead, Call::into_reply)
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

/// What came to the end of a way.
fn taken(mut out: Arc<OnceLock<Call>>) -> Option<Call> {
    match Arc::get_mut(&mut out) {
        Some(out) => out.take(),
        // A middleware keeps a clone of the message.
        None => out.get().cloned(),
    }
}
