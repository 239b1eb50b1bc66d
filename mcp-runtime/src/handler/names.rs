//! The names of a struct's fields on the wire, in the order in which they are declared: what reads it asks for them.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;

/// Reads nothing, and notes which fields are asked for.
struct Asked;

/// The fields that were asked for, where it was for any.
#[derive(Debug)]
struct Names(Option<&'static [&'static str]>);

/// The names of the fields of `T`; none where it is no struct, or one whose fields are not all its own.
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

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
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
        assert_eq!(names::<Place>(), Some(&["zipCode", "where"][..]));
        assert_eq!(names::<Vec<Place>>(), None);
        assert_eq!(names::<Option<Place>>(), None);
    }
}
