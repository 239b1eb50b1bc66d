//! Messages about the types that the derives stand on.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Error, Type, TypeReference};

use super::message;
use crate::types::{owned, shown};

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

/// A field that borrows.
pub fn borrowed_field(on: &TypeReference, derive: &str) -> Error {
    let owned = owned(&on.elem).unwrap_or_else(|| shown(&on.elem));
    message(
        on,
        72,
        format_args!("a field of `mcp::{derive}` owns its value, there is nothing to borrow it from"),
        format_args!("write `{owned}`"),
    )
}

/// A variant of a tagged enum that holds what has no fields.
pub fn tagged_without_fields(ty: &Type, variant: &Ident) -> Error {
    message(
        ty,
        74,
        format_args!("`tag` stands among the fields of a variant, and `{}` has none", shown(ty)),
        format_args!(
            "name the field, as in `{variant} {{ value: {} }}`, or say where it stands: \
             `#[serde(tag = \"…\", content = \"value\")]`",
            shown(ty)
        ),
    )
}

/// A field of a type that the server gives.
pub fn given_field(ty: &Type, derive: &str) -> Error {
    message(
        ty,
        73,
        format_args!("`{}` is given by the server, so it is no field of `mcp::{derive}`", shown(ty)),
        "take it as a parameter of the handler",
    )
}

/// A field that is wrapped like a result.
pub fn json_field(ty: &Type, inner: &Type) -> Error {
    message(
        ty,
        73,
        format_args!("`{}` is what handlers return, and fields are written as they are", shown(ty)),
        format_args!("write `{}`", shown(inner)),
    )
}
