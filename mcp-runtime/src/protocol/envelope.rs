//! The incoming message, read in one pass into borrowed members.
//!
//! A member of the wrong kind is remembered as such instead of failing the parse: what is missing or
//! ill-typed is judged later, in the order the protocol gives, with the id still at hand. Only text that is
//! not JSON, or a member named twice, fails here.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A JSON-RPC message with every member that some method uses.
///
/// Here and below each member has a default of its own: one for the whole would be built for each message, and thrown
/// away.
#[derive(serde::Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(crate) struct Envelope<'a> {
    #[serde(default)]
    pub(crate) jsonrpc: Text<'a>,
    #[serde(default)]
    pub(crate) id: Raw<'a>,
    #[serde(default)]
    pub(crate) method: Text<'a>,
    /// In a box: it is long, and handed on several times while it is read.
    #[serde(default)]
    pub(crate) params: Object<Box<Params<'a>>>,
    #[serde(default)]
    pub(crate) result: Raw<'a>,
    #[serde(default)]
    pub(crate) error: Raw<'a>,
}

/// `params` of every method of the protocol.
#[derive(serde::Deserialize, Default)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(crate) struct Params<'a> {
    #[serde(default, rename = "_meta")]
    pub(crate) meta: Object<Meta<'a>>,
    #[serde(default)]
    pub(crate) name: Text<'a>,
    #[serde(default)]
    pub(crate) arguments: Raw<'a>,
    #[serde(default)]
    pub(crate) uri: Text<'a>,
    #[serde(default)]
    pub(crate) cursor: Text<'a>,
    #[serde(default)]
    pub(crate) level: Text<'a>,
    #[serde(default, rename = "taskId")]
    pub(crate) task_id: Text<'a>,
    #[serde(default, rename = "requestId")]
    pub(crate) request_id: Raw<'a>,
    #[serde(default, rename = "protocolVersion")]
    pub(crate) protocol_version: Text<'a>,
    #[serde(default)]
    pub(crate) capabilities: Raw<'a>,
    #[serde(default, rename = "clientInfo")]
    pub(crate) client_info: Raw<'a>,
    #[serde(default, rename = "ref")]
    pub(crate) reference: Raw<'a>,
    #[serde(default)]
    pub(crate) argument: Raw<'a>,
    #[serde(default)]
    pub(crate) context: Raw<'a>,
    #[serde(default)]
    pub(crate) notifications: Raw<'a>,
    #[serde(default, rename = "inputResponses")]
    pub(crate) input_responses: Raw<'a>,
    #[serde(default, rename = "requestState")]
    pub(crate) request_state: Text<'a>,
}

/// `params._meta` of a request.
#[derive(serde::Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(crate) struct Meta<'a> {
    #[serde(default, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) protocol_version: Text<'a>,
    #[serde(default, rename = "io.modelcontextprotocol/clientInfo")]
    pub(crate) client_info: Raw<'a>,
    #[serde(default, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(crate) client_capabilities: Raw<'a>,
    #[serde(default, rename = "io.modelcontextprotocol/logLevel")]
    pub(crate) log_level: Text<'a>,
    #[serde(default, rename = "progressToken")]
    pub(crate) progress_token: Raw<'a>,
    #[serde(default)]
    pub(crate) traceparent: Raw<'a>,
    #[serde(default)]
    pub(crate) tracestate: Raw<'a>,
    #[serde(default)]
    pub(crate) baggage: Raw<'a>,
}

/// Why the bytes are not a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// Not JSON, not UTF-8, or a member twice; with what the parser found.
    NotJson(String),
    /// JSON, but an array: batches do not exist.
    Batch,
    /// JSON, but neither object nor array.
    Scalar,
}

impl<'a> Envelope<'a> {
    /// Reads one message.
    pub(crate) fn read(text: &'a str) -> Result<Self, Unreadable> {
        match text.bytes().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'{') => serde_json::from_str(text).map_err(|error| Unreadable::NotJson(error.to_string())),
            // A derived struct takes a positional array for an object, so the first byte decides.
            _ => Err(match serde_json::from_str::<IgnoredAny>(text) {
                Err(error) => Unreadable::NotJson(error.to_string()),
                Ok(_) if text.trim_ascii_start().starts_with('[') => Unreadable::Batch,
                Ok(_) => Unreadable::Scalar,
            }),
        }
    }
}

/// A member that should be text.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) enum Text<'a> {
    #[default]
    Absent,
    Null,
    Is(Cow<'a, str>),
    /// Some other kind of value.
    Other,
}

impl Text<'_> {
    /// The text, when it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Is(text) => Some(text),
            _ => None,
        }
    }
}

/// A member kept as the JSON text it was written in.
#[derive(Default, Clone, Copy, Debug)]
pub(crate) struct Raw<'a>(pub(crate) Option<&'a str>);

impl<'a> Raw<'a> {
    /// The text, unless the member is absent or `null`.
    pub(crate) fn non_null(self) -> Option<&'a str> {
        self.0.filter(|raw| *raw != "null")
    }

    /// The text of an object.
    pub(crate) fn object(self) -> Option<&'a str> {
        self.0.filter(|raw| raw.starts_with('{'))
    }
}

/// A member that should be an object.
#[derive(Default, Debug)]
pub(crate) enum Object<T> {
    #[default]
    Absent,
    Null,
    Is(T),
    /// Some other kind of value.
    Other,
}

impl<T> Object<T> {
    /// The object, when it is one.
    pub(crate) fn as_ref(&self) -> Option<&T> {
        match self {
            Self::Is(object) => Some(object),
            _ => None,
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&'de RawValue>::deserialize(deserializer).map(|raw| Self(Some(raw.get())))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Kind<'a>(PhantomData<&'a str>);

        impl<'de: 'a, 'a> Visitor<'de> for Kind<'a> {
            type Value = Text<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text::Is(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text::Is(Cow::Owned(text.to_owned())))
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Text::Null)
            }
            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Text::Other)
            }
            fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
                Ok(Text::Other)
            }
            fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
                Ok(Text::Other)
            }
            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Text::Other)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                IgnoredAny.visit_seq(seq).map(|_| Text::Other)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                IgnoredAny.visit_map(map).map(|_| Text::Other)
            }
        }

        deserializer.deserialize_any(Kind(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Kind<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Kind<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object::Is)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                IgnoredAny.visit_seq(seq).map(|_| Object::Other)
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Object::Null)
            }
            fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
                Ok(Object::Other)
            }
            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Object::Other)
            }
            fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
                Ok(Object::Other)
            }
            fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
                Ok(Object::Other)
            }
            fn visit_f64<E: de::Error>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Object::Other)
            }
        }

        deserializer.deserialize_any(Kind(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_the_wrong_kind_do_not_lose_the_id() {
        let read = Envelope::read(r#"{"jsonrpc":2,"id":5,"method":[1],"params":"x"}"#).unwrap();
        assert_eq!(read.id.0, Some("5"));
        assert_eq!(read.jsonrpc, Text::Other);
        assert_eq!(read.method, Text::Other);
        assert!(matches!(read.params, Object::Other));
    }

    #[test]
    fn the_presence_of_a_null_id_is_seen() {
        assert_eq!(Envelope::read(r#"{"id":null}"#).unwrap().id.0, Some("null"));
        assert_eq!(Envelope::read("{}").unwrap().id.0, None);
    }

    #[test]
    fn escaped_names_are_read() {
        let read = Envelope::read(r#"{"method":"tools\/call","params":{"name":"\u0061dd"}}"#).unwrap();
        assert_eq!(read.method.text(), Some("tools/call"));
        assert_eq!(read.params.as_ref().unwrap().name.text(), Some("add"));
    }

    #[test]
    fn what_is_not_one_object_is_told_apart() {
        let kind = |text| Envelope::read(text).err().unwrap();
        assert_eq!(kind("[]"), Unreadable::Batch);
        assert_eq!(kind(r#"["2.0",1,"ping",null]"#), Unreadable::Batch);
        assert_eq!(kind("null"), Unreadable::Scalar);
        assert_eq!(kind("\"a\""), Unreadable::Scalar);
        for text in ["", "  ", "{", "{}{}", "[1", "nul", r#"{"method":"a","method":"b"}"#, r#"{"id":1} x"#] {
            assert!(matches!(kind(text), Unreadable::NotJson(_)), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_or_skipped_without_recursion() {
        let deep =
            format!(r#"{{"id":1,"params":{{"arguments":{}}}}}"#, "[".repeat(100_000) + &"]".repeat(100_000));
        assert_eq!(Envelope::read(&deep).unwrap().id.0, Some("1"));
        let deep =
            format!(r#"{{"id":1,"params":{{"name":{}}}}}"#, "[".repeat(100_000) + &"]".repeat(100_000));
        assert!(Envelope::read(&deep).is_ok());
    }
}
