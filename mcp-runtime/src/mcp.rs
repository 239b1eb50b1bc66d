//! Everything that handlers are written with: attributes, derives, parameters, results and errors.

#[doc = include_str!("docs/args.md")]
pub use mcp_runtime_macros::Args;
#[doc = include_str!("docs/data.md")]
pub use mcp_runtime_macros::Data;
#[doc = include_str!("docs/form.md")]
pub use mcp_runtime_macros::Form;
#[doc = include_str!("docs/output.md")]
pub use mcp_runtime_macros::Output;
#[doc = include_str!("docs/completion.md")]
pub use mcp_runtime_macros::completion;
#[doc = include_str!("docs/method.md")]
pub use mcp_runtime_macros::method;
#[doc = include_str!("docs/notification.md")]
pub use mcp_runtime_macros::notification;
#[doc = include_str!("docs/prompt.md")]
pub use mcp_runtime_macros::prompt;
#[doc = include_str!("docs/resource.md")]
pub use mcp_runtime_macros::resource;
#[doc = include_str!("docs/tool.md")]
pub use mcp_runtime_macros::tool;

pub use crate::auth::{Principal, Refusal};
pub use crate::call::{
    Amount, Answer, Ask, AskError, Asking, Context, Elicit, LogMessage, OnceError, Progress, Remembered,
    RequestId, RunOnce, Transport,
};
pub use crate::gauges::Gauges;
#[cfg(feature = "http")]
pub use crate::handler::Headers;
pub use crate::handler::{
    Args, ArgumentFault, Blob, Caller, Extension, Faults, Form, FormField, HeaderValue, IntoCompletion,
    IntoMethodResult, IntoNotificationResult, IntoPromptResult, IntoResourceResult, IntoToolError,
    IntoToolResult, Json, Output, OutputDescription, Param, ParamFault, ParamSpec, Parameter, Prompt,
    ProtocolError, ReadAt, ResourceError, Scope, State, ToolError,
};
pub use crate::hub::{Change, Receipt};
pub use crate::middleware::{self, Call, Middleware, Next, Reply};
pub use crate::protocol::{
    Annotations, AudioContent, Cache, CacheScope, CallToolResult, Completion, ContentBlock, EmbeddedResource,
    Era, GetPromptResult, Icon, ImageContent, Implementation, LogLevel, Meta, PromptMessage,
    ReadResourceResult, ResourceContents, ResourceLink, Revision, Role, Root, SamplingContent,
    SamplingMessage, SamplingRequest, SamplingResult, TextContent, ToolAnnotations, ToolUse, ToolUseResult,
};
pub use crate::registry::{Detached, Handle, Tool, UnknownName};
