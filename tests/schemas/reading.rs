//! What the derives read of plain structs is what serde's own derive reads, and what they refuse they refuse in its words.

use mcp_runtime::prelude::*;
use serde::Deserialize;
use serde::de::value::{Error, MapDeserializer, SeqDeserializer};

/// The same struct for both: `$derive` reads it.
macro_rules! plain {
    ($module:ident, $($derive:tt)*) => {
        #[allow(dead_code, reason = "fields are compared as they are shown")]
        mod $module {
            use super::*;

            #[derive(Debug, $($derive)*)]
            #[serde(rename = "Goal")]
            pub struct Target {
                pub path: String,
                #[serde(rename = "most")]
                pub limit: u32,
                pub exact: Option<bool>,
                #[serde(default)]
                pub tags: Vec<String>,
                #[serde(default = "super::three")]
                pub depth: u8,
                pub inner: Option<Inner>,
            }

            #[derive(Debug, $($derive)*)]
            #[serde(deny_unknown_fields)]
            pub struct Inner {
                pub r#type: String,
                pub children: Vec<Inner>,
            }

            #[derive(Debug, $($derive)*)]
            pub struct Nothing {}
        }
    };
}

fn three() -> u8 {
    3
}

plain!(ours, mcp::Args);
plain!(theirs, Deserialize);

fn from<'de, T: Deserialize<'de> + std::fmt::Debug>(text: &'de str) -> String {
    match serde_json::from_str::<T>(text) {
        Ok(value) => format!("{value:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn objects_and_arrays_are_read_as_serde_reads_them() {
    for text in [
        r#"{ "path": "/", "most": 1, "exact": true, "tags": ["a"], "depth": 9, "inner": { "type": "x", "children": [] } }"#,
        r#"{ "most": 1, "path": "/" }"#,
        r#"{ "path": "/", "most": 1, "exact": null, "inner": null, "more": [1, { "a": 2 }] }"#,
        r#"{ "path": "/", "limit": 1 }"#,
        r#"{ "path": "/" }"#,
        r#"{}"#,
        r#"{ "path": "/", "most": 1, "path": "/" }"#,
        r#"{ "path": "/", "most": 1, "exact": null, "exact": true }"#,
        r#"{ "path": "/", "most": 1, "tags": null }"#,
        r#"{ "path": "/", "most": -1 }"#,
        r#"{ "path": "/", "most": 1, "inner": { "type": "x", "children": [], "kind": 1 } }"#,
        r#"{ "path": "/", "most": 1, "inner": { "type": "x", "children": [["y", []]] } }"#,
        r#"{ "path": "/", "most": 1, "inner": { "type": "x" } }"#,
        r#"["/", 1, true, ["a"], 9, ["x", []]]"#,
        r#"["/", 1, null]"#,
        r#"["/", 1, null, [], 4, null, 7]"#,
        r#"["/"]"#,
        r#"[]"#,
        r#"null"#,
        r#""/""#,
        r#"7"#,
    ] {
        assert_eq!(from::<ours::Target>(text), from::<theirs::Target>(text), "{text}");
    }
    for text in ["{}", "[]", r#"{ "a": 1 }"#, "[1]", "null"] {
        assert_eq!(from::<ours::Nothing>(text), from::<theirs::Nothing>(text), "{text}");
    }
}

#[test]
fn fields_are_known_by_number_and_by_bytes_too() {
    fn numbered<'de, T: Deserialize<'de> + std::fmt::Debug>(keys: [u64; 2]) -> String {
        let source = keys.map(|key| (key, "7"));
        format!("{:?}", T::deserialize(MapDeserializer::<_, Error>::new(source.into_iter())))
    }
    for keys in [[0, 3], [0, 0], [7, 0], [u64::MAX, 1]] {
        assert_eq!(numbered::<ours::Target>(keys), numbered::<theirs::Target>(keys), "{keys:?}");
    }
    fn spelled<'de, T: Deserialize<'de> + std::fmt::Debug>(key: &'de [u8]) -> String {
        let source = [(serde::de::value::BytesDeserializer::new(key), "7")];
        format!("{:?}", T::deserialize(MapDeserializer::<_, Error>::new(source.into_iter())))
    }
    for key in [&b"type"[..], b"children", b"kind", b"\xff"] {
        assert_eq!(spelled::<ours::Inner>(key), spelled::<theirs::Inner>(key), "{key:?}");
    }
    fn listed<'de, T: Deserialize<'de> + std::fmt::Debug>(count: usize) -> String {
        let source = std::iter::repeat_n("7", count);
        format!("{:?}", T::deserialize(SeqDeserializer::<_, Error>::new(source)))
    }
    for count in 0..3 {
        assert_eq!(listed::<ours::Target>(count), listed::<theirs::Target>(count), "{count}");
    }
}
