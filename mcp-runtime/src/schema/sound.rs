//! Whether a schema can be judged in bounded time: how often its references apply to one and the same value.

use std::collections::HashMap;
use std::sync::Arc;

use jsonschema::{Draft, Registry, RegistryBuilder, Uri};
use serde_json::{Map, Value};

use super::walk::each_held;

/// The most schemas that may apply to one value.
const MOST: u32 = 10_000;

/// What references are relative to where a schema has no `$id`.
const BASE: &str = "json-schema:///";

/// Why values cannot be judged by this schema.
pub(crate) fn sound(root: &Value, draft: Draft) -> Result<(), String> {
    let resource = draft.create_resource_ref(root);
    let registry = Registry::new().draft(draft).add(BASE, resource).and_then(RegistryBuilder::prepare);
    let (Ok(registry), Ok(base)) = (registry, jsonschema::uri::from_str(BASE)) else {
        // What leads nowhere, or out of the document, is refused when it is compiled.
        return Ok(());
    };
    let mut weigher = Weigher { registry: &registry, draft, weights: HashMap::new() };
    let mut open: Vec<_> = weigher.referred(&Arc::new(base), "#").into_iter().collect();
    while let Some(place) = open.pop() {
        weigher.weight(&place)?;
        if let Some(node) = place.schema.as_object() {
            let base = weigher.base(&place);
            each_held(node, |_, schema| open.push(Place { schema, base: Arc::clone(&base) }));
        }
    }
    Ok(())
}

/// A schema, and what its references are relative to.
struct Place<'s> {
    schema: &'s Value,
    base: Arc<Uri<String>>,
}

struct Weigher<'s> {
    registry: &'s Registry<'s>,
    draft: Draft,
    /// How many schemas apply where this one does; `None` while that is being found.
    weights: HashMap<usize, Option<u32>>,
}

impl<'s> Weigher<'s> {
    fn weight(&mut self, place: &Place<'s>) -> Result<u32, String> {
        let Some(node) = place.schema.as_object() else { return Ok(1) };
        let key = std::ptr::from_ref(place.schema) as usize;
        match self.weights.insert(key, None) {
            None => {}
            Some(Some(weight)) => {
                self.weights.insert(key, Some(weight));
                return Ok(weight);
            }
            Some(None) => return Err(self.circle(node)),
        }
        let mut weight: u32 = 1;
        for part in self.in_place(node, &self.base(place)) {
            weight = weight.saturating_add(self.weight(&part)?);
        }
        if weight > MOST {
            return Err(format!(
                "the schema cannot be used: more than {MOST} of its parts apply to one value once references are followed"
            ));
        }
        self.weights.insert(key, Some(weight));
        Ok(weight)
    }

    /// What the references within a schema are relative to.
    fn base(&self, place: &Place<'s>) -> Arc<Uri<String>> {
        let resource = self.draft.create_resource_ref(place.schema);
        if resource.id().is_none() {
            return Arc::clone(&place.base);
        }
        let resolver = self.registry.resolver((*place.base).clone());
        resolver.in_subresource(resource).map_or_else(|_| Arc::clone(&place.base), |within| within.base_uri())
    }

    /// What a reference refers to.
    fn referred(&self, base: &Arc<Uri<String>>, reference: &str) -> Option<Place<'s>> {
        let found = self.registry.resolver((**base).clone()).lookup(reference).ok()?;
        Some(Place { schema: found.contents(), base: found.resolver().base_uri() })
    }

    /// The schemas that apply to the very value this one applies to.
    fn in_place(&self, node: &'s Map<String, Value>, base: &Arc<Uri<String>>) -> Vec<Place<'s>> {
        let references = ["$ref", "$dynamicRef", "$recursiveRef"];
        let references = references.iter().filter_map(|keyword| node.get(*keyword).and_then(Value::as_str));
        let mut parts: Vec<_> = references.filter_map(|reference| self.referred(base, reference)).collect();
        each_held(node, |keyword, schema| {
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
                parts.push(Place { schema, base: Arc::clone(base) });
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

    fn sound(schema: &Value) -> Result<(), String> {
        super::sound(schema, Draft::Draft202012)
    }

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
}
