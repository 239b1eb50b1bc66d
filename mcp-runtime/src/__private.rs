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

/// Runs a function that blocks on a thread that may block. Its panic goes on here.
pub async fn blocking<R: Send + 'static>(function: impl FnOnce() -> R + Send + 'static) -> R {
    match tokio::task::spawn_blocking(function).await.map_err(tokio::task::JoinError::try_into_panic) {
        Ok(result) => result,
        Err(Ok(panic)) => std::panic::resume_unwind(panic),
        // The runtime shuts down before the function began; it drops this future too.
        Err(Err(_)) => std::future::pending().await,
    }
}

/// `meta = …`: the members of an object.
pub fn meta(object: impl Into<serde_json::Value>) -> Meta {
    match object.into() {
        serde_json::Value::Object(members) => members,
        _ => Meta::new(),
    }
}

/// A default as the schema shows it: the inherent method wins where the type is `Serialize`.
pub struct Shown<'v, T>(pub &'v T);

impl<T: serde::Serialize> Shown<'_, T> {
    /// The value in JSON.
    pub fn shown(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self.0).ok()
    }
}

/// A default that has no JSON.
pub trait ShownNever {
    /// Nothing.
    fn shown(&self) -> Option<serde_json::Value> {
        None
    }
}

impl<T> ShownNever for Shown<'_, T> {}

/// Compiles where a header can mirror the type.
pub const fn mirrored<T: HeaderValue>() {}

/// Compiles where the type can be a field of a form.
pub const fn form_field<T: FormField>() {}

/// Named by tools with a hand-written input schema: without the validator nothing would hold arguments to it.
#[cfg(feature = "validation")]
#[allow(non_upper_case_globals)]
pub const hand_written_schemas_need_the_feature_validation: () = ();
