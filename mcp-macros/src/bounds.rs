//! Bounds that an author writes: `range = 1..=100`, `length = 1..=80`.

use std::cmp::Ordering;
use std::fmt;

use syn::{Expr, ExprLit, ExprRange, Lit, LitFloat, LitInt, RangeLimits, UnOp};

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Integer(i128),
    /// Any other, finite.
    Float(f64),
}

impl Number {
    /// The number that an expression is, if it is a literal, negative or not.
    pub fn of(expr: &Expr) -> Option<Self> {
        match unwrapped(expr) {
            Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => Self::of_int(number),
            Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => Self::of_float(number),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match Self::of(&unary.expr)? {
                Self::Integer(number) => Some(Self::Integer(-number)),
                Self::Float(number) => Some(Self::Float(-number)),
            },
            _ => None,
        }
    }

    fn of_int(number: &LitInt) -> Option<Self> {
        if number.suffix().starts_with('f') {
            return number.base10_digits().parse().ok().map(Self::Float);
        }
        number.base10_parse().ok().map(Self::Integer)
    }

    fn of_float(number: &LitFloat) -> Option<Self> {
        number.base10_parse().ok().filter(|number: &f64| number.is_finite()).map(Self::Float)
    }

    fn to_f64(self) -> f64 {
        match self {
            // Bounds beyond 2^53 are compared as near as floats come; the schema has them exactly.
            #[allow(clippy::cast_precision_loss)]
            Self::Integer(number) => number as f64,
            Self::Float(number) => number,
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(one), Self::Integer(other)) => one.partial_cmp(other),
            _ => self.to_f64().partial_cmp(&other.to_f64()),
        }
    }
}

impl fmt::Display for Number {
    /// The number in JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::Float(number) => write!(f, "{number:?}"),
        }
    }
}

/// `range = …`
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// The least number.
    pub minimum: Option<Number>,
    /// The greatest number.
    pub maximum: Option<Number>,
    /// The number that all are below.
    pub below: Option<Number>,
}

/// Why an expression is no bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBounds {
    /// It is something else than a range of literals.
    Form,
    /// Nothing lies in it.
    Empty,
}

/// How much of a range an integer type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// Every number.
    All,
    /// Some of them.
    Part,
    /// None of them.
    Nothing,
    /// One of its ends is no whole number.
    Fractions,
}

impl Range {
    /// Reads a range of numbers.
    pub fn of(expr: &Expr) -> Result<Self, NoBounds> {
        let Expr::Range(range) = unwrapped(expr) else { return Err(NoBounds::Form) };
        let (start, end) = ends(range, Number::of)?;
        let read = match range.limits {
            RangeLimits::Closed(_) => Self { minimum: start, maximum: end, below: None },
            RangeLimits::HalfOpen(_) => Self { minimum: start, maximum: None, below: end },
        };
        let empty = match (read.minimum, read.maximum, read.below) {
            (Some(least), Some(most), _) => least > most,
            (Some(least), _, Some(below)) => least >= below,
            _ => false,
        };
        if empty { Err(NoBounds::Empty) } else { Ok(read) }
    }

    /// What an integer type that goes from `least` to `most` makes of it.
    pub fn within(&self, (least, most): (i128, i128)) -> Within {
        let whole = |end: Option<Number>| match end {
            None => Ok(None),
            Some(Number::Integer(number)) => Ok(Some(number)),
            Some(Number::Float(_)) => Err(()),
        };
        let (Ok(first), Ok(last), Ok(below)) = (whole(self.minimum), whole(self.maximum), whole(self.below))
        else {
            return Within::Fractions;
        };
        let last = last.or_else(|| below.map(|below| below.saturating_sub(1)));
        if first.is_some_and(|first| first > most) || last.is_some_and(|last| last < least) {
            Within::Nothing
        } else if first.is_some_and(|first| first < least) || last.is_some_and(|last| last > most) {
            Within::Part
        } else {
            Within::All
        }
    }

    /// Whether a number lies in it.
    pub fn holds(&self, number: Number) -> bool {
        self.minimum.is_none_or(|least| number >= least)
            && self.maximum.is_none_or(|most| number <= most)
            && self.below.is_none_or(|below| number < below)
    }
}

/// `length = …`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Length {
    /// The least.
    pub minimum: Option<u64>,
    /// The greatest.
    pub maximum: Option<u64>,
}

impl Length {
    /// Reads a range of counts, or one count.
    pub fn of(expr: &Expr) -> Result<Self, NoBounds> {
        if let Some(exact) = count(expr) {
            return Ok(Self { minimum: Some(exact), maximum: Some(exact) });
        }
        let Expr::Range(range) = unwrapped(expr) else { return Err(NoBounds::Form) };
        let (minimum, end) = ends(range, count)?;
        let maximum = match (end, range.limits) {
            (Some(end), RangeLimits::HalfOpen(_)) => Some(end.checked_sub(1).ok_or(NoBounds::Empty)?),
            (end, _) => end,
        };
        if minimum.zip(maximum).is_some_and(|(least, most)| least > most) {
            return Err(NoBounds::Empty);
        }
        Ok(Self { minimum, maximum })
    }

    /// Whether a text of that many characters fits.
    pub fn holds(&self, characters: u64) -> bool {
        self.minimum.is_none_or(|least| characters >= least)
            && self.maximum.is_none_or(|most| characters <= most)
    }
}

fn count(expr: &Expr) -> Option<u64> {
    match Number::of(expr)? {
        Number::Integer(number) => number.try_into().ok(),
        Number::Float(_) => None,
    }
}

type Ends<T> = (Option<T>, Option<T>);

/// Both ends; at least one is there.
fn ends<T>(range: &ExprRange, read: fn(&Expr) -> Option<T>) -> Result<Ends<T>, NoBounds> {
    let end = |written: &Option<Box<Expr>>| match written {
        Some(expr) => read(expr).map(Some).ok_or(NoBounds::Form),
        None => Ok(None),
    };
    match (end(&range.start)?, end(&range.end)?) {
        (None, None) => Err(NoBounds::Form),
        ends => Ok(ends),
    }
}

fn unwrapped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => unwrapped(&group.expr),
        Expr::Paren(paren) => unwrapped(&paren.expr),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> Result<String, NoBounds> {
        let range = Range::of(&syn::parse_str(text).unwrap())?;
        let show = |number: Option<Number>| number.map_or("-".to_owned(), |number| number.to_string());
        Ok([range.minimum, range.maximum, range.below].map(show).join(" "))
    }

    #[test]
    fn ranges_of_numbers_are_read() {
        for (text, expected) in [
            ("1..=100", "1 100 -"),
            ("-5..=-1", "-5 -1 -"),
            ("0.5..", "0.5 - -"),
            ("..=10_000u32", "- 10000 -"),
            ("1..0x10", "1 - 16"),
            ("0..=18446744073709551615", "0 18446744073709551615 -"),
            ("1e3..=2.0", ""),
            ("0.0..1e300", "0.0 - 1e300"),
        ] {
            let read = range(text);
            assert_eq!(
                read,
                if expected.is_empty() { Err(NoBounds::Empty) } else { Ok(expected.to_owned()) }
            );
        }
    }

    #[test]
    fn other_things_are_not() {
        for text in ["5", "..", "A..=B", "\"a\"..=\"b\"", "1..=1e999"] {
            assert_eq!(range(text), Err(NoBounds::Form), "{text}");
        }
        for text in ["10..=1", "5..5"] {
            assert_eq!(range(text), Err(NoBounds::Empty), "{text}");
        }
    }

    #[test]
    fn an_integer_type_holds_all_of_a_range_or_not() {
        let within = |text| Range::of(&syn::parse_str(text).unwrap()).unwrap().within((0, 255));
        for text in ["0..=255", "1..", "..=255", "..256", "..1", "255.."] {
            assert_eq!(within(text), Within::All, "{text}");
        }
        for text in ["0..=300", "-1..", "..257", "..=256", "-5..5", "255..=256"] {
            assert_eq!(within(text), Within::Part, "{text}");
        }
        for text in ["256..", "..0", "..=-1", "-5..=-1", "256..=300"] {
            assert_eq!(within(text), Within::Nothing, "{text}");
        }
        for text in ["0.0..", "0..2.5", "1.5..=2.5"] {
            assert_eq!(within(text), Within::Fractions, "{text}");
        }
    }

    #[test]
    fn lengths_are_counts() {
        let length = |text| Length::of(&syn::parse_str(text).unwrap());
        assert_eq!(length("3"), Ok(Length { minimum: Some(3), maximum: Some(3) }));
        assert_eq!(length("1..10"), Ok(Length { minimum: Some(1), maximum: Some(9) }));
        assert_eq!(length("..=80"), Ok(Length { minimum: None, maximum: Some(80) }));
        for text in ["-1..", "1.5", "..0", "5..=2", "x"] {
            assert!(length(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_number_lies_in_a_range_or_not() {
        let holds = |range, number| {
            Range::of(&syn::parse_str(range).unwrap())
                .unwrap()
                .holds(Number::of(&syn::parse_str::<Expr>(number).unwrap()).unwrap())
        };
        assert!(holds("1..=10", "10") && !holds("1..10", "10") && !holds("1..", "0") && holds("0.5..", "1"));
    }
}
