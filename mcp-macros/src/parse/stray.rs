//! Attributes on a parameter that are written for another place, or are options of `#[arg(…)]` without it.

use quote::quote;
use syn::{Attribute, Meta};

use super::argument::KEYS;
use super::foreign::Foreign;
use crate::diagnostics::{self, Errors};

/// The words of serde and schemars that `#[arg(…)]` has too, and how it has them.
const WORDS: [(&str, &str); 8] = [
    ("default", "default"),
    ("rename", "name = \"…\""),
    ("flatten", "flatten"),
    ("title", "title = \"…\""),
    ("description", "description = \"…\""),
    ("range", "range = 1..=100"),
    ("length", "length = 1..=80"),
    ("regex", "pattern = \"…\""),
];

/// Takes them out of the list: the compiler would not know them.
pub fn refuse(attrs: &mut Vec<Attribute>, errors: &mut Errors) {
    attrs.retain(|attr| {
        let Some(name) = attr.path().get_ident().map(ToString::to_string) else { return true };
        if KEYS.contains(&name.as_str()) {
            errors.push(diagnostics::option_as_attribute(attr, &name, &as_option(&name, &attr.meta)));
            false
        } else if name == "serde" || name == "schemars" {
            let said = Foreign::of(std::slice::from_ref(attr), &name);
            let option = WORDS.iter().find(|(word, _)| said.has(word)).map(|(_, option)| *option);
            errors.push(diagnostics::attribute_of_fields(attr, &name, option));
            false
        } else {
            true
        }
    });
}

/// What an attribute says, as an option: `#[default = 3]` and `#[default(3)]` are `default = 3`.
fn as_option(name: &str, meta: &Meta) -> String {
    match meta {
        Meta::Path(_) => name.to_owned(),
        Meta::List(list) => format!("{name} = {}", list.tokens),
        Meta::NameValue(pair) => {
            let value = &pair.value;
            format!("{name} = {}", quote!(#value))
        }
    }
}
