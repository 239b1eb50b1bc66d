//! Every message, one constructor each: what is wrong on the first line, what to write instead on the second.

mod arguments;
mod derives;
mod headers;
mod options;
mod signature;
mod uris;

pub use arguments::*;
pub use derives::*;
pub use headers::*;
pub use options::*;
pub use signature::*;
pub use uris::*;

use std::fmt::Display;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::Error;

/// What is wrong with one item, all of it.
#[derive(Debug, Default)]
pub struct Errors(Vec<Error>);

impl Errors {
    /// Notes a mistake.
    pub fn push(&mut self, error: Error) {
        self.0.push(error);
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl ToTokens for Errors {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().map(Error::to_compile_error));
    }
}

/// A message on the tokens that are wrong.
fn message(on: &dyn ToTokens, code: u16, wrong: impl Display, remedy: impl Display) -> Error {
    Error::new_spanned(on.to_token_stream(), text(code, wrong, remedy))
}

/// What a message says.
fn text(code: u16, wrong: impl Display, remedy: impl Display) -> String {
    format!("MCP{code:03}: {wrong}\nhelp: {remedy}")
}

/// A token that stands for the whole attribute, to say what is missing in it.
fn attribute() -> Ident {
    Ident::new("attribute", Span::call_site())
}

/// Names in a row: `` `a`, `b` and `c` ``.
fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}
