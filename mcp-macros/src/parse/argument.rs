//! `#[arg(…)]` and `#[x_mcp_header]`, on a parameter or a field.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Expr, LitStr, Meta};

use super::list::{List, Value, Written};
use crate::bounds::{Length, NoBounds, Range};
use crate::diagnostics::{self, Errors};

/// The options of `#[arg(…)]`.
pub const KEYS: [&str; 8] =
    ["name", "title", "description", "default", "range", "length", "pattern", "flatten"];

/// What is said of one argument beside its type.
#[derive(Debug, Default)]
pub struct Said {
    /// `name`
    pub name: Option<LitStr>,
    /// `title`
    pub title: Option<LitStr>,
    /// `description`
    pub description: Option<LitStr>,
    /// `default`
    pub default: Option<Fallback>,
    /// `range`
    pub range: Option<Bounds<Range>>,
    /// `length`
    pub length: Option<Bounds<Length>>,
    /// `pattern`, with its key.
    pub pattern: Option<(Ident, LitStr)>,
    /// `flatten`
    pub flatten: Option<Ident>,
    /// `#[x_mcp_header]`
    pub header: Option<Header>,
}

/// A value for calls that give none.
#[derive(Clone, Debug)]
pub struct Fallback {
    /// The key.
    pub key: Ident,
    /// The value; the type's own default where there is none.
    pub value: Option<Expr>,
}

/// Bounds, with what they were read from.
#[derive(Debug)]
pub struct Bounds<B> {
    /// The key.
    pub key: Ident,
    /// What is written.
    pub written: Expr,
    /// What it means.
    pub bounds: B,
}

/// `#[x_mcp_header]`
#[derive(Debug)]
pub struct Header {
    /// The attribute.
    pub attribute: TokenStream,
    /// The name that it gives.
    pub name: Option<LitStr>,
}

impl Said {
    /// Takes the attributes that are ours out of the list.
    pub fn take(attrs: &mut Vec<Attribute>, errors: &mut Errors) -> Self {
        let mut said = Self::default();
        let mut keys = Vec::new();
        attrs.retain(|attr| {
            if attr.path().is_ident("arg") {
                said.arg(attr, &mut keys, errors);
                false
            } else if attr.path().is_ident("x_mcp_header") {
                said.header(attr, errors);
                false
            } else {
                true
            }
        });
        said
    }

    fn arg(&mut self, attr: &Attribute, keys: &mut Vec<Ident>, errors: &mut Errors) {
        let tokens = match &attr.meta {
            Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        let list = List::parse(tokens, errors);
        if list.target.is_some() || list.written.is_empty() {
            errors.push(diagnostics::no_option(attr));
        } else {
            list.refuse_texts(errors);
        }
        for one in list.written {
            if !KEYS.contains(&one.key.to_string().as_str()) {
                errors.push(diagnostics::unknown_option(&one.key, "#[arg]", &KEYS));
            } else if keys.contains(&one.key) {
                errors.push(diagnostics::option_twice(&one.key));
            } else {
                self.set(&one, errors);
                keys.push(one.key);
            }
        }
    }

    fn set(&mut self, one: &Written, errors: &mut Errors) {
        match one.key.to_string().as_str() {
            "name" => self.name = one.text(errors),
            "title" => self.title = one.text(errors),
            "description" => self.description = one.text(errors),
            "pattern" => self.pattern = one.text(errors).map(|text| (one.key.clone(), text)),
            "flatten" => self.flatten = one.bare(errors).map(|()| one.key.clone()),
            "range" => self.range = bounds(one, Range::of, diagnostics::range, errors),
            "length" => self.length = bounds(one, Length::of, diagnostics::length, errors),
            "default" => {
                let value = match &one.value {
                    Value::Absent => Some(None),
                    _ => one.expr("a value", "`default = 100`, or `default` alone", errors).map(Some),
                };
                self.default = value.map(|value| Fallback { key: one.key.clone(), value });
            }
            _ => {}
        }
    }

    fn header(&mut self, attr: &Attribute, errors: &mut Errors) {
        if self.header.is_some() {
            errors.push(diagnostics::header_attribute_twice(attr));
            return;
        }
        let name = match &attr.meta {
            Meta::Path(_) => None,
            Meta::List(_) => match attr.parse_args() {
                Ok(name) => Some(name),
                Err(_) => return errors.push(diagnostics::header_form(attr)),
            },
            Meta::NameValue(_) => return errors.push(diagnostics::header_form(attr)),
        };
        self.header = Some(Header { attribute: attr.to_token_stream(), name });
    }
}

fn bounds<B>(
    one: &Written,
    read: fn(&Expr) -> Result<B, NoBounds>,
    refuse: fn(&dyn ToTokens, NoBounds) -> syn::Error,
    errors: &mut Errors,
) -> Option<Bounds<B>> {
    let read = match &one.value {
        Value::Expr(written) => read(written)
            .map(|bounds| Bounds { key: one.key.clone(), written: (**written).clone(), bounds })
            .map_err(|fault| refuse(written, fault)),
        Value::Absent => Err(refuse(&one.key, NoBounds::Form)),
        Value::Unreadable(tokens) => Err(refuse(tokens, NoBounds::Form)),
    };
    read.map_err(|error| errors.push(error)).ok()
}
