//! Lists as each revision sees them, rendered once for as long as they do not change.

use std::ops::Range;

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Engine;
use super::frame::{Cacheable, open};
use crate::protocol::Frame;
use crate::protocol::project::Project;
use crate::protocol::{
    Era, PromptDefinition, ResourceDefinition, ResourceTemplateDefinition, Revision, ToolDefinition, one_line,
};
use crate::registry::{List, Surface};

impl Engine {
    /// The answer to a list request: its id, and the rendered list behind it.
    pub(super) fn list_frame(&self, id: &str, list: List, revision: Revision) -> Frame {
        let surface = self.surface();
        let tail =
            surface.list(list, revision, || self.render(&surface, list, revision, 0..usize::MAX, None));
        Frame { head: one_line(open(id, 0)), tail }
    }

    /// What the clients of each revision get, newest first: who the server is, and every list.
    pub(crate) fn surface_by_revision(&self) -> Value {
        let revisions = self.settings.modern.iter().chain(&self.settings.handshake);
        revisions
            .map(|revision| (revision.to_string(), self.surface_of(*revision)))
            .collect::<Map<_, _>>()
            .into()
    }

    fn surface_of(&self, revision: Revision) -> Value {
        let result = |frame: &[u8]| -> Value {
            let mut message: Value = serde_json::from_slice(frame).unwrap_or_default();
            message["result"].take()
        };
        let mut seen = Map::new();
        let mut first = open("0", 0);
        let greeting = match revision.era() {
            Era::Handshake => {
                self.result(
                    &mut first,
                    Era::Handshake,
                    &self.initialized(revision, true),
                    None,
                    Cacheable::No,
                );
                "initialize"
            }
            Era::Modern => {
                self.result(
                    &mut first,
                    Era::Modern,
                    &self.discovered(),
                    None,
                    Cacheable::Yes(self.settings.cache),
                );
                "server/discover"
            }
        };
        first.push(b'}');
        seen.insert(greeting.to_owned(), result(&first));
        let offers = self.surface().offers;
        for (list, method, offered) in [
            (List::Tools, "tools/list", offers.tools),
            (List::Prompts, "prompts/list", offers.prompts),
            (List::Resources, "resources/list", offers.resources),
            (List::Templates, "resources/templates/list", offers.resources),
        ] {
            if offered {
                let frame = self.list_frame("0", list, revision);
                seen.insert(method.to_owned(), result(&[frame.head, frame.tail].concat()));
            }
        }
        seen.into()
    }

    /// The result of a list request, and the end of the message.
    /// `within` are the entries that are meant, and `next_cursor` leads to those behind them.
    pub(super) fn render(
        &self,
        surface: &Surface,
        list: List,
        revision: Revision,
        within: Range<usize>,
        next_cursor: Option<String>,
    ) -> Bytes {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Tools {
            tools: Vec<ToolDefinition>,
            #[serde(skip_serializing_if = "Option::is_none")]
            next_cursor: Option<String>,
        }
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Prompts {
            prompts: Vec<PromptDefinition>,
            #[serde(skip_serializing_if = "Option::is_none")]
            next_cursor: Option<String>,
        }
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Resources {
            resources: Vec<ResourceDefinition>,
            #[serde(skip_serializing_if = "Option::is_none")]
            next_cursor: Option<String>,
        }
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Templates {
            resource_templates: Vec<ResourceTemplateDefinition>,
            #[serde(skip_serializing_if = "Option::is_none")]
            next_cursor: Option<String>,
        }
        let all = &surface.definitions;
        let era = revision.era();
        let mut out = Vec::new();
        let cache = Cacheable::Yes(self.settings.cache);
        match list {
            List::Tools => {
                let tools = seen(all.tools.iter().map(|one| &one.definition), within, revision);
                self.result(&mut out, era, &Tools { tools, next_cursor }, None, cache);
            }
            List::Prompts => {
                let prompts = seen(all.prompts.iter().map(|one| &one.definition), within, revision);
                self.result(&mut out, era, &Prompts { prompts, next_cursor }, None, cache);
            }
            List::Resources => {
                let resources = seen(all.resources.iter().map(|one| &one.definition), within, revision);
                self.result(&mut out, era, &Resources { resources, next_cursor }, None, cache);
            }
            List::Templates => {
                let resource_templates =
                    seen(all.templates.iter().map(|one| &one.definition), within, revision);
                self.result(&mut out, era, &Templates { resource_templates, next_cursor }, None, cache);
            }
        }
        out.push(b'}');
        one_line(out)
    }
}

fn seen<'d, T: Project + Clone + 'd>(
    all: impl Iterator<Item = &'d T>,
    within: Range<usize>,
    revision: Revision,
) -> Vec<T> {
    all.skip(within.start)
        .take(within.len())
        .map(|one| {
            let mut one = one.clone();
            one.project(revision);
            one
        })
        .collect()
}
