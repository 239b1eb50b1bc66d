//! Completion of prompt arguments and template variables.

use serde::{Deserialize, Serialize};

use super::Meta;

/// Values that complete what was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Completion {
    /// The best ones, at most 100.
    pub values: Vec<String>,
    /// How many there are in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Whether there are more than `values` holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
}

impl Completion {
    /// The most values that one answer holds (2026-07-28, "Completion", "Completion Results").
    pub const MOST: usize = 100;

    /// Those values; beyond the first [`Completion::MOST`] they are only counted.
    pub fn new<T: Into<String>>(values: impl IntoIterator<Item = T>) -> Self {
        let mut all = values.into_iter();
        let values: Vec<String> = all.by_ref().take(Self::MOST).map(Into::into).collect();
        let rest = all.count();
        if rest == 0 {
            Self { values, ..Self::default() }
        } else {
            let total = (values.len() + rest) as u64;
            Self { values, total: Some(total), has_more: Some(true) }
        }
    }
}

/// The result of `completion/complete`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CompleteResult {
    /// The values.
    pub completion: Completion,
    /// Facts of the author's own.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}
