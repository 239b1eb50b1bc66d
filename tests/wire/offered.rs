//! What a server offers beside tools: prompts, completions, methods of its own.

use serde_json::json;

use crate::fixture::Config;
use crate::request::{Request, modern};
use crate::row::{Row, row};

/// Requests of the modern era that the decision table has no row for.
pub fn rows() -> Vec<Row> {
    vec![
        row("R-10", modern("server/discover", json!({})))
            .at("/result/supportedVersions", json!(["2026-07-28"]))
            .at(
                "/result/capabilities",
                json!({"tools": {}, "prompts": {}, "resources": {}, "completions": {}, "logging": {}}),
            )
            .at("/result/instructions", "Use it well."),
        row("R-19", modern("server/discover", json!({})))
            .to(Config::Empty)
            .at("/result/capabilities", json!({})),
        row("method", modern("acme/sum", json!({"a": 1, "b": 2})))
            .at("/result/sum", 3)
            .at("/result/resultType", "complete"),
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

fn complete(prompt: &str, argument: &str, typed: &str) -> Request {
    modern(
        "completion/complete",
        json!({"ref": {"type": "ref/prompt", "name": prompt}, "argument": {"name": argument, "value": typed}}),
    )
}
