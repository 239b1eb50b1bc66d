//! Schemas as they are written: what has to be given first, in the order in which its author declared it. Models and people
//! who fill in forms read it in that order, and a map of JSON does not keep any.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value};

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
                let mut out = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    match value {
                        Value::Object(fields) if name == "properties" => {
                            out.serialize_entry(name, &Fields { fields, required: members.get("required") })?;
                        }
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
    required: Option<&'s Value>,
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.required.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let mut first: Vec<(&String, &Value)> = Vec::new();
        for field in names.filter_map(|name| self.fields.get_key_value(name)) {
            if !first.iter().any(|(given, _)| *given == field.0) {
                first.push(field);
            }
        }
        let rest = self.fields.iter().filter(|(name, _)| !first.iter().any(|(given, _)| given == name));
        let mut out = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, schema) in first.iter().copied().chain(rest) {
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
    use serde_json::json;

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
    fn what_is_named_twice_is_written_once() {
        let schema = json!({"properties": {"a": {}, "b": {}}, "required": ["b", "b"]});
        let written = serde_json::to_string(&Ordered(&schema)).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), schema);
        assert_eq!(written.matches(r#""b":"#).count(), 1);
    }
}
