//! Which of the linked entries a server serves.

use super::entry::Entry;

/// Which of the linked entries a server serves; all by default.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    pub(crate) groups: Option<Vec<String>>,
    pub(crate) crates: Option<Vec<String>>,
}

impl Selection {
    pub(crate) fn takes(&self, entry: &Entry) -> bool {
        let group = match (&self.groups, entry.common.group) {
            (None, _) => true,
            (Some(wanted), Some(group)) => wanted.iter().any(|name| name == group),
            (Some(_), None) => false,
        };
        // Packages are named with hyphens and crates with underscores; either spelling is meant.
        let same = |name: &String| name.replace('-', "_") == entry.site.package.replace('-', "_");
        group && self.crates.as_ref().is_none_or(|wanted| wanted.iter().any(same))
    }
}
