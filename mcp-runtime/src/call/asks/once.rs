//! What runs once over all rounds of a call.

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::answer::{AskError, OnceError};
use super::{Means, Used};
use crate::call::Shared;

thread_local! {
    /// Whether the body of a `once` is being polled.
    static INSIDE_ONCE: Cell<bool> = const { Cell::new(false) };
    /// The call whose handler is being polled by its driver.
    static DRIVEN: Cell<*const Shared> = const { Cell::new(std::ptr::null()) };
}

/// Whether the body of a `once` is being polled.
pub(super) fn is_inside_once() -> bool {
    INSIDE_ONCE.get()
}

/// Whether the handler of this call is being polled by its driver: what is asked elsewhere has to be woken.
pub(super) fn is_driven(call: &Arc<Shared>) -> bool {
    std::ptr::eq(DRIVEN.get(), Arc::as_ptr(call))
}

/// Polls the handler of a call.
pub(crate) fn inside_driver<R>(call: &Arc<Shared>, poll: impl FnOnce() -> R) -> R {
    let _before = Restore(&DRIVEN, DRIVEN.replace(Arc::as_ptr(call)));
    poll()
}

/// Puts a value back, also when what is polled panics.
struct Restore<T: Copy + 'static>(&'static std::thread::LocalKey<Cell<T>>, T);

impl<T: Copy> Drop for Restore<T> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

/// Runs a body unless an earlier round of the call did, and remembers what came of it.
pub(crate) async fn once<R, E, F, Fut>(call: &Arc<Shared>, key: &str, body: F) -> Result<R, OnceError>
where
    R: Serialize + DeserializeOwned,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
    F: FnOnce() -> Fut,
    Fut: Future<Output = Result<R, E>>,
{
    if is_inside_once() {
        return Err(AskError::InsideOnce.into());
    }
    let Means::Rounds(given) = call.asks.means else {
        call.asks.use_key(Used::Once, key)?;
        return inside_once(body()).await.map_err(|error| OnceError::Body(error.into()));
    };
    let round = call.asks.round(call, given);
    if let Some(value) = round.remembered(key)? {
        return serde_json::from_value(value).map_err(OnceError::Memory);
    }
    let result = {
        let _at_work = round.body();
        inside_once(body()).await
    };
    let value = result.map_err(|error| OnceError::Body(error.into()))?;
    round.remember(key, serde_json::to_value(&value).map_err(OnceError::Memory)?);
    Ok(value)
}

/// Runs the body of a `once`, where nothing can be asked.
async fn inside_once<F: Future>(body: F) -> F::Output {
    let mut body = pin!(body);
    poll_fn(|cx| {
        let _before = Restore(&INSIDE_ONCE, INSIDE_ONCE.replace(true));
        body.as_mut().poll(cx)
    })
    .await
}
