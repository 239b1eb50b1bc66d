//! Wire types of every revision and the one error table. No behaviour: what a revision may see is data here
//! ([`project`]), and who answers what is the engine's business.

pub(crate) mod asking;
pub(crate) mod envelope;
pub(crate) mod fault;
pub(crate) mod members;
pub(crate) mod method;
pub(crate) mod mirrored;
pub(crate) mod project;

mod answer;
mod completion;
mod content;
mod icon;
mod lifecycle;
mod log;
mod one_line;
mod prompt;
mod resource;
mod revision;
mod sampling;
mod tool;

pub use answer::ResponseFormat;
pub(crate) use answer::{Answer, Frame, OverHttp};
pub use asking::Root;
pub use completion::{CompleteResult, Completion};
pub use content::{
    Annotations, AudioContent, ContentBlock, EmbeddedResource, ImageContent, ResourceLink, Role, TextContent,
};
pub use icon::Icon;
pub use lifecycle::{DiscoverResult, Flags, Implementation, InitializeResult, ServerCapabilities};
pub use log::LogLevel;
pub(crate) use one_line::one_line;
pub use prompt::{GetPromptResult, Prompt as PromptDefinition, PromptArgument, PromptMessage};
pub use resource::{
    ReadResourceResult, Resource as ResourceDefinition, ResourceContents,
    ResourceTemplate as ResourceTemplateDefinition,
};
pub use revision::{Era, Revision};
pub use sampling::{
    SamplingContent, SamplingMessage, SamplingRequest, SamplingResult, ToolUse, ToolUseResult,
};
pub use tool::{CallToolResult, Tool as ToolDefinition, ToolAnnotations};

/// The `_meta` of an object: names with a prefix of their owner, any value.
pub type Meta = serde_json::Map<String, serde_json::Value>;

/// Where a result may be cached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// By anyone, for anyone.
    Public,
    /// For the caller's own authorization context only.
    #[default]
    Private,
}

/// How long, and for whom, a result may be cached (2026-07-28, "Caching").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cache {
    /// Freshness in milliseconds; 0 is stale at once.
    pub ttl_ms: u64,
    /// Who may share it.
    pub scope: CacheScope,
}

/// A notification as it goes over the wire.
pub(crate) fn notification(method: &str, params: &impl serde::Serialize) -> bytes::Bytes {
    #[derive(serde::Serialize)]
    struct Message<'a, P> {
        jsonrpc: &'static str,
        method: &'a str,
        params: &'a P,
    }
    // Parameters made here have text keys and finite numbers, so that writing them to memory cannot fail.
    one_line(serde_json::to_vec(&Message { jsonrpc: "2.0", method, params }).unwrap_or_default())
}
