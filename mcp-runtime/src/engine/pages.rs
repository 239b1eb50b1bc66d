//! Lists in pages, where the author wants them (2026-07-28, "Pagination").

use super::Engine;
use super::frame::open;
use crate::protocol::Frame;
use crate::protocol::fault::Fault;
use crate::protocol::{Revision, one_line};
use crate::registry::{List, Surface};

/// How far a client has read, as its cursor says: how many entries, and the last of them.
type Read = (usize, String);

impl Engine {
    /// The answer to a list request: the page behind a cursor, or the first one.
    pub(super) fn page(
        &self,
        id: &str,
        list: List,
        cursor: Option<&str>,
        revision: Revision,
    ) -> Result<Frame, Fault> {
        let Some(size) = self.settings.page_size else {
            return match cursor {
                None => Ok(self.list_frame(id, list, revision)),
                Some(_) => Err(not_given()),
            };
        };
        let surface = self.surface();
        let names = surface.names(list);
        let start = match cursor {
            None => 0,
            Some(cursor) => self.read(list, cursor, &names).ok_or_else(not_given)?,
        };
        let end = start.saturating_add(size).min(names.len());
        let next = match names.get(end.wrapping_sub(1)) {
            Some(last) if end < names.len() => Some(self.cursor(list, &(end, (*last).to_owned()))?),
            _ => None,
        };
        let tail = self.render(&surface, list, revision, start..end, next);
        Ok(Frame { head: one_line(open(id, 0)), tail })
    }

    /// Where the page behind a cursor begins. Where the list has changed meanwhile, that is behind the same entry, or
    /// at the same place where that is gone.
    fn read(&self, list: List, cursor: &str, names: &[&str]) -> Option<usize> {
        let opened = self.keys().open(cursor, about(list))?;
        let (count, last): Read = serde_json::from_slice(&opened).ok()?;
        let behind = |at: usize| names.get(at.checked_sub(1)?).filter(|name| **name == last).map(|_| at);
        let moved = || names.iter().position(|name| *name == last).map(|at| at + 1);
        Some(behind(count).or_else(moved).unwrap_or_else(|| count.min(names.len())))
    }

    fn cursor(&self, list: List, read: &Read) -> Result<String, Fault> {
        let bytes = serde_json::to_vec(read).unwrap_or_default();
        self.keys().seal(&bytes, about(list)).map_err(|error| {
            super::internal(&crate::log::masked_text(&format!("a list cannot be given in pages: {error}")))
        })
    }
}

fn not_given() -> Fault {
    Fault::invalid_params("Invalid params: `params.cursor` is not one that this server gave for this list")
}

/// What a cursor is about: it is good for its own list.
fn about(list: List) -> &'static [u8] {
    match list {
        List::Tools => b"cursor of tools",
        List::Prompts => b"cursor of prompts",
        List::Resources => b"cursor of resources",
        List::Templates => b"cursor of templates",
    }
}

impl Surface {
    /// What tells the entries of a list apart, in their order.
    fn names(&self, list: List) -> Vec<&str> {
        let all = &self.definitions;
        match list {
            List::Tools => all.tools.iter().map(|one| one.definition.name.as_str()).collect(),
            List::Prompts => all.prompts.iter().map(|one| one.definition.name.as_str()).collect(),
            List::Resources => all.resources.iter().map(|one| one.definition.uri.as_str()).collect(),
            List::Templates => all.templates.iter().map(|one| one.definition.uri_template.as_str()).collect(),
        }
    }
}
