//! The parameters: what the macro knows of them, their defaults, how they are described and taken out of a call.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, Type};

use super::entry::option;
use crate::bounds::{Length, Number, Range};
use crate::model::{Handler, Parameter, Place};
use crate::parse::argument::Fallback;
use crate::paths;
use crate::types::{self, Plain};

/// The items that the registration refers to: a `ParamSpec` for each parameter, a function for each default.
pub fn items(handler: &Handler) -> TokenStream {
    let root = &handler.root;
    handler
        .parameters
        .iter()
        .enumerate()
        .map(|(at, parameter)| {
            let spec = spec(root, parameter);
            let name = spec_name(at);
            let default = default_function(handler, at, parameter);
            let alias = alias(at, parameter).map(|alias| {
                let ty = &parameter.ty;
                quote!(type #alias = #ty;)
            });
            quote! {
                #alias
                static #name: #root::__private::ParamSpec = #spec;
                #default
            }
        })
        .collect()
}

fn spec_name(at: usize) -> Ident {
    format_ident!("__MCP_PARAMETER_{at}", span = Span::mixed_site())
}

fn default_name(handler: &Handler, at: usize) -> Ident {
    format_ident!("__mcp_default_{at}", span = handler.function.span())
}

/// Another name for a type of one word. Of a word that is no type the compiler says one thing alone and another between
/// angle brackets; what stands alone in the function is to be asked for alone, so that it is one error.
fn alias(at: usize, parameter: &Parameter) -> Option<Ident> {
    let word = types::word(&parameter.ty).filter(|_| !types::has_no_members(&parameter.ty))?;
    Some(format_ident!("__McpParameter{at}", span = word.span()))
}

/// The type of the parameter between angle brackets.
pub fn bracketed(at: usize, parameter: &Parameter) -> TokenStream {
    alias(at, parameter).map_or_else(|| parameter.ty.to_token_stream(), |alias| alias.to_token_stream())
}

fn spec(root: &TokenStream, parameter: &Parameter) -> TokenStream {
    let Parameter { name, docs, said, place, mirror, .. } = parameter;
    let docs = (!docs.is_empty()).then(|| quote!(description: #docs,));
    let place = match place {
        Place::Named => None,
        Place::Flattened => Some(quote!(place: #root::__private::Place::Flattened,)),
        Place::Whole => Some(quote!(place: #root::__private::Place::Whole,)),
    };
    let field = |name: &str, value: Option<TokenStream>| {
        let name = format_ident!("{name}");
        value.map(|value| quote!(#name: ::core::option::Option::Some(#value),))
    };
    let title = field("title", said.title.as_ref().map(ToTokens::to_token_stream));
    let header = field("header", mirror.as_ref().map(|mirror| mirror.header.to_token_stream()));
    let range = field("range", said.range.as_ref().map(|range| range_tokens(root, &range.bounds)));
    let length = field("length", said.length.as_ref().map(|length| length_tokens(root, &length.bounds)));
    let pattern = field("pattern", said.pattern.as_ref().map(|(_, pattern)| pattern.to_token_stream()));
    let known = quote!(#docs #title #place #header #range #length #pattern);
    if known.is_empty() {
        quote!(#root::__private::ParamSpec::named(#name))
    } else {
        quote!(#root::__private::ParamSpec { #known ..#root::__private::ParamSpec::named(#name) })
    }
}

fn range_tokens(root: &TokenStream, range: &Range) -> TokenStream {
    let end = |number: Option<Number>| option(number.map(|number| number.to_string()));
    let (minimum, maximum, below) = (end(range.minimum), end(range.maximum), end(range.below));
    quote! {
        #root::__private::Range {
            minimum: #minimum,
            above: ::core::option::Option::None,
            maximum: #maximum,
            below: #below,
        }
    }
}

fn length_tokens(root: &TokenStream, length: &Length) -> TokenStream {
    let (minimum, maximum) = (option(length.minimum), option(length.maximum));
    quote!(#root::__private::Length { minimum: #minimum, maximum: #maximum })
}

/// A function, so that a default of another type is one error, which points at the type that was asked for.
fn default_function(handler: &Handler, at: usize, parameter: &Parameter) -> Option<TokenStream> {
    let fallback = parameter.said.default.as_ref()?;
    let name = default_name(handler, at);
    let ty = &parameter.ty;
    let value = default_value(&handler.root, fallback, ty);
    Some(quote!(fn #name() -> #ty { #value }))
}

/// The expression that a default stands for.
pub fn default_value(root: &TokenStream, fallback: &Fallback, ty: &Type) -> TokenStream {
    let Some(value) = &fallback.value else {
        return quote_spanned!(fallback.key.span()=> ::core::default::Default::default());
    };
    let is_text = matches!(value, Expr::Lit(ExprLit { lit: Lit::Str(_), .. }));
    let is_literal = is_text || Number::of(value).is_some() || matches!(value, Expr::Lit(_));
    let converted = if is_text {
        let root = paths::spanned(root, value.span());
        quote_spanned!(value.span()=> #root::__private::FromText::from_text(#value))
    } else {
        value.to_token_stream()
    };
    if is_literal && matches!(types::plain(ty), Plain::Optional(_)) {
        quote!(::core::option::Option::Some(#converted))
    } else {
        converted
    }
}

/// The closure that describes the parameters.
pub fn describe(handler: &Handler) -> TokenStream {
    if handler.parameters.is_empty() {
        return quote!(|_| {});
    }
    let describe = Ident::new("describe", Span::mixed_site());
    let calls = handler.parameters.iter().enumerate().map(|(at, parameter)| {
        let (spec, ty) = (spec_name(at), bracketed(at, parameter));
        let shown = option(parameter.said.default.as_ref().map(|_| shown(handler, at)));
        quote!(#spec.of::<#ty>().way().describe::<#ty>(#describe, #shown);)
    });
    quote!(|#describe| { #(#calls)* })
}

/// The default in JSON, where its type has any.
fn shown(handler: &Handler, at: usize) -> TokenStream {
    let root = &handler.root;
    let default = default_name(handler, at);
    quote!({
        #[allow(unused_imports)]
        use #root::__private::{ShownAsChoice as _, ShownNever as _};
        (&#root::__private::Shown(&#default())).shown()
    })
}

/// Statements that take every parameter out of the call, and the names that hold them then.
pub fn take(handler: &Handler, scope: &Ident) -> (TokenStream, Vec<Ident>) {
    let root = &handler.root;
    if handler.parameters.is_empty() {
        return (quote!(::core::mem::drop(#scope);), Vec::new());
    }
    let faults = Ident::new("faults", Span::mixed_site());
    let names: Vec<Ident> =
        (0..handler.parameters.len()).map(|at| format_ident!("p{at}", span = Span::mixed_site())).collect();
    let takes = handler.parameters.iter().enumerate().map(|(at, parameter)| {
        let (spec, ty, name) = (spec_name(at), bracketed(at, parameter), &names[at]);
        let default = option(parameter.said.default.as_ref().map(|_| default_name(handler, at)));
        quote!(let #name = #spec.of::<#ty>().way().take::<#ty>(&mut #faults, &#scope, #default);)
    });
    let statements = quote! {
        let (#(#names,)*) = {
            let mut #faults = #root::__private::Faults::new();
            #(#takes)*
            ::core::mem::drop(#scope);
            match (#(#names,)*) {
                (#(::core::option::Option::Some(#names),)*) => (#(#names,)*),
                _ => {
                    return ::core::result::Result::Err(::core::convert::From::from(#faults));
                }
            }
        };
    };
    (statements, names)
}
