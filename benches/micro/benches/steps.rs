//! What each step of one call costs, without input or output. Each includes those before it, so that a step is a
//! difference; the handler and the encoding stand by themselves.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use mcp_runtime::__private::alone::Alone;
use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp::tool(group = "plain")]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// The same with two arguments that headers mirror, and ranges.
#[mcp::tool(group = "checked", name = "add")]
async fn checked(
    #[x_mcp_header("A")]
    #[arg(range = 0..=100)]
    a: i64,
    #[x_mcp_header("B")]
    #[arg(range = 0..=100)]
    b: i64,
) -> i64 {
    a + b
}

/// An answer of some size.
#[mcp::tool(group = "plain")]
async fn long() -> String {
    "a line of text, \"quoted\"\n".repeat(40)
}

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"micro","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

fn body(method: &str, params: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{{META}{params}}}}}"#).into_bytes()
}

fn headers(lines: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    let common = [("mcp-protocol-version", "2026-07-28")];
    let all = common.iter().chain(lines);
    all.map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec())).collect()
}

fn server(group: &str) -> Alone {
    Alone::of(mcp_runtime::server().server_info("micro", "1").groups([group])).expect("it is in order")
}

fn steps(criterion: &mut Criterion) {
    let add = body("tools/call", r#","name":"add","arguments":{"a":40,"b":2}"#);
    let named =
        [("mcp-method", "tools/call"), ("mcp-name", "add"), ("mcp-param-a", "40"), ("mcp-param-b", "2")];
    let (plain, checked) = (server("plain"), server("checked"));
    let mirrored = headers(&named);
    let standard = headers(&named[..2]);

    criterion.bench_function("parse", |bencher| bencher.iter(|| Alone::reads(black_box(&add))));
    let said = plain.post(&standard, &add).expect("it is answered");
    assert!(String::from_utf8_lossy(&said.messages[0]).contains("42"));
    let handshake = br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"a":40,"b":2}}}"#;
    criterion.bench_function("parse, classify (handshake, which mirrors nothing)", |bencher| {
        bencher.iter(|| plain.admit(black_box(&[]), black_box(handshake)));
    });
    criterion.bench_function("parse, classify, check headers", |bencher| {
        bencher.iter(|| plain.admit(black_box(&standard), black_box(&add)));
    });
    criterion.bench_function("parse, classify, check headers and two mirrors", |bencher| {
        bencher.iter(|| checked.admit(black_box(&mirrored), black_box(&add)));
    });
    for (name, server, headers) in
        [("validate", &plain, &standard), ("validate with ranges", &checked, &mirrored)]
    {
        criterion.bench_function(name, |bencher| {
            bencher.iter_batched(
                || server.admit(headers, &add),
                |admitted| server.begin(admitted),
                BatchSize::SmallInput,
            );
        });
    }
    criterion.bench_function("dispatch", |bencher| {
        bencher.iter(|| plain.post(black_box(&standard), black_box(&add)));
    });
    let long = body("tools/call", r#","name":"long""#);
    let named = headers(&[("mcp-method", "tools/call"), ("mcp-name", "long")]);
    for (name, headers, body) in [("encode", &standard, &add), ("encode 1 KB", &named, &long)] {
        criterion.bench_function(name, |bencher| {
            bencher.iter_batched(
                || plain.begin(plain.admit(headers, body)),
                |begun| begun.finish().expect("it is answered"),
                BatchSize::SmallInput,
            );
        });
    }
}

fn lists(criterion: &mut Criterion) {
    let list = body("tools/list", "");
    let headers = headers(&[("mcp-method", "tools/list")]);
    for many in [1, 50, 500] {
        let mut server = mcp_runtime::server().server_info("micro", "1").groups(["checked"]);
        for number in 1..many {
            let schema =
                serde_json::json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
            let answer = |_: Value, _: mcp::Context| async { "done" };
            server = server.tool(mcp::Tool::new(format!("tool_{number:03}"), schema, answer));
        }
        let server = Alone::of(server).expect("it is in order");
        criterion.bench_function(&format!("list {many}"), |bencher| {
            bencher.iter(|| server.begin(server.admit(black_box(&headers), black_box(&list))).finish());
        });
    }
}

criterion_group!(benches, steps, lists);
criterion_main!(benches);
