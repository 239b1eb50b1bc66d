//! What is said of one argument, on a parameter or a field: whether it fits its type and itself.

use quote::ToTokens;
use syn::{Expr, ExprLit, Lit, Type};

use crate::bounds::{Number, Within};
use crate::diagnostics::{self, Errors};
use crate::parse::argument::{Fallback, Said};
use crate::types::{self, Plain};

/// Notes constraints that say nothing about the type, and a default that they shut out.
pub fn check(said: &Said, ty: &Type, errors: &mut Errors) {
    constraints(said, ty, errors);
    if let Some(Fallback { value: Some(value), .. }) = &said.default {
        default_kind(value, ty, errors);
        default(said, value, ty, errors);
    }
}

/// A literal of another kind than the type plainly is.
fn default_kind(value: &Expr, ty: &Type, errors: &mut Errors) {
    let kind = types::required(ty);
    let literal = match value {
        Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) => Plain::Text,
        Expr::Lit(ExprLit { lit: Lit::Bool(_), .. }) => Plain::Bool,
        Expr::Lit(ExprLit { lit: Lit::Char(_), .. }) => Plain::Char,
        other => match Number::of(other) {
            Some(Number::Integer(_)) => Plain::Integer,
            Some(Number::Float(_)) => Plain::Float,
            None => return,
        },
    };
    let is = match literal {
        Plain::Text => "a text",
        Plain::Bool => "a boolean",
        Plain::Char => "a character",
        Plain::Integer => "a whole number",
        _ => "a floating-point number",
    };
    if kind != literal && kind != Plain::Other {
        let remedy = match (kind, literal) {
            (Plain::Float, Plain::Integer) => "write it with a point: `1.0`",
            (Plain::Text, _) => "write it in quotes",
            _ => "write a value of that type",
        };
        errors.push(diagnostics::default_of_other_type(value, is, ty, remedy));
    }
}

fn constraints(said: &Said, ty: &Type, errors: &mut Errors) {
    let kind = types::required(ty);
    if let Some(range) = &said.range
        && matches!(kind, Plain::Text | Plain::Bool | Plain::Char | Plain::List | Plain::Map)
    {
        let instead = "for texts and lists write `length = 1..=80`";
        errors.push(diagnostics::constraint_on(&range.key, "range", "numbers", instead));
    }
    if let (Some(range), Some(limits)) = (&said.range, types::limits(ty)) {
        let ty = types::inside_option(ty);
        match range.bounds.within(limits) {
            Within::All => {}
            Within::Part => errors.push(diagnostics::range_beyond_type(&range.written, ty, limits)),
            Within::Nothing => errors.push(diagnostics::range_outside_of_type(&range.written, ty, limits)),
            Within::Fractions => errors.push(diagnostics::range_of_fractions(&range.written, ty)),
        }
    }
    if let Some(length) = &said.length
        && matches!(kind, Plain::Integer | Plain::Float | Plain::Bool | Plain::Char | Plain::Map)
    {
        let instead = "for numbers write `range = 1..=100`";
        errors.push(diagnostics::constraint_on(&length.key, "length", "texts and lists", instead));
    }
    if let Some((key, _)) = &said.pattern
        && matches!(kind, Plain::Integer | Plain::Float | Plain::Bool | Plain::List | Plain::Map)
    {
        errors.push(diagnostics::constraint_on(key, "pattern", "texts", "remove it"));
    }
}

fn default(said: &Said, value: &Expr, ty: &Type, errors: &mut Errors) {
    if let (Some(range), Some(number)) = (&said.range, Number::of(value))
        && !range.bounds.holds(number)
    {
        errors.push(diagnostics::default_out_of_range(value, &number.to_string(), &range.written));
    } else if let (Some(Number::Integer(number)), Some((least, most))) =
        (Number::of(value), types::limits(ty))
        && !(least..=most).contains(&number)
    {
        errors.push(diagnostics::default_beyond_type(value, number, types::inside_option(ty), (least, most)));
    }
    if let (Some(length), Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) = (&said.length, value) {
        let characters = text.value().chars().count() as u64;
        if !length.bounds.holds(characters) {
            errors.push(diagnostics::default_of_other_length(text, characters, &length.written));
        }
    }
}

/// The first thing said of a struct that only an argument itself can have.
pub fn on_flattened(said: &Said) -> Option<(&dyn ToTokens, &'static str)> {
    if let Some(name) = &said.name {
        return Some((name, "name"));
    }
    if let Some(title) = &said.title {
        return Some((title, "title"));
    }
    if let Some(default) = &said.default {
        return Some((&default.key, "default"));
    }
    constraint(said)
}

/// The first thing said of an argument, but for its header.
pub fn anything(said: &Said) -> Option<(&dyn ToTokens, &'static str)> {
    if let Some(description) = &said.description {
        return Some((description, "description"));
    }
    if let Some(key) = &said.flatten {
        return Some((key, "flatten"));
    }
    on_flattened(said)
}

/// The first constraint that is said.
pub fn constraint(said: &Said) -> Option<(&dyn ToTokens, &'static str)> {
    if let Some(range) = &said.range {
        return Some((&range.key, "range"));
    }
    if let Some(length) = &said.length {
        return Some((&length.key, "length"));
    }
    if let Some((key, _)) = &said.pattern {
        return Some((key, "pattern"));
    }
    None
}
