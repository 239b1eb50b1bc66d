//! What is known of the server's tools: which arguments are mirrored into headers
//! (2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters").

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use reqwest::header::{HeaderMap, HeaderName};
use serde_json::Value;

use super::core::lock;
use super::error::Error;
use super::link::http::mirror;
use crate::protocol::ToolDefinition;
use crate::schema::mirror::{Mirror, headers, mirrors};

/// The tools that were listed last, by name.
#[derive(Default)]
pub(crate) struct Tools(Mutex<Option<HashMap<String, Arc<Vec<Mirror>>>>>);

impl Tools {
    /// Keeps what is to be known of these, and drops those that no server may offer.
    pub(crate) fn learn(&self, listed: &mut Vec<ToolDefinition>) {
        let mut known = HashMap::new();
        listed.retain(|tool| match mirrors(&tool.input_schema) {
            Ok(found) => {
                known.insert(tool.name.clone(), Arc::new(found));
                true
            }
            Err(faults) => {
                let faults = faults.join("; ");
                crate::log::warn(&format!("the tool `{}` is left out: {faults}", tool.name));
                false
            }
        });
        *lock(&self.0) = Some(known);
    }

    /// What was listed may have changed.
    pub(crate) fn forget(&self) {
        *lock(&self.0) = None;
    }

    /// Whether tools were listed since they last changed.
    pub(crate) fn are_known(&self) -> bool {
        lock(&self.0).is_some()
    }

    /// The headers that a call of a tool has to have.
    pub(crate) fn headers(&self, tool: &str, arguments: &Value) -> Result<HeaderMap, Error> {
        let known = lock(&self.0).as_ref().and_then(|tools| tools.get(tool).cloned());
        let mut all = HeaderMap::new();
        for (name, text) in known.iter().flat_map(|known| headers(known, arguments)) {
            let name = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| Error::Unsupported(format!("`{name}` is no header name")))?;
            all.insert(name, mirror(&text)?);
        }
        Ok(all)
    }
}
