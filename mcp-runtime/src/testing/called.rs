//! What came of a call, and what a test expects of it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::protocol::project::WRAPPED;
use crate::protocol::{
    CallToolResult, ContentBlock, Era, GetPromptResult, ReadResourceResult, ResourceContents, Revision,
};

/// What a tool gave.
#[derive(Clone, Debug)]
#[must_use = "nothing is expected of it yet"]
pub struct Called {
    /// It, as messages name it.
    of: String,
    revision: Revision,
    result: CallToolResult,
}

/// The text of blocks, those that are none by their kind.
fn text<'b>(blocks: impl IntoIterator<Item = &'b ContentBlock>) -> String {
    let shown = blocks.into_iter().map(|block| match block {
        ContentBlock::Text(block) => block.text.clone(),
        ContentBlock::Image(block) => format!("[{}]", block.mime_type),
        ContentBlock::Audio(block) => format!("[{}]", block.mime_type),
        ContentBlock::ResourceLink(link) => format!("[{}]", link.uri),
        ContentBlock::Resource(block) => format!("[{}]", block.resource.uri()),
    });
    shown.collect::<Vec<_>>().join("\n")
}

impl Called {
    pub(super) fn new(of: String, revision: Revision, result: CallToolResult) -> Self {
        Self { of, revision, result }
    }

    /// The whole result.
    pub fn result(&self) -> &CallToolResult {
        &self.result
    }

    /// The text that the model reads. A block that is none is shown by its media type or URI in brackets.
    pub fn text(&self) -> String {
        text(&self.result.content)
    }

    /// What programs read, as that type: the same for every revision, also for those that wrap it or do not have it.
    ///
    /// # Panics
    /// The tool failed, or what it gave is no such type.
    #[track_caller]
    pub fn output<T: DeserializeOwned>(&self) -> T {
        let value = self.succeeded().value();
        match serde_json::from_value(value.clone()) {
            Ok(output) => output,
            Err(error) => {
                panic!("the output of {} is no `{}`: {error}\n{value:#}", self.of, std::any::type_name::<T>())
            }
        }
    }

    fn value(&self) -> Value {
        match self.result.structured_content.clone() {
            Some(Value::Object(members))
                if self.revision.era() == Era::Handshake
                    && members.len() == 1
                    && members.contains_key(WRAPPED) =>
            {
                members[WRAPPED].clone()
            }
            Some(value) => value,
            // Older revisions have it as the text alone.
            None => serde_json::from_str(&self.text()).unwrap_or_else(|_| self.text().into()),
        }
    }

    /// Expects that the tool did not fail.
    ///
    /// # Panics
    /// It did.
    #[track_caller]
    pub fn succeeded(&self) -> &Self {
        assert!(!self.result.is_error, "{} failed: {}", self.of, self.text());
        self
    }

    /// Expects this text, and that the tool did not fail.
    ///
    /// # Panics
    /// It is another, or the tool failed.
    #[track_caller]
    pub fn shows(&self, expected: &str) -> &Self {
        let text = self.succeeded().text();
        assert!(text == expected, "{} shows\n{text:?}\nin place of\n{expected:?}", self.of);
        self
    }

    /// Expects this output, and that the tool did not fail.
    ///
    /// # Panics
    /// It is another, or the tool failed.
    #[track_caller]
    pub fn gives(&self, expected: impl Serialize) -> &Self {
        let expected = serde_json::to_value(expected).unwrap_or_else(|error| panic!("{error}"));
        let value = self.succeeded().value();
        assert!(value == expected, "{} gives\n{value:#}\nin place of\n{expected:#}", self.of);
        self
    }

    /// Expects that the tool failed, and that what the model reads of it has this part.
    ///
    /// # Panics
    /// It did not fail, or says something else.
    #[track_caller]
    pub fn fails(&self, part: &str) -> &Self {
        let text = self.text();
        assert!(self.result.is_error, "{} did not fail: {text}", self.of);
        assert!(text.contains(part), "{} fails with\n{text:?}\nwhich has no\n{part:?}", self.of);
        self
    }
}

/// What a resource holds.
#[derive(Clone, Debug)]
#[must_use = "nothing is expected of it yet"]
pub struct Read {
    of: String,
    result: ReadResourceResult,
}

impl Read {
    pub(super) fn new(of: String, _: Revision, result: ReadResourceResult) -> Self {
        Self { of, result }
    }

    /// The whole result.
    pub fn result(&self) -> &ReadResourceResult {
        &self.result
    }

    /// The text of it; bytes are shown by the URI in brackets.
    pub fn text(&self) -> String {
        let shown = self.result.contents.iter().map(|contents| match contents {
            ResourceContents::Text { text, .. } => text.clone(),
            ResourceContents::Blob { uri, .. } => format!("[{uri}]"),
        });
        shown.collect::<Vec<_>>().join("\n")
    }

    /// Expects this text.
    ///
    /// # Panics
    /// It is another.
    #[track_caller]
    pub fn holds(&self, expected: &str) -> &Self {
        let text = self.text();
        assert!(text == expected, "{} holds\n{text:?}\nin place of\n{expected:?}", self.of);
        self
    }
}

/// What a prompt says.
#[derive(Clone, Debug)]
#[must_use = "nothing is expected of it yet"]
pub struct Got {
    of: String,
    result: GetPromptResult,
}

impl Got {
    pub(super) fn new(of: String, _: Revision, result: GetPromptResult) -> Self {
        Self { of, result }
    }

    /// The whole result.
    pub fn result(&self) -> &GetPromptResult {
        &self.result
    }

    /// The text of all messages.
    pub fn text(&self) -> String {
        text(self.result.messages.iter().map(|message| &message.content))
    }

    /// Expects this text.
    ///
    /// # Panics
    /// It is another.
    #[track_caller]
    pub fn says(&self, expected: &str) -> &Self {
        let text = self.text();
        assert!(text == expected, "{} says\n{text:?}\nin place of\n{expected:?}", self.of);
        self
    }
}
