//! A limit for how often each caller asks.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::{Clock as _, MonotonicClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use super::call::{Call, Kind};
use super::reply::Reply;
use super::stack::{Middleware, Next};
use crate::handler::ProtocolError;

/// More at once is no limit.
const MOST_AT_ONCE: u32 = 1_000_000;

/// Refuses requests of callers that ask too often, each by itself: a caller is a principal, else a session, else whoever is
/// none of these, together. [`by`](Self::by) tells them apart in another way.
///
/// The refusal is -32603 (503 over HTTP in the modern era), and its `data` says in `retryAfterMs` when to ask again.
pub struct RateLimit {
    quota: Quota,
    limiter: Limiter,
    caller: Arc<dyn Fn(&Call) -> String + Send + Sync>,
    hasher: RandomState,
    asked: AtomicU32,
}

type Limiter = RateLimiter<u64, HashMapStateStore<u64>, MonotonicClock, NoOpMiddleware<std::time::Instant>>;

/// After so many requests, callers that have been silent for long enough are forgotten.
const FORGET: u32 = 1024;

impl RateLimit {
    /// So many requests a second, at least one, and as many at once.
    pub fn per_second(requests: u32) -> Self {
        Self::of(Quota::per_second(at_least_one(requests)))
    }

    /// So many requests a minute, at least one, and as many at once.
    pub fn per_minute(requests: u32) -> Self {
        Self::of(Quota::per_minute(at_least_one(requests)))
    }

    /// How many at once, at least one and at most a million, by who has been silent for long enough.
    pub fn burst(self, requests: u32) -> Self {
        let Self { quota, caller, .. } = self;
        Self { caller, ..Self::of(quota.allow_burst(at_least_one(requests.min(MOST_AT_ONCE)))) }
    }

    /// Tells callers apart by what this says: a header, the tool that is called.
    pub fn by(mut self, caller: impl Fn(&Call) -> String + Send + Sync + 'static) -> Self {
        self.caller = Arc::new(caller);
        self
    }

    fn of(quota: Quota) -> Self {
        Self {
            quota,
            limiter: RateLimiter::new(quota, HashMapStateStore::default(), MonotonicClock),
            caller: Arc::new(caller),
            hasher: RandomState::new(),
            asked: AtomicU32::new(0),
        }
    }

    /// How long the caller has to wait, where it has to.
    fn wait(&self, call: &Call) -> Option<Duration> {
        // Names of any length are kept as a number, which two of them share about never.
        let key = self.hasher.hash_one((self.caller)(call));
        if self.asked.fetch_add(1, Ordering::Relaxed) % FORGET == FORGET - 1 {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        let refused = self.limiter.check_key(&key).err()?;
        Some(refused.wait_time_from(self.limiter.clock().now()))
    }
}

fn at_least_one(requests: u32) -> NonZeroU32 {
    NonZeroU32::new(requests).unwrap_or(NonZeroU32::MIN)
}

fn caller(call: &Call) -> String {
    match (call.principal().and_then(|principal| principal.id()), call.session_id()) {
        (Some(principal), _) => format!("principal {principal}"),
        (None, Some(session)) => format!("session {session}"),
        (None, None) => String::new(),
    }
}

impl Middleware for RateLimit {
    async fn handle(&self, call: Call, next: Next) -> Reply {
        if call.kind() == Kind::Request
            && let Some(wait) = self.wait(&call)
        {
            let wait = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1);
            let text = format!("Too many requests; ask again in {wait} ms");
            return ProtocolError::busy(text).with_data(serde_json::json!({ "retryAfterMs": wait })).into();
        }
        next.run(call).await
    }
}

impl fmt::Debug for RateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimit").field("quota", &self.quota).finish_non_exhaustive()
    }
}
