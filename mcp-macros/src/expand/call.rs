//! The closure that runs the function for a call.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::parameters;
use crate::model::Handler;

/// A closure of the scope, which gives a boxed future of what `convert` makes of the function's result.
pub fn call(handler: &Handler, convert: impl FnOnce(TokenStream) -> TokenStream) -> TokenStream {
    let scope = Ident::new("scope", Span::mixed_site());
    let future = future(handler, &scope, convert);
    quote!(|#scope| #future)
}

/// The same with a second parameter.
pub fn call_with(
    handler: &Handler,
    second: &Ident,
    convert: impl FnOnce(TokenStream) -> TokenStream,
) -> TokenStream {
    let scope = Ident::new("scope", Span::mixed_site());
    let future = future(handler, &scope, convert);
    quote!(|#scope, #second| #future)
}

fn future(handler: &Handler, scope: &Ident, convert: impl FnOnce(TokenStream) -> TokenStream) -> TokenStream {
    let Handler { root, function, options, is_async, .. } = handler;
    let (take, names) = parameters::take(handler, scope);
    let result = if *is_async {
        quote!(#function(#(#names),*).await)
    } else if options.blocking.is_some() {
        quote_spanned!(function.span()=> #root::__private::blocking(move || #function(#(#names),*)).await)
    } else {
        quote!(#function(#(#names),*))
    };
    let converted = convert(result);
    // A future that is not `Send` is reported here.
    quote_spanned!(function.span()=> ::std::boxed::Box::pin(async move { #take #converted }))
}
