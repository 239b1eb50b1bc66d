//! Arguments that come as texts of what they are: `"42"` for an integer, `"{\"a\": 1}"` for an object. A text is read
//! only where the schema takes none, and only as exactly the type that it takes.

use serde_json::{Map, Value};

/// Whether values may come as texts of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reading {
    /// A text is a text.
    #[default]
    Strict,
    /// A text is read where none is taken.
    Lenient,
}

/// How deep references are followed on the spot.
const DEPTH: usize = 16;

/// Reads the texts within `value` that `schema` takes another type for.
pub(crate) fn read_texts(schema: &Value, value: &mut Value) {
    Reader { root: schema }.read(schema, value);
}

struct Reader<'s> {
    root: &'s Value,
}

impl<'s> Reader<'s> {
    fn read(&self, schema: &'s Value, value: &mut Value) {
        if let Value::String(text) = value
            && let Some(read) = self.meant(schema, text)
        {
            *value = read;
        }
        let Some(node) = self.form_of(schema, value, DEPTH) else { return };
        match value {
            Value::Array(items) => {
                let places = node.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                for (at, item) in items.iter_mut().enumerate() {
                    if let Some(schema) = places.get(at).or_else(|| node.get("items")) {
                        self.read(schema, item);
                    }
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let known = node.get("properties").and_then(|known| known.get(name));
                    if let Some(schema) = known.or_else(|| node.get("additionalProperties")) {
                        self.read(schema, member);
                    }
                }
            }
            _ => {}
        }
    }

    /// What a text stands for where the schema takes no text.
    fn meant(&self, schema: &'s Value, text: &str) -> Option<Value> {
        let kinds = self.kinds(schema, DEPTH)?;
        if kinds.contains(&"string") || text.trim() != text {
            return None;
        }
        let read: Value = serde_json::from_str(text).ok()?;
        let kind = match &read {
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() && !kinds.contains(&"number") => return None,
            Value::Number(_) if kinds.contains(&"number") => "number",
            Value::Number(_) => "integer",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
            Value::Null | Value::String(_) => return None,
        };
        kinds.contains(&kind).then_some(read)
    }

    /// The types that the schema takes; `None` where it does not say.
    fn kinds(&self, schema: &'s Value, depth: usize) -> Option<Vec<&'s str>> {
        let node = schema.as_object()?;
        let depth = depth.checked_sub(1)?;
        if let Some(target) = self.target(node) {
            return self.kinds(target, depth);
        }
        match (node.get("type"), branches(node)) {
            (Some(Value::String(kind)), _) => Some(vec![kind]),
            (Some(Value::Array(kinds)), _) => kinds.iter().map(Value::as_str).collect(),
            (_, Some(branches)) => {
                let kinds: Option<Vec<Vec<&str>>> =
                    branches.iter().map(|branch| self.kinds(branch, depth)).collect();
                Some(kinds?.concat())
            }
            _ => None,
        }
    }

    /// The one form that the value has: the schema, what it refers to, or the only branch of a union that knows all
    /// members.
    fn form_of(&self, schema: &'s Value, value: &Value, depth: usize) -> Option<&'s Map<String, Value>> {
        let node = schema.as_object()?;
        let depth = depth.checked_sub(1)?;
        if let Some(target) = self.target(node) {
            return self.form_of(target, value, depth);
        }
        let Some(branches) = branches(node) else { return Some(node) };
        let forms = branches.iter().filter_map(|branch| self.form_of(branch, value, depth));
        let mut forms = forms.filter(|form| match value {
            Value::Array(_) => form.get("type").is_some_and(|kind| kind == "array"),
            Value::Object(members) => {
                let known = form.get("properties").and_then(Value::as_object);
                known.is_some_and(|known| members.keys().all(|name| known.contains_key(name)))
            }
            _ => false,
        });
        forms.next().filter(|_| forms.next().is_none())
    }

    fn target(&self, node: &Map<String, Value>) -> Option<&'s Value> {
        self.root.pointer(node.get("$ref")?.as_str()?.strip_prefix('#')?)
    }
}

fn branches(node: &Map<String, Value>) -> Option<&Vec<Value>> {
    ["anyOf", "oneOf"].iter().find_map(|union| node.get(*union)?.as_array())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(schema: Value, value: Value, expected: Value) {
        let mut value = value;
        read_texts(&schema, &mut value);
        assert_eq!(value, expected);
    }

    #[test]
    fn a_text_is_read_as_exactly_the_type_that_is_taken() {
        for (kind, text, read) in [
            ("integer", "42", json!(42)),
            ("integer", "-7", json!(-7)),
            ("integer", "42.0", json!("42.0")),
            ("integer", "007", json!("007")),
            ("integer", " 42", json!(" 42")),
            ("integer", "true", json!("true")),
            ("number", "42", json!(42)),
            ("number", "0.5", json!(0.5)),
            ("boolean", "true", json!(true)),
            ("boolean", "yes", json!("yes")),
            ("string", "42", json!("42")),
            ("array", "[1, 2]", json!([1, 2])),
            ("object", "{\"a\": 1}", json!({"a": 1})),
            ("object", "[1]", json!("[1]")),
            ("null", "null", json!("null")),
        ] {
            check(json!({ "type": kind }), json!(text), read);
        }
        check(json!({}), json!("42"), json!("42"));
        check(json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}), json!("42"), json!("42"));
        check(json!({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}), json!("42"), json!(42));
    }

    #[test]
    fn texts_are_read_within_lists_objects_and_what_is_referred_to() {
        let schema = json!({"type": "object", "properties": {
            "list": {"type": "array", "items": {"type": "integer"}},
            "map": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "tree": {"$ref": "#/$defs/T"},
            "shape": {"anyOf": [
                {"type": "object", "properties": {"r": {"type": "number"}}},
                {"type": "object", "properties": {"side": {"type": "integer"}}},
            ]},
        }, "$defs": {"T": {"type": "object", "properties": {"n": {"type": "integer"}, "next": {"$ref": "#/$defs/T"}}}}});
        check(
            schema,
            json!({"list": "[\"1\", 2]", "map": {"a": "false"}, "tree": {"n": "1", "next": "{\"n\": \"2\"}"}, "shape": {"side": "3"}}),
            json!({"list": [1, 2], "map": {"a": false}, "tree": {"n": 1, "next": {"n": 2}}, "shape": {"side": 3}}),
        );
    }
}
