//! What an annotated function means.

use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;
use syn::ext::IdentExt;
use syn::{Attribute, LitStr, ReturnType, Type, parse_quote_spanned};

use crate::diagnostics::Errors;
use crate::docs::Docs;
use crate::kind::Kind;
use crate::mirror::Mirror;
use crate::parse::argument::Said;
use crate::parse::function::{self, Function};
use crate::parse::options::Options;
use crate::paths;
use crate::template::Template;
use crate::types;

/// An annotated function.
#[derive(Debug)]
pub struct Handler {
    /// Which attribute it has.
    pub kind: Kind,
    /// The path of the runtime crate.
    pub root: TokenStream,
    /// Its Rust name.
    pub function: Ident,
    /// Its name on the wire.
    pub name: LitStr,
    /// Its description.
    pub docs: Docs,
    /// Whether it is there at all.
    pub cfgs: Vec<Attribute>,
    /// Whether it is an `async fn`.
    pub is_async: bool,
    /// What it returns.
    pub output: Type,
    /// Its parameters, but for those without a name.
    pub parameters: Vec<Parameter>,
    /// The URI of a resource.
    pub template: Option<Template>,
    /// The options of the attribute.
    pub options: Options,
}

/// A parameter of an annotated function.
#[derive(Debug)]
pub struct Parameter {
    /// Its name in the function.
    pub binding: Ident,
    /// Its name on the wire.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its description.
    pub docs: Docs,
    /// Where in the arguments it stands.
    pub place: Place,
    /// The header it is mirrored to.
    pub mirror: Option<Mirror>,
    /// What else is said of it.
    pub said: Said,
}

/// Where in the arguments a parameter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Under its name.
    Named,
    /// Its members are arguments themselves.
    Flattened,
    /// It is all the arguments.
    Whole,
}

impl Handler {
    /// Makes sense of what is written.
    pub fn of(kind: Kind, function: &mut Function, options: Options, errors: &mut Errors) -> Self {
        let sig = &function.sig;
        let plain_name = sig.ident.unraw();
        let name = options.target.clone().filter(|_| kind != Kind::Resource);
        let name = name.or_else(|| options.name.clone());
        let output = match &sig.output {
            ReturnType::Type(_, ty) => (**ty).clone(),
            ReturnType::Default => parse_quote_spanned!(sig.ident.span()=> ()),
        };
        let parameters = std::mem::take(&mut function.parameters);
        Self {
            kind,
            root: paths::root(options.root.as_ref()),
            function: sig.ident.clone(),
            name: name.unwrap_or_else(|| LitStr::new(&plain_name.to_string(), plain_name.span())),
            docs: options.description.as_ref().map_or_else(|| Docs::of(&function.attrs), Docs::literal),
            cfgs: function.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect(),
            is_async: sig.asyncness.is_some(),
            output,
            parameters: parameters
                .into_iter()
                .filter_map(|one| Parameter::of(one, &options, errors))
                .collect(),
            template: options
                .target
                .as_ref()
                .filter(|_| kind == Kind::Resource)
                .map(|uri| Template::parse(&uri.value())),
            options,
        }
    }

    /// The name of what registers the function.
    pub fn registration(&self) -> Ident {
        let (noun, function, place) = (self.kind.noun(), self.function.unraw(), self.place());
        format_ident!("__mcp_{noun}_{function}{place}", span = Span::call_site())
    }

    /// What keeps a second function of the same name from being told as three mistakes.
    fn place(&self) -> String {
        if !proc_macro::is_available() {
            return String::new();
        }
        let place = self.function.span().unwrap().start();
        format!("_at_{}_{}", place.line(), place.column())
    }
}

impl Parameter {
    fn of(written: function::Parameter, options: &Options, errors: &mut Errors) -> Option<Self> {
        let function::Parameter { binding, ty, docs, said, .. } = written;
        let binding = binding?;
        let name = match &said.name {
            Some(name) => name.value(),
            None => binding.unraw().to_string(),
        };
        let takes_all = options.input_schema.is_some()
            && types::last_segment(&ty).is_some_and(|segment| segment.ident == "Value");
        let place = match (&said.flatten, takes_all) {
            (_, true) => Place::Whole,
            (Some(_), false) => Place::Flattened,
            (None, false) => Place::Named,
        };
        let mirror = said.header.as_ref().and_then(|header| Mirror::of(header, &name, &ty, errors));
        let docs = said.description.as_ref().map_or(docs, Docs::literal);
        Some(Self { binding, name, ty, docs, place, mirror, said })
    }
}
