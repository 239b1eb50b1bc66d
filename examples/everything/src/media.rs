//! The smallest picture and sound that are valid.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A picture of one pixel.
pub fn png() -> Vec<u8> {
    decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
}

/// A sound without samples.
pub fn wav() -> Vec<u8> {
    decode("UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=")
}

fn decode(text: &str) -> Vec<u8> {
    // Both texts are constants of this file.
    STANDARD.decode(text).unwrap_or_default()
}
