//! What a parameter of a handler is: an argument of the call, or something the server gives.

use std::marker::PhantomData;
use std::ops::Deref;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::absent::Absent;
use super::describe::{Describe, Parameter};
use super::failure::ProtocolError;
use super::scope::{Faults, Scope, Source};
use super::text::{Text, members};
use crate::schema::faults::{ArgumentFault, Segment, path_of};

/// A parameter of a handler.
///
/// Every type that is [`mcp::Args`](macro@crate::mcp::Args) (or `Deserialize` and `JsonSchema`) is one: an argument,
/// which has a name, stands in the schema and is decoded. [`Context`](crate::mcp::Context),
/// [`State`](crate::mcp::State) and their like are given by the server and never stand in a schema. A type of yours
/// can be given too:
///
/// ```
/// use mcp_runtime::mcp::{Param, ParamFault, ParamSpec, Scope};
///
/// struct Tenant(String);
///
/// impl Param for Tenant {
///     fn take(scope: &Scope, _: &ParamSpec) -> Result<Self, ParamFault> {
///         let id = scope.context().principal().id().unwrap_or("public");
///         Ok(Tenant(id.to_owned()))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "MCP090: `{Self}` cannot be a parameter of a handler",
    label = "not an argument, and nothing the server gives",
    note = "if it is an argument, add `#[derive(mcp::Args)]` to the struct or enum it is made of (in place of \
            `mcp::Output`, `mcp::Data`, if it is a result too)",
    note = "if the server gives it, take it as `mcp::State<…>` of a type that is `Clone + Send + Sync`, or implement \
            `mcp::Param`",
    note = "types of `chrono`, `uuid` and `url` need the feature of that name of `mcp-runtime`; of those that derive for \
            themselves, serde 1 and schemars 1 are known"
)]
pub trait Param: Sized {
    /// Says at boot what the parameter needs. Arguments put themselves into the schema here.
    fn describe(parameter: &mut Parameter<'_>) {
        let _ = parameter;
    }

    /// Takes the parameter out of a call.
    fn take(scope: &Scope, spec: &ParamSpec) -> Result<Self, ParamFault>;
}

/// Why a parameter cannot be had.
#[derive(Debug)]
pub enum ParamFault {
    /// The arguments do not fit: what is wrong, and where.
    Arguments(Vec<ArgumentFault>),
    /// The call is refused.
    Refused(ProtocolError),
}

impl ParamFault {
    /// One argument does not fit.
    pub fn argument(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Arguments(vec![ArgumentFault::new(path, text)])
    }
}

/// What the macro knows of a parameter.
#[derive(Debug)]
pub struct ParamSpec {
    /// Its name on the wire.
    pub name: &'static str,
    /// Its documentation.
    pub description: &'static str,
    /// What people call it.
    pub title: Option<&'static str>,
    /// Where in the arguments it stands.
    pub place: Place,
    /// The header it is mirrored to, without `Mcp-Param-`.
    pub header: Option<&'static str>,
    /// The least and the greatest number.
    pub range: Option<Range>,
    /// The least and the greatest number of characters or items.
    pub length: Option<Length>,
    /// A regular expression that text matches.
    pub pattern: Option<&'static str>,
}

/// Where in the arguments a parameter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Under its name.
    Named,
    /// Its members are arguments themselves.
    Flattened,
    /// It is all the arguments, described by a schema that somebody wrote.
    Whole,
}

/// Bounds of a number, in JSON.
#[derive(Debug)]
pub struct Range {
    /// `minimum`
    pub minimum: Option<&'static str>,
    /// `exclusiveMinimum`
    pub above: Option<&'static str>,
    /// `maximum`
    pub maximum: Option<&'static str>,
    /// `exclusiveMaximum`
    pub below: Option<&'static str>,
}

/// Bounds of a number of characters or items.
#[derive(Debug)]
pub struct Length {
    /// The least.
    pub minimum: Option<u64>,
    /// The greatest.
    pub maximum: Option<u64>,
}

impl ParamSpec {
    /// A parameter of which nothing but its name is known.
    pub const fn named(name: &'static str) -> Self {
        Self {
            name,
            description: "",
            title: None,
            place: Place::Named,
            header: None,
            range: None,
            length: None,
            pattern: None,
        }
    }
}

/// A parameter of type `T`, for generated code: `spec.of::<T>().way()` is the way to it, by which it is described and
/// taken. The ways take `T` once more, where the compiler is to point at.
///
/// Types that the compiler would say too little of have a `way` of their own; others have that of [`Usual`], which this
/// is dereferenced to. Traits cannot tell them apart: an `impl Param for Option<Extension<T>>` conflicts with the one for
/// arguments, and of a type that two impls could be for, the compiler does not say what it lacks for either.
pub struct Of<T> {
    pub(super) usual: Usual,
    of: PhantomData<T>,
}

/// The way to a parameter that is a [`Param`].
#[derive(Clone, Copy)]
pub struct Usual(&'static ParamSpec);

impl ParamSpec {
    /// The parameter, which is of type `T`.
    #[doc(hidden)]
    pub const fn of<T>(&'static self) -> Of<T> {
        Of { usual: Usual(self), of: PhantomData }
    }
}

impl<T> Deref for Of<T> {
    type Target = Usual;

    fn deref(&self) -> &Usual {
        &self.usual
    }
}

impl Usual {
    pub(super) fn name(self) -> &'static str {
        self.0.name
    }

    /// The way itself.
    pub fn way(self) -> Self {
        self
    }

    /// Describes the parameter. `default` is its value where the call gives none, as far as it can be shown.
    pub fn describe<P: Param>(self, describe: &mut Describe, default: Option<Option<Value>>) {
        match default {
            Some(shown) => describe.param_or::<P>(self.0, shown),
            None => describe.param::<P>(self.0),
        }
    }

    /// Takes the parameter out of a call, or notes why it cannot be had.
    pub fn take<P: Param>(self, faults: &mut Faults, scope: &Scope, default: Option<fn() -> P>) -> Option<P> {
        match default {
            Some(default) => faults.take_or(scope, self.0, default),
            None => faults.take(scope, self.0),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Param for T {
    fn describe(parameter: &mut Parameter<'_>) {
        parameter.argument::<T>(T::deserialize(Absent).is_err());
    }

    fn take(scope: &Scope, spec: &ParamSpec) -> Result<Self, ParamFault> {
        let decoded = match (scope.source(), spec.place) {
            (Source::Json(arguments), Place::Named) => match arguments.get(spec.name) {
                Some(value) => T::deserialize(value).map_err(|_| misfits::<T>(spec.name, value)),
                None => T::deserialize(Absent).map_err(|_| missing(spec.name)),
            },
            (Source::Json(arguments), Place::Flattened | Place::Whole) => {
                T::deserialize(arguments).map_err(|_| misfits::<T>("", arguments))
            }
            (Source::Text(texts), Place::Named) => match texts.iter().find(|(name, _)| name == spec.name) {
                Some((_, text)) => T::deserialize(Text(text))
                    .map_err(|error| ArgumentFault::new(spec.name, error.to_string())),
                None => T::deserialize(Absent).map_err(|_| missing(spec.name)),
            },
            (Source::Text(texts), Place::Flattened | Place::Whole) => {
                members(texts).map_err(|error| ArgumentFault::new("", error.to_string()))
            }
        };
        decoded.map_err(|fault| ParamFault::Arguments(vec![fault]))
    }
}

fn missing(name: &str) -> ArgumentFault {
    ArgumentFault::new(name, "missing")
}

/// Decodes once more, this time watching where it fails.
fn misfits<T: DeserializeOwned>(name: &str, value: &Value) -> ArgumentFault {
    let Err(error) = serde_path_to_error::deserialize::<_, T>(value) else {
        return ArgumentFault::new(name, "does not decode");
    };
    let steps = error.path().iter().filter_map(|step| match step {
        serde_path_to_error::Segment::Seq { index } => Some(Segment::Index(*index)),
        serde_path_to_error::Segment::Map { key } => Some(Segment::Name(key.into())),
        // What a variant holds stands under its name.
        serde_path_to_error::Segment::Enum { variant } => Some(Segment::Name(variant.into())),
        _ => None,
    });
    let start = (!name.is_empty()).then(|| Segment::Name(name.into()));
    ArgumentFault::new(path_of(start.into_iter().chain(steps)), in_words(error.inner().to_string()))
}

/// What a decoder says of a number, without the names of types that only Rust has.
fn in_words(error: String) -> String {
    let number = || {
        let said = error.strip_prefix("invalid type: ").or_else(|| error.strip_prefix("invalid value: "))?;
        let (came, expected) = said.rsplit_once(", expected ")?;
        let (least, most) = match expected {
            "i8" => (i8::MIN.into(), i8::MAX.into()),
            "i16" => (i16::MIN.into(), i16::MAX.into()),
            "i32" => (i32::MIN.into(), i32::MAX.into()),
            "i64" | "isize" => (i64::MIN.into(), i64::MAX.into()),
            "u8" => (0, u8::MAX.into()),
            "u16" => (0, u16::MAX.into()),
            "u32" => (0, u32::MAX.into()),
            "u64" | "usize" => (0_i128, i128::from(u64::MAX)),
            _ => return None,
        };
        let came = came.split('`').nth(1)?;
        Some(format!("expected an integer from {least} to {most}, got {came}"))
    };
    number().unwrap_or(error)
}
