//! Which types a header can mirror.

/// A type that a header can mirror: text, an integer of at most 64 bits, a boolean, or an enum without data.
///
/// The protocol leaves out `number`, since its text is not unique (2026-07-28, Streamable HTTP, "Custom Headers from
/// Tool Parameters").
#[diagnostic::on_unimplemented(
    message = "MCP015: a header cannot mirror `{Self}`",
    label = "not a string, an integer of at most 64 bits, a boolean or an enum without data",
    note = "the protocol mirrors no floating-point numbers, lists, maps or objects"
)]
pub trait HeaderValue {}

macro_rules! mirrored {
    ($($value:ty)*) => {$(
        impl HeaderValue for $value {}
    )*};
}

mirrored!(String char bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl<T: HeaderValue> HeaderValue for Option<T> {}

#[cfg(feature = "chrono")]
mirrored!(chrono::NaiveDate chrono::NaiveTime chrono::NaiveDateTime chrono::DateTime<chrono::Utc>);
#[cfg(feature = "uuid")]
mirrored!(uuid::Uuid);
#[cfg(feature = "url")]
mirrored!(url::Url);
