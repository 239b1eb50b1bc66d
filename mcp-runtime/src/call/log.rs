//! `notifications/message`.

use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};

use serde::Serialize;
use serde_json::Value;

use super::shared::Shared;
use super::trace::Carried;
use crate::protocol::LogLevel;

/// The mildest level of log messages that a client of the handshake era wants to read.
#[derive(Debug)]
pub(crate) struct LogGate(AtomicU8);

impl Default for LogGate {
    fn default() -> Self {
        Self(AtomicU8::new(LogLevel::UNSET as u8))
    }
}

impl LogGate {
    pub(crate) fn level(&self) -> LogLevel {
        let level = self.0.load(Ordering::Relaxed);
        LogLevel::ALL.into_iter().find(|known| *known as u8 == level).unwrap_or(LogLevel::UNSET)
    }

    pub(crate) fn set(&self, level: LogLevel) {
        self.0.store(level as u8, Ordering::Relaxed);
    }
}

/// A log message to the client; await it to send it.
#[must_use = "a log message is sent when it is awaited"]
pub struct LogMessage<'c> {
    call: &'c Shared,
    level: LogLevel,
    logger: Option<String>,
    data: Value,
}

#[derive(Serialize)]
struct Params<'a> {
    level: LogLevel,
    #[serde(skip_serializing_if = "Option::is_none")]
    logger: Option<&'a str>,
    data: &'a Value,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Carried<'a>>,
}

impl<'c> LogMessage<'c> {
    pub(super) fn new(call: &'c Shared, level: LogLevel, data: Value) -> Self {
        Self { call, level, logger: None, data }
    }

    /// Names the part of the server that speaks.
    pub fn logger(mut self, name: impl Into<String>) -> Self {
        self.logger = Some(name.into());
        self
    }

    async fn send(self) {
        // Where nobody listens this is always ready: a handler that does nothing else still lets others run.
        tokio::task::coop::consume_budget().await;
        let wanted = self.call.log_level.is_some_and(|mildest| self.level >= mildest);
        if !wanted || !self.call.outbox.is_open() {
            return;
        }
        let (logger, meta) = (self.logger.as_deref(), self.call.carried());
        let params = Params { level: self.level, logger, data: &self.data, meta };
        self.call.outbox.send(crate::protocol::notification("notifications/message", &params)).await;
    }
}

impl<'c> IntoFuture for LogMessage<'c> {
    type Output = ();
    type IntoFuture = Pin<Box<dyn Future<Output = ()> + Send + 'c>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
