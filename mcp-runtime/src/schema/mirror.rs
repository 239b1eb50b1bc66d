//! `x-mcp-header`: which arguments are mirrored into HTTP headers, and whether a request mirrors them rightly
//! (2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters").

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::value::{Arguments, Unusable};
use super::walk::{Holds, holds};
use crate::protocol::fault::Fault;
use crate::protocol::mirrored::{Decimal, decode, is_plainly, trim};

/// The schema keyword.
pub(crate) const KEYWORD: &str = "x-mcp-header";

/// What every header of this kind begins with.
pub(crate) const PREFIX: &str = "mcp-param-";

/// One argument that is mirrored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mirror {
    /// The name as the definition writes it, for messages: `Region`.
    pub(crate) name: String,
    /// The whole header name in lower case.
    pub(crate) header: String,
    /// The same as requests are searched for it.
    #[cfg(feature = "http")]
    pub(crate) field: http::HeaderName,
    /// Member by member from the root of the arguments.
    pub(crate) path: Vec<String>,
    /// The type the schema gives it.
    pub(crate) kind: Kind,
}

/// The types that may be mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    String,
    Integer,
    Boolean,
}

/// Reads the mirrors off an assembled schema, or says everything that is wrong with them.
pub(crate) fn mirrors(schema: &Value) -> Result<Vec<Mirror>, Vec<String>> {
    let mut found = Search { mirrors: Vec::new(), faults: Vec::new() };
    if let Some(root) = schema.as_object() {
        if root.contains_key(KEYWORD) {
            found.faults.push(format!("`{KEYWORD}` stands on the whole schema: it belongs on one argument"));
        }
        found.node(root, &mut Vec::new(), Reach::Properties);
    }
    let mut by_header: BTreeMap<&str, &Mirror> = BTreeMap::new();
    for mirror in &found.mirrors {
        if let Some(other) = by_header.insert(&mirror.header, mirror) {
            found.faults.push(format!(
                "`{}` and `{}` are mirrored to one header, `Mcp-Param-{}` (case is ignored): give one of them another name",
                other.path.join("."),
                mirror.path.join("."),
                mirror.name,
            ));
        }
    }
    if found.faults.is_empty() { Ok(found.mirrors) } else { Err(found.faults) }
}

/// Whether a client can reach the place from the root through `properties` alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Properties,
    Elsewhere,
}

struct Search {
    mirrors: Vec<Mirror>,
    faults: Vec<String>,
}

impl Search {
    fn node(&mut self, node: &Map<String, Value>, path: &mut Vec<String>, reach: Reach) {
        for (keyword, value) in node {
            let Some(kind) = holds(keyword) else { continue };
            let inside = if keyword == "properties" { reach } else { Reach::Elsewhere };
            match (kind, value) {
                (Holds::Named, Value::Object(named)) => {
                    for (name, child) in named {
                        self.child(name, child, path, inside);
                    }
                }
                (Holds::One | Holds::List, Value::Array(list)) => {
                    for child in list {
                        self.child(step(keyword), child, path, Reach::Elsewhere);
                    }
                }
                (Holds::One, child) => self.child(step(keyword), child, path, Reach::Elsewhere),
                _ => {}
            }
        }
    }

    fn child(&mut self, name: &str, child: &Value, path: &mut Vec<String>, reach: Reach) {
        let Some(node) = child.as_object() else { return };
        path.push(name.to_owned());
        if let Some(annotation) = node.get(KEYWORD) {
            match self.mirror(node, annotation, path, reach) {
                Ok(mirror) => self.mirrors.push(mirror),
                Err(fault) => self.faults.push(format!("`{}`: {fault}", path.join(".").replace(".[]", "[]"))),
            }
        }
        self.node(node, path, reach);
        path.pop();
    }

    fn mirror(
        &self,
        node: &Map<String, Value>,
        annotation: &Value,
        path: &[String],
        reach: Reach,
    ) -> Result<Mirror, String> {
        let Some(name) = annotation.as_str() else {
            return Err(format!("`{KEYWORD}` is {annotation}: it takes a text such as \"Region\""));
        };
        if !is_token(name) {
            return Err(format!(
                "{name:?} cannot end a header name: letters, digits and !#$%&'*+-.^_`|~ can, such as \"Region\""
            ));
        }
        if reach == Reach::Elsewhere {
            return Err(format!(
                "a client cannot find what `Mcp-Param-{name}` mirrors: only members of nested objects are mirrored, not \
                 what lies in lists, maps, unions or references"
            ));
        }
        let kind = match node.get("type").and_then(Value::as_str) {
            Some("string") => Kind::String,
            Some("integer") => Kind::Integer,
            Some("boolean") => Kind::Boolean,
            _ => {
                return Err("only a string, an integer or a boolean can be mirrored into a header".to_owned());
            }
        };
        let header = format!("{PREFIX}{}", name.to_ascii_lowercase());
        Ok(Mirror {
            name: name.to_owned(),
            #[cfg(feature = "http")]
            field: http::HeaderName::try_from(header.as_str()).map_err(|error| error.to_string())?,
            header,
            path: path.to_vec(),
            kind,
        })
    }
}

/// How a step into what a keyword holds is written.
fn step(keyword: &str) -> &str {
    match keyword {
        "items" | "prefixItems" | "additionalItems" | "unevaluatedItems" | "contains" => "[]",
        other => other,
    }
}

/// Whether a text is a token of RFC 9110 (section 5.6.2).
pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema(properties: Value) -> Value {
        json!({ "type": "object", "properties": properties })
    }

    #[test]
    fn mirrors_are_found_along_properties_only() {
        let found = mirrors(&schema(json!({
            "region": {"type": "string", KEYWORD: "Region"},
            "a": {"properties": {"b": {"type": "object", "properties": {"c": {"type": "integer", KEYWORD: "C"}}}}},
            KEYWORD: {"type": "string"},
            "data": {"type": "string", "default": {KEYWORD: 5}, "enum": [{KEYWORD: ""}]},
        })))
        .unwrap();
        let shown: Vec<_> = found.iter().map(|m| (m.path.join("."), m.header.as_str(), m.kind)).collect();
        assert_eq!(
            shown,
            [
                ("a.b.c".to_owned(), "mcp-param-c", Kind::Integer),
                ("region".to_owned(), "mcp-param-region", Kind::String),
            ]
        );
    }

    #[test]
    fn definitions_that_clients_would_drop_are_refused() {
        for (bad, says) in [
            (json!({"x": {"type": "string", KEYWORD: ""}}), "cannot end a header name"),
            (json!({"x": {"type": "string", KEYWORD: "a b"}}), "cannot end a header name"),
            (json!({"x": {"type": "string", KEYWORD: "a\r\n"}}), "cannot end a header name"),
            (json!({"x": {"type": "string", KEYWORD: 5}}), "takes a text"),
            (json!({"x": {"type": "number", KEYWORD: "X"}}), "only a string"),
            (json!({"x": {"type": ["string", "null"], KEYWORD: "X"}}), "only a string"),
            (json!({"x": {"enum": ["a"], KEYWORD: "X"}}), "only a string"),
            (json!({"x": {"type": "array", "items": {"type": "string", KEYWORD: "X"}}}), "cannot find what"),
            (json!({"x": {"anyOf": [{"type": "string", KEYWORD: "X"}]}}), "cannot find what"),
            (json!({"x": {"dependencies": {"y": {"type": "string", KEYWORD: "X"}}}}), "cannot find what"),
            (json!({"x": {"additionalProperties": {"type": "string", KEYWORD: "X"}}}), "cannot find what"),
            (
                json!({"x": {"type": "string", KEYWORD: "Zone"}, "y": {"type": "string", KEYWORD: "zone"}}),
                "mirrored to one header",
            ),
        ] {
            let faults = mirrors(&schema(bad.clone())).unwrap_err();
            assert!(faults.iter().any(|fault| fault.contains(says)), "{bad}: {faults:?}");
        }
        let in_defs = json!({"type": "object", "$defs": {"T": {"type": "string", KEYWORD: "X"}}});
        assert!(mirrors(&in_defs).is_err());
        assert!(mirrors(&json!({"type": "object", KEYWORD: "X"})).is_err());
    }

    fn compare(kind: &str, raw: &str, header: Option<&str>) -> Result<(), String> {
        let mirrors = mirrors(&schema(json!({"v": {"type": kind, KEYWORD: "V"}}))).unwrap();
        let raw = format!("{{\"v\":{raw}}}");
        check(&mirrors, Some(&raw), |_| header.map_or(Line::Absent, |value| Line::Once(value.as_bytes())))
            .map(|_| ())
            .map_err(|fault| fault.message.into_owned())
    }

    #[test]
    fn values_agree_as_the_specification_says() {
        for (kind, raw, header) in [
            ("string", r#""us-west1""#, "us-west1"),
            ("string", r#""""#, ""),
            ("string", r#""Hello, 世界""#, "=?base64?SGVsbG8sIOS4lueVjA==?="),
            ("string", r#"" padded ""#, "=?base64?IHBhZGRlZCA=?="),
            ("string", r#""=?base64?literal?=""#, "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("string", r#""=?BASE64?eA==?=""#, "=?BASE64?eA==?="),
            ("integer", "42", "42.00"),
            ("integer", "4.2e1", "42"),
            ("integer", "42", "042"),
            ("integer", "-0", "0"),
            ("integer", "9007199254740991", "9007199254740991"),
            ("integer", r#""42""#, "42"),
            ("boolean", "true", "true"),
        ] {
            assert_eq!(compare(kind, raw, Some(header)), Ok(()), "{kind} {raw} {header}");
        }
        for raw in ["null", "[1]", "{}"] {
            assert_eq!(compare("string", raw, None), Ok(()), "{raw}");
        }
    }

    #[test]
    fn what_differs_is_refused() {
        for (kind, raw, header) in [
            ("string", r#""us-west1""#, Some("US-WEST1")),
            ("string", r#""us-west1""#, None),
            ("string", r#""042""#, Some("42")),
            ("string", r#"" padded ""#, Some(" padded ")),
            ("string", r#""=?base64?literal?=""#, Some("=?base64?literal?=")),
            ("string", r#""x""#, Some("=?base64?eB==?=")),
            ("string", "null", Some("null")),
            ("string", "[1]", Some("x")),
            ("integer", "42", Some("4.2e1")),
            ("integer", "42", Some("+42")),
            ("integer", "42", Some("")),
            ("integer", "42.5", Some("42.5")),
            ("integer", "9007199254740993", Some("9007199254740992")),
            ("integer", "9007199254740992", Some("9007199254740992")),
            ("integer", "-9007199254740992", None),
            ("integer", "1e400", None),
            ("boolean", "false", None),
            ("boolean", "true", Some("True")),
        ] {
            let refused = compare(kind, raw, header).unwrap_err();
            assert!(refused.contains("`Mcp-Param-V` (argument `v`)"), "{kind} {raw} {header:?}: {refused}");
        }
    }
}
