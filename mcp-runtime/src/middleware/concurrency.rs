//! A limit for how many requests are at work at once.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::call::{Call, Kind};
use super::reply::Reply;
use super::stack::{Middleware, Next};
use crate::handler::ProtocolError;

/// Lets so many requests of one method, or of all, be at work at once; those beyond are refused, or wait where
/// [`waiting`](Self::waiting) says so. Subscriptions are not counted, nor are greetings: a client greets in the middle of a
/// call that has to connect again.
///
/// How many may be at work in the whole server, says [`max_in_flight`](crate::Server::max_in_flight).
#[derive(Clone, Debug)]
pub struct ConcurrencyLimit {
    most: usize,
    places: Arc<Semaphore>,
    method: Option<String>,
    waits: bool,
}

impl ConcurrencyLimit {
    /// So many at once, at least one.
    pub fn new(most: usize) -> Self {
        let most = most.clamp(1, Semaphore::MAX_PERMITS);
        Self { most, places: Arc::new(Semaphore::new(most)), method: None, waits: false }
    }

    /// Only requests of that method.
    pub fn of(mut self, method: impl Into<String>) -> Self {
        self.method = Some(method.into());
        self
    }

    /// Those beyond wait for their turn, first come, first served.
    pub fn waiting(mut self) -> Self {
        self.waits = true;
        self
    }
}

impl Middleware for ConcurrencyLimit {
    async fn handle(&self, call: Call, next: Next) -> Reply {
        let is_meant = match &self.method {
            Some(method) => method == call.method(),
            None => !["subscriptions/listen", "initialize", "server/discover"].contains(&call.method()),
        };
        if call.kind() != Kind::Request || !is_meant {
            return next.run(call).await;
        }
        let place =
            if self.waits { self.places.acquire().await.ok() } else { self.places.try_acquire().ok() };
        let Some(_place) = place else {
            let text = format!("The server is busy: {} requests are at work; try again", self.most);
            return ProtocolError::busy(text).into();
        };
        next.run(call).await
    }
}
