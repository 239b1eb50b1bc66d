//! The entry that the runtime collects.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::ext::IdentExt;

use super::{mirrors, parameters, what};
use crate::model::Handler;

/// The item that holds all that is generated.
pub fn registration(handler: &Handler) -> TokenStream {
    let Handler { root, cfgs, .. } = handler;
    let registration = handler.registration();
    // A constant of the function's place: of a misspelt type in it the compiler says what it says of the function's.
    let entry = Ident::new("__mcp_entry", handler.function.span());
    let items = parameters::items(handler);
    let checks = mirrors::checks(handler);
    let site = site(handler);
    let common = common(handler);
    let what = what::what(handler);
    // A trait, since the compiler refuses one within an `impl` block before it looks for what is not found there.
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(nonstandard_style, dead_code, deprecated, unused_qualifications, clippy::all, clippy::pedantic)]
        trait #registration {
            const OF: () = {
                #items
                #checks
                const #entry: #root::__private::Entry =
                    #root::__private::Entry { site: #site, common: #common, what: #what };
                #root::__private::inventory::submit! { #entry }
            };
        }
    }
}

fn site(handler: &Handler) -> TokenStream {
    let Handler { root, function, .. } = handler;
    let name = function.unraw().to_string();
    let line = quote_spanned!(function.span()=> ::core::line!());
    let column = quote_spanned!(function.span()=> ::core::column!());
    let file = quote_spanned!(function.span()=> ::core::file!());
    quote! {
        #root::__private::Site {
            file: #file,
            line: #line,
            column: #column,
            package: ::core::env!("CARGO_PKG_NAME"),
            version: ::core::env!("CARGO_PKG_VERSION"),
            function: #name,
        }
    }
}

fn common(handler: &Handler) -> TokenStream {
    let Handler { root, name, docs, options, .. } = handler;
    let title = option(options.title.as_ref());
    let group = option(options.group.as_ref());
    let order = options.order.unwrap_or(0);
    let icons = option(options.icons.as_ref().map(|icons| quote!(|| #root::__private::icons(#icons))));
    let meta = option(options.meta.as_ref().map(|meta| quote!(|| #root::__private::meta(#meta))));
    quote! {
        #root::__private::Common {
            name: #name,
            title: #title,
            description: #docs,
            group: #group,
            order: #order,
            icons: #icons,
            meta: #meta,
        }
    }
}

/// `Some` or `None`, whatever the user's module calls them.
pub fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// A schema as `fn() -> Value`: a function as it is, anything else as what the function gives.
pub fn schema(written: &Expr) -> TokenStream {
    match written {
        Expr::Path(_) | Expr::Closure(_) => written.to_token_stream(),
        value => quote!(|| #value),
    }
}
