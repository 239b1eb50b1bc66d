//! What a server offers beside tools: prompts, completions, methods of its own.

use serde_json::{Value, json};

use crate::fixture::Config;
use crate::request::{Request, bare, modern};
use crate::row::{Row, row};

/// Requests of the modern era that the decision table has no row for.
pub fn rows() -> Vec<Row> {
    vec![
        row("R-10", modern("server/discover", json!({})))
            .at("/result/supportedVersions", json!(["2026-07-28"]))
            .at(
                "/result/capabilities",
                json!({
                    "tools": {"listChanged": true}, "prompts": {"listChanged": true},
                    "resources": {"listChanged": true, "subscribe": true}, "completions": {}, "logging": {},
                }),
            )
            .at("/result/instructions", "Use it well."),
        row("R-19", modern("server/discover", json!({})))
            .to(Config::Empty)
            .at("/result/capabilities", json!({})),
        row("method", modern("acme/sum", json!({"a": 1, "b": 2})))
            .at("/result/sum", 3)
            .at("/result/resultType", "complete"),
        row("method, stamped", modern("acme/stamped", json!({})))
            .at("/result/resultType", "own")
            .at("/result/ttlMs", 5)
            .at("/result/_meta/io.modelcontextprotocol~1serverInfo/name", "own"),
        row("R-40 method", bare("acme/stamped", json!({})))
            .at("/result", json!({"kept": true, "_meta": {"own": 1}})),
        row("method, bad", modern("acme/sum", json!({"a": 1}))).error(400, -32602).says("`b`: missing"),
        row(
            "completion",
            modern(
                "completion/complete",
                json!({"ref": {"type": "ref/prompt", "name": "review"},
            "argument": {"name": "lines", "value": "1"}, "context": {"arguments": {"code": "c"}}}),
            ),
        )
        .at("/result/completion/values", json!(["1", "c"])),
        row(
            "completion, none",
            modern(
                "completion/complete",
                json!({"ref": {"type": "ref/prompt", "name": "review"},
            "argument": {"name": "code", "value": "1"}}),
            ),
        )
        .at("/result/completion/values", json!([])),
        row("completion of an enum", complete("poem", "form", "H"))
            .at("/result/completion/values", json!(["haiku", "heroic-couplet"])),
        row("completion of a boolean", complete("poem", "rhymes", ""))
            .at("/result/completion/values", json!(["true", "false"])),
        row("prompts, words", modern("prompts/list", json!({})))
            .at("/result/prompts/0/arguments/0/description", "One of: haiku, heroic-couplet, sonnet."),
        row(
            "prompt, no such word",
            modern("prompts/get", json!({"name": "poem", "arguments": {"form": "ode"}})),
        )
        .error(400, -32602)
        .says("`form`: expected one of \"haiku\", \"heroic-couplet\", \"sonnet\", got \"ode\""),
        row(
            "completion, plain",
            modern(
                "completion/complete",
                json!({"ref": {"type": "ref/resource", "uri": "config://app"},
            "argument": {"name": "x", "value": "1"}}),
            ),
        )
        .at("/result/completion/values", json!([])),
        row(
            "completion, unknown",
            modern(
                "completion/complete",
                json!({"ref": {"type": "ref/prompt", "name": "none"},
            "argument": {"name": "x", "value": ""}}),
            ),
        )
        .error(400, -32602),
        row("completion, bad", modern("completion/complete", json!({})))
            .error(400, -32602)
            .says("params.ref"),
    ]
}

/// Parameters of `completion/complete` that are not what they have to be.
pub fn completion_params() -> Vec<Row> {
    let bad = |member: &'static str, value: Value, says: &'static str| {
        let request = complete("review", "lines", "1").change(|message| message["params"][member] = value);
        row(says, request).error(400, -32602).says(says).without("struct").without("enum")
    };
    vec![
        bad("ref", json!(["ref/prompt", "review"]), "`params.ref` has to be an object"),
        bad("ref", Value::Null, "`params.ref` has to be an object"),
        bad(
            "ref",
            json!({"name": "review"}),
            "`params.ref.type` has to be \"ref/prompt\" or \"ref/resource\"",
        ),
        bad("ref", json!({"type": ["ref/prompt"]}), "`params.ref.type` has to be"),
        bad("ref", json!({"type": "ref/prompt"}), "`params.ref.name` has to be a text"),
        bad("ref", json!({"type": "ref/resource", "uri": 5}), "`params.ref.uri` has to be a text"),
        bad("argument", json!(["lines", "1"]), "`params.argument` has to be an object"),
        bad("argument", json!("lines"), "`params.argument` has to be an object"),
        bad("argument", json!({"name": "lines"}), "`params.argument.value` has to be a text"),
        bad("argument", json!({"name": 1, "value": "1"}), "`params.argument.name` has to be a text"),
        bad("context", json!([{"code": "c"}]), "`params.context` has to be an object"),
        bad("context", json!(7), "`params.context` has to be an object"),
        bad("context", json!({"arguments": ["c"]}), "params.context.arguments"),
        row(
            "no context",
            complete("review", "lines", "1").change(|message| message["params"]["context"] = Value::Null),
        )
        .at("/result/completion/values", json!(["1", ""])),
    ]
}

fn complete(prompt: &str, argument: &str, typed: &str) -> Request {
    modern(
        "completion/complete",
        json!({"ref": {"type": "ref/prompt", "name": prompt}, "argument": {"name": argument, "value": typed}}),
    )
}
