//! Everything that handlers are written with: attributes, derives, parameters, results and errors.

pub use mcp_runtime_macros::{Args, Data, Form, Output};
pub use mcp_runtime_macros::{completion, method, notification, prompt, resource, tool};

pub use crate::auth::{Principal, Refusal};
pub use crate::call::{Amount, Context, LogMessage, Progress, RequestId, Transport};
pub use crate::handler::{
    Args, ArgumentFault, Blob, Caller, Faults, Form, FormField, HeaderValue, IntoCompletion,
    IntoMethodResult, IntoPromptResult, IntoResourceResult, IntoToolError, IntoToolResult, Json, Output,
    OutputDescription, Param, ParamFault, ParamSpec, Parameter, Prompt, ProtocolError, ReadAt, ResourceError,
    Scope, State, ToolError,
};
#[cfg(feature = "http")]
pub use crate::handler::{Extension, Headers};
pub use crate::protocol::{
    Annotations, AudioContent, Cache, CacheScope, CallToolResult, Completion, ContentBlock, EmbeddedResource,
    Era, GetPromptResult, Icon, ImageContent, Implementation, LogLevel, Meta, PromptMessage,
    ReadResourceResult, ResourceContents, ResourceLink, Revision, Role, TextContent, ToolAnnotations,
};
pub use crate::registry::{Handle, Tool, UnknownName};
