//! Section MP: `Mcp-Param-*`.

use serde_json::{Value, json};

use crate::fixture::Config;
use crate::request::{bare_call, call, list, modern};
use crate::row::{Row, row};

/// `Mcp-Param-*`.
pub fn rows() -> Vec<Row> {
    let mirrors = |arguments: Value, headers: &[(&str, &str)]| {
        headers.iter().fold(call("mirrored", arguments), |request, (name, value)| request.header(name, value))
    };
    let region =
        |value: Value, header: &str| mirrors(json!({"region": value}), &[("Mcp-Param-Region", header)]);
    let count = |value: Value, header: &str| mirrors(json!({"count": value}), &[("Mcp-Param-Count", header)]);
    let flag = |value: Value, header: &str| mirrors(json!({"flag": value}), &[("Mcp-Param-Flag", header)]);
    let raw = |arguments: &str, headers: &[(&str, &str)]| {
        let request = mirrors(json!({}), headers);
        let text = String::from_utf8(request.bytes()).expect("JSON is UTF-8");
        let mut request = request;
        request.body = crate::request::Body::Bytes(
            text.replace("\"arguments\":{}", &format!("\"arguments\":{arguments}")).into_bytes(),
        );
        request
    };
    let good =
        |id: &'static str, request| row(id, request).nothing_at("/result/isError").nothing_at("/error");
    let bad = |id: &'static str, request| row(id, request).error(400, -32020).says("Mcp-Param-");
    vec![
        good("MP-1", region(json!("us-west1"), "us-west1")),
        bad("MP-2", region(json!("us-west1"), "us-east1")),
        bad("MP-2 case", region(json!("us-west1"), "US-WEST1")),
        bad("MP-3", mirrors(json!({"region": "us-west1"}), &[])),
        bad("MP-4", mirrors(json!({}), &[("Mcp-Param-Region", "us-west1")])),
        good("MP-5", mirrors(json!({"region": null}), &[])),
        bad("MP-6", region(Value::Null, "null")),
        bad("MP-6 empty", region(Value::Null, "")),
        good("MP-7", modern("tools/call", json!({"name": "mirrored"}))),
        bad("MP-7 sent", modern("tools/call", json!({"name": "mirrored"})).header("Mcp-Param-Region", "x")),
        good("MP-8", region(json!(""), "")),
        bad("MP-9", mirrors(json!({"region": ""}), &[])),
        bad("MP-10", region(json!("042"), "42")),
        good("MP-11", region(json!("Hello, 世界"), "=?base64?SGVsbG8sIOS4lueVjA==?=")),
        good("MP-12", region(json!(" padded "), "=?base64?IHBhZGRlZCA=?=")),
        bad("MP-12 raw", region(json!(" padded "), " padded ")),
        good("MP-13", region(json!("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=")),
        bad("MP-13 raw", region(json!("=?base64?literal?="), "=?base64?literal?=")),
        bad("MP-14", region(json!("Hello"), "=?base64?SGVsbG8?=")),
        good("MP-15", region(json!("=?BASE64?eA==?="), "=?BASE64?eA==?=")),
        good("MP-16", count(json!(42), "42")),
        good("MP-17", count(json!(42), "42.00")),
        good("MP-18", count(json!(42.0), "42")),
        good("MP-19", raw("{\"count\":4.2e1}", &[("Mcp-Param-Count", "42")])),
        bad("MP-19 header", count(json!(42), "4.2e1")),
        good("MP-20", count(json!(42), "042")),
        bad("MP-20 plus", count(json!(42), "+42")),
        bad("MP-20 hex", count(json!(42), "0x2a")),
        bad("MP-20 more", count(json!(42), "42x")),
        bad("MP-20 empty", count(json!(42), "")),
        good("MP-21", raw("{\"count\":-0}", &[("Mcp-Param-Count", "0")])),
        good("MP-22", count(json!(9_007_199_254_740_991_i64), "9007199254740991")),
        bad("MP-23", count(json!(9_007_199_254_740_992_i64), "9007199254740992")),
        bad("MP-23 negative", count(json!(-9_007_199_254_740_992_i64), "-9007199254740992")),
        bad("MP-23 absent", mirrors(json!({"count": 9_007_199_254_740_992_i64}), &[])),
        bad("MP-24", count(json!(42), "9007199254740993")),
        bad("MP-25", count(json!(9_007_199_254_740_993_i64), "9007199254740992")),
        bad(
            "MP-25 fraction",
            raw("{\"count\":9007199254740993.0}", &[("Mcp-Param-Count", "9007199254740992")]),
        ),
        bad("MP-26", count(json!(42.5), "42.5")),
        row("MP-27", count(json!("42"), "42")).at("/result/isError", true),
        bad("MP-28", raw("{\"count\":1e400}", &[("Mcp-Param-Count", "1e400")])),
        bad("MP-28 absent", raw("{\"count\":1e400}", &[])),
        good("MP-29", flag(json!(true), "true")),
        bad("MP-29 case", flag(json!(true), "True")),
        bad("MP-29 number", flag(json!(true), "1")),
        good("MP-30", flag(json!(false), "false")),
        bad("MP-30 absent", mirrors(json!({"flag": false}), &[])),
        row("MP-31", mirrors(json!({"region": ["a"]}), &[])).at("/result/isError", true),
        bad("MP-31 sent", region(json!({"a": 1}), "a")),
        good("MP-32", mirrors(json!({"place": {"zone": "z"}}), &[("Mcp-Param-Zone", "z")])),
        bad("MP-32 absent", mirrors(json!({"place": {"zone": "z"}}), &[])),
        good("MP-33", mirrors(json!({"place": null}), &[])),
        bad("MP-33 sent", mirrors(json!({"place": null}), &[("Mcp-Param-Zone", "z")])),
        row("MP-33 no object", mirrors(json!({"place": 5}), &[])).at("/result/isError", true),
        good("MP-34", mirrors(json!({}), &[("Mcp-Param-Foo", "x")])),
        bad("MP-35", region(json!("a"), "a").header("Mcp-Param-Region", "a")),
        good("MP-36", mirrors(json!({"region": "a"}), &[("mcp-param-REGION", "a")])),
        row("MP-38", call("unknown", json!({})).header("Mcp-Param-Region", "x")).error(400, -32602),
        good("MP-40", list().header("Mcp-Param-Region", "x")),
        good("MP-41", bare_call("mirrored", json!({"region": "a", "count": 9_007_199_254_740_992_i64}))),
        bad("MP-3 integer", mirrors(json!({"count": 1}), &[])),
        bad("MP-4 integer", mirrors(json!({}), &[("Mcp-Param-Count", "1")])),
        bad("MP-4 boolean", mirrors(json!({}), &[("Mcp-Param-Flag", "true")])),
        good("MP-5 others", mirrors(json!({"count": null, "flag": null, "place": {"zone": null}}), &[])),
        bad("MP-6 integer", count(Value::Null, "0")),
        bad(
            "MP-7 null",
            modern("tools/call", json!({"name": "mirrored", "arguments": null}))
                .header("Mcp-Param-Region", "x"),
        ),
        bad("MP-10 other way", region(json!("42"), "042")),
        bad("MP-11 raw", region(json!("Hello, 世界"), "Hello, \u{e4}")),
        bad("MP-14 alphabet", region(json!("Hello"), "=?base64?SGVsbG8*?=")),
        bad("MP-14 trailing bits", region(json!("x"), "=?base64?eB==?=")),
        bad("MP-14 UTF-8", region(json!("x"), "=?base64?/w==?=")),
        good("MP-16 encoded", count(json!(42), "=?base64?NDI=?=")),
        bad("MP-16 different", count(json!(42), "43")),
        good("MP-17 one digit", count(json!(42), "42.0")),
        bad("MP-17 fraction", count(json!(42), "42.5")),
        bad("MP-19 both", raw("{\"count\":4.2e1}", &[("Mcp-Param-Count", "4.2e1")])),
        good("MP-20 spaces around", count(json!(42), " 42 ")),
        good("MP-21 both", raw("{\"count\":-0}", &[("Mcp-Param-Count", "-0")])),
        good("MP-22 negative", count(json!(-9_007_199_254_740_991_i64), "-9007199254740991")),
        bad("MP-23 encoded", count(json!(9_007_199_254_740_992_i64), "=?base64?OTAwNzE5OTI1NDc0MDk5Mg==?=")),
        bad("MP-23 negative, absent", mirrors(json!({"count": -9_007_199_254_740_992_i64}), &[])),
        bad("MP-23 exponent", raw("{\"count\":9007199254740992e0}", &[])),
        bad("MP-26 absent", mirrors(json!({"count": 42.5}), &[])),
        bad("MP-27 different", count(json!("42"), "43")),
        bad("MP-29 upper", flag(json!(true), "TRUE")),
        bad("MP-29 other", flag(json!(true), "false")),
        row("MP-31 list, integer", mirrors(json!({"count": [1]}), &[])).at("/result/isError", true).runs(0),
        bad("MP-31 list, integer, sent", count(json!([1]), "1")),
        bad("MP-32 different", mirrors(json!({"place": {"zone": "z"}}), &[("Mcp-Param-Zone", "y")])),
        bad("MP-32 elsewhere", mirrors(json!({"zone": "z"}), &[("Mcp-Param-Zone", "z")])),
        good("MP-33 absent", mirrors(json!({}), &[])),
        bad("MP-33 absent, sent", mirrors(json!({}), &[("Mcp-Param-Zone", "z")])),
        bad("MP-33 no object, sent", mirrors(json!({"place": 5}), &[("Mcp-Param-Zone", "z")])),
        bad("MP-35 different", region(json!("a"), "a").header("Mcp-Param-Region", "b")),
        bad("MP-35 null", region(Value::Null, "a").header("Mcp-Param-Region", "a")),
        good("MP-35 undeclared", mirrors(json!({}), &[("Mcp-Param-Foo", "x"), ("Mcp-Param-Foo", "y")])),
        good("MP-37", call("defaulted", json!({}))).at("/result/content/0/text", "3 None"),
        bad("MP-37 sent", call("defaulted", json!({})).header("Mcp-Param-Depth", "3")),
        good("MP-37 given", call("defaulted", json!({"depth": 4})).header("Mcp-Param-Depth", "4"))
            .at("/result/content/0/text", "4 None"),
        row("MP-39", call("mirrored", json!({"region": "a"})).header("Mcp-Param-Region", "b"))
            .to(Config::Hidden)
            .error(400, -32602)
            .says("Unknown tool"),
        row("MP-39 absent", call("mirrored", json!({"count": 9_007_199_254_740_992_i64})))
            .to(Config::Hidden)
            .error(400, -32602)
            .says("Unknown tool"),
        good(
            "MP-40 prompt",
            modern("prompts/get", json!({"name": "review", "arguments": {"code": "a"}}))
                .header("Mcp-Param-Region", "x"),
        ),
        good(
            "MP-40 notification",
            modern("tools/call", json!({"name": "mirrored", "arguments": {"region": "a"}}))
                .notify()
                .header("Mcp-Param-Region", "x"),
        )
        .status(202)
        .runs(0),
        good("MP-41 header", bare_call("mirrored", json!({"region": "a"})).header("Mcp-Param-Region", "b")),
        good("MP-42", call("defaulted", json!({"type": "t"})).header("Mcp-Param-Kind", "t"))
            .at("/result/content/0/text", "3 Some(\"t\")"),
        bad("MP-42 absent", call("defaulted", json!({"type": "t"}))),
        bad("MP-42 not coerced", count(json!(" 42"), "42")),
    ]
}
