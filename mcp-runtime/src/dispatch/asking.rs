//! When a handler that asks is to be answered by its questions: once it waits for nothing else.
//!
//! It does where nothing has woken it for one turn of the runtime, or where nobody is left who could.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use atomic_waker::AtomicWaker;

/// A handler that has asked something.
#[derive(Default)]
pub(super) struct Asking {
    handler: Arc<Woken>,
    /// The turn that is given to whatever else may wake it.
    turn: Option<Arc<Woken>>,
}

/// Whether something was woken, and whom that concerns.
#[derive(Default)]
struct Woken {
    woken: AtomicBool,
    concerns: AtomicWaker,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.woken.store(true, Ordering::Release);
        self.concerns.wake();
    }
}

/// What is to be done about a handler that has asked something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It is to be polled.
    Poll,
    /// It may still be woken.
    Wait,
    /// It waits for its answers alone.
    Suspend,
}

impl Asking {
    /// What is to be done, before it is polled.
    pub(super) fn next(&mut self, cx: &Context<'_>) -> Next {
        self.handler.concerns.register(cx.waker());
        let Some(turn) = &self.turn else { return Next::Poll };
        turn.concerns.register(cx.waker());
        if self.handler.woken.load(Ordering::Acquire) {
            self.turn = None;
            Next::Poll
        } else if turn.woken.load(Ordering::Acquire) {
            Next::Suspend
        } else {
            Next::Wait
        }
    }

    /// Polls it.
    pub(super) fn poll<R>(&mut self, poll: impl FnOnce(&mut Context<'_>) -> R) -> R {
        self.handler.woken.store(false, Ordering::Release);
        let waker = Waker::from(Arc::clone(&self.handler));
        poll(&mut Context::from_waker(&waker))
    }

    /// What is to be done, once it waits with an ask open.
    pub(super) fn waits(&mut self, cx: &Context<'_>) -> Next {
        if self.handler.woken.load(Ordering::Acquire) {
            cx.waker().wake_by_ref();
            return Next::Wait;
        }
        if Arc::strong_count(&self.handler) == 1 {
            return Next::Suspend;
        }
        let turn = Arc::new(Woken::default());
        turn.concerns.register(cx.waker());
        // A waker of its own: with the task's, whatever wakes the task would end the turn.
        let waker = Waker::from(Arc::clone(&turn));
        let yielded = std::pin::pin!(tokio::task::yield_now());
        if yielded.poll(&mut Context::from_waker(&waker)) == Poll::Ready(()) {
            turn.woken.store(true, Ordering::Release);
        }
        self.turn = Some(turn);
        Next::Wait
    }
}
