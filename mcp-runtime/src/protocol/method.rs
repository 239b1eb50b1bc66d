//! The methods of the protocol: their names, the eras that know them, and what their `Mcp-Name` header mirrors.

use std::sync::Arc;

use super::Era;

/// The methods, each with its name, read and written by the one table.
macro_rules! methods {
    ($($method:ident = $name:literal,)*) => {
        /// A method that some revision defines, as a client calls it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Method {
            $($method,)*
        }

        impl Method {
            /// The method of that exact name.
            pub(crate) fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$method),)*
                    _ => None,
                }
            }

            /// Its name.
            pub(crate) const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$method => $name,)*
                }
            }
        }
    };
}

methods! {
    Discover = "server/discover",
    Initialize = "initialize",
    Ping = "ping",
    SetLevel = "logging/setLevel",
    ToolsList = "tools/list",
    ToolsCall = "tools/call",
    PromptsList = "prompts/list",
    PromptsGet = "prompts/get",
    ResourcesList = "resources/list",
    TemplatesList = "resources/templates/list",
    ResourcesRead = "resources/read",
    Subscribe = "resources/subscribe",
    Unsubscribe = "resources/unsubscribe",
    Complete = "completion/complete",
    Listen = "subscriptions/listen",
    TasksGet = "tasks/get",
    TasksUpdate = "tasks/update",
    TasksCancel = "tasks/cancel",
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
