//! What stands around every message: four stacks, {server, client} x {receive, send}, of one shape.
//!
//! The receive stack of a server stands around what comes: requests, notifications, and the answers to what the server
//! asked. Its send stack stands around what leaves: answers, notifications, and what it asks. A client's two stacks mirror
//! them. The first that is added is the outermost: it sees what comes first, and what becomes of it last.
//!
//! A stack knows neither engine nor transport: what a message meets behind the last middleware comes with the [`Call`].

mod call;
mod concurrency;
mod exit;
mod extensions;
mod logging;
mod payload;
#[cfg(feature = "rate-limit")]
mod rate;
mod reply;
mod spans;
mod stack;
mod timeout;

pub use crate::protocol::ResponseFormat;
pub use call::{Call, Kind};
pub use concurrency::ConcurrencyLimit;
pub use logging::Logging;
pub use payload::PayloadLimit;
#[cfg(feature = "rate-limit")]
pub use rate::RateLimit;
pub use reply::Reply;
pub use spans::Spans;
pub use stack::{Middleware, Next};
pub use timeout::Timeout;

pub(crate) use call::End;
pub(crate) use exit::Exit;
pub(crate) use extensions::Extensions;
#[cfg(feature = "client")]
pub(crate) use reply::Failed;
pub(crate) use reply::Outcome;
pub(crate) use stack::Stack;
