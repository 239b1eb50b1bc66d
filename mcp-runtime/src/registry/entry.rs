//! One annotated function, as its macro registers it: constants and non-capturing closures, no more.

use serde_json::Value;

use super::template::Part;
use crate::handler::{Describe, OutputDescription, Running, Scope};
use crate::protocol::{
    Annotations, Cache, CallToolResult, CompleteResult, GetPromptResult, Icon, Meta, ReadResourceResult,
};

/// One annotated function.
pub struct Entry {
    /// Where it stands.
    pub site: Site,
    /// What all kinds have.
    pub common: Common,
    /// What its kind has.
    pub what: What,
}

inventory::collect!(Entry);

/// Where an annotated function stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The source file, as the compiler names it.
    pub file: &'static str,
    /// The line of the function's name.
    pub line: u32,
    /// The column of the function's name.
    pub column: u32,
    /// The package it is part of.
    pub package: &'static str,
    /// The version of that package.
    pub version: &'static str,
    /// The function's name.
    pub function: &'static str,
}

/// What every kind of entry has.
pub struct Common {
    /// Its name on the wire.
    pub name: &'static str,
    /// What people call it.
    pub title: Option<&'static str>,
    /// Its documentation.
    pub description: &'static str,
    /// The group by which a server can select it.
    pub group: Option<&'static str>,
    /// Its place in lists, before the name.
    pub order: i32,
    /// Pictures for a user interface.
    pub icons: Option<fn() -> Vec<Icon>>,
    /// Facts of the author's own: an object.
    pub meta: Option<fn() -> Value>,
}

/// What one kind of entry has.
pub enum What {
    /// `#[mcp::tool]`
    Tool(ToolEntry),
    /// `#[mcp::prompt]`
    Prompt(PromptEntry),
    /// `#[mcp::resource]`
    Resource(ResourceEntry),
    /// `#[mcp::completion]`
    Completion(CompletionEntry),
    /// `#[mcp::method]`
    Method(MethodEntry),
    /// `#[mcp::notification]`
    Notification(NotificationEntry),
}

/// A tool.
pub struct ToolEntry {
    /// `readOnlyHint`
    pub read_only: Option<bool>,
    /// `destructiveHint`
    pub destructive: Option<bool>,
    /// `idempotentHint`
    pub idempotent: Option<bool>,
    /// `openWorldHint`
    pub open_world: Option<bool>,
    /// Arguments that nobody declared are ignored.
    pub open: bool,
    /// A schema that somebody wrote, in place of the derived one.
    pub input_schema: Option<fn() -> Value>,
    /// A schema that somebody wrote, in place of the derived one.
    pub output_schema: Option<fn() -> Value>,
    /// Describes the parameters.
    pub describe: fn(&mut Describe),
    /// Describes the output.
    pub output: fn(&mut OutputDescription),
    /// Runs the function.
    pub call: fn(Scope) -> Running<CallToolResult>,
}

/// A prompt.
pub struct PromptEntry {
    /// Describes the parameters.
    pub describe: fn(&mut Describe),
    /// Runs the function.
    pub call: fn(Scope) -> Running<GetPromptResult>,
}

/// A resource at a fixed URI, or a family of them.
pub struct ResourceEntry {
    /// The URI or template as it is listed.
    pub uri: &'static str,
    /// The parts of a template; none for a fixed URI.
    pub template: &'static [Part],
    /// The media type.
    pub mime_type: Option<&'static str>,
    /// Its size in bytes, for a fixed URI.
    pub size: Option<u64>,
    /// For whom, and how important.
    pub annotations: Option<fn() -> Annotations>,
    /// How long and for whom it may be cached; the server's setting where it says nothing.
    pub cache: Option<Cache>,
    /// Describes the parameters.
    pub describe: fn(&mut Describe),
    /// Runs the function for a URI.
    pub call: fn(Scope, String) -> Running<ReadResourceResult>,
}

/// Completion of one argument.
pub struct CompletionEntry {
    /// What the argument is one of.
    pub of: CompletionOf,
    /// The argument or variable.
    pub argument: &'static str,
    /// Describes the parameters.
    pub describe: fn(&mut Describe),
    /// Runs the function.
    pub call: fn(Scope) -> Running<CompleteResult>,
}

/// What an argument that is completed belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionOf {
    /// The prompt of that name.
    Prompt(&'static str),
    /// The resource template of that text.
    Resource(&'static str),
}

/// A custom method.
pub struct MethodEntry {
    /// Describes the parameters.
    pub describe: fn(&mut Describe),
    /// Runs the function.
    pub call: fn(Scope) -> Running<Meta>,
}

/// A custom notification.
pub struct NotificationEntry {
    /// Describes the parameters.
    pub describe: fn(&mut Describe),
    /// Runs the function.
    pub call: fn(Scope) -> Running<Meta>,
}
