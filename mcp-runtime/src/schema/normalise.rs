//! Arguments as the schema means them: `42.0` is an integer, and `null` for an optional member is no member.

use std::collections::HashSet;

use serde_json::{Map, Number, Value};

use super::walk::is_null_schema;

/// How many pairs of a schema and a value are looked at before the rest is left as it is.
const STEPS: usize = 1_000_000;

/// Rewrites `value` where `schema` says so.
pub(crate) fn normalise(schema: &Value, value: &mut Value) {
    let mut plan =
        Plan { root: schema, seen: HashSet::new(), integers: HashSet::new(), absent: HashSet::new() };
    plan.look(schema, value);
    if !plan.integers.is_empty() || !plan.absent.is_empty() {
        plan.carry_out(value);
    }
}

/// What is to be rewritten, by the places of the values: nothing moves before its place was looked up.
struct Plan<'s> {
    root: &'s Value,
    /// Which schema looked at which value already: those of a recursive union meet again and again.
    seen: HashSet<(usize, usize)>,
    integers: HashSet<usize>,
    absent: HashSet<usize>,
}

fn place(value: &Value) -> usize {
    std::ptr::from_ref(value) as usize
}

impl Plan<'_> {
    fn look(&mut self, schema: &Value, value: &Value) {
        let Some(node) = schema.as_object() else { return };
        if self.seen.len() >= STEPS || !self.seen.insert((place(schema), place(value))) {
            return;
        }
        if let Some(target) = resolve(self.root, node) {
            self.look(target, value);
        }
        for union in ["allOf", "anyOf", "oneOf"] {
            for branch in node.get(union).and_then(Value::as_array).into_iter().flatten() {
                self.look(branch, value);
            }
        }
        match value {
            Value::Number(number) if admits(node, "integer") && integral(number).is_some() => {
                self.integers.insert(place(value));
            }
            Value::Array(items) => {
                let prefix = node.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                for (at, item) in items.iter().enumerate() {
                    if let Some(schema) = prefix.get(at).or_else(|| node.get("items")) {
                        self.look(schema, item);
                    }
                }
            }
            Value::Object(members) => self.look_at_members(node, members),
            _ => {}
        }
    }

    fn look_at_members(&mut self, node: &Map<String, Value>, members: &Map<String, Value>) {
        let properties = node.get("properties").and_then(Value::as_object);
        let required = node.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for (name, value) in members {
            let property = properties.and_then(|properties| properties.get(name));
            if let Some(property) = property
                && value.is_null()
                && !required.iter().any(|known| known == name)
                && !admits_null(self.root, property, &mut Vec::new())
            {
                self.absent.insert(place(value));
                continue;
            }
            let schema = property
                .or_else(|| node.get("patternProperties")?.as_object()?.values().next())
                .or_else(|| node.get("additionalProperties"));
            if let Some(schema) = schema {
                self.look(schema, value);
            }
        }
    }

    fn carry_out(&self, value: &mut Value) {
        let integer = self.integers.contains(&place(value));
        match value {
            Value::Number(number) if integer => {
                if let Some(integer) = integral(number) {
                    *number = integer;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.carry_out(item)),
            Value::Object(members) => {
                let absent: Vec<String> = members
                    .iter()
                    .filter(|(_, value)| self.absent.contains(&place(value)))
                    .map(|(name, _)| name.clone())
                    .collect();
                members.values_mut().for_each(|member| self.carry_out(member));
                for name in absent {
                    members.remove(&name);
                }
            }
            _ => {}
        }
    }
}

/// The integer that a number written with a fraction or exponent equals, if it does and it was read exactly: beyond
/// 2^53 a float is not what was written any more.
fn integral(number: &Number) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let value = number.is_f64().then(|| number.as_f64())??;
    (value.fract() == 0.0 && value.abs() < EXACT).then(|| (value as i64).into())
}

fn admits(node: &Map<String, Value>, kind: &str) -> bool {
    match node.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
        _ => false,
    }
}

/// Whether the schema takes `null`. What refers to a schema that is being asked takes none for it.
fn admits_null(root: &Value, schema: &Value, asked: &mut Vec<usize>) -> bool {
    let Some(node) = schema.as_object() else { return *schema == Value::Bool(true) };
    if asked.contains(&place(schema)) {
        return false;
    }
    asked.push(place(schema));
    if let Some(target) = resolve(root, node) {
        return admits_null(root, target, asked);
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(branches) = node.get(union).and_then(Value::as_array) {
            return branches.iter().any(|branch| admits_null(root, branch, asked));
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

fn resolve<'r>(root: &'r Value, node: &Map<String, Value>) -> Option<&'r Value> {
    root.pointer(node.get("$ref")?.as_str()?.strip_prefix('#')?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(schema: Value, value: Value, expected: &str) {
        let mut value = value;
        normalise(&schema, &mut value);
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
        check(json!({"type": "integer"}), json!(9007199254740991.0), "9007199254740991");
        for beyond in ["9007199254740992.0", "-9223372036854775809", "1e19"] {
            let value: Value = serde_json::from_str(beyond).unwrap();
            check(json!({"type": "integer"}), value.clone(), &value.to_string());
        }
        check(json!({"type": "integer"}), json!(1e30), "1e+30");
    }

    #[test]
    fn recursive_unions_take_linear_time() {
        let branch = |op: &str| json!({"type": "object", "properties": {"op": {"const": op}, "arg": {"$ref": "#/$defs/E"}}});
        let leaf = json!({"type": "object", "properties": {"value": {"type": "integer"}}});
        let schema = json!({"$ref": "#/$defs/E",
            "$defs": {"E": {"oneOf": [branch("neg"), branch("abs"), branch("sqrt"), leaf]}}});
        let mut value = json!({"value": 2.0});
        for _ in 0..100 {
            value = json!({"op": "abs", "arg": value});
        }
        let expected = value.to_string().replace("2.0", "2");
        let mut plan =
            Plan { root: &schema, seen: HashSet::new(), integers: HashSet::new(), absent: HashSet::new() };
        plan.look(&schema, &value);
        assert!(plan.seen.len() < 101 * 12, "{}", plan.seen.len());
        check(schema, value, &expected);
    }

    #[test]
    fn null_is_left_out_where_the_member_is_optional_and_not_nullable() {
        let schema = json!({"type": "object", "properties": {
            "a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": ["string", "null"]}, "d": {},
        }, "required": ["b"]});
        check(schema, json!({"a": null, "b": null, "c": null, "d": null}), r#"{"b":null,"c":null,"d":null}"#);
    }
}
