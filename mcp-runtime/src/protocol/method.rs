//! The methods of the protocol: their names, the eras that know them, and what their `Mcp-Name` header mirrors.

use std::sync::Arc;

use super::Era;

/// A method that some revision defines, as a client calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Discover,
    Initialize,
    Ping,
    SetLevel,
    ToolsList,
    ToolsCall,
    PromptsList,
    PromptsGet,
    ResourcesList,
    TemplatesList,
    ResourcesRead,
    Subscribe,
    Unsubscribe,
    Complete,
    Listen,
    TasksGet,
    TasksUpdate,
    TasksCancel,
}

/// What a message says its method is: one that some revision defines, or another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MethodName {
    Known(Method),
    Other(Arc<str>),
}

impl MethodName {
    /// `known` is what was found under the name.
    pub(crate) fn of(known: Option<Method>, name: &str) -> Self {
        known.map_or_else(|| Self::Other(name.into()), Self::Known)
    }

    pub(crate) fn parse(name: &str) -> Self {
        Self::of(Method::parse(name), name)
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Known(method) => method.as_str(),
            Self::Other(name) => name,
        }
    }
}

/// The member of `params` that the `Mcp-Name` header mirrors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedBy {
    Name,
    Uri,
    TaskId,
}

impl Method {
    /// Each with its name.
    const NAMES: [(&'static str, Self); 18] = [
        ("server/discover", Self::Discover),
        ("initialize", Self::Initialize),
        ("ping", Self::Ping),
        ("logging/setLevel", Self::SetLevel),
        ("tools/list", Self::ToolsList),
        ("tools/call", Self::ToolsCall),
        ("prompts/list", Self::PromptsList),
        ("prompts/get", Self::PromptsGet),
        ("resources/list", Self::ResourcesList),
        ("resources/templates/list", Self::TemplatesList),
        ("resources/read", Self::ResourcesRead),
        ("resources/subscribe", Self::Subscribe),
        ("resources/unsubscribe", Self::Unsubscribe),
        ("completion/complete", Self::Complete),
        ("subscriptions/listen", Self::Listen),
        ("tasks/get", Self::TasksGet),
        ("tasks/update", Self::TasksUpdate),
        ("tasks/cancel", Self::TasksCancel),
    ];

    /// The method of that exact name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, method)| *method)
    }

    /// Its name.
    pub(crate) fn as_str(self) -> &'static str {
        Self::NAMES.iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }

    /// Whether the era defines the method.
    pub(crate) const fn is_of(self, era: Era) -> bool {
        match self {
            Self::Initialize | Self::Ping | Self::SetLevel | Self::Subscribe | Self::Unsubscribe => {
                matches!(era, Era::Handshake)
            }
            Self::Discover | Self::Listen | Self::TasksUpdate => matches!(era, Era::Modern),
            Self::ToolsList
            | Self::ToolsCall
            | Self::PromptsList
            | Self::PromptsGet
            | Self::ResourcesList
            | Self::TemplatesList
            | Self::ResourcesRead
            | Self::Complete
            | Self::TasksGet
            | Self::TasksCancel => true,
        }
    }

    /// What the `Mcp-Name` header mirrors; nothing for methods that have none.
    pub(crate) const fn named_by(self) -> Option<NamedBy> {
        match self {
            Self::ToolsCall | Self::PromptsGet => Some(NamedBy::Name),
            Self::ResourcesRead => Some(NamedBy::Uri),
            Self::TasksGet | Self::TasksUpdate | Self::TasksCancel => Some(NamedBy::TaskId),
            _ => None,
        }
    }
}

/// Notifications that the handshake era has and the modern one removed.
pub(crate) fn is_removed_notification(name: &str) -> bool {
    matches!(name, "notifications/initialized" | "notifications/roots/list_changed")
}
