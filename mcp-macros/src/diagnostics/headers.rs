//! Messages about `#[x_mcp_header]`.

use quote::ToTokens;
use syn::{Error, LitStr, Type};

use super::message;
use crate::header::NoToken;

const CHARACTERS: &str =
    "write letters, digits and !#$%&'*+-.^_`|~ only, such as \"Region\" or \"Tenant-Id\"";

/// A text that cannot end a header name.
pub fn header_name(on: &LitStr, fault: NoToken) -> Error {
    let wrong = match fault {
        NoToken::Empty => "the name of a mirrored header is empty".to_owned(),
        NoToken::Holds(letter) => format!("the name of a mirrored header holds {letter:?}"),
    };
    message(on, 14, wrong, CHARACTERS)
}

/// An argument whose own name cannot end a header name.
pub fn header_from_name(on: &dyn ToTokens, argument: &str) -> Error {
    message(
        on,
        14,
        format_args!("no header can be named after the argument `{argument}`"),
        "write one: `#[x_mcp_header(\"Region\")]`",
    )
}

/// Two members are mirrored to one header.
pub fn header_twice(on: &dyn ToTokens, first: (&str, &str), second: (&str, &str)) -> Error {
    message(
        on,
        13,
        format_args!(
            "`{}` -> \"{}\" and `{}` -> \"{}\" are mirrored to one header (case is ignored)",
            first.0, first.1, second.0, second.1
        ),
        "give one of them another name",
    )
}

/// A type that cannot be mirrored.
pub fn header_type(ty: &Type) -> Error {
    let why = if matches!(crate::types::required(ty), crate::types::Plain::Float) {
        "floating-point numbers are left out by the protocol, since one number has many texts"
    } else {
        "lists, maps and objects are no single text"
    };
    let shown = ty.to_token_stream().to_string().replace(' ', "");
    message(
        ty,
        15,
        format_args!("a header cannot mirror `{shown}`"),
        format_args!(
            "mirror a string, an integer of at most 64 bits, a boolean or an enum without data: {why}"
        ),
    )
}

/// A place that no client looks for headers in.
pub fn header_misplaced(on: &dyn ToTokens, wrong: &str, remedy: &str) -> Error {
    message(on, 16, wrong, remedy)
}

/// The attribute in another form than it has.
pub fn header_form(on: &dyn ToTokens) -> Error {
    message(
        on,
        17,
        "`#[x_mcp_header]` takes nothing or one text",
        "write `#[x_mcp_header]` or `#[x_mcp_header(\"Region\")]`",
    )
}

/// The attribute twice on one member.
pub fn header_attribute_twice(on: &dyn ToTokens) -> Error {
    message(on, 17, "`#[x_mcp_header]` stands twice here", "remove one of them")
}
