//! The path of the runtime crate as the user's crate knows it.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::Path;

/// The path as if it were written at that place.
pub fn spanned(path: &TokenStream, span: Span) -> TokenStream {
    let at = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    path.clone().into_iter().map(at).collect()
}

/// What `crate = …` says, else what `Cargo.toml` says, else `::mcp_runtime`.
pub fn root(written: Option<&Path>) -> TokenStream {
    if let Some(path) = written {
        return quote!(#path);
    }
    // The package's own examples, tests and doctests reach it by its name too.
    let name = match crate_name("mcp-runtime") {
        Ok(FoundCrate::Name(name)) => Ident::new(&name, Span::call_site()),
        Ok(FoundCrate::Itself) | Err(_) => Ident::new("mcp_runtime", Span::call_site()),
    };
    quote!(::#name)
}
