//! The derives. A derive cannot add derives, so each makes a shadow of the type for serde and schemars to work on,
//! and delegates to it.

mod bounds;
mod fields;
mod impls;
mod plain;
mod shadow;
mod subject;
mod validate;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::DeriveInput;

use crate::diagnostics::Errors;
use subject::Subject;

/// Which derive stands on a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derive {
    /// `#[derive(mcp::Args)]`
    Args,
    /// `#[derive(mcp::Output)]`
    Output,
    /// `#[derive(mcp::Data)]`
    Data,
    /// `#[derive(mcp::Form)]`
    Form,
}

impl Derive {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Args => "Args",
            Self::Output => "Output",
            Self::Data => "Data",
            Self::Form => "Form",
        }
    }

    /// Whether the type goes in.
    pub fn reads(self) -> bool {
        self != Self::Output
    }

    /// Whether the type comes out.
    pub fn writes(self) -> bool {
        matches!(self, Self::Output | Self::Data)
    }
}

/// Expands a derive. Where something is wrong, the traits are implemented all the same, so that nothing else seems
/// wrong.
pub fn derive(derive: Derive, item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let Some(mut subject) = Subject::of(derive, input, &mut errors) else { return quote!(#errors) };
    validate::check(&subject, &mut errors);
    subject.is_refused = !errors.is_empty();
    let shadows = shadow::items(&subject);
    let impls = impls::all(&subject);
    let (root, first) = (&subject.root, subject.first());
    let itself = format_ident!("{}", derive.name());
    quote! {
        #errors
        use #root::__private::derived::#itself as #first;
        #[doc(hidden)]
        #[allow(dead_code, deprecated, nonstandard_style, unused_qualifications, clippy::all, clippy::pedantic)]
        const _: () = {
            #shadows
            #impls
        };
    }
}
