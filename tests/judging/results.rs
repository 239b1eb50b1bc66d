//! Structured results: what a client gets fits the schema that it was shown, in every revision that has one.

use jsonschema::validator_for;
use mcp_runtime::prelude::*;
use serde_json::json;

use crate::serve;

#[derive(mcp::Output)]
#[serde(tag = "kind")]
enum Tagged {
    A { n: i64 },
    B { s: String },
}

#[derive(mcp::Output)]
enum Keyed {
    A(i64),
    B { s: String },
}

#[derive(mcp::Output)]
#[serde(untagged)]
enum Untagged {
    A { n: i64 },
    B(String),
}

#[derive(mcp::Output)]
struct Plain {
    n: i64,
}

#[derive(mcp::Output)]
struct Tree {
    children: Vec<Tree>,
}

macro_rules! tools {
    ($($name:ident: $output:ty = $value:expr;)*) => {
        $(
            #[mcp::tool(group = "results")]
            fn $name() -> mcp::Json<$output> {
                mcp::Json($value)
            }
        )*
        const TOOLS: &[&str] = &[$(stringify!($name)),*];
    };
}

tools! {
    tagged_a: Tagged = Tagged::A { n: 1 };
    tagged_b: Tagged = Tagged::B { s: "b".to_owned() };
    keyed_a: Keyed = Keyed::A(1);
    keyed_b: Keyed = Keyed::B { s: "b".to_owned() };
    untagged_a: Untagged = Untagged::A { n: 1 };
    untagged_b: Untagged = Untagged::B("b".to_owned());
    plain: Plain = Plain { n: 1 };
    maybe_some: Option<Plain> = Some(Plain { n: 1 });
    maybe_none: Option<Plain> = None;
    anything: Value = json!({"a": 1});
    list: Vec<Plain> = vec![Plain { n: 1 }];
    tree: Tree = Tree { children: vec![Tree { children: vec![] }] };
    trees: Vec<Tree> = vec![Tree { children: vec![] }];
    number: f64 = 1.5;
}

/// Has a schema that refers to itself, written by hand.
#[mcp::tool(group = "results", output_schema = json!({"type": "array", "items": {"$ref": "#"}, "$schema": "https://json-schema.org/draft/2020-12/schema"}))]
fn lists_of_lists() -> mcp::Json<Value> {
    mcp::Json(json!([[], [[]]]))
}

/// Numbers that JSON has no form for, where a schema allows `null`.
mod not_finite {
    use super::*;

    #[derive(mcp::Output)]
    struct Mean {
        of: Option<String>,
        value: Option<f64>,
    }

    #[mcp::tool(group = "not finite")]
    fn mean(sum: f64, count: f64) -> mcp::Json<Mean> {
        mcp::Json(Mean { of: None, value: Some(sum / count) })
    }

    #[mcp::resource("mean://none", group = "not finite")]
    fn resource() -> mcp::Json<[f32; 2]> {
        mcp::Json([1.0, f32::NAN])
    }

    #[mcp::method("acme/mean", group = "not finite")]
    fn method() -> mcp::Json<Mean> {
        mcp::Json(Mean { of: None, value: Some(f64::INFINITY) })
    }
}

#[test]
fn a_number_that_is_not_finite_is_an_error_and_not_null() {
    let mut lines = serve("not finite");
    let mut ask = |method: &str, mut params: Value| {
        params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
        lines.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string());
        lines.message().expect("it is answered")
    };
    let mut mean =
        |count: i32| ask("tools/call", json!({"name": "mean", "arguments": {"sum": 0, "count": count}}));
    assert_eq!(mean(1)["result"]["structuredContent"], json!({"of": null, "value": 0.0}));
    let refused =
        [mean(0), ask("resources/read", json!({"uri": "mean://none"})), ask("acme/mean", json!({}))];
    for answer in refused {
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
        assert!(answer["error"]["message"].to_string().contains("the server's log says more"), "{answer}");
    }
}

#[test]
fn what_a_client_gets_fits_what_it_was_shown() {
    for revision in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        let modern = revision == "2026-07-28";
        let mut lines = serve("results");
        let mut ask = |method: &str, params: Value| {
            let mut message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
            if modern {
                message["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": {}});
            }
            lines.send(&message.to_string());
            lines.message().expect("it is answered")["result"].take()
        };
        if !modern {
            ask(
                "initialize",
                json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}),
            );
        }
        let listed = ask("tools/list", json!({}));
        let tools = listed["tools"].as_array().expect("a list");
        assert_eq!(tools.len(), TOOLS.len() + 1);
        for tool in tools {
            let result = ask("tools/call", json!({"name": tool["name"]}));
            let (schema, value) = (&tool["outputSchema"], &result["structuredContent"]);
            let validator = validator_for(schema).unwrap_or_else(|error| panic!("{error} in {schema}"));
            assert!(validator.is_valid(value), "{revision}: {value} does not fit {schema}");
            assert!(modern || schema["type"] == "object", "{revision}: {schema}");
            assert!(modern || value.is_object(), "{revision}: {value}");
        }
    }
}
