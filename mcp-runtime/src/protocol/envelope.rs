//! The incoming message, read in one pass into borrowed members.
//!
//! A member of the wrong kind is remembered as such instead of failing the parse: what is missing or
//! ill-typed is judged later, in the order the protocol gives, with the id still at hand. Only text that is
//! not JSON, or a member named twice, fails here.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Declares an object by its members, with how it is read: each goes to its place as it comes, those of other names are
/// skipped. What serde derives holds each member apart until all have come, and moves the object where it is wanted.
macro_rules! object {
    ($(#[$doc:meta])* $name:ident { $($(#[$note:meta])* $wire:literal => $member:ident: $kind:ty,)* }) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(crate) struct $name<'a> {
            $($(#[$note])* pub(crate) $member: $kind,)*
        }

        impl<'de: 'a, 'a> Members<'de> for $name<'a> {
            #[inline]
            fn fill<A: MapAccess<'de>>(&mut self, mut map: A) -> Result<(), A::Error> {
                #[derive(serde::Deserialize)]
                #[serde(field_identifier)]
                #[expect(non_camel_case_types, reason = "they are the names of the members")]
                enum Name {
                    $(#[serde(rename = $wire)] $member,)*
                    #[serde(other)]
                    Other,
                }
                while let Some(next) = map.next_key()? {
                    match next {
                        $(Name::$member if self.$member.is_absent() => self.$member = map.next_value()?,)*
                        $(Name::$member => return Err(de::Error::duplicate_field($wire)),)*
                        Name::Other => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(())
            }
        }
    };
}

/// An object whose members are told one by one.
trait Members<'de>: Default {
    fn fill<A: MapAccess<'de>>(&mut self, map: A) -> Result<(), A::Error>;
}

impl<'de, T: Members<'de>> Members<'de> for Box<T> {
    fn fill<A: MapAccess<'de>>(&mut self, map: A) -> Result<(), A::Error> {
        (**self).fill(map)
    }
}

object! {
    /// A JSON-RPC message with every member that some method uses.
    Envelope {
        "jsonrpc" => jsonrpc: Text<'a>,
        "id" => id: Raw<'a>,
        "method" => method: Text<'a>,
        /// In a box: it is long, and handed on several times while it is read.
        "params" => params: Object<Box<Params<'a>>>,
        "result" => result: Raw<'a>,
        "error" => error: Raw<'a>,
    }
}

object! {
    /// `params` of every method of the protocol.
    Params {
        "_meta" => meta: Object<Meta<'a>>,
        "name" => name: Text<'a>,
        "arguments" => arguments: Raw<'a>,
        "uri" => uri: Text<'a>,
        "cursor" => cursor: Text<'a>,
        "level" => level: Text<'a>,
        "taskId" => task_id: Text<'a>,
        "requestId" => request_id: Raw<'a>,
        "protocolVersion" => protocol_version: Text<'a>,
        "capabilities" => capabilities: Raw<'a>,
        "clientInfo" => client_info: Raw<'a>,
        "ref" => reference: Raw<'a>,
        "argument" => argument: Raw<'a>,
        "context" => context: Raw<'a>,
        "notifications" => notifications: Raw<'a>,
        "inputResponses" => input_responses: Raw<'a>,
        "requestState" => request_state: Text<'a>,
    }
}

object! {
    /// `params._meta` of a request.
    Meta {
        "io.modelcontextprotocol/protocolVersion" => protocol_version: Text<'a>,
        "io.modelcontextprotocol/clientInfo" => client_info: Raw<'a>,
        "io.modelcontextprotocol/clientCapabilities" => client_capabilities: Raw<'a>,
        "io.modelcontextprotocol/logLevel" => log_level: Text<'a>,
        "progressToken" => progress_token: Raw<'a>,
        "traceparent" => traceparent: Raw<'a>,
        "tracestate" => tracestate: Raw<'a>,
        "baggage" => baggage: Raw<'a>,
    }
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
        match serde_json::from_str(text) {
            Err(error) => Err(Unreadable::NotJson(error.to_string())),
            Ok(Object::Is(message)) => Ok(message),
            Ok(_) if text.trim_ascii_start().starts_with('[') => Err(Unreadable::Batch),
            Ok(_) => Err(Unreadable::Scalar),
        }
    }
}

impl<'a> Envelope<'a> {
    /// Reads once more what was a message already. From bytes, so that the reader of [`read`](Self::read) is that one's
    /// alone, and compiled into it.
    pub(crate) fn again(message: &'a [u8]) -> Option<Self> {
        match serde_json::from_slice(message) {
            Ok(Object::Is(message)) => Some(message),
            _ => None,
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
    fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

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
    fn is_absent(self) -> bool {
        self.0.is_none()
    }

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
    fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

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
    #[inline]
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

impl<'de, T: Members<'de>> Deserialize<'de> for Object<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Kind<T>(PhantomData<T>);

        impl<'de, T: Members<'de>> Visitor<'de> for Kind<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let mut object = T::default();
                object.fill(map)?;
                Ok(Object::Is(object))
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
