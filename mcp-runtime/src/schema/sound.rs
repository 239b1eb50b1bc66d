//! Whether a schema can be judged in bounded time: how often its references apply to one and the same value.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::walk::each_held;

/// The most schemas that may apply to one value.
const MOST: u32 = 10_000;

/// Why values cannot be judged by this schema.
pub(crate) fn sound(root: &Value) -> Result<(), String> {
    let mut weigher = Weigher { root, weights: HashMap::new() };
    let mut open = vec![root];
    while let Some(schema) = open.pop() {
        weigher.weight(schema)?;
        if let Some(node) = schema.as_object() {
            each_held(node, |_, held| open.push(held));
        }
    }
    Ok(())
}

struct Weigher<'s> {
    root: &'s Value,
    /// How many schemas apply where this one does; `None` while that is being found.
    weights: HashMap<usize, Option<u32>>,
}

impl<'s> Weigher<'s> {
    fn weight(&mut self, schema: &'s Value) -> Result<u32, String> {
        let Some(node) = schema.as_object() else { return Ok(1) };
        let place = std::ptr::from_ref(schema) as usize;
        match self.weights.insert(place, None) {
            None => {}
            Some(Some(weight)) => {
                self.weights.insert(place, Some(weight));
                return Ok(weight);
            }
            Some(None) => return Err(self.circle(node)),
        }
        let mut weight: u32 = 1;
        for part in self.in_place(node) {
            weight = weight.saturating_add(self.weight(part)?);
        }
        if weight > MOST {
            return Err(format!(
                "the schema cannot be used: more than {MOST} of its parts apply to one value once references are followed"
            ));
        }
        self.weights.insert(place, Some(weight));
        Ok(weight)
    }

    /// The schemas that apply to the very value this one applies to.
    fn in_place(&self, node: &'s Map<String, Value>) -> Vec<&'s Value> {
        let mut parts = Vec::new();
        for reference in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let pointer = node.get(reference).and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
            parts.extend(pointer.and_then(|pointer| self.root.pointer(pointer)));
        }
        each_held(node, |keyword, held| {
            if matches!(
                keyword,
                "allOf"
                    | "anyOf"
                    | "oneOf"
                    | "not"
                    | "if"
                    | "then"
                    | "else"
                    | "dependentSchemas"
                    | "dependencies"
            ) {
                parts.push(held);
            }
        });
        parts
    }

    fn circle(&self, node: &Map<String, Value>) -> String {
        let reference = node.get("$ref").and_then(Value::as_str).unwrap_or("a reference");
        format!("the schema cannot be used: `{reference}` leads back to itself without going into the value")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn circles_that_go_into_the_value_are_fine() {
        let list = json!({"$ref": "#/$defs/L", "$defs": {"L": {"type": "object", "properties": {"next": {"$ref": "#/$defs/L"}}}}});
        assert_eq!(sound(&list), Ok(()));
        assert_eq!(sound(&json!({"type": "object", "additionalProperties": {"$ref": "#"}})), Ok(()));
    }

    #[test]
    fn circles_on_the_spot_are_refused() {
        for schema in [
            json!({"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}}),
            json!({"type": "object", "$ref": "#"}),
            json!({"type": "object", "allOf": [{"$ref": "#"}]}),
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}},
                "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/B"}]}, "B": {"not": {"$ref": "#/$defs/A"}}}}),
        ] {
            assert!(sound(&schema).unwrap_err().contains("leads back to itself"), "{schema}");
        }
    }

    #[test]
    fn a_schema_that_doubles_itself_is_refused() {
        let mut definitions = Map::new();
        for level in 0..30 {
            let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
            definitions.insert(format!("L{level}"), json!({"allOf": [next, next]}));
        }
        definitions.insert("L30".to_owned(), json!({"type": "string"}));
        let schema =
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": definitions});
        assert!(sound(&schema).unwrap_err().contains("apply to one value"));
    }
}
