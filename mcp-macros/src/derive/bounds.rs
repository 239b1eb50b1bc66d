//! The bounds on type parameters that serde and schemars put on what they derive, put on what delegates to it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Generics, LitStr, Path, Token, Type, WherePredicate, parse_quote};

use super::subject::{Field, Subject};
use crate::parse::foreign::Foreign;

/// What is derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `Deserialize`
    Reads,
    /// `Serialize`
    Writes,
    /// `JsonSchema`
    Schema,
}

impl Side {
    fn word(self) -> &'static str {
        match self {
            Self::Reads | Self::Schema => "deserialize",
            Self::Writes => "serialize",
        }
    }

    /// The attribute that says which bounds to put instead.
    fn told(self, about: &super::subject::About) -> &Foreign {
        match self {
            Self::Reads | Self::Writes => &about.serde,
            Self::Schema => &about.schemars,
        }
    }

    /// Whether the type of the field has to have the trait.
    fn needs(self, field: &Field) -> bool {
        let about = &field.about;
        let with = |key: &str| about.serde.has("with") || about.serde.has(key);
        match self {
            Self::Reads => !about.skips_reading() && !with("deserialize_with"),
            Self::Writes => !about.skips_writing() && !with("serialize_with"),
            Self::Schema => {
                let skipped = about.skips_reading() && about.skips_writing();
                !skipped && !about.schemars.has("schema_with")
            }
        }
    }
}

/// The parameters of the type with the bounds that the side needs.
pub fn with_bounds(subject: &Subject, side: Side) -> Generics {
    let mut generics = subject.generics.clone();
    let predicates = predicates(subject, side);
    if !predicates.is_empty() {
        generics.make_where_clause().predicates.extend(predicates);
    }
    generics
}

/// The type parameters that types of fields use themselves, and not only an associated type of them.
pub fn used_in_schema(subject: &Subject) -> Vec<Ident> {
    let parameters = parameters(subject);
    let mut used = Used::of(&parameters);
    for field in subject.fields().filter(|field| Side::Schema.needs(field)) {
        used.field(&field_type(field, Side::Schema));
    }
    used.found
}

fn parameters(subject: &Subject) -> Vec<Ident> {
    subject.generics.type_params().map(|param| param.ident.clone()).collect()
}

/// The bounds that the side needs.
pub fn predicates(subject: &Subject, side: Side) -> Vec<WherePredicate> {
    let parameters = parameters(subject);
    let mut predicates = Vec::new();
    if parameters.is_empty() {
        return predicates;
    }
    let bound = bound(&subject.root, side);
    let of_type = side.told(&subject.about).text("bound", side.word());
    let mut used = Used::of(&parameters);
    for field in subject.fields() {
        match side.told(&field.about).text("bound", side.word()) {
            Some(written) => predicates.extend(parsed(&written)),
            None if of_type.is_none() && side.needs(field) => used.field(&field_type(field, side)),
            None => {}
        }
    }
    match &of_type {
        Some(written) => predicates.extend(parsed(written)),
        None => {
            predicates.extend(used.found.iter().map(|ty| parse_quote!(#ty: #bound)));
            predicates.extend(used.projections.iter().map(|ty| parse_quote!(#ty: #bound)));
        }
    }
    if side != Side::Writes && of_type.is_none() {
        predicates.extend(defaulted(subject, &parameters));
    }
    predicates
}

/// The type whose schema stands for the field: schemars takes that of `with` in place of its own.
fn field_type(field: &Field, side: Side) -> Type {
    let with =
        [&field.about.schemars, &field.about.serde].into_iter().find_map(|told| told.text("with", "with"));
    match with.and_then(|with| with.parse().ok()) {
        Some(ty) if side == Side::Schema => ty,
        _ => field.ty.clone(),
    }
}

fn parsed(written: &LitStr) -> Vec<WherePredicate> {
    // What cannot be read, serde and schemars report themselves.
    let read = written.parse_with(Punctuated::<WherePredicate, Token![,]>::parse_terminated);
    read.map(|predicates| predicates.into_iter().collect()).unwrap_or_default()
}

/// Parameters of fields that have their type's default where nothing is read.
fn defaulted(subject: &Subject, parameters: &[Ident]) -> Vec<WherePredicate> {
    let mut used = Used::of(parameters);
    for field in subject.fields() {
        let bare = field.default.as_ref().is_some_and(|default| default.value.is_none())
            || field.about.serde.bare("default").is_some();
        if bare || field.about.skips_reading() {
            used.field(&field.ty);
        }
    }
    let mut predicates: Vec<WherePredicate> =
        used.found.iter().map(|ty| parse_quote!(#ty: ::core::default::Default)).collect();
    if subject.about.serde.bare("default").is_some() {
        let ident = &subject.ident;
        let (_, parameters, _) = subject.generics.split_for_impl();
        predicates.push(parse_quote!(#ident #parameters: ::core::default::Default));
    }
    predicates
}

/// Which parameters types use.
struct Used<'p> {
    parameters: &'p [Ident],
    found: Vec<Ident>,
    /// Fields whose type is an associated type of a parameter.
    projections: Vec<TokenStream>,
}

impl<'p> Used<'p> {
    fn of(parameters: &'p [Ident]) -> Self {
        Self { parameters, found: Vec::new(), projections: Vec::new() }
    }

    fn field(&mut self, ty: &Type) {
        if let Type::Path(path) = ty
            && path.qself.is_none()
            && path.path.segments.len() > 1
            && path.path.segments.first().is_some_and(|first| self.parameters.contains(&first.ident))
        {
            self.projections.push(path.to_token_stream());
        }
        self.visit_type(ty);
    }
}

impl<'t> Visit<'t> for Used<'_> {
    fn visit_path(&mut self, path: &'t Path) {
        // It has every trait without its parameter.
        if path.segments.last().is_some_and(|last| last.ident == "PhantomData") {
            return;
        }
        if let Some(ident) = path.get_ident()
            && self.parameters.contains(ident)
            && !self.found.contains(ident)
        {
            self.found.push(ident.clone());
        }
        visit::visit_path(self, path);
    }
}

/// The trait bound of a side.
fn bound(root: &TokenStream, side: Side) -> TokenStream {
    match side {
        Side::Reads => quote!(#root::__private::serde::Deserialize<'__mcp_de>),
        Side::Writes => quote!(#root::__private::serde::Serialize),
        Side::Schema => quote!(#root::__private::schemars::JsonSchema),
    }
}
