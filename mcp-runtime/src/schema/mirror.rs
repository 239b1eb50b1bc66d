//! `x-mcp-header`: which arguments are mirrored into HTTP headers, and whether a request mirrors them rightly
//! (2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters").

mod compare;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

#[cfg(feature = "client")]
pub(crate) use self::compare::headers;
pub(crate) use self::compare::{Line, check};
use super::walk::{Holds, holds};

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
