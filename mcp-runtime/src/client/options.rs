//! What a client is told before it connects.

use std::time::Duration;

use reqwest::header::HeaderMap;

use super::core::Limits;
use crate::protocol::{Era, Implementation, LogLevel, Revision};

/// Which revisions a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pin {
    Era(Era),
    Revision(Revision),
}

impl Pin {
    pub(crate) const fn era(self) -> Era {
        match self {
            Self::Era(era) => era,
            Self::Revision(revision) => revision.era(),
        }
    }
}

/// What a client is told before it connects.
pub(crate) struct Options {
    pub(crate) info: Implementation,
    pub(crate) pin: Option<Pin>,
    pub(crate) limits: Limits,
    /// How long the first question may take before the server is taken for one of the handshake era.
    pub(crate) probe: Duration,
    /// How long a process may take to end by itself, and again once it was told to.
    pub(crate) grace: Duration,
    pub(crate) max_message: usize,
    pub(crate) max_rounds: u32,
    pub(crate) log_level: Option<LogLevel>,
    /// Whether log messages are taken, whatever their level.
    pub(crate) takes_logs: bool,
    pub(crate) headers: HeaderMap,
    pub(crate) caches: bool,
    pub(crate) http: Option<reqwest::Client>,
}

impl Options {
    /// The level that each request of the modern era names: without one its server sends no log messages.
    pub(crate) fn level_of_requests(&self) -> Option<LogLevel> {
        self.log_level.or(self.takes_logs.then_some(LogLevel::Info))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            info: Implementation::new("mcp-runtime", env!("CARGO_PKG_VERSION")),
            pin: None,
            limits: Limits { idle: Duration::from_secs(60), most: Duration::from_secs(15 * 60) },
            probe: Duration::from_secs(10),
            grace: Duration::from_secs(3),
            max_message: 64 * 1024 * 1024,
            max_rounds: 16,
            log_level: None,
            takes_logs: false,
            headers: HeaderMap::new(),
            caches: true,
            http: None,
        }
    }
}
