//! The prompts of the suite.

use mcp_runtime::prelude::*;

use crate::media::png;

/// A prompt without arguments.
#[mcp::prompt]
fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// A prompt with two arguments.
#[mcp::prompt]
fn test_prompt_with_arguments(
    /// The first.
    arg1: String,
    /// The second.
    arg2: String,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

#[mcp::completion(prompt = "test_prompt_with_arguments", argument = "arg1")]
fn complete_arg1(typed: String) -> Vec<String> {
    ["testing", "tested", "other"]
        .into_iter()
        .filter(|word| word.starts_with(&typed))
        .map(str::to_owned)
        .collect()
}

/// A prompt that holds a resource.
#[mcp::prompt]
fn test_prompt_with_embedded_resource(
    /// The resource.
    #[arg(name = "resourceUri")]
    resource_uri: String,
) -> mcp::Prompt {
    let contents = mcp::ResourceContents::text(resource_uri, "Embedded resource content for testing.")
        .mime_type("text/plain");
    mcp::Prompt::new()
        .message(mcp::Role::User, mcp::ContentBlock::resource(contents))
        .user("Please process the embedded resource above.")
}

/// A prompt that holds a picture.
#[mcp::prompt]
fn test_prompt_with_image() -> mcp::Prompt {
    mcp::Prompt::new()
        .message(mcp::Role::User, mcp::ContentBlock::image(png(), "image/png"))
        .user("Please analyze the image above.")
}
