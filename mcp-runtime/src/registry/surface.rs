//! What callers may see at one moment: lookup by name, lists in their order. Never changed, only replaced.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::definition::{
    CompletionDef, Definitions, MethodDef, NotificationDef, Owner, PromptDef, ResourceDef, TemplateDef,
    ToolDef,
};
use super::spelling::canonical;
use super::template::{BadUri, matched, specificity};
use crate::hub::Change;
use crate::protocol::Revision;

/// The lists that clients ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
}

/// What a server can do, by what is registered: disabling a tool does not take away that there are tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offers {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    pub(crate) completions: bool,
    pub(crate) logging: bool,
}

/// What callers may see at one moment.
#[derive(Default)]
pub(crate) struct Surface {
    pub(crate) offers: Offers,
    /// Whether some tool has arguments that are mirrored into headers.
    pub(crate) mirrors: bool,
    pub(crate) definitions: Definitions,
    tools: BTreeMap<String, Arc<ToolDef>>,
    prompts: BTreeMap<String, Arc<PromptDef>>,
    /// By their URIs in canonical spelling.
    resources: BTreeMap<String, Arc<ResourceDef>>,
    /// In the order in which a URI is compared with them.
    templates: Vec<Arc<TemplateDef>>,
    methods: BTreeMap<String, Arc<MethodDef>>,
    notifications: BTreeMap<String, Arc<NotificationDef>>,
    lists: [[OnceLock<Bytes>; 4]; Revision::ALL.len()],
}

/// What a URI leads to.
pub(crate) enum Found {
    Fixed(Arc<ResourceDef>),
    Member(Arc<TemplateDef>, Vec<(String, String)>),
}

impl Surface {
    /// Everything registered but what is disabled.
    pub(crate) fn of(all: &Definitions, disabled: &HashSet<String>) -> Self {
        let mut seen = all.clone();
        seen.tools.retain(|tool| !disabled.contains(&tool.definition.name));
        seen.prompts.retain(|prompt| !disabled.contains(&prompt.definition.name));
        seen.resources.retain(|one| {
            !disabled.contains(&one.definition.uri) && !disabled.contains(&one.definition.name)
        });
        seen.templates.retain(|one| {
            !disabled.contains(&one.definition.uri_template) && !disabled.contains(&one.definition.name)
        });
        fn by<T>(all: &[Arc<T>], name: impl Fn(&T) -> &String) -> BTreeMap<String, Arc<T>> {
            all.iter().map(|one| (name(one).clone(), Arc::clone(one))).collect()
        }
        let mut templates = seen.templates.clone();
        // Those that are equally close keep the order of the list.
        templates.sort_by_key(|template| specificity(template.parts));
        let offers = Offers {
            tools: !all.tools.is_empty(),
            prompts: !all.prompts.is_empty(),
            resources: !all.resources.is_empty() || !all.templates.is_empty(),
            completions: !all.completions.is_empty(),
            logging: all.logs,
        };
        Self {
            offers,
            mirrors: seen.tools.iter().any(|tool| !tool.input.mirrors.is_empty()),
            tools: by(&seen.tools, |tool| &tool.definition.name),
            prompts: by(&seen.prompts, |prompt| &prompt.definition.name),
            resources: seen
                .resources
                .iter()
                .map(|one| (canonical(&one.definition.uri).into_owned(), Arc::clone(one)))
                .collect(),
            templates,
            methods: by(&seen.methods, |method| &method.name),
            notifications: by(&seen.notifications, |notification| &notification.name),
            definitions: seen,
            lists: Default::default(),
        }
    }

    /// Which lists differ from those before.
    pub(crate) fn changes(&self, before: &Self) -> Vec<Change> {
        let (now, before) = (&self.definitions, &before.definitions);
        let mut changes = Vec::new();
        if !alike(&now.tools, &before.tools) {
            changes.push(Change::Tools);
        }
        if !alike(&now.prompts, &before.prompts) {
            changes.push(Change::Prompts);
        }
        if !alike(&now.resources, &before.resources) || !alike(&now.templates, &before.templates) {
            changes.push(Change::Resources);
        }
        changes
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&Arc<ToolDef>> {
        self.tools.get(name)
    }

    pub(crate) fn prompt(&self, name: &str) -> Option<&Arc<PromptDef>> {
        self.prompts.get(name)
    }

    pub(crate) fn method(&self, name: &str) -> Option<&Arc<MethodDef>> {
        self.methods.get(name)
    }

    pub(crate) fn notification(&self, name: &str) -> Option<&Arc<NotificationDef>> {
        self.notifications.get(name)
    }

    pub(crate) fn completion(&self, owner: &Owner, argument: &str) -> Option<&Arc<CompletionDef>> {
        self.definitions.completions.iter().find(|one| one.owner == *owner && one.argument == argument)
    }

    /// The resource at a URI: a fixed one first, then that of the template that describes it most closely.
    pub(crate) fn resource(&self, uri: &str) -> Result<Option<Found>, BadUri> {
        let uri = &*canonical(uri);
        if let Some(fixed) = self.resources.get(uri) {
            return Ok(Some(Found::Fixed(Arc::clone(fixed))));
        }
        for template in &self.templates {
            if let Some(values) = matched(template.parts, uri)? {
                if let Some(text) = template.paths.iter().find_map(|path| path.misfit(&values)) {
                    return Err(BadUri(text));
                }
                return Ok(Some(Found::Member(Arc::clone(template), values)));
            }
        }
        Ok(None)
    }

    /// The bytes of a list as a revision sees it, made when they are first asked for.
    pub(crate) fn list(&self, list: List, revision: Revision, render: impl FnOnce() -> Bytes) -> Bytes {
        self.lists[revision.index()][list as usize].get_or_init(render).clone()
    }
}

/// Whether two lists hold the same.
fn alike<T>(now: &[Arc<T>], before: &[Arc<T>]) -> bool {
    now.len() == before.len() && now.iter().zip(before).all(|(now, before)| Arc::ptr_eq(now, before))
}
