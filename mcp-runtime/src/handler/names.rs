//! The names of a struct's fields on the wire, or of an enum's variants, in the order in which they are declared: what reads
//! it asks for them.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;

/// Reads nothing, and notes which names are asked for.
struct Asked;

/// The names that were asked for, where it was for any.
#[derive(Debug)]
struct Names(Option<&'static [&'static str]>);

/// The names of the fields or variants of `T`; none where it is something else, or has more fields than its own.
pub(crate) fn names<'de, T: serde::Deserialize<'de>>() -> Option<&'static [&'static str]> {
    T::deserialize(Asked).err()?.0
}

impl<'de> Deserializer<'de> for Asked {
    type Error = Names;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Names> {
        Err(Names(None))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Names> {
        Err(Names(Some(fields)))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Names> {
        Err(Names(Some(variants)))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing is read")
    }
}

impl std::error::Error for Names {}

impl Error for Names {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(None)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[test]
    fn fields_are_named_as_they_are_declared() {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[allow(dead_code)]
        struct Place {
            zip_code: u32,
            #[serde(rename = "where")]
            city: String,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        #[allow(dead_code)]
        enum Kind {
            Town,
            Village,
        }
        assert_eq!(names::<Kind>(), Some(&["town", "village"][..]));
        assert_eq!(names::<Place>(), Some(&["zipCode", "where"][..]));
        assert_eq!(names::<Vec<Place>>(), None);
        assert_eq!(names::<Option<Place>>(), None);
    }
}
