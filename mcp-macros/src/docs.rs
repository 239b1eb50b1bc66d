//! Doc comments as description texts.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta};

/// A description: a text, or a text that is put together when the user's crate is compiled
/// (`#[doc = include_str!("…")]`).
#[derive(Clone, Debug, Default)]
pub struct Docs {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Expr(Box<Expr>),
}

impl Docs {
    /// What the doc comments among the attributes say.
    pub fn of(attrs: &[Attribute]) -> Self {
        let mut docs = Self::default();
        for attr in attrs {
            let Meta::NameValue(meta) = &attr.meta else { continue };
            if !meta.path.is_ident("doc") {
                continue;
            }
            match &meta.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => docs.push_text(&as_written(&text.value())),
                Expr::Lit(_) => {}
                value => docs.push_expr(value.clone()),
            }
        }
        docs.trim();
        docs
    }

    /// The text of an option that stands in for the doc comments.
    pub fn literal(text: &LitStr) -> Self {
        Self { parts: vec![Part::Text(text.value())] }
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    fn push_text(&mut self, text: &str) {
        if let Some(Part::Text(last)) = self.parts.last_mut() {
            last.push('\n');
            last.push_str(text);
        } else if self.parts.is_empty() {
            self.parts.push(Part::Text(text.to_owned()));
        } else {
            self.parts.push(Part::Text(format!("\n{text}")));
        }
    }

    fn push_expr(&mut self, value: Expr) {
        if !self.parts.is_empty() {
            match self.parts.last_mut() {
                Some(Part::Text(last)) => last.push('\n'),
                _ => self.parts.push(Part::Text("\n".to_owned())),
            }
        }
        self.parts.push(Part::Expr(Box::new(value)));
    }

    /// Drops blank lines before and after.
    fn trim(&mut self) {
        if let Some(Part::Text(first)) = self.parts.first_mut() {
            while let Some((line, rest)) = first.split_once('\n')
                && line.trim().is_empty()
            {
                *first = rest.to_owned();
            }
        }
        if let Some(Part::Text(last)) = self.parts.last_mut() {
            last.truncate(last.trim_end().len());
        }
        self.parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    }
}

impl ToTokens for Docs {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self.parts.as_slice() {
            [] => "".to_tokens(tokens),
            [Part::Text(text)] => text.to_tokens(tokens),
            [Part::Expr(value)] => value.to_tokens(tokens),
            parts => {
                let parts = parts.iter().map(|part| match part {
                    Part::Text(text) => text.to_token_stream(),
                    Part::Expr(value) => value.to_token_stream(),
                });
                tokens.extend(quote!(::core::concat!(#(#parts),*)));
            }
        }
    }
}

/// One doc attribute without what only the comment needs: the space after `///`, the stars of a block.
fn as_written(value: &str) -> String {
    let Some((first, rest)) = value.split_once('\n') else { return unspaced(value).to_owned() };
    let mut rest: Vec<&str> = rest.split('\n').collect();
    if rest.last().is_some_and(|line| line.trim().is_empty()) {
        rest.pop();
    }
    if rest.iter().all(|line| line.trim_start().starts_with('*')) {
        for line in &mut rest {
            *line = &line.trim_start()[1..];
        }
    }
    // Other white space may be text: of a part of a character nothing would be left.
    let indent = |line: &&&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let least =
        rest.iter().filter(|line| !line.trim().is_empty()).map(|line| indent(&line)).min().unwrap_or(0);
    let rest = rest.iter().map(|line| line.get(least..).unwrap_or_default());
    std::iter::once(unspaced(first)).chain(rest).collect::<Vec<_>>().join("\n")
}

fn unspaced(line: &str) -> &str {
    line.strip_prefix(' ').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[track_caller]
    fn check(item: &syn::ItemFn, expected: &str) {
        assert_eq!(Docs::of(&item.attrs).to_token_stream().to_string(), expected);
    }

    #[test]
    fn lines_keep_their_paragraphs_and_indentation() {
        check(
            &parse_quote! {
                ///
                /// Run it.
                ///
                /// - one
                ///     - two
                ///
                fn f() {}
            },
            r#""Run it.\n\n- one\n    - two""#,
        );
    }

    #[test]
    fn block_comments_lose_their_stars() {
        check(&parse_quote! { /** Your name. */ fn f() {} }, r#""Your name.""#);
        let stars: syn::ItemFn =
            syn::parse_str("/**\n     * One.\n     *\n     *   Two.\n     */ fn f() {}").unwrap();
        check(&stars, r#""One.\n\n  Two.""#);
        let plain: syn::ItemFn = syn::parse_str("/** One.\n\n    Two.\n      Three. */ fn f() {}").unwrap();
        check(&plain, r#""One.\n\nTwo.\n  Three.""#);
        let wide: syn::ItemFn = syn::parse_str("/** One.\n\u{3000}Two.\n Three. */ fn f() {}").unwrap();
        check(&wide, r#""One.\n\u{3000}Two.\n Three.""#);
    }

    #[test]
    fn included_files_are_put_in_by_the_compiler() {
        check(&parse_quote! { #[doc = include_str!("x.md")] fn f() {} }, r#"include_str ! ("x.md")"#);
        check(
            &parse_quote! {
                /// Before.
                #[doc = include_str!("x.md")]
                /// After.
                fn f() {}
            },
            r#":: core :: concat ! ("Before.\n" , include_str ! ("x.md") , "\nAfter.")"#,
        );
    }

    #[test]
    fn what_is_no_text_is_ignored() {
        check(&parse_quote! { #[doc(hidden)] #[doc(alias = "x")] #[inline] fn f() {} }, r#""""#);
    }
}
