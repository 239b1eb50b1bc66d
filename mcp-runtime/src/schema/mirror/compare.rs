//! Whether headers show the arguments that they mirror, and which headers do.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::{Kind, Mirror};
use crate::protocol::fault::Fault;
use crate::protocol::mirrored::{Decimal, decode, is_plainly, trim};
use crate::schema::value::{Arguments, Unusable};

/// How a request carries one header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line<'h> {
    Absent,
    Once(&'h [u8]),
    Twice,
}

/// Compares every mirrored argument with its header. `raw` is the text of the arguments.
///
/// The arguments come back read, so that they are read once. Those that no value can hold come back as they
/// failed: what is wrong with them beside their headers is judged later.
pub(crate) fn check<'h>(
    mirrors: &[Mirror],
    raw: Option<&str>,
    line: impl Fn(&Mirror) -> Line<'h>,
) -> Result<Result<Arguments, Unusable>, Fault> {
    let arguments = Arguments::read(raw);
    for mirror in mirrors {
        let body = match &arguments {
            Ok(read) => Body::of_value(lookup(&read.value, &mirror.path), raw, mirror),
            Err(_) => Body::of_raw(lookup_raw(raw, &mirror.path)),
        };
        mirror.compare(&body, line(mirror))?;
    }
    Ok(arguments)
}

/// The headers that mirror these arguments: their names, and the texts that they stand for.
#[cfg(feature = "client")]
pub(crate) fn headers<'m>(
    mirrors: &'m [Mirror],
    arguments: &'m Value,
) -> impl Iterator<Item = (&'m str, String)> {
    mirrors.iter().filter_map(|mirror| {
        let text = match lookup(arguments, &mirror.path)? {
            Value::Null | Value::Array(_) | Value::Object(_) => return None,
            Value::String(text) => text.clone(),
            Value::Bool(value) => value.to_string(),
            // A header has no exponent, and an integral float is the integer.
            Value::Number(number) => match number.as_f64() {
                Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => {
                    format!("{float:.0}")
                }
                _ => number.to_string(),
            },
        };
        Some((mirror.header.as_str(), text))
    })
}

/// An argument as its header has to show it.
enum Body<'v> {
    /// Absent or null, or not to be reached.
    Nothing,
    Text(Cow<'v, str>),
    Integer(i64),
    /// A number as it was written.
    Number(String),
    Bool(bool),
    /// A list or an object.
    Compound,
}

impl<'v> Body<'v> {
    fn of_value(value: Option<&'v Value>, raw: Option<&str>, mirror: &Mirror) -> Self {
        match value {
            None | Some(Value::Null) => Self::Nothing,
            Some(Value::Bool(value)) => Self::Bool(*value),
            Some(Value::String(text)) => Self::Text(Cow::Borrowed(text)),
            // A float is not what was written any more: 9007199254740993.0 has become 9007199254740992.
            Some(Value::Number(number)) if number.is_f64() => Self::of_raw(lookup_raw(raw, &mirror.path)),
            Some(Value::Number(number)) => {
                number.as_i64().map_or_else(|| Self::Number(number.to_string()), Self::Integer)
            }
            Some(Value::Array(_) | Value::Object(_)) => Self::Compound,
        }
    }

    fn of_raw(raw: Option<&str>) -> Self {
        match raw {
            None | Some("null") => Self::Nothing,
            Some("true") => Self::Bool(true),
            Some("false") => Self::Bool(false),
            Some(raw) if raw.starts_with('"') => {
                serde_json::from_str(raw).map_or(Self::Compound, |text: String| Self::Text(text.into()))
            }
            Some(raw) if raw.starts_with(['[', '{']) => Self::Compound,
            Some(raw) => Self::Number(raw.to_owned()),
        }
    }

    /// Whether a header is exactly this, written as most are: nothing about it needs a closer look.
    fn is_plainly(&self, header: &[u8]) -> bool {
        match self {
            Self::Text(text) => is_plainly(header, text),
            Self::Integer(number) => header == itoa::Buffer::new().format(*number).as_bytes(),
            _ => false,
        }
    }

    /// Whether it is a whole number that every JavaScript number holds exactly.
    fn is_safe_integer(&self) -> bool {
        match self {
            Self::Integer(number) => number.unsigned_abs() <= MOST,
            Self::Number(number) => Decimal::from_json(number).is_some_and(|number| number.is_safe_integer()),
            _ => true,
        }
    }
}

/// The greatest whole number that every JavaScript number holds exactly.
const MOST: u64 = (1 << 53) - 1;

fn lookup<'v>(arguments: &'v Value, path: &[String]) -> Option<&'v Value> {
    path.iter().try_fold(arguments, |value, name| value.as_object()?.get(name))
}

fn lookup_raw<'r>(raw: Option<&'r str>, path: &[String]) -> Option<&'r str> {
    path.iter().try_fold(raw?, |raw, name| {
        let members: BTreeMap<String, &'r RawValue> = serde_json::from_str(raw).ok()?;
        members.get(name.as_str()).map(|member| member.get())
    })
}

impl Mirror {
    fn compare(&self, body: &Body<'_>, line: Line<'_>) -> Result<(), Fault> {
        if self.kind == Kind::Integer && !body.is_safe_integer() {
            let number = match body {
                Body::Integer(number) => number.to_string(),
                Body::Number(number) => number.clone(),
                _ => String::new(),
            };
            return Err(self.fault(&format!(
                "the argument is {number}: a mirrored integer is a whole number of at most 2^53 - 1 either way"
            )));
        }
        match (body, line) {
            (_, Line::Twice) => Err(self.fault("it is sent more than once")),
            (Body::Nothing | Body::Compound, Line::Absent) => Ok(()),
            (Body::Nothing, Line::Once(_)) => {
                Err(self.fault("it is sent, but the argument it mirrors is not given"))
            }
            (Body::Compound, Line::Once(_)) => {
                Err(self.fault("it is sent, but the argument it mirrors is a list or an object"))
            }
            (_, Line::Absent) => Err(self.fault("it is missing, but the argument it mirrors is given")),
            (body, Line::Once(value)) if body.is_plainly(value) => Ok(()),
            (body, Line::Once(value)) => {
                let text = decode(trim(value)).map_err(|malformed| self.fault(malformed.as_str()))?;
                if self.agrees(body, &text) {
                    Ok(())
                } else {
                    Err(self.fault("its value differs from the argument it mirrors"))
                }
            }
        }
    }

    fn agrees(&self, body: &Body<'_>, header: &str) -> bool {
        let is = |number: &str| {
            if self.kind != Kind::Integer {
                return header == number;
            }
            let header = Decimal::from_header(header);
            header.is_some() && header == Decimal::from_json(number)
        };
        match body {
            Body::Bool(value) => header == if *value { "true" } else { "false" },
            Body::Text(text) => header == text,
            Body::Integer(number) => is(itoa::Buffer::new().format(*number)),
            Body::Number(number) => is(number),
            Body::Nothing | Body::Compound => false,
        }
    }

    fn fault(&self, what: &str) -> Fault {
        let header = format!("Mcp-Param-{}", self.name);
        let message = format!("Header mismatch: `{header}` (argument `{}`): {what}", self.path.join("."));
        Fault::header_mismatch(&header, message)
    }
}
