//! The traits of the type itself, which delegate to its shadow.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::parse_quote;

use super::Derive;
use super::bounds::{Side, with_bounds};
use super::fields;
use super::plain;
use super::shadow;
use super::subject::{Body, Field, Members, Style, Subject};
use crate::expand::{self, Member};

/// All the traits that the derive stands for.
pub fn all(subject: &Subject) -> TokenStream {
    let derive = subject.derive;
    let deserialize = derive.reads().then(|| deserialize(subject));
    let serialize = derive.writes().then(|| serialize(subject));
    let schema = schema(subject);
    let args = derive.reads().then(|| args(subject));
    let form = (derive == Derive::Form).then(|| form(subject));
    let single = matches!(derive, Derive::Args | Derive::Data).then(|| single_value(subject));
    let checks = fields::checks(subject);
    quote!(#deserialize #serialize #schema #args #form #single #checks)
}

/// Brings what stands in for a missing trait into scope: one that a field lacks, or that was not derived since serde or
/// schemars refuse an attribute. Nothing uses it where none is missing.
fn import(root: &TokenStream, name: &str) -> TokenStream {
    let name = format_ident!("{name}");
    quote! {
        #[allow(unused_imports)]
        use #root::__private::#name as _;
    }
}

fn deserialize(subject: &Subject) -> TokenStream {
    let Subject { root, ident, .. } = subject;
    let traits = subject.traits();
    let shadow = shadow::values();
    let (_, parameters, _) = subject.generics.split_for_impl();
    let turbofish = parameters.as_turbofish();
    let mut generics = with_bounds(subject, Side::Reads);
    generics.params.insert(0, parse_quote!('__mcp_de));
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let plain = subject.plain().filter(|_| subject.reads());
    let body = if let Some(fields) = plain {
        let fallback = fields::has_checked(subject).then(|| import(root, "NotRead"));
        let shape = plain::shape(subject, fields);
        quote!(#fallback #root::__private::Read::<Self>::fields(source, #shape))
    } else if subject.reads() {
        let fallback = import(root, "NotRead");
        quote!(#fallback #shadow #turbofish::deserialize(source))
    } else {
        quote!(<() as #root::__private::NotRead>::deserialize(source))
    };
    let plain = plain.map(|fields| plain::fields(subject, fields));
    quote! {
        #plain
        #[automatically_derived]
        impl #impl_generics #traits::Deserialize<'__mcp_de> for #ident #parameters #where_clause {
            fn deserialize<__McpSource>(source: __McpSource) -> ::core::result::Result<Self, __McpSource::Error>
            where
                __McpSource: #root::__private::serde::Deserializer<'__mcp_de>,
            {
                #body
            }
        }
    }
}

fn serialize(subject: &Subject) -> TokenStream {
    let Subject { root, ident, .. } = subject;
    let traits = subject.traits();
    let shadow = shadow::values();
    let (_, parameters, _) = subject.generics.split_for_impl();
    let turbofish = parameters.as_turbofish();
    let generics = with_bounds(subject, Side::Writes);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let body = if subject.writes() {
        let fallback = import(root, "NotWritten");
        quote!(#fallback #shadow #turbofish::serialize(self, target))
    } else {
        quote!(<() as #root::__private::NotWritten>::serialize(self, target))
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #traits::Serialize for #ident #parameters #where_clause {
            fn serialize<__McpTarget>(
                &self,
                target: __McpTarget,
            ) -> ::core::result::Result<__McpTarget::Ok, __McpTarget::Error>
            where
                __McpTarget: #root::__private::serde::Serializer,
            {
                #body
            }
        }
    }
}

fn schema(subject: &Subject) -> TokenStream {
    let Subject { root, ident, .. } = subject;
    let traits = subject.traits();
    let shadow = shadow::schema();
    let (_, parameters, _) = subject.generics.split_for_impl();
    let generics = with_bounds(subject, Side::Schema);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let marker = fields::marker_value(subject);
    let shadow = quote!(#root::__private::SchemaOf::<#shadow #parameters #marker>);
    let fallback = import(root, "NoSchema");
    let is_ordered = subject.reads() && subject.is_plain_type() && subject.names_its_parts();
    let made = quote!(#shadow::schema(generator));
    let made = if is_ordered { quote!(#root::__private::in_order::<Self>(#made)) } else { made };
    // Two functions of one module can each have a type of that name inside.
    let place = quote_spanned! {ident.span()=>
        ::core::concat!("@", ::core::line!(), ":", ::core::column!())
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #traits::JsonSchema for #ident #parameters #where_clause {
            fn inline_schema() -> bool {
                #fallback
                #shadow::inline()
            }

            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                #fallback
                #shadow::name()
            }

            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                #fallback
                #shadow::id() + #place
            }

            fn json_schema(
                generator: &mut #root::__private::schemars::SchemaGenerator,
            ) -> #root::__private::schemars::Schema {
                #fallback
                #made
            }
        }
    }
}

fn args(subject: &Subject) -> TokenStream {
    let Subject { root, ident, .. } = subject;
    let traits = subject.traits();
    let mut generics = subject.generics.clone();
    let (_, parameters, _) = subject.generics.split_for_impl();
    if !generics.params.is_empty() {
        let input = parse_quote!(#ident #parameters: #root::__private::Input);
        generics.make_where_clause().predicates.push(input);
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let members = members(subject);
    let nodes = expand::nodes(root, &members);
    let mirrored = members.iter().filter(|one| one.mirror.is_some() && subject.is_concrete(one.ty));
    let types = mirrored.map(|one| expand::header_value(root, one.ty));
    quote! {
        #[automatically_derived]
        impl #impl_generics #traits::Args for #ident #parameters #where_clause {
            const MIRRORS: &'static [#root::__private::Node] = &[#nodes];
        }
        #(#types)*
    }
}

/// The members that may be mirrored, or hold such.
fn members(subject: &Subject) -> Vec<Member<'_>> {
    let Body::Struct(Members { style, fields }) = &subject.body else { return Vec::new() };
    let is_object = *style == Style::Named || subject.newtype().is_some();
    let seen = |field: &&Field| {
        is_object
            && !field.about.skips_reading()
            && (field.mirror.is_some() || subject.is_concrete(&field.ty))
    };
    fields
        .iter()
        .filter(seen)
        .map(|field| {
            let stands_for_members = field.about.serde.has("flatten") || subject.newtype().is_some();
            let ty = &field.ty;
            let name = if stands_for_members { "" } else { &field.name };
            Member { name, ty: &field.ty, bracketed: quote!(#ty), mirror: field.mirror.as_ref() }
        })
        .collect()
}

fn form(subject: &Subject) -> TokenStream {
    let Subject { root, ident, .. } = subject;
    let traits = subject.traits();
    let mut generics = subject.generics.clone();
    let (_, parameters, _) = subject.generics.split_for_impl();
    if !generics.params.is_empty() {
        let args = parse_quote!(#ident #parameters: #root::__private::Args);
        generics.make_where_clause().predicates.push(args);
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #traits::Form for #ident #parameters #where_clause {}
    }
}

/// What is one text, number or boolean can be mirrored and be a field of a form: an enum without data, and a struct
/// of one such value.
fn single_value(subject: &Subject) -> Option<TokenStream> {
    let Subject { root, ident, generics, about, body, .. } = subject;
    let traits = subject.traits();
    if ["tag", "untagged", "content", "from", "try_from", "into"].iter().any(|key| about.serde.has(key)) {
        return None;
    }
    let inner = match body {
        Body::Enum(variants) => {
            let plain = variants.iter().all(|variant| variant.members.style == Style::Unit);
            if variants.is_empty() || !plain {
                return None;
            }
            None
        }
        Body::Struct(_) => {
            let field = subject.newtype()?;
            if field.about.serde.has("with") || field.about.skips_reading() {
                return None;
            }
            Some(&field.ty)
        }
    };
    let choice = inner.is_none().then_some("Choice");
    let impls = ["HeaderValue", "FormField"].into_iter().chain(choice).map(|name| {
        let name = format_ident!("{name}");
        let mut generics = generics.clone();
        if let Some(inner) = inner {
            // A bound without parameters is checked here and now, but for those over a lifetime.
            let bound = parse_quote!(for<'__mcp> #inner: #root::__private::#name);
            generics.make_where_clause().predicates.push(bound);
        }
        let (impl_generics, parameters, where_clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #impl_generics #traits::#name for #ident #parameters #where_clause {}
        }
    });
    Some(quote!(#(#impls)*))
}
