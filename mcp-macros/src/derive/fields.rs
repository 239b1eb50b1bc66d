//! Fields whose type lacks a trait. serde and schemars would say so several times and in other words.
//!
//! What they derive on the shadow is made to depend on the types of the fields, so that it is simply not there where
//! one lacks a trait; the type then takes what the runtime has for that case, and one check of each field speaks.
//! Types with parameters do without: there the compiler could not tell a missing trait from one that it cannot see.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericParam, Type, parse_quote};

use super::Derive;
use super::subject::{Field, Subject};
use crate::types;

/// The fields that are checked, with their number.
fn checked(subject: &Subject) -> impl Iterator<Item = (usize, &Field)> {
    let depends = is_conditional(subject);
    subject
        .fields()
        .enumerate()
        .filter(move |(_, field)| depends && !types::is_scalar(&field.ty) && is_plain(subject, field))
}

/// Whether what is derived on the shadow depends on the types of its fields.
pub fn is_conditional(subject: &Subject) -> bool {
    let told = |key: &str| subject.about.serde.has(key) || subject.about.schemars.has(key);
    let keys = ["bound", "from", "try_from", "into", "with", "schema_with"];
    subject.generics.params.is_empty() && !keys.into_iter().any(told)
}

/// Whether serde and schemars see the type of the field, all of it and always.
fn is_plain(subject: &Subject, field: &Field) -> bool {
    if subject.derive.reads() && field.borrows().is_some() {
        return false;
    }
    let told = |key: &str| field.about.serde.has(key) || field.about.schemars.has(key);
    let keys = [
        "skip",
        "skip_deserializing",
        "skip_serializing",
        "with",
        "deserialize_with",
        "serialize_with",
        "schema_with",
        "bound",
        "borrow",
    ];
    !keys.into_iter().any(told)
}

/// Names for the types, which attributes can write: they hold texts, and not every type has one (`$crate::Type`).
pub fn aliases(subject: &Subject) -> TokenStream {
    checked(subject)
        .map(|(at, field)| {
            let (alias, ty) = (alias(at), &field.ty);
            quote!(type #alias = #ty;)
        })
        .collect()
}

fn alias(at: usize) -> Ident {
    format_ident!("__McpField{at}", span = Span::mixed_site())
}

/// The attributes by which what serde derives depends on the types.
pub fn conditions_of_values(subject: &Subject) -> TokenStream {
    let root = &subject.root;
    let reads = subject.reads_by_serde().then(|| {
        conditions(subject, &quote!(#root::__private::serde::Deserialize<'de>))
            .map(|bounds| quote!(#[serde(bound(deserialize = #bounds))]))
    });
    let writes = subject.writes().then(|| {
        conditions(subject, &quote!(#root::__private::serde::Serialize))
            .map(|bounds| quote!(#[serde(bound(serialize = #bounds))]))
    });
    let (reads, writes) = (reads.flatten(), writes.flatten());
    quote!(#reads #writes)
}

/// The attribute by which what schemars derives depends on the types.
pub fn conditions_of_schema(subject: &Subject) -> Option<TokenStream> {
    let root = &subject.root;
    conditions(subject, &quote!(#root::__private::schemars::JsonSchema))
        .map(|bounds| quote!(#[schemars(bound = #bounds)]))
}

fn conditions(subject: &Subject, bound: &TokenStream) -> Option<String> {
    has_checked(subject).then(|| {
        let bounds = bounds(subject, bound);
        quote!(#(#bounds),*).to_string()
    })
}

/// That the types have the trait.
pub fn bounds(subject: &Subject, bound: &TokenStream) -> impl Iterator<Item = TokenStream> {
    checked(subject).map(move |(at, _)| {
        let alias = alias(at);
        // A bound without parameters is checked here and now, but for those over a lifetime.
        quote!(for<'__mcp> #alias: #bound)
    })
}

/// Whether there are any fields to check.
pub fn has_checked(subject: &Subject) -> bool {
    checked(subject).next().is_some()
}

/// A parameter that means nothing: schemars hears `bound` on types with parameters only.
pub fn marker(subject: &Subject) -> Option<GenericParam> {
    has_checked(subject).then(|| parse_quote!(const __MCP: bool))
}

/// Its value, where the shadow is used.
pub fn marker_value(subject: &Subject) -> Option<TokenStream> {
    has_checked(subject).then(|| quote!(<true>))
}

/// The checks.
pub fn checks(subject: &Subject) -> TokenStream {
    let Subject { root, derive, .. } = subject;
    let check = |field: &Field| {
        let ty = &field.ty;
        let of = match derive {
            Derive::Form if !field.about.serde.has("flatten") => "flat_field",
            Derive::Args | Derive::Form => "read_field",
            Derive::Output => "written_field",
            Derive::Data => "data_field",
        };
        let of = format_ident!("{of}");
        quote!(const _: () = #root::__private::#of::<#ty>();)
    };
    // Of fields that are refused by their name enough is said.
    let is_refused = |ty: &Type| types::is_given(ty) || types::inside_json(ty).is_some();
    checked(subject).map(|(_, field)| field).filter(|field| !is_refused(&field.ty)).map(check).collect()
}
