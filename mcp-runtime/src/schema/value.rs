//! Arguments as one JSON value, read once, with what later steps need to know about it.

use std::fmt;
use std::sync::LazyLock;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use super::faults::cut;

/// The arguments of a call and two facts that spare most calls a walk over them.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// An object.
    pub(crate) value: Value,
    /// Some number is written with a fraction or an exponent.
    pub(crate) has_float: bool,
    /// Some value is `null`.
    pub(crate) has_null: bool,
}

/// Why JSON text cannot be arguments.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// An array, a text, a number: arguments are named.
    NotAnObject,
    /// A member named twice, or a number that nothing holds; in words for the author of the arguments.
    Unclear(String),
    /// Half a surrogate pair, or nested too deep: not JSON as far as this server reads it.
    NotJson(String),
}

impl Default for Arguments {
    fn default() -> Self {
        Self { value: Value::Object(Map::new()), has_float: false, has_null: false }
    }
}

impl Arguments {
    /// Reads the text of `params.arguments`; absent and `null` are no arguments.
    pub(crate) fn read(raw: Option<&str>) -> Result<Self, Unusable> {
        let Some(raw) = raw.filter(|raw| *raw != "null") else { return Ok(Self::default()) };
        if !raw.starts_with('{') {
            return Err(Unusable::NotAnObject);
        }
        let mut arguments = Self::default();
        let mut parser = serde_json::Deserializer::from_str(raw);
        arguments.value =
            Unique(&mut arguments).deserialize(&mut parser).map_err(|error| unusable(&error))?;
        Ok(arguments)
    }
}

fn unusable(error: &serde_json::Error) -> Unusable {
    let text = error.to_string();
    // The parser has no kind of its own for a number that is too large.
    if error.is_data() || text.starts_with("number out of range") {
        Unusable::Unclear(text)
    } else {
        Unusable::NotJson(text)
    }
}

/// How serde_json hands over a number where some crate of the program has its feature `arbitrary_precision`.
const NUMBER: &str = "$serde_json::private::Number";

/// Whether some crate of the program has that feature.
fn numbers_are_texts() -> bool {
    static ARE_TEXTS: LazyLock<bool> = LazyLock::new(|| {
        serde_json::from_str::<Number>("1e2").is_ok_and(|number| number.to_string() != "100.0")
    });
    *ARE_TEXTS
}

/// Builds a [`Value`], refusing a name that an object holds twice.
struct Unique<'f>(&'f mut Arguments);

impl<'de> DeserializeSeed<'de> for Unique<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        self.0.has_float = true;
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }
    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        self.0.has_null = true;
        Ok(Value::Null)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Unique(self.0))? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == NUMBER && members.is_empty() && numbers_are_texts() {
                let text: String = map.next_value()?;
                self.0.has_float |= text.contains(['.', 'e', 'E']);
                return text.parse().map(Value::Number).map_err(de::Error::custom);
            }
            match members.entry(name) {
                Entry::Vacant(place) => drop(place.insert(map.next_value_seed(Unique(self.0))?)),
                Entry::Occupied(place) => {
                    return Err(de::Error::custom(format_args!("`{}` is given twice", cut(place.key()))));
                }
            }
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_arguments_in_three_spellings() {
        for raw in [None, Some("null"), Some("{}")] {
            assert_eq!(Arguments::read(raw).unwrap().value, Value::Object(Map::new()));
        }
        for raw in ["[]", "\"{}\"", "7"] {
            assert!(matches!(Arguments::read(Some(raw)), Err(Unusable::NotAnObject)));
        }
    }

    #[test]
    fn a_name_given_twice_is_refused_at_any_depth() {
        for raw in [r#"{"a":1,"a":2}"#, r#"{"o":[{"a":1,"a":1}]}"#, r#"{"a":1,"\u0061":2}"#] {
            let Err(Unusable::Unclear(text)) = Arguments::read(Some(raw)) else { panic!("{raw}") };
            assert!(text.contains("`a` is given twice"), "{text}");
        }
    }

    #[test]
    fn what_no_value_holds_is_refused() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
        assert!(matches!(Arguments::read(Some(r#"{"a":1e400}"#)), Err(Unusable::Unclear(_))));
        for raw in [r#"{"a":"\ud83d"}"#, deep.as_str()] {
            assert!(matches!(Arguments::read(Some(raw)), Err(Unusable::NotJson(_))), "{raw}");
        }
    }

    #[test]
    fn floats_and_nulls_are_noticed() {
        let read = |raw| Arguments::read(Some(raw)).unwrap();
        assert!(read(r#"{"a":[1.0]}"#).has_float && !read(r#"{"a":1}"#).has_float);
        assert!(read(r#"{"a":{"b":null}}"#).has_null && !read(r#"{"a":0}"#).has_null);
    }
}
