//! The rows of URIs and templates: which resource a URI leads to, and which it does not.

use serde_json::json;

use crate::request::{bare, modern};
use crate::row::{Row, row};

fn read(uri: &'static str, text: &'static str) -> Row {
    row(uri, modern("resources/read", json!({"uri": uri}))).at("/result/contents/0/text", text)
}

/// URIs that several templates fit.
pub fn shared() -> Vec<Row> {
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
        listed("/result/resourceTemplates/5/name", "any"),
        listed("/result/resourceTemplates/8/name", "docs"),
    ]
}

/// Variables that are paths.
pub fn paths() -> Vec<Row> {
    let refused = |uri: &'static str, says: &'static str| {
        row(uri, modern("resources/read", json!({"uri": uri})))
            .error(400, -32602)
            .at("/error/data/uri", uri)
            .says(says)
    };
    let handshake = bare("resources/read", json!({"uri": "note://%2e%2e/a"}));
    vec![
        read("file:///srv/a/b.txt", "a/b.txt"),
        read("file:///logs/a.log", "a"),
        read("note://a/b..c?beside=d", "a/b..c Some(\"d\")"),
        read("text://../a", "../a"),
        read("text:///etc/passwd", "/etc/passwd"),
        refused("file:///srv/../etc/passwd", "Invalid URI: `path` holds a `..` segment"),
        refused("file:///srv/%2e%2E%2fetc", "`path` holds a `..` segment"),
        refused("file:///srv/a%5C..%5Cb", "`path` holds a `..` segment"),
        refused("file:///srv//etc/passwd", "`path` is an absolute path, and stands for a relative one"),
        refused("file:///srv/a%00", "NUL"),
        refused("file:///logs/a%2Fb.log", "`name` holds a slash, and is one segment"),
        refused("note://../a", "`path` holds a `..` segment"),
        refused("note://%2Fetc", "`path` is an absolute path"),
        refused("note://a?beside=../b", "`beside` holds a `..` segment"),
        row("in the handshake era", handshake).error(200, -32602).at("/error/data/uri", "note://%2e%2e/a"),
    ]
}
