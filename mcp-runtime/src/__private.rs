//! What generated code names. No part of the public interface: it changes with the macros, which are pinned to it.

pub use inventory;
pub use schemars;
pub use serde;
pub use serde_json;

pub use crate::handler::{
    Args, CompletionOutcome, Describe, Failure, Faults, Form, FormField, HeaderValue, Input, IntoCompletion,
    IntoMethodResult, IntoPromptResult, IntoResourceResult, IntoToolResult, Length, MethodOutcome,
    OutputDescription, Param, ParamSpec, Place, PromptOutcome, Range, ReadAt, ResourceOutcome, Running,
    Scope, ToolOutcome,
};
pub use crate::protocol::{Cache, CacheScope, Icon, Meta};
pub use crate::registry::{
    Common, CompletionEntry, CompletionOf, Entry, MethodEntry, NotificationEntry, Part, PromptEntry,
    ResourceEntry, Site, ToolEntry, What,
};
pub use crate::schema::unique::{NoMirrors, Node, Probe, check};
