//! What the derives make of a type.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A type that goes in: decoded from arguments, with a schema. Made by `#[derive(mcp::Args)]`.
pub trait Args: Input {
    /// The headers its members are mirrored to.
    const MIRRORS: &'static [crate::schema::unique::Node] = &[];
}

// Not for `Box`: recursive types would make the constant refer to itself.
impl<T: Args> Args for Option<T> {
    const MIRRORS: &'static [crate::schema::unique::Node] = T::MIRRORS;
}

/// A type that is read from JSON and has a schema.
pub trait Input: DeserializeOwned + JsonSchema {}

impl<T: DeserializeOwned + JsonSchema> Input for T {}

/// A type that comes out: data with a schema. Made by `#[derive(mcp::Output)]`; any type that is `Serialize` and
/// `JsonSchema` is one.
#[diagnostic::on_unimplemented(
    message = "MCP095: `{Self}` cannot be the data of a result",
    label = "no schema, or not serialisable",
    note = "add `#[derive(mcp::Output)]` to the struct or enum it is made of (`mcp::Data` if it is an argument too)"
)]
pub trait Output: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Output for T {}

/// A flat type that a person fills in. Made by `#[derive(mcp::Form)]`.
#[diagnostic::on_unimplemented(
    message = "MCP098: `{Self}` is no form that a person can be asked to fill in",
    label = "not a form",
    note = "write `#[derive(mcp::Form)]` on it, in place of `Deserialize` or `mcp::Args`, and say which form is meant: `let login: Login = ctx.elicit(…).await?`"
)]
pub trait Form: Args {}

/// A type that one field of a form can have.
#[diagnostic::on_unimplemented(
    message = "MCP097: `{Self}` cannot be a field of a form",
    label = "not one text, number or choice: forms are flat",
    note = "a field is text, a number, a boolean, an enum without data that derives `mcp::Args`, a list of such enums, \
            or an `Option` of one of these",
    note = "with the features `chrono` and `url` it is also a `chrono::NaiveDate`, a `chrono::DateTime<chrono::Utc>` or a \
            `url::Url`; what else is written as a text is a `String` here, and read in the handler"
)]
pub trait FormField {}

macro_rules! fields {
    ($($field:ty)*) => {$(
        impl FormField for $field {}
    )*};
}

fields!(String bool char f32 f64 i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl<T: FormField> FormField for Option<T> {}

/// An enum without data, of which a person can choose several.
pub trait Choice {}

impl<T: Choice> FormField for Vec<T> {}

#[cfg(feature = "chrono")]
fields!(chrono::NaiveDate chrono::DateTime<chrono::Utc>);
#[cfg(feature = "url")]
fields!(url::Url);
