//! What generated code names, and what tests reach beside the public interface, of which this is no part: it changes
//! with the macros, which are pinned to it.

#[cfg(feature = "http")]
pub mod alone;
pub mod derived;
mod shown;

use std::borrow::Cow;

use crate::handler::names;
use crate::schema::ordered::{note_order, sort_choices};

pub use inventory;
pub use schemars;
pub use serde;
pub use serde_json;

pub use self::shown::{Shown, ShownAsChoice, ShownNever};
pub use crate::handler::{
    Args, Choice, Describe, Failure, Faults, FieldSource, Form, FormField, HeaderValue, Input,
    IntoCompletion, IntoMethodResult, IntoNotificationResult, IntoPromptResult, IntoResourceResult,
    IntoToolResult, Length, Outcome, OutputDescription, Param, ParamSpec, Place, Range, Read, ReadAt,
    Running, Scope, Shape,
};
pub use crate::protocol::{Cache, CacheScope, Icon};
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

/// `meta = …`: an object, which the boot checks.
pub fn meta(object: impl Into<serde_json::Value>) -> serde_json::Value {
    object.into()
}

/// `icons = …`: one, or a list of any kind.
pub fn icons(icons: impl Icons) -> Vec<Icon> {
    icons.list()
}

/// What `icons = …` takes.
#[diagnostic::on_unimplemented(
    message = "MCP022: `icons` takes an `mcp::Icon` or a list of them, not `{Self}`",
    label = "neither an icon nor a list of icons",
    note = "write `icons = mcp::Icon::new(\"https://…\")`"
)]
pub trait Icons {
    /// All of them.
    fn list(self) -> Vec<Icon>;
}

impl Icons for Icon {
    fn list(self) -> Vec<Icon> {
        vec![self]
    }
}

impl Icons for Vec<Icon> {
    fn list(self) -> Vec<Icon> {
        self
    }
}

impl<const N: usize> Icons for [Icon; N] {
    fn list(self) -> Vec<Icon> {
        self.into()
    }
}

/// Compiles where a header can mirror the type.
pub const fn mirrored<T: HeaderValue>() {}

/// A type whose default can be written as a text.
#[diagnostic::on_unimplemented(
    message = "MCP030: this default is a text, and `{Self}` is made from none",
    label = "a text",
    note = "write a value of the type, as in `default = Language::Rust`, or `default = \"…\".parse().unwrap()` where it is \
            read from a text, or implement `From<&str>` for it"
)]
pub trait FromText {
    fn from_text(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> FromText for T {
    fn from_text(text: &'static str) -> Self {
        Self::from(text)
    }
}

/// A type that a field of an argument can have.
#[diagnostic::on_unimplemented(
    message = "MCP096: `{Self}` cannot be a field of an argument",
    label = "not read from JSON, or without a schema",
    note = "add `#[derive(mcp::Args)]` to the struct or enum it is made of (`mcp::Data` if it is a result too)",
    note = "types of `chrono`, `uuid` and `url` need the feature of that name of `mcp-runtime`; of those that derive for \
            themselves, serde 1 and schemars 1 are known"
)]
pub trait ReadField {}

#[diagnostic::do_not_recommend]
impl<T: serde::de::DeserializeOwned + schemars::JsonSchema> ReadField for T {}

/// A type that a field of a result can have.
#[diagnostic::on_unimplemented(
    message = "MCP096: `{Self}` cannot be a field of a result",
    label = "not written as JSON, or without a schema",
    note = "add `#[derive(mcp::Output)]` to the struct or enum it is made of (`mcp::Data` if it is an argument too)",
    note = "types of `chrono`, `uuid` and `url` need the feature of that name of `mcp-runtime`; of those that derive for \
            themselves, serde 1 and schemars 1 are known"
)]
pub trait WrittenField {}

#[diagnostic::do_not_recommend]
impl<T: serde::Serialize + schemars::JsonSchema> WrittenField for T {}

/// A type that a field of an argument and result can have.
#[diagnostic::on_unimplemented(
    message = "MCP096: `{Self}` cannot be a field of data that goes in and comes out",
    label = "not read from JSON, not written as JSON, or without a schema",
    note = "add `#[derive(mcp::Data)]` to the struct or enum it is made of",
    note = "types of `chrono`, `uuid` and `url` need the feature of that name of `mcp-runtime`; of those that derive for \
            themselves, serde 1 and schemars 1 are known"
)]
pub trait DataField {}

#[diagnostic::do_not_recommend]
impl<T: ReadField + WrittenField> DataField for T {}

/// A type that a field of a form can have.
#[diagnostic::on_unimplemented(
    message = "MCP097: `{Self}` cannot be a field of a form",
    label = "not one text, number or choice: forms are flat",
    note = "a field is text, a number, a boolean, an enum without data that derives `mcp::Args`, a list of such enums, \
            or an `Option` of one of these",
    note = "with the features `chrono` and `url` it is also a `chrono::NaiveDate`, a `chrono::DateTime<chrono::Utc>` or a \
            `url::Url`; what else is written as a text is a `String` here, and read in the handler"
)]
pub trait FlatField {}

#[diagnostic::do_not_recommend]
impl<T: FormField + ReadField> FlatField for T {}

/// Compiles where the type can be a field of an argument.
pub const fn read_field<T: ReadField>() {}

/// Compiles where the type can be a field of a result.
pub const fn written_field<T: WrittenField>() {}

/// Compiles where the type can be a field of both.
pub const fn data_field<T: DataField>() {}

/// Compiles where the type can be a field of a form.
pub const fn flat_field<T: FlatField>() {}

/// The type of the `self` of a handler: none is.
#[diagnostic::on_unimplemented(
    message = "MCP002: a handler is a free function, it takes no `self`",
    label = "a method",
    note = "move it out of the `impl` block; what `self` holds comes as `mcp::State<T>`, given to the server by `.state(…)`"
)]
pub trait NoReceiver {
    /// Compiles for none, and for what has no type because another error was told of it.
    fn refuse(&self) {}
}

/// What a type reads from, where one of its fields cannot be read: that is told once, of the field.
pub trait NotRead {
    /// Never called: the program does not compile.
    fn deserialize<'de, T, D: serde::Deserializer<'de>>(_: D) -> Result<T, D::Error> {
        Err(serde::de::Error::custom(REFUSED))
    }

    /// Never called: the program does not compile.
    fn fields<'de, T, D: serde::Deserializer<'de>>(source: D, _: &'static Shape) -> Result<T, D::Error> {
        <() as NotRead>::deserialize(source)
    }
}

impl<T> NotRead for T {}

/// What a type writes, where one of its fields cannot be written.
pub trait NotWritten {
    /// Never called: the program does not compile.
    fn serialize<T, S: serde::Serializer>(_: &T, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom(REFUSED))
    }
}

impl<T> NotWritten for T {}

const REFUSED: &str = "the type of a field was refused when the program was compiled";

/// The schema of a type: the inherent functions win where it has one.
pub struct SchemaOf<T>(std::marker::PhantomData<T>);

impl<T: schemars::JsonSchema> SchemaOf<T> {
    /// Whether it is written out where it is used.
    pub fn inline() -> bool {
        T::inline_schema()
    }

    /// Its name.
    pub fn name() -> Cow<'static, str> {
        T::schema_name()
    }

    /// Its name in the whole program.
    pub fn id() -> Cow<'static, str> {
        T::schema_id()
    }

    /// The schema itself.
    pub fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

/// The schema of a type, where one of its fields has none.
pub trait NoSchema {
    /// Never called: the program does not compile.
    fn inline() -> bool {
        false
    }

    /// Never called: the program does not compile.
    fn name() -> Cow<'static, str> {
        Cow::Borrowed(REFUSED)
    }

    /// Never called: the program does not compile.
    fn id() -> Cow<'static, str> {
        Cow::Borrowed(REFUSED)
    }

    /// Never called: the program does not compile.
    fn schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::Schema::default()
    }
}

impl<T> NoSchema for SchemaOf<T> {}

/// The schema of a type that is read, with its members in the order in which they are declared.
pub fn in_order<'de, T: serde::Deserialize<'de>>(mut schema: schemars::Schema) -> schemars::Schema {
    if let (Some(names), Some(members)) = (names::<T>(), schema.as_object_mut()) {
        note_order(members, names.iter().copied());
        sort_choices(members, names);
    }
    schema
}

/// Named by tools with a hand-written input schema: without the validator nothing would hold arguments to it.
#[cfg(feature = "validation")]
#[allow(non_upper_case_globals)]
pub const hand_written_schemas_need_the_feature_validation: () = ();
