//! Forms as they are asked, and those that can be asked of nobody.

use mcp_runtime::prelude::*;
use mcp_runtime_tests::lines;
use serde_json::json;

use crate::answers::{connected, shake_hands};
use crate::clients::server;
use crate::text;

#[derive(mcp::Args)]
enum Size {
    /// Smaller than
    /// a hand
    Small,
    Middle,
    #[schemars(title = "Larger")]
    Large,
}

#[derive(mcp::Form)]
struct Bounded {
    #[arg(range = ..10)]
    below: u8,
    #[arg(range = 1..10)]
    between: i64,
    #[arg(range = 0.0..1.0)]
    share: f64,
    size: Size,
}

/// Asks within bounds.
#[mcp::tool]
async fn bounded(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let asked: Bounded = ctx.elicit("How much?").await?;
    let size = match asked.size {
        Size::Small => "small",
        Size::Middle => "middle",
        Size::Large => "large",
    };
    Ok(format!("{} {} {} {size}", asked.below, asked.between, asked.share))
}

#[derive(mcp::Args)]
struct Below {
    words: Vec<String>,
}

#[derive(mcp::Form)]
struct Deep {
    #[serde(flatten)]
    below: Below,
    age: u8,
}

/// Asks for what no form has.
#[mcp::tool]
async fn deep(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let asked: Deep = ctx.elicit("Which words?").await?;
    Ok(format!("{:?} {}", asked.below.words, asked.age))
}

#[derive(mcp::Form)]
struct Several {
    sizes: Vec<Size>,
}

/// Asks for several.
#[mcp::tool]
async fn several(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    Ok(ctx.elicit::<Several>("Which sizes?").await?.sizes.len().to_string())
}

#[derive(mcp::Form)]
struct Number {
    number: u64,
}

/// Asks for any number.
#[mcp::tool]
async fn number(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    Ok(ctx.elicit::<Number>("Which number?").await?.number.to_string())
}

/// Ends with an error of a tool's.
#[mcp::tool]
async fn once_fails(ctx: mcp::Context) -> Result<u32, mcp::OnceError> {
    ctx.once("a", async || Err(mcp::ToolError::new("the till is closed"))).await
}

/// Remembers what JSON cannot hold.
#[mcp::tool]
async fn once_forgets(ctx: mcp::Context) -> Result<usize, mcp::OnceError> {
    type Odd = std::collections::BTreeMap<(u8, u8), u8>;
    let odd: Odd = ctx.once("a", async || Ok::<_, mcp::ToolError>(Odd::from([((1, 2), 3)]))).await?;
    Ok(odd.len())
}

fn called(revision: &str, tool: &str) -> Value {
    let mut lines = lines::serve(server);
    shake_hands(&mut lines, revision);
    let params = json!({"name": tool});
    lines.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string());
    lines.message().expect("an answer")
}

#[test]
fn bounds_are_asked_in_words_that_forms_have() {
    let asked = called("2025-11-25", "bounded");
    let fields = &asked["params"]["requestedSchema"]["properties"];
    assert_eq!(fields["below"], json!({"type": "integer", "minimum": 0, "maximum": 9}));
    assert_eq!(fields["between"], json!({"type": "integer", "minimum": 1, "maximum": 9}));
    assert_eq!(fields["share"], json!({"type": "number", "minimum": 0.0, "maximum": 1.0}));
    let sizes = json!([
        {"const": "Small", "title": "Smaller than a hand"},
        {"const": "Middle", "title": "Middle"},
        {"const": "Large", "title": "Larger"},
    ]);
    assert_eq!(fields["size"]["oneOf"], sizes, "in their order");
}

/// Nobody is asked what they could not answer.
#[test]
fn what_no_form_has_is_not_asked() {
    for (revision, tool, says) in [
        ("2025-11-25", "deep", "this cannot be asked: the field `words` is a list of what is no enum"),
        ("2025-06-18", "several", "the field `sizes` is a list, which forms have from 2025-11-25 on"),
        ("2025-11-25", "once_fails", "the till is closed"),
        ("2025-11-25", "once_forgets", "what came of it cannot be remembered"),
    ] {
        let answer = called(revision, tool);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(text(&answer["result"]).contains(says), "{answer}");
    }
    assert_eq!(called("2025-11-25", "several")["method"], "elicitation/create");
}

/// What a person has typed is theirs, whether the schema or the decoder refuses it.
#[test]
fn an_answer_that_does_not_fit_is_not_told_to_the_model() {
    for (tool, content, typed, says) in [
        (
            "bounded",
            json!({"below": 123, "between": 5, "share": 0.5, "size": "SECRET"}),
            ["123", "SECRET"],
            ["`below`: expected less than 10", "`size`: expected one of"],
        ),
        (
            "number",
            json!({"number": 1.5e30}),
            ["e30", "e+30"],
            ["its type does not read it", "cannot be used"],
        ),
    ] {
        let mut lines = connected();
        let params = json!({"name": tool});
        lines.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string());
        let asked = lines.message().expect("it asks");
        let result = json!({"action": "accept", "content": content});
        lines.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}).to_string());
        let answer = lines.message().expect("an answer").to_string();
        assert!(says.iter().all(|says| answer.contains(says)), "{answer}");
        assert!(!typed.iter().any(|typed| answer.contains(typed)), "{answer}");
    }
}
