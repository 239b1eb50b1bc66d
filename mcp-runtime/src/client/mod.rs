#![doc = include_str!("../docs/client.md")]

mod answering;
mod cache;
mod calling;
#[allow(clippy::module_inception)]
mod client;
mod connecting;
mod context;
mod core;
mod error;
mod handlers;
mod link;
mod message;
mod mirrors;
mod negotiate;
mod options;
mod pending;
mod progress;
mod ready;
mod stacked;
mod subscription;
mod target;
mod traffic;

pub use reqwest;

pub use self::answering::IntoAnswer;
pub use self::calling::Calling;
pub use self::client::{Client, Completing};
pub use self::connecting::Connecting;
pub use self::context::Context;
pub use self::error::{Error, TimeLimit};
pub use self::handlers::{Form, Page, Sampling};
pub use self::negotiate::Agreed;
pub use self::progress::{LogMessage, Progress};
pub use self::ready::{Bearer, Retry, TraceParent};
pub use self::subscription::Subscription;
pub use self::target::Target;
pub use crate::protocol::{
    Flags, PromptArgument, PromptDefinition, ResourceDefinition, ResourceTemplateDefinition,
    ServerCapabilities, ToolDefinition,
};

/// Connects to a server: a program, a URL, or one within this process.
///
/// ```no_run
/// # async fn run() -> Result<(), mcp_runtime::client::Error> {
/// use mcp_runtime::client::connect;
///
/// let program = connect(tokio::process::Command::new("weather")).await?;
/// let remote = connect("http://127.0.0.1:8000/mcp").await?;
/// let within = connect(mcp_runtime::server()).await?;
/// # let _ = (program, remote, within);
/// # Ok(())
/// # }
/// ```
pub fn connect(target: impl Target) -> Connecting {
    Connecting::new(target::Sealed::opener(target).into_opener())
}
