//! What an author says about sessions.

use std::time::Duration;

/// How sessions of handshake clients over HTTP are kept: in the memory of this process, each for whoever opened it.
///
/// What one session holds is bounded: with the defaults at most 16 finished streams of at most 256 events and
/// 256 KiB each, and those that are open.
///
/// ```
/// use std::time::Duration;
/// use mcp_runtime::Sessions;
///
/// let server = mcp_runtime::server().sessions(Sessions::default().idle_timeout(Duration::from_secs(600)));
/// # let _ = server;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sessions {
    pub(crate) idle: Duration,
    pub(crate) most: usize,
    pub(crate) most_per_principal: usize,
    pub(crate) calls: usize,
    pub(crate) streams: usize,
    pub(crate) events: usize,
    pub(crate) event_bytes: usize,
    /// How long the answer to what a call asks is waited for, which the server says.
    pub(crate) patience: Duration,
}

impl Default for Sessions {
    fn default() -> Self {
        Self {
            idle: Duration::from_secs(30 * 60),
            most: 10_000,
            most_per_principal: 100,
            calls: 256,
            streams: 16,
            events: 256,
            event_bytes: 256 * 1024,
            patience: Duration::from_secs(15 * 60),
        }
    }
}

impl Sessions {
    /// How long a session is kept without a request, a call in flight or an open stream; 30 minutes by default. One
    /// whose client sends nothing after `initialize` is kept for a minute at most.
    pub fn idle_timeout(mut self, time: Duration) -> Self {
        self.idle = time;
        self
    }

    /// How many sessions there are at once; 10 000 by default. An `initialize` beyond is refused with HTTP 503.
    pub fn max_sessions(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// How many of them one authenticated caller has; 100 by default.
    pub fn max_per_principal(mut self, most: usize) -> Self {
        self.most_per_principal = most;
        self
    }

    /// How many calls of one session may be in flight at once; 256 by default. Those beyond are refused with HTTP 503.
    pub fn max_calls(mut self, most: usize) -> Self {
        self.calls = most;
        self
    }

    /// How many finished streams of a session are kept, for clients that missed their end; 16 by default.
    pub fn max_streams(mut self, most: usize) -> Self {
        self.streams = most;
        self
    }

    /// How many events of a stream are kept; 256 by default. At least the last one is.
    pub fn max_events(mut self, most: usize) -> Self {
        self.events = most.max(1);
        self
    }

    /// How many bytes of a stream's events are kept; 256 KiB by default. At least the last event is.
    pub fn max_event_bytes(mut self, bytes: usize) -> Self {
        self.event_bytes = bytes;
        self
    }
}
