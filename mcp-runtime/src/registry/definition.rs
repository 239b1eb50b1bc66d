//! The checked definitions: what entries and run-time registrations become.

use std::sync::Arc;

use super::entry::Site;
use super::path::PathVariable;
use super::template::Part;
use crate::handler::{Running, Scope};
use crate::protocol::{
    Cache, CallToolResult, CompleteResult, GetPromptResult, Meta, PromptDefinition, ReadResourceResult,
    ResourceDefinition, ResourceTemplateDefinition, ToolDefinition,
};
use crate::schema::input::Input;
use crate::schema::lenient::Reading;
use crate::schema::output::Output;

/// A handler without its type.
pub(crate) type Call<R> = Arc<dyn Fn(Scope) -> Running<R> + Send + Sync>;

/// A handler that is told which URI is read.
pub(crate) type ReadCall = Arc<dyn Fn(Scope, String) -> Running<ReadResourceResult> + Send + Sync>;

/// Where a definition comes from and stands.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct About {
    /// The annotated function; `None` for what was registered at run time.
    pub(crate) site: Option<Site>,
    pub(crate) order: i32,
}

/// A tool.
pub(crate) struct ToolDef {
    pub(crate) about: About,
    pub(crate) definition: ToolDefinition,
    pub(crate) input: Input,
    pub(crate) output: Option<Output>,
    pub(crate) call: Call<CallToolResult>,
}

/// A prompt.
pub(crate) struct PromptDef {
    pub(crate) about: About,
    pub(crate) definition: PromptDefinition,
    pub(crate) call: Call<GetPromptResult>,
}

/// A resource at a fixed URI.
pub(crate) struct ResourceDef {
    pub(crate) about: About,
    pub(crate) definition: ResourceDefinition,
    pub(crate) cache: Option<Cache>,
    pub(crate) call: ReadCall,
}

/// A family of resources.
pub(crate) struct TemplateDef {
    pub(crate) about: About,
    pub(crate) definition: ResourceTemplateDefinition,
    pub(crate) parts: &'static [Part],
    pub(crate) paths: Vec<PathVariable>,
    pub(crate) cache: Option<Cache>,
    pub(crate) call: ReadCall,
}

/// Completion of one argument.
pub(crate) struct CompletionDef {
    pub(crate) about: About,
    pub(crate) owner: Owner,
    pub(crate) argument: String,
    /// The parameter that takes what was typed; the others take the arguments of their names.
    pub(crate) typed: Option<String>,
    pub(crate) call: Call<CompleteResult>,
}

/// What an argument belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Prompt(String),
    Template(String),
}

/// A custom method.
pub(crate) struct MethodDef {
    pub(crate) about: About,
    pub(crate) name: String,
    pub(crate) call: Call<Meta>,
}

/// A custom notification.
pub(crate) struct NotificationDef {
    pub(crate) about: About,
    pub(crate) name: String,
    pub(crate) call: Call<Meta>,
}

/// Everything that is registered, in the order of lists.
#[derive(Clone, Default)]
pub(crate) struct Definitions {
    pub(crate) tools: Vec<Arc<ToolDef>>,
    pub(crate) prompts: Vec<Arc<PromptDef>>,
    pub(crate) resources: Vec<Arc<ResourceDef>>,
    pub(crate) templates: Vec<Arc<TemplateDef>>,
    pub(crate) completions: Vec<Arc<CompletionDef>>,
    pub(crate) methods: Vec<Arc<MethodDef>>,
    pub(crate) notifications: Vec<Arc<NotificationDef>>,
    /// Some handler may log to the client.
    pub(crate) logs: bool,
    /// Whether arguments may come as texts of them.
    pub(crate) reading: Reading,
}

impl Definitions {
    /// Adds a tool that was made of a closure. It may log, and nothing tells whether it does.
    pub(crate) fn add(&mut self, mut tool: ToolDef) {
        self.logs = true;
        tool.input = tool.input.reading(self.reading);
        self.tools.push(Arc::new(tool));
    }

    /// Brings every list into its fixed order: by `order`, then by name.
    pub(crate) fn sort(&mut self) {
        self.tools
            .sort_by(|a, b| (a.about.order, &a.definition.name).cmp(&(b.about.order, &b.definition.name)));
        self.prompts
            .sort_by(|a, b| (a.about.order, &a.definition.name).cmp(&(b.about.order, &b.definition.name)));
        self.resources
            .sort_by(|a, b| (a.about.order, &a.definition.uri).cmp(&(b.about.order, &b.definition.uri)));
        self.templates.sort_by(|a, b| {
            (a.about.order, &a.definition.uri_template).cmp(&(b.about.order, &b.definition.uri_template))
        });
        self.completions
            .sort_by(|a, b| (a.owner.to_string(), &a.argument).cmp(&(b.owner.to_string(), &b.argument)));
        self.methods.sort_by(|a, b| a.name.cmp(&b.name));
        self.notifications.sort_by(|a, b| a.name.cmp(&b.name));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tools.is_empty()
            && self.prompts.is_empty()
            && self.resources.is_empty()
            && self.templates.is_empty()
            && self.methods.is_empty()
            && self.notifications.is_empty()
    }
}

impl TemplateDef {
    /// The names of the template's variables.
    pub(crate) fn variables(&self) -> Vec<String> {
        self.parts
            .iter()
            .flat_map(|part| match *part {
                Part::Literal(_) => vec![],
                Part::Simple(name) | Part::Reserved(name) => vec![name.to_owned()],
                Part::Query(names) => names.iter().map(|name| (*name).to_owned()).collect(),
            })
            .collect()
    }
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Prompt(name) => write!(f, "prompt `{name}`"),
            Self::Template(uri) => write!(f, "resource `{uri}`"),
        }
    }
}
