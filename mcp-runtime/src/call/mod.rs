//! One request in flight, and what its handler may do.

mod asks;
mod context;
mod log;
mod outbox;
mod progress;
mod request_id;
mod shared;
mod states;
mod trace;

pub use asks::{Answer, Ask, AskError, Asking, Elicit, OnceError, Remembered, RunOnce};
pub use context::{Context, Transport};
pub use log::LogMessage;
pub use progress::{Amount, Progress};
pub use request_id::RequestId;

pub(crate) use asks::{Asks, Means, Peer, Reply, State as AskState, Suspended, inside_driver, once};
pub(crate) use log::LogGate;
pub(crate) use outbox::{Outbox, Sent};
pub(crate) use shared::{Client, Connected, End, Shared, Span};
pub(crate) use states::States;
pub(crate) use trace::Trace;
