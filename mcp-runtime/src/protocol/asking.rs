//! What a server asks a client, and what the client has to have declared for it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::revision::Revision;

/// A folder that the client works in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Where it is: a `file:` URI.
    pub uri: String,
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Root {
    /// The folder at that `file:` URI.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: None }
    }

    /// What people call it.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

/// What a client has to be able to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Form,
    Url,
    Sampling,
    SamplingTools,
    Roots,
}

impl Need {
    /// Whether the capabilities that a client declared have it.
    pub(crate) fn is_met(self, capabilities: &Value, revision: Revision) -> bool {
        let has = |path: &str| capabilities.pointer(path).is_some_and(Value::is_object);
        match self {
            // One that says nothing of modes has forms, as all had before there were others.
            Self::Form => {
                revision >= Revision::V2025_06_18
                    && (has("/elicitation/form")
                        || capabilities["elicitation"]
                            .as_object()
                            .is_some_and(|modes| !modes.contains_key("url")))
            }
            Self::Url => revision >= Revision::V2025_11_25 && has("/elicitation/url"),
            Self::Sampling => has("/sampling"),
            Self::SamplingTools => revision >= Revision::V2025_11_25 && has("/sampling/tools"),
            Self::Roots => has("/roots"),
        }
    }

    /// It, as a client declares it.
    pub(crate) fn capability(self) -> Value {
        match self {
            Self::Form => json!({ "elicitation": { "form": {} } }),
            Self::Url => json!({ "elicitation": { "url": {} } }),
            Self::Sampling => json!({ "sampling": {} }),
            Self::SamplingTools => json!({ "sampling": { "tools": {} } }),
            Self::Roots => json!({ "roots": {} }),
        }
    }

    /// Its name, for people.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Form => "elicitation.form",
            Self::Url => "elicitation.url",
            Self::Sampling => "sampling",
            Self::SamplingTools => "sampling.tools",
            Self::Roots => "roots",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_says_nothing_of_modes_has_forms() {
        let now = Revision::V2026_07_28;
        for (capabilities, form, url) in [
            (json!({}), false, false),
            (json!({"elicitation": {}}), true, false),
            (json!({"elicitation": {"form": {}}}), true, false),
            (json!({"elicitation": {"url": {}}}), false, true),
            (json!({"elicitation": {"form": {}, "url": {}}}), true, true),
        ] {
            assert_eq!(Need::Form.is_met(&capabilities, now), form, "{capabilities}");
            assert_eq!(Need::Url.is_met(&capabilities, now), url, "{capabilities}");
        }
        assert!(!Need::Url.is_met(&json!({"elicitation": {"url": {}}}), Revision::V2025_06_18));
    }
}
