//! A middleware that notes what it sees.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use mcp_runtime::prelude::mcp;

/// What was seen, in its order.
#[derive(Clone, Default)]
pub struct Seen(Arc<(Mutex<Vec<String>>, Condvar)>);

impl Seen {
    pub fn note(&self, what: impl Into<String>) {
        self.0.0.lock().expect("nobody panics").push(what.into());
        self.0.1.notify_all();
    }

    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.0.lock().expect("nobody panics"))
    }

    /// Waits until as much was seen, and takes it.
    pub fn wait(&self, count: usize) -> Vec<String> {
        let (lock, came) = &*self.0;
        let seen = lock.lock().expect("nobody panics");
        let (mut seen, waited) = came
            .wait_timeout_while(seen, Duration::from_secs(10), |seen| seen.len() < count)
            .expect("nobody panics");
        assert!(!waited.timed_out(), "{count} were to come, and these came: {seen:?}");
        std::mem::take(&mut *seen)
    }

    /// A middleware of that name, which notes what goes by, and what comes of it.
    pub fn around(&self, name: &'static str) -> impl mcp::Middleware + use<> {
        let seen = self.clone();
        move |mut call: mcp::Call, next: mcp::Next| {
            let seen = seen.clone();
            async move {
                let what = format!("{:?} {}", call.kind(), call.method());
                let own = call.reply().error_code().map(|code| format!(" {code}")).unwrap_or_default();
                seen.note(format!("{name} > {what}{own}"));
                let reply = next.run(call).await;
                let code = reply.error_code().map(|code| format!(" {code}")).unwrap_or_default();
                seen.note(format!("{name} < {what}{code}"));
                reply
            }
        }
    }
}
