//! Streamable HTTP (2026-07-28, "Streamable HTTP"): one endpoint, served by an accept loop of our own or mounted in a
//! router of yours.

mod activity;
mod answers;
mod body;
mod cors;
mod endpoint;
mod guard;
mod head;
mod listen;
mod reply;
mod sessions;
mod stream;

pub(crate) use activity::Times;
pub(crate) use answers::failed;
pub(crate) use endpoint::{Endpoint, Settings};
pub use guard::Guards;
pub(crate) use guard::{Guard, host_problem, origin_problem};
pub(crate) use listen::{Limits, Service, bind, listen};
pub(crate) use reply::Reply;
