//! What leaves a server, through its send stack where there is one.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytes::Bytes;

use super::call::{Call, End};
use super::reply::Reply;
use super::stack::Stack;
use crate::call::Shared;
use crate::contain::contained_future;
use crate::protocol::Answer;

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The way out of a server.
#[derive(Clone, Default)]
pub(crate) struct Exit(Option<Arc<Way>>);

struct Way {
    stack: Arc<Stack>,
    /// What belongs to no call, in its order.
    news: Mutex<News>,
}

#[derive(Default)]
struct News {
    waiting: VecDeque<(Bytes, Deliver)>,
    /// Whether a task sends what waits.
    is_sent: bool,
}

/// How many news may wait for the stack.
const MOST_NEWS: usize = 1024;

type Deliver = Box<dyn FnOnce(Bytes) + Send>;

impl Exit {
    pub(crate) fn new(stack: Stack) -> Self {
        Self((!stack.is_empty()).then(|| Arc::new(Way { stack: Arc::new(stack), news: Mutex::default() })))
    }

    /// The way out to one client, whose news wait for nobody else's.
    pub(crate) fn of_client(&self) -> Self {
        Self(self.stack().map(|stack| Arc::new(Way { stack, news: Mutex::default() })))
    }

    /// Whether nothing stands in the way.
    pub(crate) fn is_open(&self) -> bool {
        self.0.is_none()
    }

    fn stack(&self) -> Option<Arc<Stack>> {
        self.0.as_ref().map(|way| Arc::clone(&way.stack))
    }

    /// Sends a request or a notification; nothing comes out where it is dropped.
    pub(crate) fn message(&self, of: Option<Arc<Shared>>, message: Bytes) -> Boxed<Option<Bytes>> {
        let Some(stack) = self.stack() else { return Box::pin(std::future::ready(Some(message))) };
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
        let Some(stack) = self.stack() else { return Box::pin(std::future::ready(reply)) };
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

    /// Sends what belongs to no call and nobody waits for, one after the other.
    pub(crate) fn tell(&self, message: Bytes, deliver: impl FnOnce(Bytes) + Send + 'static) {
        let Some(way) = &self.0 else { return deliver(message) };
        // Where nothing runs any more, nobody is there to read it.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let mut news = way.lock();
        if news.waiting.len() >= MOST_NEWS {
            return crate::log::warn(
                "news for a client are lost: the send middleware is slower than they come",
            );
        }
        news.waiting.push_back((message, Box::new(deliver)));
        if !std::mem::replace(&mut news.is_sent, true) {
            runtime.spawn(self.clone().tell_all());
        }
    }

    async fn tell_all(self) {
        let Some(way) = &self.0 else { return };
        while let Some((message, deliver)) = way.next() {
            let sent = contained_future(|| self.message(None, message)).await;
            match sent {
                Ok(Some(message)) => deliver(message),
                Ok(None) => {}
                Err(panic) => crate::log::error(&format!("send middleware panicked: {panic}")),
            }
        }
    }
}

impl Way {
    /// What is to be sent next. Where there is nothing, whoever comes next begins anew.
    fn next(&self) -> Option<(Bytes, Deliver)> {
        let mut news = self.lock();
        let next = news.waiting.pop_front();
        news.is_sent = next.is_some();
        next
    }

    fn lock(&self) -> MutexGuard<'_, News> {
        // Nothing that holds the lock can panic half way through a change.
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
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
