//! Arguments as the schema means them: `42.0` is an integer, and `null` for an optional member is no member.

use serde_json::{Map, Number, Value};

use super::walk::is_null_schema;

/// Rewrites `value` where `schema` (a part of `root`) says so.
pub(crate) fn normalise(root: &Value, schema: &Value, value: &mut Value) {
    let Some(node) = schema.as_object() else { return };
    if let Some(target) = node.get("$ref").and_then(|reference| resolve(root, reference)) {
        normalise(root, target, value);
    }
    for union in ["allOf", "anyOf", "oneOf"] {
        for branch in node.get(union).and_then(Value::as_array).into_iter().flatten() {
            normalise(root, branch, value);
        }
    }
    match value {
        Value::Number(number) => {
            if admits(node, "integer")
                && let Some(integer) = integral(number)
            {
                *number = integer;
            }
        }
        Value::Array(items) => {
            let prefix = node.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            for (at, item) in items.iter_mut().enumerate() {
                if let Some(schema) = prefix.get(at).or_else(|| node.get("items")) {
                    normalise(root, schema, item);
                }
            }
        }
        Value::Object(members) => normalise_members(root, node, members),
        _ => {}
    }
}

fn normalise_members(root: &Value, node: &Map<String, Value>, members: &mut Map<String, Value>) {
    let properties = node.get("properties").and_then(Value::as_object);
    let required = |name: &str| {
        node.get("required")
            .and_then(Value::as_array)
            .is_some_and(|names| names.iter().any(|known| known == name))
    };
    if let Some(properties) = properties {
        members.retain(|name, value| {
            let Some(property) = properties.get(name) else { return true };
            !value.is_null() || required(name) || admits_null(root, property)
        });
    }
    for (name, value) in members {
        let schema = properties
            .and_then(|properties| properties.get(name))
            .or_else(|| node.get("additionalProperties"))
            .or_else(|| node.get("patternProperties")?.as_object()?.values().next());
        if let Some(schema) = schema {
            normalise(root, schema, value);
        }
    }
}

/// The integer that a number written with a fraction or exponent equals, if it does and 64 bits hold it.
fn integral(number: &Number) -> Option<Number> {
    if !number.is_f64() {
        return None;
    }
    let value = number.as_f64()?;
    if value.fract() != 0.0 {
        return None;
    }
    // The bounds are powers of two, so the comparison is exact and the casts lose nothing.
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) {
        Some((value as i64).into())
    } else if (0.0..18_446_744_073_709_551_616.0).contains(&value) {
        Some((value as u64).into())
    } else {
        None
    }
}

fn admits(node: &Map<String, Value>, kind: &str) -> bool {
    match node.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
        _ => false,
    }
}

fn admits_null(root: &Value, schema: &Value) -> bool {
    let Some(node) = schema.as_object() else { return *schema == Value::Bool(true) };
    if let Some(target) = node.get("$ref").and_then(|reference| resolve(root, reference)) {
        return admits_null(root, target);
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(branches) = node.get(union).and_then(Value::as_array) {
            return branches.iter().any(|branch| admits_null(root, branch));
        }
    }
    if let Some(values) = node.get("enum").and_then(Value::as_array) {
        return values.iter().any(Value::is_null);
    }
    if is_null_schema(schema) || admits(node, "null") {
        return true;
    }
    !node.contains_key("type") && !node.contains_key("const") && !node.contains_key("allOf")
}

fn resolve<'r>(root: &'r Value, reference: &Value) -> Option<&'r Value> {
    root.pointer(reference.as_str()?.strip_prefix('#')?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(schema: Value, value: Value, expected: &str) {
        let mut value = value;
        normalise(&schema, &schema, &mut value);
        assert_eq!(value.to_string(), expected);
    }

    #[test]
    fn integral_floats_become_integers_where_the_schema_says_integer() {
        let schema = json!({"type": "object", "properties": {
            "n": {"type": "integer"}, "x": {"type": "number"}, "l": {"type": "array", "items": {"type": "integer"}},
            "t": {"$ref": "#/$defs/T"},
        }, "$defs": {"T": {"type": "integer"}}});
        check(
            schema,
            json!({"n": 42.0, "x": 42.0, "l": [1e3, 1.5], "t": -0.0}),
            r#"{"l":[1000,1.5],"n":42,"t":0,"x":42.0}"#,
        );
        check(json!({"type": "integer"}), json!(1e19), "10000000000000000000");
        check(json!({"type": "integer"}), json!(1e30), "1e+30");
    }

    #[test]
    fn null_is_left_out_where_the_member_is_optional_and_not_nullable() {
        let schema = json!({"type": "object", "properties": {
            "a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": ["string", "null"]}, "d": {},
        }, "required": ["b"]});
        check(schema, json!({"a": null, "b": null, "c": null, "d": null}), r#"{"b":null,"c":null,"d":null}"#);
    }
}
