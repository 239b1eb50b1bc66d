//! The shadows: copies of the type, one that serde derives on and one that schemars derives on.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{GenericParam, parse_quote};

use super::bounds::{Side, predicates, used_in_schema};
use super::fields;
use super::subject::{About, Body, Field, Members, Style, Subject};
use crate::bounds::{Length, Range};
use crate::docs::Docs;
use crate::expand::default_value;
use crate::parse::argument::Fallback;
use crate::types;

/// Who derives on a shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Serde,
    Schemars,
}

/// The name of the shadow for serde.
pub fn values() -> Ident {
    format_ident!("__McpValues", span = Span::mixed_site())
}

/// The name of the shadow for schemars.
pub fn schema() -> Ident {
    format_ident!("__McpSchema", span = Span::mixed_site())
}

/// A default written on a field: the name of the function that gives it.
pub fn default_name(variant: usize, field: usize) -> Ident {
    format_ident!("__mcp_default_{variant}_{field}", span = Span::mixed_site())
}

/// The shadows and what they need.
pub fn items(subject: &Subject) -> TokenStream {
    let aliases = fields::aliases(subject);
    let values = has_values(subject).then(|| {
        let attrs = values_attrs(subject);
        item(subject, By::Serde, &attrs)
    });
    let schema = schema_attrs(subject);
    let schema = item(subject, By::Schemars, &schema);
    let defaults = defaults(subject);
    let container_defaults = container_defaults(subject);
    let shows = subject.fields().any(|field| shows_default(subject, field)).then(|| {
        let root = &subject.root;
        quote! {
            #[allow(unused_imports)]
            use #root::__private::{ShownAsChoice as _, ShownNever as _};
        }
    });
    quote!(#shows #aliases #values #schema #defaults #container_defaults)
}

/// Whether serde derives anything.
fn has_values(subject: &Subject) -> bool {
    subject.reads_by_serde() || subject.writes()
}

fn values_attrs(subject: &Subject) -> TokenStream {
    let Subject { root, ident, about, .. } = subject;
    let crate_path = quote!(#root::__private::serde).to_string();
    let deserialize = subject.reads_by_serde().then(|| quote!(#root::__private::serde::Deserialize));
    let serialize = subject.writes().then(|| quote!(#root::__private::serde::Serialize));
    let derives = deserialize.into_iter().chain(serialize);
    let remote = ident.to_string();
    let rename = (!about.serde.has("rename")).then(|| quote!(#[serde(rename = #remote)]));
    let conditions = fields::conditions_of_values(subject);
    let copied = &about.for_serde;
    quote! {
        #[derive(#(#derives),*)]
        #[serde(crate = #crate_path, remote = #remote)]
        #rename
        #conditions
        #(#copied)*
    }
}

fn schema_attrs(subject: &Subject) -> TokenStream {
    let Subject { root, generics, about, .. } = subject;
    let crate_path = quote!(#root::__private::schemars).to_string();
    let rename = schema_name(subject).map(|name| quote!(#[schemars(rename = #name)]));
    // schemars would leave out what defaults and associated types need.
    let bounds = (generics.type_params().next().is_some() && !about.schemars.has("bound")).then(|| {
        let predicates = predicates(subject, Side::Schema);
        let bounds = quote!(#(#predicates),*).to_string();
        quote!(#[schemars(bound = #bounds)])
    });
    let conditions = fields::conditions_of_schema(subject);
    let said = described(about, &about.docs);
    quote! {
        #[derive(#root::__private::schemars::JsonSchema)]
        #[schemars(crate = #crate_path)]
        #rename
        #bounds
        #conditions
        #said
    }
}

/// The name in schemas; for a generic type `Pair_for_{A}_and_{B}`.
fn schema_name(subject: &Subject) -> Option<String> {
    let about = &subject.about;
    if about.schemars.has("rename") {
        return None;
    }
    if let Some(name) = about.serde.text("rename", "deserialize") {
        return Some(name.value());
    }
    let parameters: Vec<String> =
        used_in_schema(subject).iter().map(|param| format!("{{{param}}}")).collect();
    Some(match parameters.as_slice() {
        [] => subject.ident.to_string(),
        _ => format!("{}_for_{}", subject.ident, parameters.join("_and_")),
    })
}

/// What is said to schemars: by the author's attributes, and by the doc comment if they do not describe it.
fn described(about: &About, docs: &Docs) -> TokenStream {
    let (serde, schemars) = (&about.for_serde, &about.for_schemars);
    let docs = (!docs.is_empty() && !about.schemars.has("description"))
        .then(|| quote!(#[schemars(description = #docs)]));
    let deprecated = about.deprecated.then(|| quote!(#[schemars(extend("deprecated" = true))]));
    quote!(#(#serde)* #(#schemars)* #docs #deprecated)
}

fn item(subject: &Subject, by: By, attrs: &TokenStream) -> TokenStream {
    let mut generics = subject.generics.clone();
    let name = match by {
        By::Serde => values(),
        By::Schemars => {
            generics.params.extend(fields::marker(subject));
            schema()
        }
    };
    let where_clause = &generics.where_clause;
    match &subject.body {
        Body::Struct(members) => {
            let fields = written(subject, members, by, 0);
            match members.style {
                Style::Named => quote!(#attrs struct #name #generics #where_clause #fields),
                Style::Tuple | Style::Unit => quote!(#attrs struct #name #generics #fields #where_clause;),
            }
        }
        Body::Enum(variants) => {
            let variants = variants.iter().enumerate().map(|(at, variant)| {
                let attrs = match by {
                    By::Serde => variant.about.for_serde.iter().cloned().collect(),
                    By::Schemars => described(&variant.about, &variant.about.docs),
                };
                let (ident, fields) = (&variant.ident, written(subject, &variant.members, by, at));
                quote!(#attrs #ident #fields)
            });
            quote!(#attrs enum #name #generics #where_clause { #(#variants),* })
        }
    }
}

/// The fields with the attributes that they have in the shadow.
fn written(subject: &Subject, members: &Members, by: By, variant: usize) -> TokenStream {
    let field = |(at, field): (usize, &Field)| {
        let serde = serde_attrs(subject, field, variant, at);
        let attrs = match by {
            By::Serde => {
                let copied = &field.about.for_serde;
                quote!(#(#copied)* #serde)
            }
            By::Schemars => {
                let said = schemars_attrs(field);
                let default = shown_default(subject, field, variant, at);
                quote!(#said #serde #default)
            }
        };
        let ty = match field.borrows() {
            // It is told of already, and the compiler would tell once more of a lifetime that is missing.
            Some(_) if subject.derive.reads() && subject.generics.lifetimes().next().is_none() => quote!(()),
            _ => field.ty.to_token_stream(),
        };
        match &field.ident {
            Some(ident) => quote!(#attrs #ident: #ty),
            None => quote!(#attrs #ty),
        }
    };
    members.wrapped(&members.fields.iter().enumerate().map(field).collect::<Vec<_>>())
}

/// What `#[arg(…)]` says to serde.
fn serde_attrs(subject: &Subject, field: &Field, variant: usize, at: usize) -> TokenStream {
    let said = &field.said;
    let name =
        said.name.as_ref().filter(|_| field.ident.is_some()).map(|name| quote!(#[serde(rename = #name)]));
    let default = field.default.as_ref().map(|default| match &default.value {
        None if !subject.is_plain_type() => quote!(#[serde(default)]),
        _ => {
            let path = default_name(variant, at).to_string();
            quote!(#[serde(default = #path)])
        }
    });
    quote!(#name #default)
}

/// What a default is in JSON: schemars sees that of types only that are `Serialize`.
fn shown_default(subject: &Subject, field: &Field, variant: usize, at: usize) -> Option<TokenStream> {
    if !shows_default(subject, field) {
        return None;
    }
    let path = default_name(variant, at);
    let root = &subject.root;
    Some(quote!(#[schemars(extend("default" = (&#root::__private::Shown(&#path())).shown()))]))
}

/// Whether the field has a default that schemars may not see.
fn shows_default(subject: &Subject, field: &Field) -> bool {
    let about = &field.about;
    subject.derive.reads()
        && subject.is_plain_type()
        && !types::is_scalar(&field.ty)
        && !about.skips_reading()
        && !about.serde.has("flatten")
        && field.default.is_some()
}

/// What the field's attributes and doc comment say to schemars.
fn schemars_attrs(field: &Field) -> TokenStream {
    let Field { about, said, mirror, .. } = field;
    let docs = said.description.as_ref().map_or_else(|| about.docs.clone(), Docs::literal);
    let described = described(about, &docs);
    let title = said.title.as_ref().map(|title| quote!(#[schemars(title = #title)]));
    let range = said.range.as_ref().map(|range| range_attrs(&range.bounds));
    let length = said.length.as_ref().map(|length| length_attr(&length.bounds));
    let pattern = said.pattern.as_ref().map(|(_, pattern)| quote!(#[schemars(extend("pattern" = #pattern))]));
    let header = mirror.as_ref().map(|mirror| {
        let header = &mirror.header;
        quote!(#[schemars(extend("x-mcp-header" = #header))])
    });
    quote!(#described #title #range #length #pattern #header)
}

fn range_attrs(range: &Range) -> TokenStream {
    let bounds = [("minimum", range.minimum), ("maximum", range.maximum), ("exclusiveMaximum", range.below)];
    let attrs = bounds.into_iter().filter_map(|(keyword, number)| {
        // The text of a number is one token, or two with a sign.
        let number: TokenStream = number?.to_string().parse().ok()?;
        Some(quote!(#[schemars(extend(#keyword = #number))]))
    });
    attrs.collect()
}

fn length_attr(length: &Length) -> TokenStream {
    let minimum = length.minimum.map(|least| quote!(min = #least,));
    let maximum = length.maximum.map(|most| quote!(max = #most));
    quote!(#[schemars(length(#minimum #maximum))])
}

/// The functions that the defaults of fields are taken from.
fn defaults(subject: &Subject) -> TokenStream {
    let mut functions = TokenStream::new();
    for (variant, members) in subject.members().enumerate() {
        for (at, field) in members.fields.iter().enumerate() {
            let is_named = |default: &&Fallback| default.value.is_some() || subject.is_plain_type();
            let Some(fallback) = field.default.as_ref().filter(is_named) else { continue };
            let (name, ty) = (default_name(variant, at), &field.ty);
            // Nothing more is said of a default that is refused already.
            let value = if subject.is_refused {
                quote!(::core::unreachable!())
            } else {
                default_value(&subject.root, fallback, ty)
            };
            let parameters =
                subject.generics.type_params().filter(|param| types::mentions(ty, &[&param.ident]));
            let parameters = parameters.map(|param| {
                let (ident, bounds) = (&param.ident, &param.bounds);
                quote!(#ident: #bounds)
            });
            functions.extend(quote!(fn #name<#(#parameters),*>() -> #ty { #value }));
        }
    }
    functions
}

/// `#[serde(default)]` on a struct asks the shadows for their defaults: they are the type's own, field by field.
fn container_defaults(subject: &Subject) -> TokenStream {
    let Body::Struct(members) = &subject.body else { return TokenStream::new() };
    if subject.about.serde.bare("default").is_none() {
        return TokenStream::new();
    }
    let ident = &subject.ident;
    let (_, parameters, _) = subject.generics.split_for_impl();
    let binding = |(at, field): (usize, &Field)| {
        let local = format_ident!("f{at}", span = Span::mixed_site());
        match &field.ident {
            Some(ident) => quote!(#ident: #local),
            None => local.into_token_stream(),
        }
    };
    let moved = members.wrapped(&members.fields.iter().enumerate().map(binding).collect::<Vec<_>>());
    let default = if subject.has_twins {
        quote!(::core::unreachable!())
    } else {
        quote! {
            let #ident #moved = <#ident #parameters as ::core::default::Default>::default();
            Self #moved
        }
    };
    let of_shadow = |(shadow, marker): (Ident, Option<GenericParam>)| {
        let mut generics = subject.generics.clone();
        if !generics.params.is_empty() {
            let bound = parse_quote!(#ident #parameters: ::core::default::Default);
            generics.make_where_clause().predicates.push(bound);
        }
        generics.params.extend(marker);
        let (impl_generics, shadow_parameters, where_clause) = generics.split_for_impl();
        quote! {
            impl #impl_generics ::core::default::Default for #shadow #shadow_parameters #where_clause {
                fn default() -> Self {
                    #default
                }
            }
        }
    };
    let values = has_values(subject).then(|| (values(), None));
    values.into_iter().chain([(schema(), fields::marker(subject))]).map(of_shadow).collect()
}
