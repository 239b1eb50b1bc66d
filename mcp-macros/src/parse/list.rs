//! `key` and `key = value`, with commas between.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprLit, Lit, LitInt, LitStr, Token, token};

use crate::diagnostics::{self, Errors};

/// One option as it is written.
#[derive(Debug)]
pub struct Written {
    /// Its name.
    pub key: Ident,
    /// Its value.
    pub value: Value,
}

/// What stands behind a key.
#[derive(Debug)]
pub enum Value {
    /// Nothing.
    Absent,
    /// `= EXPR`
    Expr(Box<Expr>),
    /// `= ` and nothing that can be read, or parentheses.
    Unreadable(TokenStream),
}

/// A list of options: perhaps a text first, then the options.
#[derive(Debug, Default)]
pub struct List {
    /// The text before the options.
    pub target: Option<LitStr>,
    /// Texts that stand where an option should.
    pub texts: Vec<LitStr>,
    /// The options, in order.
    pub written: Vec<Written>,
}

impl List {
    /// Reads the tokens between the parentheses.
    pub fn parse(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut list = Self::default();
        let read = |input: ParseStream<'_>| {
            if let Some(target) = text(input) {
                list.target = Some(target);
                comma(input, errors);
            }
            while !input.is_empty() {
                if let Some(text) = text(input) {
                    list.texts.push(text);
                } else if let Some(written) = option(input) {
                    list.written.push(written);
                } else {
                    errors.push(diagnostics::no_option(&rest(input)));
                }
                comma(input, errors);
            }
            Ok(())
        };
        // The closure reads to the end, whatever comes.
        if let Err(error) = read.parse2(tokens) {
            errors.push(error);
        }
        list
    }
}

/// A literal text, also one that came through a `macro_rules!` macro.
fn text(input: ParseStream<'_>) -> Option<LitStr> {
    let ahead = input.fork();
    let Ok(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) = ahead.parse().map(ungrouped) else {
        return None;
    };
    input.advance_to(&ahead);
    Some(text)
}

fn option(input: ParseStream<'_>) -> Option<Written> {
    let key = Ident::parse_any(input).ok()?;
    let value = if input.peek(token::Paren) {
        Value::Unreadable(rest(input))
    } else if input.peek(Token![=]) {
        let equals: Token![=] = input.parse().ok()?;
        let ahead = input.fork();
        match ahead.parse().map(ungrouped) {
            Ok(value) => {
                input.advance_to(&ahead);
                Value::Expr(Box::new(value))
            }
            Err(_) => {
                let rest = rest(input);
                Value::Unreadable(if rest.is_empty() { quote::quote!(#key #equals) } else { rest })
            }
        }
    } else {
        Value::Absent
    };
    Some(Written { key, value })
}

fn comma(input: ParseStream<'_>, errors: &mut Errors) {
    if input.is_empty() {
        return;
    }
    if !input.peek(Token![,]) {
        errors.push(diagnostics::no_option(&rest(input)));
    }
    let _: Option<Token![,]> = input.parse().ok();
}

/// Everything up to the next comma.
fn rest(input: ParseStream<'_>) -> TokenStream {
    let mut rest = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        match input.parse::<TokenTree>() {
            Ok(token) => rest.extend([token]),
            Err(_) => break,
        }
    }
    rest
}

/// The expression without the invisible group that `macro_rules!` puts round it.
fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        other => other,
    }
}

impl List {
    /// Refuses the texts that stand among the options.
    pub fn refuse_texts(&self, errors: &mut Errors) {
        for text in &self.texts {
            errors.push(diagnostics::no_option(text));
        }
    }
}

impl Written {
    /// The value as a literal text.
    pub fn text(&self, errors: &mut Errors) -> Option<LitStr> {
        if let Value::Expr(value) = &self.value
            && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &**value
        {
            return Some(text.clone());
        }
        self.wrong("a literal text", &format!("`{} = \"…\"`", self.key), errors)
    }

    /// The value as a yes or no; a bare key is a yes.
    pub fn flag(&self, errors: &mut Errors) -> Option<bool> {
        match &self.value {
            Value::Absent => return Some(true),
            Value::Expr(value) => {
                if let Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. }) = &**value {
                    return Some(flag.value);
                }
            }
            Value::Unreadable(_) => {}
        }
        self.wrong(
            "true, false, or nothing, which is true",
            &format!("`{0}` or `{0} = false`", self.key),
            errors,
        )
    }

    /// That the key stands alone.
    pub fn bare(&self, errors: &mut Errors) -> Option<()> {
        match &self.value {
            Value::Absent => Some(()),
            _ => self.wrong("no value", &format!("`{}`", self.key), errors),
        }
    }

    /// The value as a literal whole number that is not negative.
    pub fn count(&self, errors: &mut Errors) -> Option<LitInt> {
        if let Value::Expr(value) = &self.value
            && let Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) = &**value
            && number.base10_parse::<u64>().is_ok()
        {
            return Some(number.clone());
        }
        self.wrong("a whole number", &format!("`{} = 60_000`", self.key), errors)
    }

    /// The value as any expression. `example` is such as `` `icons = [mcp::Icon::new("https://…")]` ``.
    pub fn expr(&self, takes: &str, example: &str, errors: &mut Errors) -> Option<Expr> {
        match &self.value {
            Value::Expr(value) => Some((**value).clone()),
            _ => self.wrong(takes, example, errors),
        }
    }

    /// Notes that the value is of another kind than it should be.
    pub fn wrong<T>(&self, takes: &str, example: &str, errors: &mut Errors) -> Option<T> {
        let error = match &self.value {
            Value::Absent => diagnostics::wrong_kind(&self.key, &self.key, takes, example),
            Value::Expr(value) => diagnostics::wrong_kind(value, &self.key, takes, example),
            Value::Unreadable(tokens) => diagnostics::wrong_kind(tokens, &self.key, takes, example),
        };
        errors.push(error);
        None
    }
}
