//! Arguments that are mirrored to headers, and which two share one.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Type;

use crate::diagnostics::{self, Errors};
use crate::header;
use crate::parse::argument::Header;
use crate::types::{self, Plain};

/// A member that is mirrored to a header.
#[derive(Clone, Debug)]
pub struct Mirror {
    /// The header, without `Mcp-Param-`.
    pub header: String,
    /// Where that is written: the text, or the attribute that gives none.
    pub at: TokenStream,
}

impl Mirror {
    /// The header of a member of that name and type, if it can have one.
    pub fn of(written: &Header, member: &str, ty: &Type, errors: &mut Errors) -> Option<Self> {
        let header = match &written.name {
            Some(name) => {
                if let Err(fault) = header::token(&name.value()) {
                    errors.push(diagnostics::header_name(name, fault));
                    return None;
                }
                name.value()
            }
            None => header::spelled(member),
        };
        if header::token(&header).is_err() {
            errors.push(diagnostics::header_from_name(&written.attribute, member));
            return None;
        }
        if matches!(types::required(ty), Plain::Float | Plain::List | Plain::Map) {
            errors.push(diagnostics::header_type(ty));
            return None;
        }
        let at = written.name.as_ref().map_or_else(|| written.attribute.clone(), ToTokens::to_token_stream);
        Some(Self { header, at })
    }
}

/// Notes every member whose header another before it has, case ignored.
pub fn refuse_twins<'m>(members: impl Iterator<Item = (&'m str, &'m Mirror)>, errors: &mut Errors) {
    let mut seen: Vec<(&str, &Mirror)> = Vec::new();
    for (name, mirror) in members {
        match seen.iter().find(|(_, other)| other.header.eq_ignore_ascii_case(&mirror.header)) {
            Some((first, other)) => errors.push(diagnostics::header_twice(
                &mirror.at,
                (first, &other.header),
                (name, &mirror.header),
            )),
            None => seen.push((name, mirror)),
        }
    }
}
