//! What is registered: entries as `inventory` collects them, the checked definitions made of them, and what callers
//! may see.

mod build;
mod completions;
mod definition;
mod entry;
mod handle;
mod path;
mod problem;
mod report;
mod selection;
mod spelling;
mod surface;
mod template;
mod tool;
pub(crate) mod words;

pub use entry::{
    Common, CompletionEntry, CompletionOf, Entry, MethodEntry, NotificationEntry, PromptEntry, ResourceEntry,
    Site, ToolEntry, What,
};
pub use handle::{Detached, Handle, UnknownName};
pub use problem::{Problem, Problems};
pub use template::Part;
pub use tool::Tool;

pub(crate) use build::{Built, GivenState, build, weak_points};
pub(crate) use definition::{
    CompletionDef, Definitions, MethodDef, NotificationDef, Owner, PromptDef, ResourceDef, TemplateDef,
    ToolDef,
};
pub(crate) use handle::Live;
pub(crate) use report::{found, table};
pub(crate) use selection::Selection;
pub(crate) use surface::{Found, List, Offers, Surface};
pub(crate) use tool::{method, method_call};
