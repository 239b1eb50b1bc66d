//! Compile-time checks of mirrored headers: their types, and that no two members of a tool share one.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use super::parameters::bracketed;
use crate::kind::Kind;
use crate::mirror::Mirror;
use crate::model::{Handler, Place};
use crate::{paths, types};

/// A member of a tool's arguments or of an argument type.
pub struct Member<'m> {
    /// Its name; empty where its own members stand in its place.
    pub name: &'m str,
    /// Its type.
    pub ty: &'m Type,
    /// The same as it is written between angle brackets.
    pub bracketed: TokenStream,
    /// The header it is mirrored to.
    pub mirror: Option<&'m Mirror>,
}

/// The checks of a tool.
pub fn checks(handler: &Handler) -> Option<TokenStream> {
    if handler.kind != Kind::Tool {
        return None;
    }
    let root = &handler.root;
    let members = handler.parameters.iter().enumerate().filter(|(_, one)| one.place != Place::Whole);
    let members = members.map(|(at, one)| Member {
        name: if one.place == Place::Flattened { "" } else { &one.name },
        ty: &one.ty,
        bracketed: bracketed(at, one),
        mirror: one.mirror.as_ref(),
    });
    let members: Vec<Member<'_>> = members.collect();
    let types =
        members.iter().filter(|one| one.mirror.is_some()).map(|one| header_value(root, &one.bracketed));
    let types: TokenStream = types.collect();
    let nodes = nodes(root, &members);
    // The macro has compared the parameters among each other; a clash beyond that takes a nested type.
    let nested = members.iter().any(|one| one.mirror.is_none() && !types::has_no_members(one.ty));
    let unique = nested.then(|| {
        let owner = format!("tool `{}`", handler.name.value());
        let span = handler.function.span();
        let root = paths::spanned(root, span);
        quote_spanned!(span=> const headers_are_unique: () = #root::__private::check(#owner, &[#nodes]);)
    });
    Some(quote!(#types #unique))
}

/// That a header can mirror the type.
pub fn header_value(root: &TokenStream, ty: &impl ToTokens) -> TokenStream {
    quote!(const _: () = #root::__private::mirrored::<#ty>();)
}

/// The nodes of the members: what is mirrored, and the types that may hold more.
pub fn nodes(root: &TokenStream, members: &[Member<'_>]) -> TokenStream {
    let node = |one: &Member<'_>| {
        let field = one.name;
        if let Some(Mirror { header, at }) = one.mirror {
            let at = place(at);
            return Some(quote!(#root::__private::Node::Header { field: #field, header: #header, at: #at }));
        }
        if types::has_no_members(one.ty) {
            return None;
        }
        let inside = types::inside_option(one.ty);
        let ty = if std::ptr::eq(inside, one.ty) { one.bracketed.clone() } else { quote!(#inside) };
        Some(quote! {
            #root::__private::Node::Nested {
                field: #field,
                of: {
                    #[allow(unused_imports)]
                    use #root::__private::NoMirrors as _;
                    #root::__private::Probe::<#ty>::MIRRORS
                },
            }
        })
    };
    let nodes = members.iter().filter_map(node);
    quote!(#(#nodes),*)
}

/// `file:line:column` of the first of the tokens.
fn place(tokens: &TokenStream) -> TokenStream {
    quote_spanned! {tokens.span()=>
        ::core::concat!(::core::file!(), ":", ::core::line!(), ":", ::core::column!())
    }
}
