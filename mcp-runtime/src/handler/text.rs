//! Text as a value: prompt arguments and template variables are text on the wire, and any type that reads from
//! one text can be declared for them.

use serde::de::value::{Error, MapDeserializer};
use serde::de::{self, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::schema::faults::{listed, shown};

/// One text, decoded as whatever the type asks for.
#[derive(Clone, Copy)]
pub(crate) struct Text<'t>(pub(crate) &'t str);

macro_rules! parsed {
    ($($method:ident => $visit:ident($what:literal)),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(de::Error::custom(format_args!("expected {}, got {}", $what, shown(&self.0)))),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Text<'_> {
    type Error = Error;

    parsed! {
        deserialize_bool => visit_bool("true or false"),
        deserialize_i8 => visit_i8("an integer of 8 bits"),
        deserialize_i16 => visit_i16("an integer of 16 bits"),
        deserialize_i32 => visit_i32("an integer of 32 bits"),
        deserialize_i64 => visit_i64("an integer of 64 bits"),
        deserialize_i128 => visit_i128("an integer"),
        deserialize_u8 => visit_u8("a whole number from 0 to 255"),
        deserialize_u16 => visit_u16("a whole number from 0 to 65535"),
        deserialize_u32 => visit_u32("a whole number of 32 bits"),
        deserialize_u64 => visit_u64("a whole number of 64 bits"),
        deserialize_u128 => visit_u128("a whole number"),
        deserialize_f32 => visit_f32("a number"),
        deserialize_f64 => visit_f64("a number"),
        deserialize_char => visit_char("one character"),
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self).map_err(|error| {
            if variants.contains(&self.0) {
                return error;
            }
            let variants = listed(variants.iter().map(|name| format!("{name:?}")));
            de::Error::custom(format_args!("expected one of {variants}, got {}", shown(&self.0)))
        })
    }

    forward_to_deserialize_any! {
        str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Text<'_> {
    type Error = Error;
    type Variant = Unit;

    fn variant_seed<S: de::DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Unit), Error> {
        Ok((seed.deserialize(self)?, Unit))
    }
}

/// The variant of an enum that a text names: one without data.
pub(crate) struct Unit;

impl<'de> VariantAccess<'de> for Unit {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: de::DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, Error> {
        Err(de::Error::custom("a text cannot name a variant with data"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(de::Error::custom("a text cannot name a variant with data"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Error> {
        Err(de::Error::custom("a text cannot name a variant with data"))
    }
}

impl<'de> IntoDeserializer<'de, Error> for Text<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Named texts, decoded as a struct.
pub(crate) fn members<'de, T: de::Deserialize<'de>>(texts: &[(String, String)]) -> Result<T, Error> {
    let members = texts.iter().map(|(name, text)| (Text(name), Text(text)));
    T::deserialize(MapDeserializer::new(members))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Unit {
        Celsius,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Both {
        unit: Unit,
        days: Option<u8>,
    }

    #[test]
    fn one_text_reads_as_the_type_that_is_asked_for() {
        assert_eq!(String::deserialize(Text("007")), Ok("007".to_owned()));
        assert_eq!(u8::deserialize(Text("7")), Ok(7));
        assert_eq!(Option::<bool>::deserialize(Text("true")), Ok(Some(true)));
        assert_eq!(Unit::deserialize(Text("celsius")), Ok(Unit::Celsius));
        assert_eq!(serde_json::Value::deserialize(Text("7")), Ok(serde_json::json!("7")));
        let texts = [("unit".to_owned(), "celsius".to_owned()), ("days".to_owned(), "3".to_owned())];
        assert_eq!(members(&texts), Ok(Both { unit: Unit::Celsius, days: Some(3) }));
    }

    #[test]
    fn what_does_not_read_is_told() {
        let told = u8::deserialize(Text("700")).unwrap_err().to_string();
        assert_eq!(told, "expected a whole number from 0 to 255, got \"700\"");
        assert!(Unit::deserialize(Text("kelvin")).unwrap_err().to_string().contains("\"celsius\""));
        assert!(Vec::<u8>::deserialize(Text("1")).is_err());
    }
}
