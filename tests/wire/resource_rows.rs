//! The rows of URIs and templates: which resource a URI leads to, and which it does not.

use serde_json::json;

use crate::request::{bare, modern};
use crate::row::{Row, row};

/// URIs that several templates fit.
pub fn shared() -> Vec<Row> {
    let read = |uri: &'static str, text: &'static str| {
        row(uri, modern("resources/read", json!({"uri": uri}))).at("/result/contents/0/text", text)
    };
    let listed = |place: &'static str, name: &'static str| {
        row("the order of the list", bare("resources/templates/list", json!({}))).at(place, name)
    };
    vec![
        read("shared://docs/index", "index"),
        read("shared://docs/b", "docs b"),
        read("shared://a/b", "two a b"),
        read("shared://a/b?c=d", "query a b Some(\"d\")"),
        read("shared://a/b/c", "any a/b/c"),
        read("shared://docs", "any docs"),
        listed("/result/resourceTemplates/1/name", "any"),
        listed("/result/resourceTemplates/4/name", "docs"),
    ]
}
