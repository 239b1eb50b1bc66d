//! What a derive stands on.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, DeriveInput, Generics, Type, TypeReference, parse_quote};

use super::Derive;
use crate::diagnostics::{self, Errors};
use crate::docs::Docs;
use crate::mirror::Mirror;
use crate::parse::argument::{Fallback, Said};
use crate::parse::foreign::Foreign;
use crate::parse::list::List;
use crate::parse::options;
use crate::{paths, types};

/// A type that a derive stands on.
pub struct Subject {
    /// Which derive.
    pub derive: Derive,
    /// The path of the runtime crate.
    pub root: TokenStream,
    /// Its name.
    pub ident: Ident,
    /// Its parameters.
    pub generics: Generics,
    /// What is said of it.
    pub about: About,
    /// What it is made of.
    pub body: Body,
    /// Whether something is wrong with it.
    pub is_refused: bool,
    /// Whether two of its fields or variants have one name, of which the compiler speaks itself.
    pub has_twins: bool,
}

/// What a type is made of.
pub enum Body {
    /// A struct.
    Struct(Members),
    /// An enum.
    Enum(Vec<Variant>),
}

/// A variant of an enum.
pub struct Variant {
    /// Its name.
    pub ident: Ident,
    /// What is said of it.
    pub about: About,
    /// Its fields.
    pub members: Members,
}

/// The fields of a struct or variant.
pub struct Members {
    /// How they are written.
    pub style: Style,
    /// The fields.
    pub fields: Vec<Field>,
}

/// How fields are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `{ a: A }`
    Named,
    /// `(A)`
    Tuple,
    /// Not at all.
    Unit,
}

/// A field.
pub struct Field {
    /// Its name, where it has one.
    pub ident: Option<Ident>,
    /// Its name on the wire, as far as its own attributes tell.
    pub name: String,
    /// Its type, which does not say `Self`.
    pub ty: Type,
    /// What is said of it by others' attributes.
    pub about: About,
    /// What is said of it by ours.
    pub said: Said,
    /// The value for calls that give none, whoever's attribute says so; of types with parameters serde's says it itself.
    pub default: Option<Fallback>,
    /// The header it is mirrored to.
    pub mirror: Option<Mirror>,
}

/// What others' attributes say of a type, variant or field.
pub struct About {
    /// The attributes for serde; schemars reads them too.
    pub for_serde: Vec<TokenStream>,
    /// The attributes for schemars.
    pub for_schemars: Vec<TokenStream>,
    /// What serde is told.
    pub serde: Foreign,
    /// What schemars is told.
    pub schemars: Foreign,
    /// The doc comment.
    pub docs: Docs,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// Attributes of ours that have no meaning here.
    pub misplaced: Vec<Attribute>,
}

impl Subject {
    /// Reads the item.
    pub fn of(derive: Derive, input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let DeriveInput { mut attrs, ident, generics, data, .. } = input;
        let root = root(&mut attrs, errors);
        let (_, parameters, _) = generics.split_for_impl();
        let is_plain_type = generics.params.is_empty();
        let mut reader =
            Reader { is_plain_type, itself: parse_quote!(#ident #parameters), has_twins: false, errors };
        let body = match data {
            syn::Data::Struct(data) => Body::Struct(reader.members(data.fields)),
            syn::Data::Enum(data) => {
                let variants = reader.once_each(data.variants, |variant| Some(&variant.ident));
                Body::Enum(variants.into_iter().map(|variant| reader.variant(variant)).collect())
            }
            syn::Data::Union(data) => {
                errors.push(diagnostics::union(&data.union_token, derive.name()));
                return None;
            }
        };
        let has_twins = reader.has_twins;
        let about = About::of(attrs, false);
        Some(Self { derive, root, ident, generics, about, body, is_refused: false, has_twins })
    }

    /// The name by which its derives know which of them is the first, so that no two of them give a trait twice. A second
    /// one gives the name once more, and the compiler says what to do.
    pub fn first(&self) -> Ident {
        format_ident!(
            "write_one_derive_of_mcp_Data_is_Args_and_Output_Form_is_Args_on_{}",
            self.ident.unraw(),
            span = Span::call_site()
        )
    }

    /// The traits that the derive implements.
    pub fn traits(&self) -> TokenStream {
        let (first, derive) = (self.first(), format_ident!("{}", self.derive.name()));
        quote!(#first::#derive)
    }

    /// Whether it goes in. What borrows is refused, and left out here so that nothing else is wrong with it.
    pub fn reads(&self) -> bool {
        self.derive.reads() && !self.borrows() && !self.has_twins
    }

    /// Whether serde derives what reads it: what is more than plain fields.
    pub fn reads_by_serde(&self) -> bool {
        self.reads() && self.plain().is_none()
    }

    /// Its fields, where it is a struct of which nothing is said that only serde knows.
    pub fn plain(&self) -> Option<&[Field]> {
        let Body::Struct(Members { style: Style::Named, fields }) = &self.body else { return None };
        let of_type = ["crate", "rename", "deny_unknown_fields"];
        let of_field = ["rename", "default", "skip_serializing", "skip_serializing_if", "serialize_with"];
        let is_plain = self.generics.params.is_empty()
            && self.about.serde.has_only(&of_type)
            && fields.iter().all(|field| field.about.serde.has_only(&of_field));
        is_plain.then_some(fields)
    }

    /// Whether it is an enum, or a struct whose fields have names.
    pub fn names_its_parts(&self) -> bool {
        match &self.body {
            Body::Struct(members) => members.style == Style::Named,
            Body::Enum(_) => true,
        }
    }

    /// Whether it comes out.
    pub fn writes(&self) -> bool {
        self.derive.writes() && !self.has_twins
    }

    /// Whether it holds what is read from nothing that stays.
    pub fn borrows(&self) -> bool {
        self.generics.lifetimes().next().is_some() || self.fields().any(|field| field.borrows().is_some())
    }

    /// Whether it is the same type wherever it stands.
    pub fn is_plain_type(&self) -> bool {
        self.generics.params.is_empty()
    }

    /// Whether the type is the same whatever the parameters are.
    pub fn is_concrete(&self, ty: &Type) -> bool {
        let types = self.generics.type_params().map(|param| &param.ident);
        let consts = self.generics.const_params().map(|param| &param.ident);
        let lifetimes = self.generics.lifetimes().map(|param| &param.lifetime.ident);
        !types::mentions(ty, &types.chain(consts).chain(lifetimes).collect::<Vec<_>>())
    }

    /// The fields, of each variant for themselves.
    pub fn members(&self) -> Box<dyn Iterator<Item = &Members> + '_> {
        match &self.body {
            Body::Struct(members) => Box::new(std::iter::once(members)),
            Body::Enum(variants) => Box::new(variants.iter().map(|variant| &variant.members)),
        }
    }

    /// Every field, those of variants too.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.members().flat_map(|members| &members.fields)
    }

    /// The only field of a struct that is written as that field is.
    pub fn newtype(&self) -> Option<&Field> {
        let Body::Struct(Members { style, fields }) = &self.body else { return None };
        match fields.as_slice() {
            [field] if *style == Style::Tuple || self.about.serde.has("transparent") => Some(field),
            _ => None,
        }
    }
}

/// `#[mcp(crate = path)]`
fn root(attrs: &mut Vec<Attribute>, errors: &mut Errors) -> TokenStream {
    let mut path = None;
    attrs.retain(|attr| {
        if !attr.path().is_ident("mcp") {
            return true;
        }
        let tokens = attr.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default();
        let list = List::parse(tokens, errors);
        if list.written.is_empty() {
            errors.push(diagnostics::no_option(attr));
        }
        list.refuse_texts(errors);
        for one in list.written {
            if one.key == "crate" {
                path = options::root(&one, errors);
            } else {
                errors.push(diagnostics::unknown_option(&one.key, "#[mcp]", &["crate"]));
            }
        }
        false
    });
    paths::root(path.as_ref())
}

/// What serde's attribute says of a value that is not there.
fn of_serde(serde: &Foreign) -> Option<Fallback> {
    if let Some(key) = serde.bare("default") {
        return Some(Fallback { key, value: None });
    }
    let (path, written) = serde.default_path()?;
    Some(Fallback { key: Ident::new("default", written.span()), value: Some(parse_quote!(#path())) })
}

struct Reader<'e> {
    /// Whether the type has no parameters.
    is_plain_type: bool,
    /// The type that `Self` stands for.
    itself: Type,
    has_twins: bool,
    errors: &'e mut Errors,
}

impl Reader<'_> {
    /// The first of each name.
    fn once_each<T>(&mut self, all: impl IntoIterator<Item = T>, name: fn(&T) -> Option<&Ident>) -> Vec<T> {
        let mut known = HashSet::new();
        let (first, twins): (Vec<T>, Vec<T>) =
            all.into_iter().partition(|one| name(one).is_none_or(|name| known.insert(name.unraw())));
        self.has_twins |= !twins.is_empty();
        first
    }

    fn variant(&mut self, variant: syn::Variant) -> Variant {
        let about = About::of(variant.attrs, false);
        Variant { ident: variant.ident, about, members: self.members(variant.fields) }
    }

    fn members(&mut self, fields: syn::Fields) -> Members {
        let style = match &fields {
            syn::Fields::Named(_) => Style::Named,
            syn::Fields::Unnamed(_) => Style::Tuple,
            syn::Fields::Unit => Style::Unit,
        };
        let fields = self.once_each(fields, |field| field.ident.as_ref());
        Members { style, fields: fields.into_iter().map(|field| self.field(field)).collect() }
    }

    fn field(&mut self, field: syn::Field) -> Field {
        let syn::Field { mut attrs, ident, mut ty, .. } = field;
        self.visit_type_mut(&mut ty);
        let said = Said::take(&mut attrs, self.errors);
        let about = About::of(attrs, self.is_plain_type);
        let of_serde = || if self.is_plain_type { of_serde(&about.serde) } else { None };
        let default = said.default.clone().or_else(of_serde);
        let name = said
            .name
            .as_ref()
            .or(about.serde.text("rename", "deserialize").as_ref())
            .map(syn::LitStr::value)
            .or_else(|| ident.as_ref().map(|ident| ident.unraw().to_string()))
            .unwrap_or_default();
        let mirror = said
            .header
            .as_ref()
            .filter(|_| ident.is_some())
            .and_then(|header| Mirror::of(header, &name, &ty, self.errors));
        Field { ident, name, ty, about, said, default, mirror }
    }
}

impl Field {
    /// The reference in its type, where it is read.
    pub fn borrows(&self) -> Option<&TypeReference> {
        let by_hand = ["with", "deserialize_with"].iter().any(|key| self.about.serde.has(key));
        if by_hand || self.about.skips_reading() { None } else { types::reference(&self.ty) }
    }
}

impl VisitMut for Reader<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(path) if path.qself.is_none() && path.path.is_ident("Self") => {
                *ty = self.itself.clone();
            }
            other => visit_mut::visit_type_mut(self, other),
        }
    }
}

impl About {
    fn of(attrs: Vec<Attribute>, drops_default: bool) -> Self {
        let of = |name: &str| {
            let copied = attrs.iter().filter(|attr| attr.path().is_ident(name));
            copied.map(|attr| Foreign::copied(attr, drops_default)).collect()
        };
        Self {
            for_serde: of("serde"),
            for_schemars: of("schemars"),
            serde: Foreign::of(&attrs, "serde"),
            schemars: Foreign::of(&attrs, "schemars"),
            docs: Docs::of(&attrs),
            deprecated: attrs.iter().any(|attr| attr.path().is_ident("deprecated")),
            misplaced: attrs
                .into_iter()
                .filter(|attr| ["arg", "x_mcp_header"].iter().any(|name| attr.path().is_ident(name)))
                .collect(),
        }
    }

    /// Whether it never goes in.
    pub fn skips_reading(&self) -> bool {
        self.serde.has("skip") || self.serde.has("skip_deserializing")
    }

    /// Whether it never comes out.
    pub fn skips_writing(&self) -> bool {
        self.serde.has("skip") || self.serde.has("skip_serializing")
    }
}

impl Members {
    /// The fields in the braces or parentheses they are written in.
    pub fn wrapped(&self, fields: &[TokenStream]) -> TokenStream {
        match self.style {
            Style::Named => quote!({ #(#fields),* }),
            Style::Tuple => quote!(( #(#fields),* )),
            Style::Unit => TokenStream::new(),
        }
    }
}
