//! From entries to definitions, with every problem on the way told at once.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use super::definition::{
    About, CompletionDef, Definitions, MethodDef, NotificationDef, Owner, PromptDef, ResourceDef,
    TemplateDef, ToolDef,
};
use super::entry::{
    Common, CompletionEntry, CompletionOf, Entry, MethodEntry, NotificationEntry, PromptEntry, ResourceEntry,
    Site, ToolEntry, What,
};
use super::problem::Problem;
use super::selection::Selection;
use super::tool::tool_name;
use crate::handler::{Describe, OutputDescription};
use crate::protocol::{
    Meta, PromptArgument, PromptDefinition, ResourceDefinition, ResourceTemplateDefinition, ToolAnnotations,
    ToolDefinition,
};
use crate::schema::faults::nearest;
use crate::schema::input::{Input, Unknown};
use crate::schema::output::Output;

/// What the entries of the selection became.
pub(crate) struct Built {
    pub(crate) definitions: Definitions,
    /// The packages that registered something, with their versions.
    pub(crate) packages: BTreeMap<&'static str, &'static str>,
    /// What is served but could be better.
    pub(crate) warnings: Vec<Problem>,
}

/// Defines every entry of the selection. `states` are the types of which a value is or will be given.
pub(crate) fn build(
    selection: &Selection,
    states: &HashSet<TypeId>,
    unknown: Unknown,
) -> (Built, Vec<Problem>) {
    let mut entries: Vec<&'static Entry> =
        inventory::iter::<Entry>.into_iter().filter(|entry| selection.takes(entry)).collect();
    // The linker's order varies from build to build.
    entries.sort_by_key(|entry| (entry.site.package, entry.site.file, entry.site.line, entry.site.column));

    let mut builder = Builder {
        states,
        unknown,
        definitions: Definitions::default(),
        problems: Vec::new(),
        warnings: Vec::new(),
        taken: BTreeMap::new(),
    };
    let mut packages = BTreeMap::new();
    for entry in entries {
        packages.insert(entry.site.package, entry.site.version);
        builder.entry(entry);
    }
    builder.check_completions();
    builder.definitions.sort();
    let built = Built { definitions: builder.definitions, packages, warnings: builder.warnings };
    (built, builder.problems)
}

struct Builder<'s> {
    states: &'s HashSet<TypeId>,
    unknown: Unknown,
    definitions: Definitions,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
    /// Who has which name of which kind.
    taken: BTreeMap<(&'static str, String), Site>,
}

impl Builder<'_> {
    fn entry(&mut self, entry: &'static Entry) {
        let site = entry.site;
        let kind = match &entry.what {
            What::Tool(_) => "tool",
            What::Prompt(_) => "prompt",
            What::Resource(_) => "resource",
            What::Completion(_) => "completion",
            What::Method(_) => "method",
            What::Notification(_) => "notification",
        };
        let name = match &entry.what {
            What::Resource(resource) => resource.uri.to_owned(),
            What::Completion(completion) => format!("{} / {}", owner(completion.of), completion.argument),
            _ => entry.common.name.to_owned(),
        };
        if !self.take_name(kind, name, site) {
            return;
        }
        let about = About { site: Some(site), order: entry.common.order };
        match &entry.what {
            What::Tool(tool) => self.tool(about, &entry.common, tool),
            What::Prompt(prompt) => self.prompt(about, &entry.common, prompt),
            What::Resource(resource) => self.resource(about, &entry.common, resource),
            What::Completion(completion) => self.completion(about, completion),
            What::Method(method) => self.method(about, &entry.common, method),
            What::Notification(notification) => self.notification(about, &entry.common, notification),
        }
    }

    /// Whether the name was free.
    fn take_name(&mut self, kind: &'static str, name: String, site: Site) -> bool {
        let Some(first) = self.taken.insert((kind, name.clone()), site) else { return true };
        let text = if (first.file, first.line, first.column) == (site.file, site.line, site.column) {
            format!(
                "{kind} `{name}` is registered twice by one function: the module it stands in is declared in both \
                 main.rs and lib.rs; declare it in one, and use it from the other"
            )
        } else {
            format!(
                "second {kind} named `{name}`; the first is at {}:{}:{}: give one of them another name",
                first.file, first.line, first.column
            )
        };
        self.problem(site, text);
        false
    }

    fn problem(&mut self, site: Site, text: impl Into<String>) {
        self.problems.push(Problem::at(Some(site), text));
    }

    fn warn(&mut self, site: Site, text: impl Into<String>) {
        self.warnings.push(Problem::at(Some(site), text));
    }

    fn describe(&mut self, site: Site, what: &str, describe: fn(&mut Describe)) -> Describe {
        let mut described = Describe::new();
        describe(&mut described);
        self.definitions.logs |= described.logs;
        for need in &described.needs {
            if !self.states.contains(&need.kind) {
                self.problems.push(Problem::at(
                    Some(site),
                    format!("{what} takes `State<{}>`, which was never given: add `.state(…)`", need.name),
                ));
            }
        }
        described
    }

    fn meta(&mut self, site: Site, what: &str, common: &Common) -> Option<Meta> {
        match common.meta.map(|meta| meta())? {
            Value::Object(members) => Some(members),
            other => {
                self.problem(site, format!("{what}: `meta` is {other}; it takes an object"));
                None
            }
        }
    }

    fn tool(&mut self, about: About, common: &Common, entry: &'static ToolEntry) {
        let Some(site) = about.site else { return };
        let what = format!("tool `{}`", common.name);
        if let Err(text) = tool_name(common.name) {
            self.problem(site, text);
        }
        if common.name.len() > 64 {
            self.warn(
                site,
                format!("{what} has a name of {} characters; some hosts take 64 at most", common.name.len()),
            );
        }
        if common.description.is_empty() {
            self.warn(
                site,
                format!("{what} has no description: add a doc comment, models choose tools by it"),
            );
        }
        let mut described = self.describe(site, &what, entry.describe);
        let input = match entry.input_schema {
            Some(written) => Input::verbatim(written()),
            None => {
                let definitions = described.definitions();
                let arguments = described.arguments.into_iter().map(|described| described.argument).collect();
                let unknown = if entry.open { Unknown::Ignore } else { self.unknown };
                Input::assemble(arguments, described.flattened, definitions, unknown)
            }
        };
        let mut output = OutputDescription::default();
        (entry.output)(&mut output);
        let output = match (entry.output_schema, output.schema) {
            (Some(written), _) => Some(Output::verbatim(written())),
            (None, Some((schema, definitions))) => Some(Output::of_type(schema, definitions)),
            (None, None) => None,
        }
        .transpose();
        let (input, output) = match (input, output) {
            (Ok(input), Ok(output)) => (input, output),
            (input, output) => {
                for text in input.err().unwrap_or_default().into_iter().chain(output.err()) {
                    self.problem(site, format!("{what}: {text}"));
                }
                return;
            }
        };
        let hints = ToolAnnotations {
            read_only_hint: entry.read_only,
            destructive_hint: entry.destructive,
            idempotent_hint: entry.idempotent,
            open_world_hint: entry.open_world,
        };
        let definition = ToolDefinition {
            name: common.name.to_owned(),
            title: common.title.map(str::to_owned),
            description: text(common.description),
            icons: common.icons.map_or_else(Vec::new, |icons| icons()),
            input_schema: input.schema.clone(),
            output_schema: output.as_ref().map(|output| output.schema.clone()),
            annotations: (hints != ToolAnnotations::default()).then_some(hints),
            meta: self.meta(site, &what, common),
        };
        self.definitions.tools.push(Arc::new(ToolDef {
            about,
            definition,
            input,
            output,
            call: Arc::new(entry.call),
        }));
    }

    fn prompt(&mut self, about: About, common: &Common, entry: &'static PromptEntry) {
        let Some(site) = about.site else { return };
        let what = format!("prompt `{}`", common.name);
        if common.description.is_empty() {
            self.warn(site, format!("{what} has no description: add a doc comment"));
        }
        let arguments = self.texts(site, &what, entry.describe);
        let definition = PromptDefinition {
            name: common.name.to_owned(),
            title: common.title.map(str::to_owned),
            description: text(common.description),
            arguments,
            icons: common.icons.map_or_else(Vec::new, |icons| icons()),
            meta: self.meta(site, &what, common),
        };
        self.definitions.prompts.push(Arc::new(PromptDef { about, definition, call: Arc::new(entry.call) }));
    }

    fn resource(&mut self, about: About, common: &Common, entry: &'static ResourceEntry) {
        let Some(site) = about.site else { return };
        let what = format!("resource `{}`", entry.uri);
        // Variables are matched to parameters by the macro; here their types are judged.
        self.texts(site, &what, entry.describe);
        let name = common.name.to_owned();
        let title = common.title.map(str::to_owned);
        let description = text(common.description);
        let mime_type = entry.mime_type.map(str::to_owned);
        let icons = common.icons.map_or_else(Vec::new, |icons| icons());
        let meta = self.meta(site, &what, common);
        let call = entry.call;
        if entry.template.is_empty() {
            let uri = entry.uri.to_owned();
            let definition = ResourceDefinition {
                uri,
                name,
                title,
                description,
                mime_type,
                icons,
                meta,
                ..Default::default()
            };
            let resource = ResourceDef { about, definition, cache: entry.cache, call: Arc::new(call) };
            self.definitions.resources.push(Arc::new(resource));
        } else {
            let uri_template = entry.uri.to_owned();
            let definition = ResourceTemplateDefinition {
                uri_template,
                name,
                title,
                description,
                mime_type,
                icons,
                meta,
                ..Default::default()
            };
            let template = TemplateDef {
                about,
                definition,
                parts: entry.template,
                cache: entry.cache,
                call: Arc::new(call),
            };
            self.definitions.templates.push(Arc::new(template));
        }
    }

    fn completion(&mut self, about: About, entry: &'static CompletionEntry) {
        let Some(site) = about.site else { return };
        let owner = owner(entry.of);
        let what = format!("completion of `{}` of {owner}", entry.argument);
        let arguments = self.texts(site, &what, entry.describe);
        let typed = arguments.into_iter().next().map(|argument| argument.name);
        let completion =
            CompletionDef { about, owner, argument: entry.argument, typed, call: Arc::new(entry.call) };
        self.definitions.completions.push(Arc::new(completion));
    }

    fn method(&mut self, about: About, common: &Common, entry: &'static MethodEntry) {
        let Some(site) = about.site else { return };
        let what = format!("method `{}`", common.name);
        self.describe(site, &what, entry.describe);
        if crate::protocol::method::Method::parse(common.name).is_some() {
            self.problem(
                site,
                format!(
                    "{what} is one of the protocol's own: give it a name with a prefix, such as `acme/…`"
                ),
            );
            return;
        }
        let method = MethodDef { about, name: common.name.to_owned(), call: Arc::new(entry.call) };
        self.definitions.methods.push(Arc::new(method));
    }

    fn notification(&mut self, about: About, common: &Common, entry: &'static NotificationEntry) {
        let Some(site) = about.site else { return };
        self.describe(site, &format!("notification `{}`", common.name), entry.describe);
        let call = Arc::new(entry.call);
        self.definitions.notifications.push(Arc::new(NotificationDef {
            about,
            name: common.name.to_owned(),
            call,
        }));
    }

    /// Describes arguments that are text on the wire, and refuses types that no text gives.
    fn texts(&mut self, site: Site, what: &str, describe: fn(&mut Describe)) -> Vec<PromptArgument> {
        let mut described = self.describe(site, what, describe);
        let definitions = described.definitions();
        let mut arguments = Vec::new();
        for one in described.arguments {
            let name = one.argument.name;
            if !is_text_like(&one.argument.schema, &definitions) {
                self.problem(
                    site,
                    format!(
                        "{what}: `{name}` is text on the wire, and its type does not read from one text: use a string, \
                         a number, a boolean or an enum without data"
                    ),
                );
            }
            arguments.push(PromptArgument {
                name,
                title: one.title.map(str::to_owned),
                description: text(one.description),
                required: one.argument.required,
            });
        }
        arguments
    }

    fn check_completions(&mut self) {
        for completion in self.definitions.completions.clone() {
            let Some(site) = completion.about.site else { continue };
            let of = completion.owner_text();
            let known: Vec<String> = match &completion.owner {
                Owner::Prompt(name) => match self
                    .definitions
                    .prompts
                    .iter()
                    .find(|one| one.definition.name == *name)
                {
                    Some(prompt) => prompt.definition.arguments.iter().map(|one| one.name.clone()).collect(),
                    None => {
                        let names: Vec<String> =
                            self.definitions.prompts.iter().map(|one| one.definition.name.clone()).collect();
                        self.problem(site, no_such("prompt", name, &names));
                        continue;
                    }
                },
                Owner::Template(uri) => {
                    match self.definitions.templates.iter().find(|one| one.definition.uri_template == *uri) {
                        Some(template) => template.variables(),
                        None => {
                            let names: Vec<String> = self
                                .definitions
                                .templates
                                .iter()
                                .map(|one| one.definition.uri_template.clone())
                                .collect();
                            self.problem(site, no_such("resource template", uri, &names));
                            continue;
                        }
                    }
                }
            };
            if !known.iter().any(|name| name == completion.argument) {
                self.problem(site, no_such(&format!("argument of {of}"), completion.argument, &known));
            }
        }
    }
}

fn no_such(kind: &str, name: &str, known: &[String]) -> String {
    let cure = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!(
            "known are {}",
            known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        ),
    };
    format!("completion for an unknown {kind}, `{name}`: {cure}")
}

fn owner(of: CompletionOf) -> Owner {
    match of {
        CompletionOf::Prompt(name) => Owner::Prompt(name.to_owned()),
        CompletionOf::Resource(uri) => Owner::Template(uri.to_owned()),
    }
}

fn text(text: &str) -> Option<String> {
    let text = text.trim_end();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether a value of the schema can be read from one text.
fn is_text_like(schema: &Value, definitions: &serde_json::Map<String, Value>) -> bool {
    let Some(node) = schema.as_object() else { return true };
    if let Some(name) = node.get("$ref").and_then(|target| target.as_str()?.strip_prefix("#/$defs/")) {
        return definitions.get(name).is_none_or(|definition| is_text_like(definition, definitions));
    }
    for union in ["oneOf", "anyOf"] {
        if let Some(branches) = node.get(union).and_then(Value::as_array) {
            return branches.iter().all(|branch| is_text_like(branch, definitions));
        }
    }
    let simple = |kind: &Value| kind.as_str().is_some_and(|kind| !matches!(kind, "object" | "array"));
    match node.get("type") {
        None => true,
        Some(Value::Array(kinds)) => kinds.iter().all(simple),
        Some(kind) => simple(kind),
    }
}
