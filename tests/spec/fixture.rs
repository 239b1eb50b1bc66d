//! The server that is driven in every revision: one of everything, with every member that an author can give.

use std::collections::BTreeMap;

use mcp_runtime::prelude::*;
use mcp_runtime::{Library, Server};
use serde_json::json;

/// One registration, however it is served.
pub fn server() -> Server<Library> {
    let mut info = mcp::Implementation::new("spec", "1.0.0");
    info.title = Some("Spec".to_owned());
    info.description = Some("One of everything.".to_owned());
    info.website_url = Some("https://example.com/".to_owned());
    info.icons.push(icon().theme("purple"));
    mcp_runtime::server().implementation(info).instructions("Use it well.").tool(loose()).tool(unions())
}

/// The same, but for its answer to `server/discover`.
pub fn discovering() -> Server<Library> {
    server().discover(async |_| {
        json!({
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}, "experimental": {"acme": {"any": 1}}, "extensions": {"acme/x": {"any": 1}}},
            "instructions": "Made by hand.",
            "_meta": {"acme/build": 7},
        })
    })
}

fn icon() -> mcp::Icon {
    mcp::Icon::new("https://example.com/icon.png").mime_type("image/png").size("48x48").theme("dark")
}

fn facts() -> mcp::Meta {
    mcp::Meta::from_iter([("acme/fact".to_owned(), json!({"any": [1]}))])
}

fn annotations() -> mcp::Annotations {
    mcp::Annotations {
        audience: Some(vec![mcp::Role::User, mcp::Role::Assistant]),
        priority: Some(0.5),
        last_modified: Some("2025-01-12T15:00:58Z".to_owned()),
    }
}

fn with_facts(contents: mcp::ResourceContents) -> mcp::ResourceContents {
    let mut contents = contents.mime_type("text/plain");
    match &mut contents {
        mcp::ResourceContents::Text { meta, .. } | mcp::ResourceContents::Blob { meta, .. } => {
            *meta = Some(facts());
        }
    }
    contents
}

fn whole(block: mcp::ContentBlock) -> mcp::ContentBlock {
    let mut block = block.with_annotations(annotations());
    match &mut block {
        mcp::ContentBlock::Text(block) => block.meta = Some(facts()),
        mcp::ContentBlock::Image(block) => block.meta = Some(facts()),
        mcp::ContentBlock::Audio(block) => block.meta = Some(facts()),
        mcp::ContentBlock::Resource(block) => block.meta = Some(facts()),
        mcp::ContentBlock::ResourceLink(link) => {
            link.title = Some("Linked".to_owned());
            link.description = Some("What is linked.".to_owned());
            link.mime_type = Some("text/plain".to_owned());
            link.size = Some(3);
            link.icons.push(icon());
            link.meta = Some(facts());
        }
        _ => {}
    }
    block
}

/// Every kind of content, in this order: text, image, audio, link, text resource, blob resource.
fn blocks() -> Vec<mcp::ContentBlock> {
    [
        mcp::ContentBlock::text("text"),
        mcp::ContentBlock::image(b"png", "image/png"),
        mcp::ContentBlock::audio(b"wav", "audio/wav"),
        mcp::ContentBlock::link("spec://linked", "linked"),
        mcp::ContentBlock::resource(with_facts(mcp::ResourceContents::text("spec://text", "text"))),
        mcp::ContentBlock::resource(with_facts(mcp::ResourceContents::blob("spec://blob", b"blob"))),
    ]
    .map(whole)
    .into()
}

/// Has every member that a tool has, and shows every kind of content.
#[mcp::tool(
    title = "Everything",
    read_only,
    destructive = false,
    idempotent,
    open_world = false,
    icons = icon(),
    meta = facts(),
    order = -1
)]
fn everything(
    /// What it is about.
    #[arg(title = "About", default = "nothing", length = 1..=80)]
    about: String,
    more: Option<BTreeMap<String, u8>>,
    any: Option<Value>,
) -> mcp::CallToolResult {
    let _ = (about, more, any);
    mcp::CallToolResult::new(blocks()).with_meta(facts())
}

/// An object.
#[derive(mcp::Output)]
struct Weather {
    /// In degrees.
    temperature: f64,
    wind: Option<u8>,
    more: Value,
}

/// Returns an object as data.
#[mcp::tool]
fn object() -> mcp::Json<Weather> {
    mcp::Json(Weather { temperature: 20.5, wind: None, more: json!([1]) })
}

/// Returns a list as data.
#[mcp::tool]
fn list() -> mcp::Json<Vec<u8>> {
    mcp::Json(vec![1, 2])
}

/// Returns a number as data.
#[mcp::tool]
fn number() -> mcp::Json<f64> {
    mcp::Json(1.5)
}

/// Returns nothing but data.
#[mcp::tool]
fn data_alone() -> mcp::CallToolResult {
    mcp::CallToolResult::default().structured(json!([1, null]))
}

/// Returns an object without a schema.
#[mcp::tool]
fn undeclared() -> mcp::CallToolResult {
    mcp::CallToolResult::text("told").structured(json!({"any": 1}))
}

/// Says what no revision knows: a priority above all, and a theme that is none.
#[mcp::tool]
fn beyond() -> Vec<mcp::ContentBlock> {
    let annotations = mcp::Annotations { priority: Some(1.5), ..annotations() };
    let mut blocks = blocks();
    for block in &mut blocks {
        if let mcp::ContentBlock::ResourceLink(link) = block {
            link.icons.push(icon().theme("purple"));
        }
        *block = block.clone().with_annotations(annotations.clone());
    }
    blocks
}

/// Shows nothing.
#[mcp::tool]
fn nothing() {}

/// A tool whose schemas use what is loosest in JSON Schema.
fn loose() -> mcp::Tool {
    let input = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"any": true, "never": false, "deep": {"type": "object", "properties": {"any": true}}},
        "$defs": {"any": true},
    });
    let output = json!({"type": "object", "properties": {"any": true, "never": false}});
    mcp::Tool::new("loose", input, async |_, _| {
        mcp::CallToolResult::text("told").structured(json!({"any": 1}))
    })
    .title("Loose")
    .description("Takes anything.")
    .output_schema(output)
    .icon(icon().theme("purple"))
    .meta(facts())
}

/// A tool whose output schema says nothing.
fn unions() -> mcp::Tool {
    mcp::Tool::new("says_nothing", json!({"type": "object"}), async |_, _| {
        mcp::CallToolResult::text("told").structured(json!({"any": 1}))
    })
    .output_schema(json!(true))
}

/// Tells how far it has come, and logs.
#[mcp::tool]
async fn tells(ctx: mcp::Context) -> &'static str {
    ctx.progress(1).await;
    ctx.progress(1.5).of(3).message("half of it").await;
    ctx.log(mcp::LogLevel::Error, "a text").await;
    ctx.log(mcp::LogLevel::Alert, json!({"any": [1]})).logger("spec").await;
    "told"
}

/// Fails, as the model reads it.
#[mcp::tool]
fn fails() -> Result<mcp::Json<Weather>, mcp::ToolError> {
    Err(mcp::ToolError::new("It rains."))
}

/// Refuses by an error of the protocol.
#[mcp::tool]
fn refuses(code: i32) -> Result<String, mcp::ProtocolError> {
    Err(mcp::ProtocolError::new(code, "refused").with_data(json!({"any": 1})))
}

/// Fails, as nobody but the log reads it.
#[mcp::tool]
fn breaks() -> Result<String, mcp::ProtocolError> {
    Err(mcp::ProtocolError::internal("the disk is full"))
}

/// Has every member that a prompt has, and says every kind of content.
#[mcp::prompt(title = "Talk", icons = icon(), meta = facts())]
fn talk(
    /// What it is about.
    #[arg(title = "Topic")]
    topic: String,
    length: Option<u8>,
) -> mcp::GetPromptResult {
    let _ = (topic, length);
    let mut result = mcp::GetPromptResult::default();
    result.messages =
        blocks().into_iter().map(|block| mcp::PromptMessage::new(mcp::Role::User, block)).collect();
    result.meta = Some(facts());
    result
}

#[mcp::completion(prompt = "talk", argument = "topic")]
fn topics(typed: String) -> Vec<String> {
    (0..200).map(|n| format!("{typed}{n}")).collect()
}

/// Is text.
#[mcp::resource(
    "spec://text",
    title = "Text",
    mime_type = "text/plain",
    size = 4,
    annotations = annotations(),
    icons = icon(),
    meta = facts()
)]
fn text() -> mcp::ReadResourceResult {
    let contents = mcp::ResourceContents::text("spec://text", "text");
    let mut result = mcp::ReadResourceResult::new([with_facts(contents)]);
    result.meta = Some(facts());
    result
}

/// Is bytes.
#[mcp::resource("spec://blob", mime_type = "image/png", cache_ttl_ms = 1000, cache_scope = "public")]
fn blob() -> mcp::ResourceContents {
    with_facts(mcp::ResourceContents::blob("spec://blob", b"blob"))
}

/// Is not there.
#[mcp::resource("spec://gone")]
fn gone() -> Result<String, mcp::ResourceError> {
    Err(mcp::ResourceError::not_found())
}

/// Is one of many.
#[mcp::resource("spec://items/{id}", title = "Items", mime_type = "text/plain", annotations = annotations(), icons = icon(), meta = facts())]
fn items(id: u8) -> String {
    format!("item {id}")
}

#[mcp::completion(resource = "spec://items/{id}", argument = "id")]
fn ids(typed: String) -> Vec<String> {
    vec![format!("{typed}1")]
}

#[mcp::method("acme/stamped")]
fn stamped() -> Value {
    json!({
        "resultType": "complete", "ttlMs": 5, "cacheScope": "public", "inputRequests": {}, "requestState": "s",
        "own": true,
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "own", "version": "1"}, "acme/own": 1},
    })
}
