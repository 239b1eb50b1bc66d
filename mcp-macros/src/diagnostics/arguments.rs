//! Messages about `#[arg(…)]`.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Error, Expr, Type};

use super::message;
use crate::bounds::NoBounds;
use crate::kind::Kind;
use crate::types::{last_segment, shown};

/// `range` that is no range of numbers.
pub fn range(on: &dyn ToTokens, fault: NoBounds) -> Error {
    match fault {
        NoBounds::Form => message(
            on,
            31,
            "`range` takes a range of literal numbers",
            "write `range = 1..=100`, `range = 0.0..` or `range = ..=10`",
        ),
        NoBounds::Empty => message(on, 32, "no number lies in this range", "write the lesser end first"),
    }
}

/// A range that reaches beyond the integer type of its argument.
pub fn range_beyond_type(range: &Expr, ty: &Type, (least, most): (i128, i128)) -> Error {
    let (shown, ty) = (compact(range), compact(ty));
    message(
        range,
        80,
        format_args!("`range = {shown}` reaches beyond `{ty}`, which goes from {least} to {most}"),
        "narrow the range, or take a type that holds all of it",
    )
}

/// A range in which no number of the argument's type lies.
pub fn range_outside_of_type(range: &Expr, ty: &Type, (least, most): (i128, i128)) -> Error {
    let (shown, ty) = (compact(range), compact(ty));
    message(
        range,
        32,
        format_args!("no `{ty}` lies in `range = {shown}`: it goes from {least} to {most}"),
        "write a range of such numbers, or take another type",
    )
}

/// A range with a point, of an integer.
pub fn range_of_fractions(range: &Expr, ty: &Type) -> Error {
    let (shown, ty) = (compact(range), compact(ty));
    message(
        range,
        80,
        format_args!("`range = {shown}` is written with a point, and `{ty}` is a whole number"),
        "write whole numbers, such as `range = 1..=3`, or take `f64`",
    )
}

/// `length` that is no range of counts.
pub fn length(on: &dyn ToTokens, fault: NoBounds) -> Error {
    match fault {
        NoBounds::Form => message(
            on,
            31,
            "`length` takes a range of counts, or one count",
            "write `length = 1..=80`, `length = 1..` or `length = 3`",
        ),
        NoBounds::Empty => message(on, 32, "no length lies in this range", "write the lesser end first"),
    }
}

/// A default that its own range shuts out.
pub fn default_out_of_range(on: &dyn ToTokens, default: &str, range: &dyn ToTokens) -> Error {
    message(
        on,
        33,
        format_args!("the default {default} lies outside of `range = {}`", compact(range)),
        "choose a default that callers could send, or widen the range",
    )
}

/// A default that the integer type of its argument does not hold.
pub fn default_beyond_type(
    on: &dyn ToTokens,
    default: i128,
    ty: &Type,
    (least, most): (i128, i128),
) -> Error {
    message(
        on,
        33,
        format_args!("the default {default} is no `{}`, which goes from {least} to {most}", compact(ty)),
        "choose a default of that type, or take a type that holds it",
    )
}

/// A default that its own length shuts out.
pub fn default_of_other_length(on: &dyn ToTokens, characters: u64, length: &dyn ToTokens) -> Error {
    message(
        on,
        34,
        format_args!("the default has {characters} characters, outside of `length = {}`", compact(length)),
        "choose a default that callers could send, or widen the length",
    )
}

/// An option that a flattened struct cannot have.
pub fn flattened_with(on: &dyn ToTokens, option: &str) -> Error {
    message(
        on,
        35,
        format_args!("a flattened struct is no argument itself, so it has no `{option}`"),
        format_args!("give `{option}` to fields of the struct, or remove `flatten`"),
    )
}

/// `flatten` on a type without fields.
pub fn flattened_scalar(ty: &Type) -> Error {
    message(
        ty,
        35,
        format_args!(
            "`{}` has no fields, and `flatten` makes the fields of a struct the arguments",
            compact(ty)
        ),
        "remove `flatten`: the parameter is an argument of its own then",
    )
}

/// A default of another kind than its argument.
pub fn default_of_other_type(on: &dyn ToTokens, is: &str, ty: &Type, remedy: &str) -> Error {
    message(on, 30, format_args!("this default is {is}, and its argument is `{}`", compact(ty)), remedy)
}

/// A constraint on a type that it says nothing about.
pub fn constraint_on(on: &dyn ToTokens, constraint: &str, of: &str, instead: &str) -> Error {
    message(on, 36, format_args!("`{constraint}` is for {of}"), instead)
}

/// A constraint that nothing checks.
pub fn unchecked_constraint(on: &dyn ToTokens, constraint: &str, kind: Kind) -> Error {
    message(
        on,
        37,
        format_args!(
            "`{constraint}` is checked for the arguments of tools, not for those of a {}",
            kind.noun()
        ),
        "check it in the function and return an error",
    )
}

/// `flatten` where arguments are single texts.
pub fn flattened_texts(on: &dyn ToTokens, kind: Kind) -> Error {
    message(
        on,
        38,
        format_args!("the arguments of a {} are single texts, each a parameter of its own", kind.noun()),
        "write a parameter for each field",
    )
}

/// `flatten` on a field.
pub fn flattened_field(on: &dyn ToTokens) -> Error {
    message(on, 38, "`#[arg(flatten)]` is for parameters", "on a field write `#[serde(flatten)]`")
}

/// Something that has no arguments of its own.
pub fn arg_misplaced(on: &dyn ToTokens, place: &str) -> Error {
    message(
        on,
        39,
        format_args!("`#[arg(…)]` goes on fields, and this is {place}"),
        "use `#[serde(…)]` or `#[schemars(…)]` here, such as `#[serde(rename = \"…\")]`",
    )
}

/// An option of `#[arg(…)]` that stands as an attribute.
pub fn option_as_attribute(on: &dyn ToTokens, name: &str, option: &str) -> Error {
    message(
        on,
        81,
        format_args!("a parameter has no attribute `{name}`"),
        format_args!("write `#[arg({option})]`"),
    )
}

/// An attribute of serde or schemars on a parameter; `option` says the same in `#[arg(…)]`.
pub fn attribute_of_fields(on: &dyn ToTokens, attribute: &str, option: Option<&str>) -> Error {
    let remedy = match option {
        Some(option) => format!("write `#[arg({option})]`"),
        None => "write it on a type with `#[derive(mcp::Args)]`, or on a field of one".to_owned(),
    };
    message(
        on,
        81,
        format_args!("`#[{attribute}(…)]` is for types and fields, and this is a parameter"),
        remedy,
    )
}

/// Something said of an argument, of what is none.
pub fn said_of_given(on: &dyn ToTokens, option: &str, ty: &Type) -> Error {
    message(
        on,
        82,
        format_args!("`{option}` is for arguments, and `{}` is given by the server", shown(ty)),
        "remove it",
    )
}

/// A shared value that would be an argument.
pub fn guarded_parameter(ty: &Type, guard: &Ident) -> Error {
    let shared = match last_segment(ty) {
        Some(last) if last.ident == "Arc" => shown(ty),
        _ => format!("std::sync::Arc<{}>", shown(ty)),
    };
    message(
        ty,
        83,
        format_args!(
            "this would be an argument of the client's, and `{guard}` guards what the server's tasks share"
        ),
        format_args!("take it as `mcp::State<{shared}>`, and give it to the server by `.state(…)`"),
    )
}

/// A field that has no name to change.
pub fn name_of_nameless(on: &dyn ToTokens) -> Error {
    message(on, 39, "this field has no name, so `name` cannot change it", "remove it, or name the field")
}

fn compact(tokens: &dyn ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

/// A default for what is never read.
pub fn default_of_output(on: &dyn ToTokens) -> Error {
    message(
        on,
        39,
        "a result is written and not read, so its fields have no `default`",
        "remove it, or derive `mcp::Data` if the type is an argument too",
    )
}
