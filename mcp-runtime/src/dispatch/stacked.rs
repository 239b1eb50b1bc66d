//! What comes to a server, through its receive stack to its end.

use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Begun, Counting, Dispatcher};
use crate::call::{Peer, Reply as Told, RequestId};
use crate::contain::contained_future;
use crate::engine::{About, Answer, Notice, Work};
use crate::handler::ProtocolError;
use crate::middleware::{Call, End, Kind, Outcome, Reply};

/// Why a notification is not taken.
pub(super) const BUSY: &str = "a notification was dropped: the server is busy";

pub(super) type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A request, through the receive stack to its handler, and back to its answer. Its place among those in flight is taken.
pub(super) fn through(dispatcher: &Arc<Dispatcher>, work: Work) -> Boxed<Option<Answer>> {
    let shared = Arc::clone(&work.call);
    let own = Arc::clone(dispatcher);
    let end = once(work, move |call, work| {
        let dispatcher = Arc::clone(&own);
        Box::pin(async move { Reply::written(dispatcher.handle(call, work).await) })
    });
    let call = Call::received(Arc::clone(&shared), Kind::Request, end);
    let reply = dispatcher.receive.run(call);
    let dispatcher = Arc::clone(dispatcher);
    Box::pin(async move { dispatcher.engine.answered(&shared, reply.await) })
}

/// What middleware has made of the answer to an ask. What it takes away, the handler does not get.
fn changed(call: Call, told: Told) -> Told {
    match (call.into_reply().into_outcome().0, told) {
        // What is no object has no members to be changed.
        (Outcome::Result(members), Ok(other)) if members.is_empty() && !other.is_object() => Ok(other),
        (Outcome::Result(members), _) => Ok(members.into()),
        (Outcome::Told(_), told) => told,
        (Outcome::Error(error), _) => Err((error.code().into(), error.message().to_owned())),
        (Outcome::Refused(refusal), _) => Err((-32603, refusal.message)),
        (Outcome::None | Outcome::Written(_), _) => Err((-32603, "middleware dropped the answer".to_owned())),
    }
}

/// The end of a way that something comes to once.
fn once<T: Send + 'static>(what: T, end: impl Fn(Call, T) -> Boxed<Reply> + Send + Sync + 'static) -> End {
    let what = Mutex::new(Some(what));
    End::handled(move |call| {
        // Nothing that holds the lock can panic half way through a change.
        match what.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(what) => end(call, what),
            None => Box::pin(std::future::ready(
                ProtocolError::internal("receive middleware ran one message twice").into(),
            )),
        }
    })
}

impl Dispatcher {
    /// Handles a request that has come through the stack.
    async fn handle(self: Arc<Self>, mut call: Call, work: Work) -> Answer {
        let extensions = call.take_extensions();
        if !extensions.is_empty() {
            let _ = work.call.extensions.set(extensions);
        }
        drop(call);
        match self.begin(work, Counting::Counted) {
            Begun::Answer(answer) => answer,
            Begun::Handler(mut handling) => std::future::poll_fn(|cx| handling.poll(cx)).await,
        }
    }

    /// Takes a notification; nothing is answered to it. Which request is not wanted any more, where it says so.
    pub(crate) async fn notify(self: Arc<Self>, notice: Notice) -> Option<RequestId> {
        let Notice { call: shared, about } = notice;
        if self.takes_at_once() {
            return self.noticed(&shared, about, Counting::Here).await;
        }
        // What waits in middleware is in flight too. Nothing is taken from a cancellation, which ends what is.
        let mut place = None;
        if matches!(about, About::Handled(_)) {
            place = self.place();
            if place.is_none() {
                crate::log::warn(BUSY);
                return None;
            }
        }
        let cancelled = Arc::new(OnceLock::new());
        let (own, slot, of) = (Arc::clone(&self), Arc::clone(&cancelled), Arc::clone(&shared));
        let end = once(about, move |mut call, about| {
            let (dispatcher, slot, of) = (Arc::clone(&own), Arc::clone(&slot), Arc::clone(&of));
            Box::pin(async move {
                let extensions = call.take_extensions();
                if !extensions.is_empty() {
                    let _ = of.extensions.set(extensions);
                }
                if let Some(id) = dispatcher.noticed(&of, about, Counting::Counted).await {
                    let _ = slot.set(id);
                }
                Reply::none()
            })
        });
        let call = Call::received(Arc::clone(&shared), Kind::Notification, end);
        let _ = self.received(call, shared.method.as_str()).await;
        drop(place);
        cancelled.get().cloned()
    }

    /// Takes the answer to what a server asked.
    pub(crate) async fn told(self: Arc<Self>, peer: Arc<Peer>, id: u64, told: Told) {
        if self.takes_at_once() {
            return peer.answer(id, told);
        }
        let Some(method) = peer.method(id) else { return };
        let seen = Reply::told(told.clone().map_err(|(code, message)| (code, message, None)));
        let asker = Arc::clone(&peer);
        let end = once(told, move |call, told| {
            peer.answer(id, changed(call, told));
            Box::pin(std::future::ready(Reply::none()))
        });
        let call = Call::answer(None, method.clone(), seen, end);
        let instead = self.received(call, method.as_str()).await;
        // Whoever asked does not wait for what went no further.
        let code = instead.as_ref().and_then(Reply::error_code).unwrap_or(-32603);
        let why = instead.as_ref().and_then(Reply::error_message);
        asker.answer(id, Err((code, why.unwrap_or_else(|| "middleware dropped the answer".to_owned()))));
    }

    /// Sends what is not answered through the stack; none where that panics.
    async fn received(&self, call: Call, method: &str) -> Option<Reply> {
        let way = contained_future(|| Box::pin(self.receive.run(call))).await;
        way.inspect_err(|panic| {
            crate::log::error(&format!("receive middleware panicked at `{method}`: {panic}"));
        })
        .ok()
    }
}
