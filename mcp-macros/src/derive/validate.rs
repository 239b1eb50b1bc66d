//! What the compiler, serde or schemars would explain badly or not at all.

use super::Derive;
use super::subject::{About, Body, Field, Style, Subject, Variant};
use crate::diagnostics::{self, Errors};
use crate::mirror;
use crate::types::{self, Plain};
use crate::validate::argument;

/// Notes everything that is wrong with the type.
pub fn check(subject: &Subject, errors: &mut Errors) {
    let derive = subject.derive;
    if derive.reads()
        && let Some(lifetime) = subject.generics.lifetimes().next()
    {
        errors.push(diagnostics::borrowed_arguments(&lifetime.lifetime, derive.name()));
    }
    misplaced(&subject.about, &format!("a type that derives `mcp::{}`", derive.name()), errors);
    for members in subject.members() {
        twins(&members.fields, errors);
    }
    match &subject.body {
        Body::Struct(members) => {
            if derive == Derive::Form && members.style != Style::Named {
                errors.push(diagnostics::form_shape(&subject.ident));
            }
            for field in &members.fields {
                check_field(subject, field, errors);
                if let Some(wrong) = unmirrored(derive, field) {
                    refuse_header(field, wrong, errors);
                }
            }
            let mirrored =
                members.fields.iter().filter_map(|one| Some((one.name.as_str(), one.mirror.as_ref()?)));
            mirror::refuse_twins(mirrored, errors);
        }
        Body::Enum(variants) => {
            if derive == Derive::Form {
                errors.push(diagnostics::form_shape(&subject.ident));
            }
            for variant in variants {
                misplaced(&variant.about, "a variant", errors);
                tagged(subject, variant, errors);
                for field in &variant.members.fields {
                    check_field(subject, field, errors);
                    refuse_header(
                        field,
                        "clients look for mirrored arguments in plain objects, not in enums",
                        errors,
                    );
                }
            }
        }
    }
}

/// Two fields of one name on the wire, as far as their own attributes tell.
fn twins(fields: &[Field], errors: &mut Errors) {
    let is_named = |field: &&Field| {
        field.ident.is_some() && !field.about.skips_reading() && !field.about.serde.has("flatten")
    };
    let named: Vec<&Field> = fields.iter().filter(is_named).collect();
    for (at, one) in named.iter().enumerate() {
        if named[..at].iter().any(|other| other.name == one.name) {
            match &one.said.name {
                Some(name) => errors.push(diagnostics::argument_twice(name, &one.name)),
                None => errors.push(diagnostics::argument_twice(&one.ident, &one.name)),
            }
        }
    }
}

/// A tag stands among the fields of a variant: what has none cannot be told by one.
fn tagged(subject: &Subject, variant: &Variant, errors: &mut Errors) {
    let serde = &subject.about.serde;
    let is_among_fields = serde.has("tag") && !serde.has("content");
    if let (true, Style::Tuple, [field]) = (is_among_fields, variant.members.style, &*variant.members.fields)
        && (types::is_scalar(&field.ty) || types::required(&field.ty) == Plain::List)
        && !variant.about.serde.has("untagged")
        && !variant.about.skips_reading()
        && !field.about.skips_reading()
    {
        errors.push(diagnostics::tagged_without_fields(&field.ty, &variant.ident));
    }
}

fn check_field(subject: &Subject, field: &Field, errors: &mut Errors) {
    let (derive, said) = (subject.derive, &field.said);
    let has_lifetime = subject.generics.lifetimes().next().is_some();
    if let (true, Some(borrow)) = (derive.reads() && !has_lifetime, field.borrows()) {
        errors.push(diagnostics::borrowed_field(borrow, derive.name()));
    }
    if types::is_given(&field.ty) {
        errors.push(diagnostics::given_field(&field.ty, derive.name()));
    }
    if let Some(inner) = types::inside_json(&field.ty) {
        errors.push(diagnostics::json_field(&field.ty, inner));
    }
    argument::check(said, &field.ty, errors);
    if let Some(key) = &said.flatten {
        errors.push(diagnostics::flattened_field(key));
    }
    if let (Some(name), None) = (&said.name, &field.ident) {
        errors.push(diagnostics::name_of_nameless(name));
    }
    if let (Derive::Output, Some(default)) = (derive, &said.default) {
        errors.push(diagnostics::default_of_output(&default.key));
    }
}

/// Why no header can mirror the field.
fn unmirrored(derive: Derive, field: &Field) -> Option<&'static str> {
    if derive == Derive::Output {
        Some("results are not mirrored into headers, arguments are")
    } else if derive == Derive::Form {
        Some("forms are not mirrored into headers, arguments are")
    } else if field.ident.is_none() {
        Some("a mirrored argument is a field with a name")
    } else if field.about.skips_reading() {
        Some("this field is skipped, so it is no argument that a header could mirror")
    } else if field.about.serde.has("flatten") {
        Some("a flattened struct is no argument itself, so no header mirrors it")
    } else {
        None
    }
}

fn refuse_header(field: &Field, wrong: &str, errors: &mut Errors) {
    if let Some(header) = &field.said.header {
        errors.push(diagnostics::header_misplaced(
            &header.attribute,
            wrong,
            "remove it, or write it on a parameter of the tool or a named field of a `mcp::Args` struct",
        ));
    }
}

fn misplaced(about: &About, place: &str, errors: &mut Errors) {
    for attr in &about.misplaced {
        errors.push(diagnostics::arg_misplaced(attr, place));
    }
}
