//! `sampling/createMessage`: what a server asks the client's model, and what comes back.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::content::{AudioContent, ContentBlock, ImageContent, Role, TextContent};
use super::revision::Revision;

/// A question to the client's model.
///
/// ```
/// use mcp_runtime::mcp;
///
/// let request = mcp::SamplingRequest::text("Summarise this: …").system_prompt("Be brief.").max_tokens(200);
/// # let _ = request;
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct SamplingRequest {
    messages: Vec<SamplingMessage>,
    members: Map<String, Value>,
    with_tools: bool,
}

/// One message of a conversation with the client's model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SamplingMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    #[serde(deserialize_with = "one_or_more")]
    pub content: Vec<SamplingContent>,
}

/// One part of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SamplingContent {
    /// Text.
    Text(TextContent),
    /// A picture.
    Image(ImageContent),
    /// A sound (from 2025-03-26).
    Audio(AudioContent),
    /// The model wants a tool called (from 2025-11-25).
    ToolUse(ToolUse),
    /// What the call of a tool gave (from 2025-11-25).
    ToolResult(ToolUseResult),
}

/// A call that the model wants made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolUse {
    /// What its result refers to.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub input: Value,
}

/// What a call that the model wanted made gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolUseResult {
    /// The [`ToolUse::id`] that it answers.
    pub tool_use_id: String,
    /// What the tool shows.
    pub content: Vec<ContentBlock>,
    /// The call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

/// What the client's model said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SamplingResult {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    #[serde(serialize_with = "one_or_list", deserialize_with = "one_or_more")]
    pub content: Vec<SamplingContent>,
    /// The model that said it.
    pub model: String,
    /// Why it stopped: `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a reason of its provider's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
}

/// One part is itself, as every revision knows it.
fn one_or_list<S: serde::Serializer>(parts: &[SamplingContent], serializer: S) -> Result<S::Ok, S::Error> {
    match parts {
        [one] => one.serialize(serializer),
        several => several.serialize(serializer),
    }
}

fn one_or_more<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<SamplingContent>, D::Error> {
    let parts = match Value::deserialize(deserializer)? {
        Value::Array(parts) => parts,
        one => vec![one],
    };
    parts.into_iter().map(|part| serde_json::from_value(part).map_err(serde::de::Error::custom)).collect()
}

impl SamplingContent {
    /// A part that is text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent { text: text.into(), ..TextContent::default() })
    }

    /// The result of a call that the model wanted made.
    pub fn tool_result(id: impl Into<String>, content: Vec<ContentBlock>) -> Self {
        Self::ToolResult(ToolUseResult { tool_use_id: id.into(), content, is_error: false })
    }
}

impl SamplingMessage {
    /// A message of that role.
    pub fn new(role: Role, content: impl IntoIterator<Item = SamplingContent>) -> Self {
        Self { role, content: content.into_iter().collect() }
    }
}

impl SamplingResult {
    /// What that model said, as one text.
    pub fn of(model: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            role: Role::Assistant,
            content: vec![SamplingContent::text(text)],
            model: model.into(),
            stop_reason: Some("endTurn".to_owned()),
        }
    }

    /// All the text of it.
    pub fn text(&self) -> String {
        self.content
            .iter()
            .filter_map(|part| match part {
                SamplingContent::Text(text) => Some(text.text.as_str()),
                _ => None,
            })
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The calls that the model wants made.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.content.iter().filter_map(|part| match part {
            SamplingContent::ToolUse(call) => Some(call),
            _ => None,
        })
    }
}

/// How many tokens the model may say unless a request says otherwise.
const MAX_TOKENS: u32 = 1024;

impl SamplingRequest {
    /// A question of one message.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new([SamplingMessage::new(Role::User, [SamplingContent::text(text)])])
    }

    /// A question at the end of a conversation.
    pub fn new(messages: impl IntoIterator<Item = SamplingMessage>) -> Self {
        let members = Map::from_iter([("maxTokens".to_owned(), MAX_TOKENS.into())]);
        Self { messages: messages.into_iter().collect(), members, with_tools: false }
    }

    fn set(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.members.insert(member.to_owned(), value.into());
        self
    }

    /// Adds a message at the end.
    pub fn message(mut self, message: SamplingMessage) -> Self {
        self.messages.push(message);
        self
    }

    /// What the model is told first. A client may change it.
    pub fn system_prompt(self, text: impl Into<String>) -> Self {
        self.set("systemPrompt", text.into())
    }

    /// How many tokens the model may say; 1024 unless this says otherwise.
    pub fn max_tokens(self, tokens: u32) -> Self {
        self.set("maxTokens", tokens)
    }

    /// How freely the model speaks.
    pub fn temperature(self, temperature: f64) -> Self {
        self.set("temperature", temperature)
    }

    /// What ends the answer.
    pub fn stop_sequences<I>(self, sequences: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        let sequences: Vec<Value> = sequences.into_iter().map(|one| Value::String(one.into())).collect();
        self.set("stopSequences", sequences)
    }

    /// Which model to take, by parts of its name, the best first. A client may choose another.
    pub fn models<I>(self, hints: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        let hints: Vec<Value> = hints.into_iter().map(|hint| json!({ "name": hint.into() })).collect();
        self.preference("hints", hints.into())
    }

    /// How much it matters that the model is cheap, fast and clever, each from 0 to 1.
    pub fn priorities(self, cost: f64, speed: f64, intelligence: f64) -> Self {
        self.preference("costPriority", cost.into())
            .preference("speedPriority", speed.into())
            .preference("intelligencePriority", intelligence.into())
    }

    fn preference(mut self, member: &str, value: Value) -> Self {
        let preferences = self.members.entry("modelPreferences").or_insert_with(|| json!({}));
        preferences[member] = value;
        self
    }

    /// A tool that the model may want called, by its name, what it does and the JSON Schema of its arguments. Only
    /// clients with the capability `sampling.tools` can be asked with tools (from 2025-11-25).
    pub fn tool(mut self, name: impl Into<String>, description: impl Into<String>, input: Value) -> Self {
        let tool = json!({ "name": name.into(), "description": description.into(), "inputSchema": input });
        self.with_tools = true;
        match self.members.entry("tools").or_insert_with(|| json!([])) {
            Value::Array(tools) => tools.push(tool),
            other => *other = json!([tool]),
        }
        self
    }

    /// Whether the model has to use a tool: `auto`, `required` or `none`.
    pub fn tool_choice(mut self, mode: &str) -> Self {
        self.with_tools = true;
        self.set("toolChoice", json!({ "mode": mode }))
    }

    pub(crate) fn wants_tools(&self) -> bool {
        self.with_tools
    }

    /// `params`, as a revision knows them.
    pub(crate) fn params(&self, revision: Revision) -> Value {
        let lists = revision >= Revision::V2025_11_25;
        let messages: Vec<Value> = self
            .messages
            .iter()
            .flat_map(|message| {
                let message_of = |content: Value| json!({ "role": message.role, "content": content });
                match message.content.as_slice() {
                    [one] => vec![message_of(json!(one))],
                    several if lists => vec![message_of(json!(several))],
                    // Before, a message had one part.
                    several => several.iter().map(|part| message_of(json!(part))).collect(),
                }
            })
            .collect();
        let mut params = self.members.clone();
        params.insert("messages".to_owned(), messages.into());
        Value::Object(params)
    }
}
