//! Messages about the types that the derives stand on.

use quote::ToTokens;
use syn::Error;

use super::message;

/// A union.
pub fn union(on: &dyn ToTokens, derive: &str) -> Error {
    message(
        on,
        70,
        format_args!("`mcp::{derive}` goes on a struct or an enum, and this is a union"),
        "use an enum",
    )
}

/// A form that is not made of named fields.
pub fn form_shape(on: &dyn ToTokens) -> Error {
    message(
        on,
        71,
        "a form is a struct with named fields, which a person fills in",
        "write `struct Login { user: String }`; an enum without data can be the type of a field, with \
         `#[derive(mcp::Args)]`",
    )
}

/// An argument type that borrows.
pub fn borrowed_arguments(on: &dyn ToTokens, derive: &str) -> Error {
    message(
        on,
        72,
        format_args!(
            "`mcp::{derive}` is for types that own what they hold: a call is over before a borrow would be"
        ),
        "remove the lifetime, and write `String` in place of `&str`",
    )
}
