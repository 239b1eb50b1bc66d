//! Schemas as they are written: members in the order in which their author declared them. Models and people who fill in
//! forms read them in that order, and a map of JSON does not keep any.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value, json};

/// Where schemas within this program note the order of their properties. It is never written.
const ORDER: &str = "x-mcp-runtime-order";

/// Notes the order of the properties of an object, where `required` does not tell it already.
pub(crate) fn note_order(schema: &mut Map<String, Value>, names: impl IntoIterator<Item = impl Into<Value>>) {
    let count = |keyword: &str| match schema.get(keyword) {
        Some(Value::Object(properties)) => properties.len(),
        Some(Value::Array(names)) => names.len(),
        _ => 0,
    };
    if count("properties") > 1 && count("properties") > count("required") {
        schema.insert(ORDER.to_owned(), names.into_iter().map(Into::into).collect());
    }
}

/// The names of an object's properties, in their order.
pub(crate) fn order(schema: &Map<String, Value>) -> Vec<Value> {
    let names = |fields: Fields<'_>| fields.in_order().map(|(name, _)| name.as_str().into()).collect();
    Fields::of(schema).map(names).unwrap_or_default()
}

/// The same, which is noted no more.
pub(crate) fn take_order(schema: &mut Map<String, Value>) -> Vec<Value> {
    let names = order(schema);
    schema.remove(ORDER);
    names
}

/// Puts the variants that a value is one of in that order: a type's own schema has those without data or documentation in
/// front of the others.
pub(crate) fn sort_choices(schema: &mut Map<String, Value>, names: &[&str]) {
    let Some(branches) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else { return };
    let mut choices: Vec<(usize, Value)> = Vec::new();
    for branch in &*branches {
        let texts = branch.get("enum").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let branches: Vec<Value> = match texts {
            [] => vec![branch.clone()],
            texts => texts.iter().map(|text| json!({ "type": "string", "const": text })).collect(),
        };
        for branch in branches {
            let Some(place) = names.iter().position(|name| variant(&branch) == Some(*name)) else { return };
            choices.push((place, branch));
        }
    }
    choices.sort_by_key(|(place, _)| *place);
    *branches = choices.into_iter().map(|(_, branch)| branch).collect();
}

/// The variant that a branch is for: a text, or an object of one member.
fn variant(branch: &Value) -> Option<&str> {
    if let Some(text) = branch.get("const") {
        return text.as_str();
    }
    let mut names = branch.get("properties")?.as_object()?.keys();
    names.next().filter(|_| names.next().is_none()).map(String::as_str)
}

/// Whether it is the keyword of the order.
#[cfg(feature = "validation")]
pub(super) fn is_order(keyword: &str) -> bool {
    keyword == ORDER
}

/// A schema, or a value in one.
pub(crate) struct Ordered<'s>(pub(crate) &'s Value);

impl Ordered<'_> {
    pub(crate) fn text(&self) -> String {
        // A map with text keys, in memory: that cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Array(items) => serializer.collect_seq(items.iter().map(Ordered)),
            Value::Object(members) => {
                let fields = Fields::of(members);
                let mut out = serializer.serialize_map(None)?;
                for (name, value) in members.iter().filter(|(name, _)| *name != ORDER) {
                    match &fields {
                        Some(fields) if name == "properties" => out.serialize_entry(name, fields)?,
                        _ => out.serialize_entry(name, &Ordered(value))?,
                    }
                }
                out.end()
            }
            plain => plain.serialize(serializer),
        }
    }
}

/// The properties of an object.
struct Fields<'s> {
    fields: &'s Map<String, Value>,
    order: Option<&'s Value>,
    required: Option<&'s Value>,
}

impl<'s> Fields<'s> {
    fn of(schema: &'s Map<String, Value>) -> Option<Self> {
        let fields = schema.get("properties")?.as_object()?;
        Some(Self { fields, order: schema.get(ORDER), required: schema.get("required") })
    }

    /// As declared, then what has to be given, then the others.
    fn in_order(&self) -> impl Iterator<Item = (&'s String, &'s Value)> {
        let named = [self.order, self.required].into_iter().flatten().filter_map(Value::as_array).flatten();
        let mut first: Vec<(&String, &Value)> = Vec::new();
        for field in named.filter_map(|name| self.fields.get_key_value(name.as_str()?)) {
            if !first.iter().any(|(given, _)| *given == field.0) {
                first.push(field);
            }
        }
        let is_rest = {
            let first = first.clone();
            move |(name, _): &(&String, &Value)| !first.iter().any(|(given, _)| given == name)
        };
        first.into_iter().chain(self.fields.iter().filter(is_rest))
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, schema) in self.in_order() {
            out.serialize_entry(name, &Ordered(schema))?;
        }
        out.end()
    }
}

/// For schemas that are members of what is written.
pub(crate) fn ordered<S: Serializer>(schema: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    Ordered(schema).serialize(serializer)
}

/// The same for those that may be absent.
pub(crate) fn ordered_where_given<S: Serializer>(
    schema: &Option<Value>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    schema.as_ref().map(Ordered).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_to_be_given_comes_first_in_its_order() {
        let schema = json!({
            "type": "object",
            "properties": {
                "b": {"type": "object", "properties": {"y": {}, "x": {}, "z": {}}, "required": ["z", "y"]},
                "a": {"type": "string"},
                "c": {"enum": [{"properties": 7}]},
            },
            "required": ["c", "b", "missing"],
        });
        let written = serde_json::to_string(&Ordered(&schema)).unwrap();
        assert_eq!(
            written,
            r#"{"properties":{"c":{"enum":[{"properties":7}]},"b":{"properties":{"z":{},"y":{},"x":{}},"required":["z","y"],"type":"object"},"a":{"type":"string"}},"required":["c","b","missing"],"type":"object"}"#
        );
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), schema);
    }

    #[test]
    fn what_is_declared_in_an_order_is_written_in_it() {
        let mut schema = json!({
            "type": "object", "properties": {"a": {}, "b": {}, "c": {}, "d": {}}, "required": ["d"]});
        note_order(schema.as_object_mut().unwrap(), ["c", "d", "a", "other"]);
        assert_eq!(
            Ordered(&schema).text(),
            r#"{"properties":{"c":{},"d":{},"a":{},"b":{}},"required":["d"],"type":"object"}"#
        );
        assert_eq!(take_order(schema.as_object_mut().unwrap()), ["c", "d", "a", "b"]);
        assert_eq!(
            Ordered(&schema).text(),
            r#"{"properties":{"d":{},"a":{},"b":{},"c":{}},"required":["d"],"type":"object"}"#
        );
    }

    #[test]
    fn choices_are_written_as_they_are_declared() {
        let sorted = |mut schema: Value| {
            sort_choices(schema.as_object_mut().unwrap(), &["a", "b", "c"]);
            schema
        };
        let described = json!({"const": "b", "description": "B"});
        let of = |text: &str| json!({"type": "string", "const": text});
        assert_eq!(
            sorted(json!({"oneOf": [{"type": "string", "enum": ["a", "c"]}, described]})),
            json!({"oneOf": [of("a"), described, of("c")]})
        );
        let data = json!({"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]});
        assert_eq!(
            sorted(json!({"oneOf": [{"type": "string", "enum": ["c", "a"]}, data]})),
            json!({"oneOf": [of("a"), data, of("c")]})
        );
        let other = json!({"oneOf": [{"type": "string", "enum": ["a", "c"]}, {"type": "object"}]});
        assert_eq!(sorted(other.clone()), other);
    }

    #[test]
    fn what_is_named_twice_is_written_once() {
        let schema = json!({"properties": {"a": {}, "b": {}}, "required": ["b", "b"]});
        let written = serde_json::to_string(&Ordered(&schema)).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), schema);
        assert_eq!(written.matches(r#""b":"#).count(), 1);
    }
}
