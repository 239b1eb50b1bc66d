//! Code of the author's, run so that a panic ends nothing but what it was run for.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code of the author's; where it panics, what the panic said.
pub(crate) fn contained<R>(code: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "(no text)".to_owned());
        // What a panic carries may panic in its turn when it is dropped; then it stays.
        if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(second);
        }
        text
    })
}

/// The same for a future, and for the code that makes it.
pub(crate) async fn contained_future<F: Future + Unpin>(
    make: impl FnOnce() -> F,
) -> Result<F::Output, String> {
    let mut held = Held(Some(contained(make)?));
    let output = std::future::poll_fn(|cx| {
        let Held(Some(future)) = &mut held else { return std::task::Poll::Pending };
        match contained(|| std::pin::Pin::new(future).poll(cx)) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => std::task::Poll::Ready(Err(panic)),
        }
    })
    .await;
    contained(|| drop(held.0.take()))?;
    output
}

/// A future that may be dropped before it is done, and panic at that.
struct Held<F>(Option<F>);

impl<F> Drop for Held<F> {
    fn drop(&mut self) {
        if let Some(future) = self.0.take() {
            drop_contained(future, "what was waited for");
        }
    }
}

/// Drops what may panic at that; whose it is, the log is told.
pub(crate) fn drop_contained<T>(value: T, whose: &str) {
    if let Err(panic) = contained(|| drop(value)) {
        crate::log::error(&format!("{whose} panicked while it was dropped: {panic}"));
    }
}
