//! A call of a test on its way: what it takes along, and where it stands in the test.

use std::panic::Location;
use std::pin::Pin;
use std::time::Duration;

use serde_json::Value;

use crate::client::{Calling, Client, Error, Progress};
use crate::protocol::Revision;

/// What becomes of a result.
type Finish<R, T> = fn(String, Revision, Result<R, Error>) -> Result<T, String>;

/// A call of a test; await it to make it. It panics, naming the place in the test, where nothing comes of it that is
/// expected.
#[must_use = "nothing is called until it is awaited"]
pub struct Asking<R, T> {
    client: Client,
    calling: Calling<R>,
    what: String,
    place: &'static Location<'static>,
    finish: Finish<R, T>,
}

impl<R, T> Asking<R, T> {
    #[track_caller]
    pub(super) fn new(client: &Client, calling: Calling<R>, what: String, finish: Finish<R, T>) -> Self {
        Self { client: client.clone(), calling, what, place: Location::caller(), finish }
    }

    fn with(self, tell: impl FnOnce(Calling<R>) -> Calling<R>) -> Self {
        Self { calling: tell(self.calling), ..self }
    }

    /// Adds a member to `_meta`.
    pub fn meta(self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.with(|calling| calling.meta(name, value))
    }

    /// Wants to be told how far the call has come.
    pub fn on_progress(self, told: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.with(|calling| calling.on_progress(told))
    }

    /// How long to wait for a sign of life.
    pub fn timeout(self, time: Duration) -> Self {
        self.with(|calling| calling.timeout(time))
    }
}

impl<R: 'static, T: 'static> IntoFuture for Asking<R, T> {
    type Output = T;
    type IntoFuture = Pin<Box<dyn Future<Output = T> + Send>>;

    /// # Panics
    /// What comes of it is not what was expected.
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let Self { client, calling, what, place, finish } = self;
            let result = calling.await;
            // It was connected, and the server is a part of this program.
            let revision = client.revision().unwrap_or(Revision::V2026_07_28);
            let of = format!("{what} ({} era)", revision.era());
            let lacks = result.as_ref().err().and_then(Error::lacks);
            match (finish(of, revision, result), lacks) {
                (Ok(got), _) => got,
                (Err(told), None) => panic!("{told}\n  at {place}"),
                (Err(told), Some(option)) => {
                    panic!("{told}, as in `testing::client().with(|client| client{option})`\n  at {place}")
                }
            }
        })
    }
}
