//! Numbers that JSON has no form for: `serde_json` writes `null` for NaN and the infinities, which would tell the client
//! that there is nothing.

use std::fmt;

use serde::ser::{self, Serialize, Serializer};

/// What is wrong with a value that holds a number that is not finite, and where.
pub(super) fn misfit<T: Serialize + ?Sized>(value: &T) -> Option<String> {
    value.serialize(Finite).err()?;
    let at = serde_path_to_error::serialize(value, Finite).err().map(|error| error.path().to_string());
    Some(match at.as_deref() {
        None | Some(".") => "its result is a number that is not finite, and JSON has none".to_owned(),
        Some(at) => format!("`{at}` of its result is a number that is not finite, and JSON has none"),
    })
}

/// Takes any value, and fails at a number that is not finite.
#[derive(Clone, Copy)]
struct Finite;

#[derive(Debug)]
struct NotFinite;

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not finite")
    }
}

impl std::error::Error for NotFinite {}

impl ser::Error for NotFinite {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

type Checked = Result<(), NotFinite>;

macro_rules! fine {
    ($($method:ident($($ty:ty),*);)*) => {$(
        fn $method(self, $(_: $ty),*) -> Checked {
            Ok(())
        }
    )*};
}

macro_rules! within {
    ($($method:ident($($ty:ty),*) -> $part:ident;)*) => {$(
        type $part = Self;

        fn $method(self, $(_: $ty),*) -> Result<Self, NotFinite> {
            Ok(self)
        }
    )*};
}

impl Serializer for Finite {
    type Ok = ();
    type Error = NotFinite;

    fine! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    within! {
        serialize_seq(Option<usize>) -> SerializeSeq;
        serialize_tuple(usize) -> SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant;
        serialize_map(Option<usize>) -> SerializeMap;
        serialize_struct(&'static str, usize) -> SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant;
    }

    fn serialize_f32(self, number: f32) -> Checked {
        if number.is_finite() { Ok(()) } else { Err(NotFinite) }
    }

    fn serialize_f64(self, number: f64) -> Checked {
        if number.is_finite() { Ok(()) } else { Err(NotFinite) }
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Checked {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Checked {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Checked {
        value.serialize(self)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Checked {
        Ok(())
    }
}

macro_rules! parts {
    ($($part:ident: $method:ident($($name:ty)?);)*) => {$(
        impl ser::$part for Finite {
            type Ok = ();
            type Error = NotFinite;

            fn $method<T: Serialize + ?Sized>(&mut self, $(_: $name,)? value: &T) -> Checked {
                value.serialize(*self)
            }

            fn end(self) -> Checked {
                Ok(())
            }
        }
    )*};
}

parts! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeStruct: serialize_field(&'static str);
    SerializeStructVariant: serialize_field(&'static str);
}

impl ser::SerializeMap for Finite {
    type Ok = ();
    type Error = NotFinite;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Checked {
        key.serialize(*self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Checked {
        value.serialize(*self)
    }

    fn end(self) -> Checked {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(serde::Serialize)]
    enum Kind {
        Unit,
        New(f64),
        Tuple(u8, f64),
        Struct { n: f64 },
    }

    #[derive(serde::Serialize)]
    struct All {
        list: Vec<Option<f32>>,
        map: BTreeMap<String, (f64, char)>,
        kinds: [Kind; 4],
        text: String,
    }

    fn all(list: f32, map: f64, new: f64, tuple: f64, member: f64) -> All {
        All {
            list: vec![None, Some(1.0), Some(list)],
            map: [("a".to_owned(), (map, 'x'))].into(),
            kinds: [Kind::Unit, Kind::New(new), Kind::Tuple(0, tuple), Kind::Struct { n: member }],
            text: "NaN".to_owned(),
        }
    }

    #[test]
    fn a_number_that_is_not_finite_is_found_wherever_it_is() {
        assert_eq!(misfit(&all(1.0, f64::MAX, -0.0, 1e-310, 3.0)), None);
        for (value, at) in [
            (all(f32::NAN, 1.0, 1.0, 1.0, 1.0), "`list[2]`"),
            (all(1.0, f64::INFINITY, 1.0, 1.0, 1.0), "`map.a[0]`"),
            (all(1.0, 1.0, f64::NEG_INFINITY, 1.0, 1.0), "`kinds[1]"),
            (all(1.0, 1.0, 1.0, f64::NAN, 1.0), "`kinds[2]"),
            (all(1.0, 1.0, 1.0, 1.0, f64::NAN), "`kinds[3]"),
        ] {
            let told = misfit(&value).unwrap();
            assert!(told.starts_with(at), "{told}");
        }
        assert!(misfit(&f64::NAN).unwrap().starts_with("its result is a number"));
    }
}
