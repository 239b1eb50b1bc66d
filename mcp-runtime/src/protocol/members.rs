//! The parameters of a message as JSON, for those who look at it beside its handler. What no value holds (a number that is
//! too large, half a surrogate pair, what is nested too deep) is passed over where it stands, as the envelope does, so that
//! nobody is shown less than what is acted upon.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Meta;

#[derive(Deserialize)]
struct Message<'m> {
    #[serde(borrow, default)]
    params: Option<&'m RawValue>,
}

/// The parameters of a message, `_meta` included; `null` where there are none.
pub(crate) fn params(message: &[u8]) -> Value {
    let message: Option<Message<'_>> = serde_json::from_slice(message).ok();
    let Some(raw) = message.and_then(|message| message.params).map(RawValue::get) else { return Value::Null };
    if let Some(Members(members)) = object(raw) {
        return members.into();
    }
    serde_json::from_slice(raw.as_bytes()).unwrap_or_default()
}

/// The `_meta` of the parameters alone; empty where there is none.
pub(crate) fn meta(message: &[u8]) -> Meta {
    #[derive(Deserialize)]
    struct Message<'m> {
        #[serde(borrow)]
        params: Params<'m>,
    }
    #[derive(Deserialize)]
    struct Params<'m> {
        #[serde(borrow, rename = "_meta")]
        meta: &'m RawValue,
    }
    let message: Option<Message<'_>> = serde_json::from_slice(message).ok();
    message.and_then(|message| object(message.params.meta.get())).map_or_else(Meta::new, |Members(meta)| meta)
}

/// The members of an object that can be read.
struct Members(Meta);

fn object(raw: &str) -> Option<Members> {
    if raw.starts_with('{') { serde_json::from_slice(raw.as_bytes()).ok() } else { None }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;

        impl<'de> Visitor<'de> for Each {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Meta::new();
                while let Some(name) = map.next_key::<String>()? {
                    let raw: &RawValue = map.next_value()?;
                    let value = match object(raw.get()).filter(|_| name == "_meta") {
                        Some(Members(meta)) => Some(meta.into()),
                        None => serde_json::from_slice(raw.get().as_bytes()).ok(),
                    };
                    if let Some(value) = value {
                        members.insert(name, value);
                    }
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Each)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_cannot_be_read_hides_nothing_beside_it() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        for odd in ["1e999", r#""\ud800""#, &deep, r#"{"a":[1e999]}"#] {
            let message = format!(
                r#"{{"zzz":{odd},"params":{{"zzz":{odd},"name":"a","arguments":{{"b":1}},"_meta":{{"q":{odd},"r":2}}}}}}"#
            );
            let expected = json!({"name": "a", "arguments": {"b": 1}, "_meta": {"r": 2}});
            assert_eq!(params(message.as_bytes()), expected, "{odd}");
            assert_eq!(Value::from(meta(message.as_bytes())), json!({"r": 2}), "{odd}");
        }
    }

    #[test]
    fn what_is_no_object_has_no_members() {
        assert_eq!(params(br#"{"params":[1]}"#), json!([1]));
        assert_eq!(params(br#"{"params":null}"#), Value::Null);
        assert_eq!(params(b"{}"), Value::Null);
        assert_eq!(meta(br#"{"params":{"_meta":5}}"#), Meta::new());
    }
}
