//! Requests that are made again: what cannot have run, and what may run twice.

use std::sync::Arc;
use std::time::Duration;

use crate::client::Error;
use crate::middleware::{Call, Kind, Middleware, Next, Reply};

/// No pause is longer.
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// Makes requests again that got no answer: those of which it is certain that nothing has run, and those that only read.
/// An error that the server answers is an answer.
#[derive(Clone)]
pub struct Retry {
    times: u32,
    pause: Duration,
    repeatable: Arc<dyn Fn(&Call) -> bool + Send + Sync>,
}

impl Retry {
    /// So often at most, after 100 milliseconds, and then each time twice as long, with some chance in it.
    pub fn times(times: u32) -> Self {
        Self { times, pause: Duration::from_millis(100), repeatable: Arc::new(|_| false) }
    }

    /// How long to wait before the first.
    pub fn pause(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// Which calls may run twice beside those that only read, such as those of a tool that is known to be idempotent.
    pub fn also(mut self, repeatable: impl Fn(&Call) -> bool + Send + Sync + 'static) -> Self {
        self.repeatable = Arc::new(repeatable);
        self
    }

    fn again(&self, call: &Call, reply: &Reply) -> bool {
        let Some(failure) = reply.failure() else { return false };
        if matches!(failure, Error::Closed | Error::Stopped(_) | Error::Unsupported(_)) {
            return false;
        }
        // What the caller has to see to stays as it is.
        if matches!(failure, Error::Http { status, .. } if !matches!(status, 408 | 429 | 500..)) {
            return false;
        }
        failure.has_not_run() || only_reads(call.method()) || (self.repeatable)(call)
    }
}

fn only_reads(method: &str) -> bool {
    matches!(
        method,
        "server/discover"
            | "ping"
            | "tools/list"
            | "prompts/list"
            | "prompts/get"
            | "resources/list"
            | "resources/templates/list"
            | "resources/read"
            | "completion/complete"
    )
}

impl Middleware for Retry {
    async fn handle(&self, call: Call, next: Next) -> Reply {
        if call.kind() != Kind::Request {
            return next.run(call).await;
        }
        let mut pause = self.pause;
        for _ in 0..self.times {
            let reply = next.clone().run(call.clone()).await;
            if !self.again(&call, &reply) {
                return reply;
            }
            tokio::time::sleep(pause.min(LONGEST).mul_f64(chance())).await;
            pause = pause.saturating_mul(2);
        }
        next.run(call).await
    }
}

/// Between 0.75 and 1.25, so that many who wait do not come back at once.
fn chance() -> f64 {
    let mut random = [0_u8; 1];
    // Without randomness all come back at once, which is what they would do without this.
    let _ = getrandom::fill(&mut random);
    0.75 + f64::from(random[0]) / 510.0
}

impl std::fmt::Debug for Retry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Retry")
            .field("times", &self.times)
            .field("pause", &self.pause)
            .finish_non_exhaustive()
    }
}
