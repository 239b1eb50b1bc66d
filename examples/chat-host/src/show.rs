//! What the person is shown.

use mcp_runtime::client::{Client, Progress};
use mcp_runtime::mcp::{CallToolResult, Change, ContentBlock, ResourceContents};
use serde_json::Value;

/// Who the server is, and how to go on.
pub fn greeting(client: &Client) -> String {
    let Some(agreed) = client.agreed() else { return String::new() };
    let mut text = format!("{} {}, by {}", agreed.server.name, agreed.server.version, agreed.revision);
    if let Some(instructions) = agreed.instructions {
        text.push_str(&format!("\n{instructions}"));
    }
    text.push_str("\n`help` says what there is");
    text
}

pub fn changed(change: &Change) -> String {
    match change {
        Change::Tools => "tools".to_owned(),
        Change::Prompts => "prompts".to_owned(),
        Change::Resources => "resources".to_owned(),
        Change::Resource(uri) => format!("resource {uri}"),
        other => format!("{other:?}"),
    }
}

/// A value as people read it.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A bar of how far something is.
pub fn bar(progress: &Progress) -> String {
    const WIDTH: usize = 30;
    let message = progress.message.as_deref().unwrap_or_default();
    match progress.total.filter(|total| *total > 0.0) {
        Some(total) => {
            let part = (progress.progress / total).clamp(0.0, 1.0);
            let full = (part * WIDTH as f64).round() as usize;
            format!("[{}{}] {:3.0}% {message}", "#".repeat(full), ".".repeat(WIDTH - full), part * 100.0)
        }
        None => format!("[{}] {message}", progress.progress),
    }
}

pub fn block(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => format!("[picture, {}]", image.mime_type),
        ContentBlock::Audio(sound) => format!("[sound, {}]", sound.mime_type),
        ContentBlock::ResourceLink(link) => format!("[{}: {}]", link.name, link.uri),
        ContentBlock::Resource(resource) => contents(&resource.resource),
        other => format!("{other:?}"),
    }
}

pub fn contents(contents: &ResourceContents) -> String {
    match contents {
        ResourceContents::Text { text, .. } => text.clone(),
        ResourceContents::Blob { uri, blob, .. } => format!("[{uri}: {} characters of base64]", blob.len()),
    }
}

pub fn result(result: &CallToolResult) -> String {
    let text = result.content.iter().map(block).collect::<Vec<_>>().join("\n");
    if result.is_error { format!("failed: {text}") } else { text }
}

/// The arguments of a tool, those that need not be given with a question mark.
pub fn taken(schema: &Value) -> Vec<String> {
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let properties = schema["properties"].as_object();
    let taken = properties.into_iter().flatten().map(|(name, field)| {
        let mark = if required(name) { "" } else { "?" };
        match field["type"].as_str() {
            Some(kind) => format!("{name}{mark}: {kind}"),
            None => format!("{name}{mark}"),
        }
    });
    taken.collect()
}
