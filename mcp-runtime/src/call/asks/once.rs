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
use crate::handler::{ProtocolError, ResourceError, ToolError};

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

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What can run once: a function without parameters that returns a future of a `Result`.
#[diagnostic::on_unimplemented(
    message = "MCP088: this cannot run once",
    label = "no function that returns a future of a `Result`",
    note = "write `async || {{ … Ok::<_, mcp::ToolError>(value) }}`; what it holds and its future have to be `Send`, and its \
            error one that a tool may end with"
)]
pub trait RunOnce<R>: Send {
    /// Does it.
    fn run(self) -> impl Future<Output = Result<R, BoxError>> + Send;
}

#[diagnostic::do_not_recommend]
impl<R, E, F, Fut> RunOnce<R> for F
where
    E: IntoBody,
    F: FnOnce() -> Fut + Send,
    Fut: Future<Output = Result<R, E>> + Send,
{
    async fn run(self) -> Result<R, BoxError> {
        self().await.map_err(IntoBody::into_body)
    }
}

/// An error that what runs once may end with: any that handlers have.
pub trait IntoBody {
    /// The error, without its type.
    fn into_body(self) -> BoxError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> IntoBody for E {
    fn into_body(self) -> BoxError {
        self.into()
    }
}

macro_rules! bodies {
    ($($error:ty)*) => {$(
        impl IntoBody for $error {
            fn into_body(self) -> BoxError {
                self.to_string().into()
            }
        }
    )*};
}

bodies!(ToolError ProtocolError ResourceError);

/// What can be remembered over the rounds of a call.
#[diagnostic::on_unimplemented(
    message = "MCP089: `{Self}` cannot be remembered",
    label = "not written as JSON, or not read from it",
    note = "add `#[derive(mcp::Data)]` to the struct or enum it is made of, or derive `Serialize` and `Deserialize` of serde 1"
)]
pub trait Remembered: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Remembered for T {}

/// Runs a body unless an earlier round of the call did, and remembers what came of it.
pub(crate) async fn once<R, W>(call: &Arc<Shared>, key: &str, body: W) -> Result<R, OnceError>
where
    R: Remembered,
    W: RunOnce<R>,
{
    if is_inside_once() {
        return Err(AskError::InsideOnce.into());
    }
    let Means::Rounds(given) = call.asks.means else {
        call.asks.use_key(Used::Once, key)?;
        let value = inside_once(body.run()).await.map_err(OnceError::Body)?;
        // What cannot be remembered fails where nothing has to be as well, so that it is noticed.
        serde_json::to_value(&value).map_err(OnceError::Memory)?;
        return Ok(value);
    };
    let round = call.asks.round(call, given);
    if let Some(value) = round.remembered(key)? {
        return serde_json::from_value(value).map_err(OnceError::Memory);
    }
    let result = {
        let _at_work = round.body();
        inside_once(body.run()).await
    };
    let value = result.map_err(OnceError::Body)?;
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
