//! Structs read field by field: the part of reading them that is the same for all. serde's derive writes it out once more
//! for every type, which is most of what compiling that type costs.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, Expected, IgnoredAny, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

/// What is known of a struct with named fields. No constants of [`Fields`]: rustc 1.95 fails on those where the type of a
/// field is misspelt.
#[derive(Debug)]
pub struct Shape {
    /// Its name in Rust.
    pub itself: &'static str,
    /// Its name in formats that have one.
    pub name: &'static str,
    /// The names of its fields on the wire, in the order they are written in.
    pub fields: &'static [&'static str],
    /// Whether other names are refused.
    pub is_closed: bool,
}

/// A struct with named fields, for generated code.
pub trait Fields<'de>: Sized {
    /// The values of the fields, as far as there are any.
    type Values;

    /// None of them.
    fn none() -> Self::Values;

    /// Puts the value of one field in its place.
    ///
    /// # Errors
    ///
    /// Those of the source.
    fn put<S: FieldSource<'de>>(values: &mut Self::Values, at: usize, source: S) -> Result<(), S::Error>;

    /// The struct, if all are there.
    fn whole(values: Self::Values) -> Option<Self>;
}

/// Where the value of one field comes from.
pub trait FieldSource<'de> {
    /// Why it cannot be had.
    type Error: Error;

    /// Reads it.
    ///
    /// # Errors
    ///
    /// It does not fit its type, is there twice, or is not there.
    fn put<T: Deserialize<'de>>(self, value: &mut Option<T>) -> Result<(), Self::Error>;

    /// Reads it, or takes what stands for one that is not there.
    ///
    /// # Errors
    ///
    /// It does not fit its type, or is there twice.
    fn put_or<T: Deserialize<'de>>(
        self,
        value: &mut Option<T>,
        default: impl FnOnce() -> T,
    ) -> Result<(), Self::Error>;

    /// Passes over what belongs to no field.
    ///
    /// # Errors
    ///
    /// It cannot be read at all.
    fn skip(self) -> Result<(), Self::Error>;
}

/// Reads a struct of that shape.
pub struct Read<T> {
    shape: &'static Shape,
    of: PhantomData<T>,
}

impl<'de, T: Fields<'de>> Read<T> {
    /// Reads it.
    ///
    /// # Errors
    ///
    /// Those that serde's derive has.
    pub fn fields<D: Deserializer<'de>>(source: D, shape: &'static Shape) -> Result<T, D::Error> {
        source.deserialize_struct(shape.name, shape.fields, Self { shape, of: PhantomData })
    }

    fn finish<E: Error>(self, mut values: T::Values) -> Result<T, E> {
        for (at, name) in self.shape.fields.iter().enumerate() {
            T::put(&mut values, at, Missing { name, error: PhantomData })?;
        }
        T::whole(values).ok_or_else(|| E::custom(format_args!("struct {} lacks a field", self.shape.itself)))
    }
}

impl<'de, T: Fields<'de>> Visitor<'de> for Read<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "struct {}", self.shape.itself)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut values = T::none();
        while let Some(at) = map.next_key_seed(self.shape)? {
            T::put(&mut values, at, Member { map: &mut map, shape: self.shape, at })?;
        }
        self.finish(values)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        let mut values = T::none();
        for at in 0..self.shape.fields.len() {
            T::put(&mut values, at, Element { seq: &mut seq, shape: self.shape, at })?;
        }
        self.finish(values)
    }
}

/// Reads a name as the number of its field; that of other names is beyond the last.
impl<'de> DeserializeSeed<'de> for &'static Shape {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<usize, D::Error> {
        source.deserialize_identifier(self)
    }
}

impl Visitor<'_> for &'static Shape {
    type Value = usize;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("field identifier")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<usize, E> {
        let count = self.fields.len();
        match usize::try_from(number) {
            Ok(at) if at < count => Ok(at),
            _ if self.is_closed => {
                let known = format!("field index 0 <= i < {count}");
                Err(E::invalid_value(Unexpected::Unsigned(number), &known.as_str()))
            }
            _ => Ok(count),
        }
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        match self.fields.iter().position(|known| *known == name) {
            Some(at) => Ok(at),
            None if self.is_closed => Err(E::unknown_field(name, self.fields)),
            None => Ok(self.fields.len()),
        }
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        self.visit_str(&String::from_utf8_lossy(name))
    }
}

/// A member of an object.
struct Member<'m, A> {
    map: &'m mut A,
    shape: &'static Shape,
    at: usize,
}

impl<'de, A: MapAccess<'de>> FieldSource<'de> for Member<'_, A> {
    type Error = A::Error;

    fn put<T: Deserialize<'de>>(self, value: &mut Option<T>) -> Result<(), A::Error> {
        if value.is_some() {
            return Err(A::Error::duplicate_field(
                self.shape.fields.get(self.at).copied().unwrap_or_default(),
            ));
        }
        *value = Some(self.map.next_value()?);
        Ok(())
    }

    fn put_or<T: Deserialize<'de>>(
        self,
        value: &mut Option<T>,
        _: impl FnOnce() -> T,
    ) -> Result<(), A::Error> {
        self.put(value)
    }

    fn skip(self) -> Result<(), A::Error> {
        self.map.next_value().map(|IgnoredAny| ())
    }
}

/// An element of a sequence, in formats that write structs as such.
struct Element<'m, A> {
    seq: &'m mut A,
    shape: &'static Shape,
    at: usize,
}

impl<'de, A: SeqAccess<'de>> FieldSource<'de> for Element<'_, A> {
    type Error = A::Error;

    fn put<T: Deserialize<'de>>(self, value: &mut Option<T>) -> Result<(), A::Error> {
        *value = self.seq.next_element()?;
        if value.is_some() { Ok(()) } else { Err(A::Error::invalid_length(self.at, &Elements(self.shape))) }
    }

    fn put_or<T: Deserialize<'de>>(
        self,
        value: &mut Option<T>,
        _: impl FnOnce() -> T,
    ) -> Result<(), A::Error> {
        *value = self.seq.next_element()?;
        Ok(())
    }

    fn skip(self) -> Result<(), A::Error> {
        Ok(())
    }
}

/// What a sequence has too few of.
struct Elements(&'static Shape);

impl Expected for Elements {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { itself, fields, .. } = self.0;
        let elements = if fields.len() == 1 { "element" } else { "elements" };
        write!(formatter, "struct {itself} with {} {elements}", fields.len())
    }
}

/// A field that was not there, if it was not: `None` where that is a value of its type.
struct Missing<E> {
    name: &'static str,
    error: PhantomData<E>,
}

impl<'de, E: Error> FieldSource<'de> for Missing<E> {
    type Error = E;

    fn put<T: Deserialize<'de>>(self, value: &mut Option<T>) -> Result<(), E> {
        if value.is_none() {
            *value = Some(T::deserialize(self)?);
        }
        Ok(())
    }

    fn put_or<T: Deserialize<'de>>(
        self,
        value: &mut Option<T>,
        default: impl FnOnce() -> T,
    ) -> Result<(), E> {
        value.get_or_insert_with(default);
        Ok(())
    }

    fn skip(self) -> Result<(), E> {
        Ok(())
    }
}

impl<'de, E: Error> Deserializer<'de> for Missing<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::missing_field(self.name))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
