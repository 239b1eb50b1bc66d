//! What `#[serde(…)]` and `#[schemars(…)]` say. They are copied as they are; a few of their words are understood.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, ExprPath, LitStr, Meta, Token};

/// The parts of all attributes of one name on one item.
#[derive(Clone, Debug, Default)]
pub struct Foreign(Vec<Part>);

#[derive(Clone, Debug)]
struct Part {
    key: String,
    tokens: TokenStream,
}

impl Foreign {
    /// The parts of the attributes of that name.
    pub fn of(attrs: &[Attribute], name: &str) -> Self {
        let lists =
            attrs.iter().filter(|attr| attr.path().is_ident(name)).filter_map(|attr| match &attr.meta {
                Meta::List(list) => Some(list.tokens.clone()),
                _ => None,
            });
        Self(lists.flat_map(parts).collect())
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|part| part.key == key)
    }

    /// Whether there are no other keys.
    pub fn has_only(&self, keys: &[&str]) -> bool {
        self.0.iter().all(|part| keys.contains(&part.key.as_str()))
    }

    /// The key that stands alone, where it does.
    pub fn bare(&self, key: &str) -> Option<Ident> {
        let part = self.0.iter().find(|part| part.key == key)?;
        syn::parse2(part.tokens.clone()).ok()
    }

    /// The path of `default = "path"`, with the text that it stands in.
    pub fn default_path(&self) -> Option<(ExprPath, LitStr)> {
        let written = self.text("default", "default")?;
        Some((written.parse().ok()?, written))
    }

    /// The text of `key = "…"`, or of `key(side = "…")`.
    pub fn text(&self, key: &str, side: &str) -> Option<LitStr> {
        let part = self.0.iter().find(|part| part.key == key)?;
        let read = |input: ParseStream<'_>| {
            input.parse::<Ident>()?;
            if input.peek(Token![=]) {
                input.parse::<Token![=]>()?;
                return input.parse::<LitStr>().map(Some);
            }
            let inside;
            syn::parenthesized!(inside in input);
            let sides = Self(parts(inside.parse()?));
            Ok(sides.text(side, side))
        };
        read.parse2(part.tokens.clone()).ok().flatten()
    }

    /// The attribute as the shadow has it: without the path of a crate, which is the shadow's to say, and perhaps without
    /// `default`.
    pub fn copied(attr: &Attribute, drops_default: bool) -> TokenStream {
        let Meta::List(list) = &attr.meta else { return quote!(#attr) };
        let path = &list.path;
        let is_dropped = |part: &Part| {
            let alone = Self(vec![part.clone()]);
            part.key == "crate"
                || drops_default && (alone.bare("default").is_some() || alone.default_path().is_some())
        };
        let kept = parts(list.tokens.clone()).into_iter().filter(|part| !is_dropped(part));
        let kept = kept.map(|part| part.tokens);
        quote!(#[#path(#(#kept),*)])
    }
}

/// The tokens between commas.
fn parts(tokens: TokenStream) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while tokens.peek().is_some() {
        let part: Vec<TokenTree> = tokens.by_ref().take_while(|token| !is_comma(token)).collect();
        let key = part.first().map(ToString::to_string).unwrap_or_default();
        if !part.is_empty() {
            parts.push(Part { key, tokens: part.into_iter().collect() });
        }
    }
    parts
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn words_are_found_and_the_crate_is_dropped() {
        let item: syn::ItemStruct = parse_quote! {
            #[serde(crate = "other::serde", rename(deserialize = "in", serialize = "out"), default)]
            #[serde(deny_unknown_fields)]
            struct S;
        };
        let serde = Foreign::of(&item.attrs, "serde");
        assert!(serde.has("deny_unknown_fields"));
        assert!(serde.bare("default").is_some() && serde.bare("crate").is_none());
        assert_eq!(serde.text("rename", "deserialize").unwrap().value(), "in");
        assert_eq!(
            Foreign::copied(&item.attrs[0], false).to_string(),
            quote!(#[serde(rename(deserialize = "in", serialize = "out"), default)]).to_string()
        );
        assert_eq!(
            Foreign::copied(&item.attrs[0], true).to_string(),
            quote!(#[serde(rename(deserialize = "in", serialize = "out"))]).to_string()
        );
    }
}
