//! The attributes, and what each of them takes.

/// Which attribute stands on a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `#[mcp::tool]`
    Tool,
    /// `#[mcp::prompt]`
    Prompt,
    /// `#[mcp::resource]`
    Resource,
    /// `#[mcp::completion]`
    Completion,
    /// `#[mcp::method]`
    Method,
    /// `#[mcp::notification]`
    Notification,
}

impl Kind {
    const ALL: [Self; 6] =
        [Self::Tool, Self::Prompt, Self::Resource, Self::Completion, Self::Method, Self::Notification];

    /// The attribute of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.noun() == name)
    }

    /// What a function with the attribute is called; also the attribute's own name.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
            Self::Completion => "completion",
            Self::Method => "method",
            Self::Notification => "notification",
        }
    }

    /// The options that it takes.
    pub fn options(self) -> &'static [&'static str] {
        match self {
            Self::Tool => &[
                "name",
                "title",
                "description",
                "read_only",
                "destructive",
                "idempotent",
                "open_world",
                "open",
                "blocking",
                "icons",
                "meta",
                "input_schema",
                "output_schema",
                "group",
                "order",
                "crate",
            ],
            Self::Prompt => {
                &["name", "title", "description", "blocking", "icons", "meta", "group", "order", "crate"]
            }
            Self::Resource => &[
                "name",
                "title",
                "description",
                "mime_type",
                "size",
                "annotations",
                "cache_ttl_ms",
                "cache_scope",
                "blocking",
                "icons",
                "meta",
                "group",
                "order",
                "crate",
            ],
            Self::Completion => &["prompt", "resource", "argument", "blocking", "group", "crate"],
            Self::Method | Self::Notification => &["blocking", "group", "crate"],
        }
    }

    /// An example of the text that stands before the options, for attributes that take one.
    pub fn target(self) -> Option<&'static str> {
        match self {
            Self::Resource => Some("config://app"),
            Self::Method => Some("acme/reindex"),
            Self::Notification => Some("notifications/acme/ping"),
            Self::Tool | Self::Prompt | Self::Completion => None,
        }
    }

    /// Whether its arguments are JSON, which a struct can take whole; those of the others are single texts.
    pub fn takes_json(self) -> bool {
        matches!(self, Self::Tool | Self::Method | Self::Notification)
    }
}
