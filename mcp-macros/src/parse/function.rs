//! The function that an attribute stands on. Its body is never looked at, so that it may be half typed.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, FnArg, Pat, PatType, Receiver, Signature, Token, Type, Visibility, token};

use super::argument::Said;
use super::stray;
use crate::diagnostics::{self, Errors};
use crate::docs::Docs;
use crate::kind::Kind;

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its attributes, without those of ours that should not be there.
    pub attrs: Vec<Attribute>,
    /// Its visibility.
    pub vis: Visibility,
    /// Its signature; parameters have the attributes that the compiler knows, no others.
    pub sig: Signature,
    /// Its body with the braces; a semicolon where there is none.
    pub body: TokenStream,
    /// Its parameters as they are written.
    pub parameters: Vec<Parameter>,
}

/// A parameter as it is written.
#[derive(Debug)]
pub struct Parameter {
    /// The name that the pattern binds, if it binds one and no more.
    pub binding: Option<Ident>,
    /// The pattern.
    pub pattern: Pat,
    /// The type.
    pub ty: Type,
    /// The doc comment.
    pub docs: Docs,
    /// What else is said of it.
    pub said: Said,
    /// Its `#[cfg(…)]`.
    pub cfg: Option<Attribute>,
}

impl Function {
    /// Reads a function. What is no function comes back as the tokens to emit in its place.
    pub fn parse(kind: Kind, item: TokenStream, errors: &mut Errors) -> Result<Self, TokenStream> {
        if is_within_a_body(&item) {
            // The compiler refuses the attribute there itself.
            return Err(item);
        }
        if let Some(error) =
            (|input: ParseStream<'_>| other_item(kind, input)).parse2(item.clone()).unwrap_or(None)
        {
            errors.push(error);
            return Err(item);
        }
        let read = |input: ParseStream<'_>| {
            let attrs = input.call(Attribute::parse_outer)?;
            let vis = input.parse()?;
            let sig = input.parse()?;
            Ok(Self { attrs, vis, sig, body: input.parse()?, parameters: Vec::new() })
        };
        match read.parse2(item.clone()) {
            Ok(mut function) => {
                function.take_parameters(errors);
                function.take_attributes(kind, errors);
                Ok(function)
            }
            Err(error) => {
                errors.push(error);
                Err(item)
            }
        }
    }

    /// Whether the function has a body.
    pub fn has_body(&self) -> bool {
        matches!(self.body.clone().into_iter().next(), Some(TokenTree::Group(_)))
    }

    /// Its `self`.
    pub fn receiver(&self) -> Option<&Receiver> {
        match self.sig.inputs.first() {
            Some(FnArg::Receiver(receiver)) => Some(receiver),
            Some(FnArg::Typed(_)) | None => None,
        }
    }

    /// Splits what is said of the parameters from what the compiler may see.
    fn take_parameters(&mut self, errors: &mut Errors) {
        for input in &mut self.sig.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    Said::take(&mut receiver.attrs, &mut Errors::default());
                    receiver.attrs.retain(|attr| !attr.path().is_ident("doc"));
                }
                FnArg::Typed(typed) => self.parameters.push(Parameter::take(typed, errors)),
            }
        }
    }

    /// Takes out attributes of ours that stand below the one that is being expanded.
    fn take_attributes(&mut self, kind: Kind, errors: &mut Errors) {
        let function = &self.sig.ident;
        self.attrs.retain(|attr| {
            let Some(other) = ours(attr) else { return true };
            errors.push(if other == kind {
                diagnostics::attribute_twice(kind, &attr.path(), function)
            } else {
                diagnostics::two_attributes(kind, other, &attr.path(), function)
            });
            false
        });
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, vis, sig, body, .. } = self;
        tokens.extend(quote!(#(#attrs)* #vis #sig #body));
    }
}

impl Parameter {
    fn take(typed: &mut PatType, errors: &mut Errors) -> Self {
        let docs = Docs::of(&typed.attrs);
        typed.attrs.retain(|attr| !attr.path().is_ident("doc"));
        let said = Said::take(&mut typed.attrs, errors);
        stray::refuse(&mut typed.attrs, errors);
        let cfg = typed.attrs.iter().find(|attr| attr.path().is_ident("cfg")).cloned();
        Self {
            binding: binding(&typed.pat).cloned(),
            pattern: (*typed.pat).clone(),
            ty: (*typed.ty).clone(),
            docs,
            said,
            cfg,
        }
    }
}

/// The one name that a pattern binds: `x`, `mut x`, `State(x)`.
fn binding(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() => Some(&name.ident),
        Pat::Paren(paren) => binding(&paren.pat),
        Pat::TupleStruct(outer) if outer.elems.len() == 1 => match outer.elems.first() {
            Some(Pat::Ident(name)) if name.subpat.is_none() => Some(&name.ident),
            _ => None,
        },
        _ => None,
    }
}

/// The attribute of ours that this one is, by its path: `mcp::tool`, `mcp_runtime::mcp::tool`.
fn ours(attr: &Attribute) -> Option<Kind> {
    let segments: Vec<String> =
        attr.path().segments.iter().map(|segment| segment.ident.to_string()).collect();
    match segments.as_slice() {
        [.., module, name] if module == "mcp" => Kind::named(name),
        _ => None,
    }
}

/// Refuses what begins like another item than a function.
fn other_item(kind: Kind, input: ParseStream<'_>) -> syn::Result<Option<syn::Error>> {
    input.call(Attribute::parse_outer)?;
    input.parse::<Visibility>()?;
    let begins = input.fork();
    let what = if input.peek(Token![struct]) {
        "a struct"
    } else if input.peek(Token![enum]) {
        "an enum"
    } else if input.peek(Token![mod]) {
        "a module"
    } else if input.peek(Token![trait]) || input.peek2(Token![trait]) {
        "a trait"
    } else if input.peek(Token![impl]) || (input.peek(Token![unsafe]) && input.peek2(Token![impl])) {
        "an `impl` block"
    } else if input.peek(Token![use]) {
        "an import"
    } else if input.peek(Token![type]) {
        "a type alias"
    } else if input.peek(Token![static]) {
        "a static"
    } else if input.peek(Token![const]) && (input.peek2(syn::Ident) || input.peek2(Token![_])) {
        "a constant"
    } else if is_function(input) || input.is_empty() {
        input.parse::<TokenStream>()?;
        return Ok(None);
    } else {
        "something else"
    };
    input.parse::<TokenStream>()?;
    let first: TokenStream = begins.parse::<TokenTree>().map(Into::into).unwrap_or_default();
    let _: TokenStream = begins.parse()?;
    Ok(Some(diagnostics::not_a_function(kind, &first, what)))
}

/// Whether it is an expression or a `let`. It is whole, since the compiler has read it.
fn is_within_a_body(item: &TokenStream) -> bool {
    let expressions = ["let", "if", "match", "loop", "while", "for", "return", "break", "continue"];
    let items = ["pub", "impl", "extern"];
    let words = ["async", "move", "static", "unsafe", "const"];
    let mut tokens = item.clone().into_iter().peekable();
    let mut has_words = false;
    while tokens.next_if(|token| words.contains(&token.to_string().as_str())).is_some() {
        has_words = true;
    }
    match tokens.next() {
        Some(TokenTree::Ident(first)) => {
            let word = first.to_string();
            let goes_on = match tokens.next() {
                Some(TokenTree::Ident(next)) => next == "as",
                Some(TokenTree::Punct(next)) => next.as_char() != '!',
                Some(TokenTree::Group(_) | TokenTree::Literal(_)) | None => true,
            };
            expressions.contains(&word.as_str()) || !has_words && !items.contains(&word.as_str()) && goes_on
        }
        Some(TokenTree::Punct(first)) => first.as_char() != '#',
        Some(TokenTree::Group(_) | TokenTree::Literal(_)) => true,
        None => false,
    }
}

/// Whether `fn` comes before any group or punctuation.
fn is_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    while !ahead.is_empty() {
        if ahead.peek(Token![fn]) {
            return true;
        }
        if ahead.peek(token::Paren) || ahead.peek(token::Brace) || ahead.parse::<TokenTree>().is_err() {
            return false;
        }
    }
    false
}
