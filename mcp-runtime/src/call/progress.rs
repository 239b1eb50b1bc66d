//! `notifications/progress`.

use std::pin::Pin;

use serde::Serialize;
use serde_json::value::RawValue;

use super::shared::Shared;
use super::trace::Carried;
use crate::protocol::Revision;

/// How far a call has come; await it to send it.
#[must_use = "progress is sent when it is awaited"]
pub struct Progress<'c> {
    call: &'c Shared,
    progress: f64,
    total: Option<f64>,
    message: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    progress_token: &'a RawValue,
    progress: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Carried<'a>>,
}

/// A number that is written without a fraction where it has none.
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Within 2^53 every integral float is that integer exactly.
        if self.0.fract() == 0.0 && self.0.abs() < 9_007_199_254_740_992.0 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

/// Any number type of Rust.
pub trait Amount {
    /// The number as the wire carries it; beyond 2^53 to the nearest that a JavaScript number holds.
    fn to_f64(self) -> f64;
}

macro_rules! amounts {
    ($($number:ty)*) => {$(
        impl Amount for $number {
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )*};
}

amounts!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

impl<'c> Progress<'c> {
    pub(super) fn new(call: &'c Shared, progress: f64) -> Self {
        Self { call, progress, total: None, message: None }
    }

    /// How far there is to go, in the same unit.
    pub fn of(mut self, total: impl Amount) -> Self {
        self.total = Some(total.to_f64());
        self
    }

    /// What is going on, for people (from 2025-03-26).
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    async fn send(self) {
        // Where nobody listens this is always ready: a handler that does nothing else still lets others run.
        tokio::task::coop::consume_budget().await;
        let Some(token) = self.call.progress_token.filter(|_| self.call.outbox.is_open()) else { return };
        // The token is a part of a message that was read as JSON; NaN and infinity have no JSON form.
        let Ok(token) = serde_json::from_str::<&RawValue>(token.text(&self.call.body)) else { return };
        if !self.progress.is_finite() || self.total.is_some_and(|total| !total.is_finite()) {
            return;
        }
        let params = Params {
            progress_token: token,
            progress: Number(self.progress),
            total: self.total.map(Number),
            message: self.message.as_deref().filter(|_| self.call.revision >= Revision::V2025_03_26),
            meta: self.call.carried(),
        };
        let message = crate::protocol::notification("notifications/progress", &params);
        let is_last = self.total.is_some_and(|total| self.progress >= total);
        self.call.outbox.send_progress(self.progress, is_last, message).await;
    }
}

impl<'c> IntoFuture for Progress<'c> {
    type Output = ();
    type IntoFuture = Pin<Box<dyn Future<Output = ()> + Send + 'c>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
