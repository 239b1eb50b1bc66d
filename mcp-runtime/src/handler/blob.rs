//! Bytes with a media type.

/// Bytes with a media type, as the result of a tool or a resource.
///
/// From a tool, `image/*` is shown as a picture and `audio/*` as a sound; anything else as an embedded resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    pub(crate) bytes: Vec<u8>,
    pub(crate) mime_type: String,
}

impl Blob {
    /// Bytes of that media type, such as `image/png`.
    pub fn new(bytes: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self { bytes: bytes.into(), mime_type: mime_type.into() }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The media type.
    pub fn mime_type(&self) -> &str {
        &self.mime_type
    }
}
