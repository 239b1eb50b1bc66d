//! How a struct of plain fields is read: its names, and what is done with each. The rest is the same for all and stands in
//! the runtime, so that little is compiled for each type.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;

use super::fields;
use super::shadow::default_name;
use super::subject::{Field, Subject};

/// What is known of the struct.
pub fn shape(subject: &Subject, fields: &[Field]) -> TokenStream {
    let Subject { root, ident, about, .. } = subject;
    let itself = ident.unraw().to_string();
    let renamed = about.serde.text("rename", "deserialize").map(|name| name.value());
    let name = renamed.as_ref().unwrap_or(&itself);
    let names = fields.iter().map(|field| &field.name);
    let is_closed = about.serde.has("deny_unknown_fields");
    quote! {
        &#root::__private::Shape {
            itself: #itself,
            name: #name,
            fields: &[#(#names),*],
            is_closed: #is_closed,
        }
    }
}

/// The implementation of `Fields`.
pub fn fields(subject: &Subject, fields: &[Field]) -> TokenStream {
    let Subject { root, ident, .. } = subject;
    let reads = quote!(#root::__private::serde::Deserialize<'__mcp_de>);
    let bounds = fields::bounds(subject, &reads);
    let types = fields.iter().map(|field| &field.ty);
    let none = fields.iter().map(|_| quote!(::core::option::Option::None));
    let puts = fields.iter().enumerate().map(|(at, field)| {
        let place = Literal::usize_unsuffixed(at);
        match default(at, field) {
            Some(default) => quote!(#place => source.put_or(&mut values.#place, #default),),
            None => quote!(#place => source.put(&mut values.#place),),
        }
    });
    let locals: Vec<Ident> =
        (0..fields.len()).map(|at| format_ident!("f{at}", span = Span::mixed_site())).collect();
    let idents = fields.iter().map(|field| &field.ident);
    let traits = subject.traits();
    quote! {
        #[automatically_derived]
        impl<'__mcp_de> #traits::Fields<'__mcp_de> for #ident
        where
            #(#bounds,)*
        {
            type Values = (#(::core::option::Option<#types>,)*);
            fn none() -> Self::Values {
                (#(#none,)*)
            }
            fn put<__McpSource: #root::__private::FieldSource<'__mcp_de>>(
                values: &mut Self::Values,
                at: usize,
                source: __McpSource,
            ) -> ::core::result::Result<(), __McpSource::Error> {
                match at {
                    #(#puts)*
                    _ => source.skip(),
                }
            }
            fn whole(values: Self::Values) -> ::core::option::Option<Self> {
                let (#(::core::option::Option::Some(#locals),)*) = values else {
                    return ::core::option::Option::None;
                };
                ::core::option::Option::Some(Self { #(#idents: #locals),* })
            }
        }
    }
}

/// What gives the value of a field that is not there.
fn default(at: usize, field: &Field) -> Option<TokenStream> {
    field.default.as_ref().map(|_| default_name(0, at).into_token_stream())
}
