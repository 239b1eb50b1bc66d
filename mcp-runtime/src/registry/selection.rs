//! Which of the linked entries a server serves.

use std::collections::BTreeSet;

use super::entry::Entry;
use crate::schema::faults::instead;

/// Which of the linked entries a server serves; all by default.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    pub(crate) groups: Option<Vec<String>>,
    pub(crate) crates: Option<Vec<String>>,
}

impl Selection {
    /// What is wrong with it: names that nothing registered has.
    pub(crate) fn unknown(&self) -> Vec<String> {
        let entries = || inventory::iter::<Entry>.into_iter();
        let groups: BTreeSet<&str> = entries().filter_map(|entry| entry.common.group).collect();
        let crates: BTreeSet<&str> = entries().map(|entry| entry.site.package).collect();
        let mut problems = Vec::new();
        for name in self.groups.iter().flatten().filter(|name| !groups.contains(name.as_str())) {
            problems.push(format!(
                "nothing is registered in the group `{name}`: {}",
                instead(name, groups.iter().copied())
            ));
        }
        for name in self.crates.iter().flatten() {
            if !crates.iter().any(|package| same(name, package)) {
                problems.push(format!(
                    "nothing is registered by the crate `{name}`: {}",
                    instead(name, crates.iter().copied())
                ));
            }
        }
        problems
    }

    pub(crate) fn takes(&self, entry: &Entry) -> bool {
        let group = match (&self.groups, entry.common.group) {
            (None, _) => true,
            (Some(wanted), Some(group)) => wanted.iter().any(|name| name == group),
            (Some(_), None) => false,
        };
        let package = entry.site.package;
        group && self.crates.as_ref().is_none_or(|wanted| wanted.iter().any(|name| same(name, package)))
    }
}

/// Packages are named with hyphens and crates with underscores; either spelling is meant.
fn same(name: &str, package: &str) -> bool {
    name.replace('-', "_") == package.replace('-', "_")
}
