//! Which definition of the published schemas a message is an instance of.

use serde_json::Value;

use crate::seen::Seen;

/// What kind of message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Result,
    Error,
    Notification,
}

impl Seen {
    pub fn kind(&self) -> Kind {
        match &self.message {
            message if message.get("method").is_some() => Kind::Notification,
            message if message.get("error").is_some() => Kind::Error,
            _ => Kind::Result,
        }
    }

    /// The definition of the whole message.
    pub fn envelope(&self) -> &'static str {
        match self.kind() {
            Kind::Result if self.revision < "2025-11-25" => "JSONRPCResponse",
            Kind::Result => "JSONRPCResultResponse",
            Kind::Error if self.revision < "2025-11-25" => "JSONRPCError",
            Kind::Error => "JSONRPCErrorResponse",
            Kind::Notification => match self.message["method"].as_str() {
                Some("notifications/progress") => "ProgressNotification",
                Some("notifications/message") => "LoggingMessageNotification",
                method => panic!("{}: which notification is {method:?}?", self.place()),
            },
        }
    }

    /// The definition of its result, and the result.
    pub fn result(&self) -> Option<(&'static str, &Value)> {
        let result = self.message.get("result")?;
        let definition = match self.method {
            "initialize" => "InitializeResult",
            "server/discover" => "DiscoverResult",
            "tools/list" => "ListToolsResult",
            "tools/call" => "CallToolResult",
            "prompts/list" => "ListPromptsResult",
            "prompts/get" => "GetPromptResult",
            "resources/list" => "ListResourcesResult",
            "resources/templates/list" => "ListResourceTemplatesResult",
            "resources/read" => "ReadResourceResult",
            "completion/complete" => "CompleteResult",
            "ping" | "logging/setLevel" => "EmptyResult",
            _ => "Result",
        };
        Some((definition, result))
    }
}
