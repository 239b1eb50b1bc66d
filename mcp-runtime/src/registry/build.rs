//! From entries to definitions, with every problem on the way told at once.

mod resources;
mod states;
mod texts;

use std::any::TypeId;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::Value;

pub(crate) use self::states::GivenState;
use super::completions::{self, Choice, Registered};
use super::definition::{
    About, CompletionDef, Definitions, MethodDef, NotificationDef, Owner, PromptDef, ToolDef,
};
use super::entry::{
    Common, CompletionEntry, CompletionOf, Entry, MethodEntry, NotificationEntry, PromptEntry, Site,
    ToolEntry, What,
};
use super::problem::Problem;
use super::selection::Selection;
use super::spelling::canonical;
use super::tool::tool_name;
use crate::handler::{Describe, OutputDescription};
use crate::protocol::{Icon, Meta, PromptDefinition, ToolAnnotations, ToolDefinition};
use crate::schema::hosts;
use crate::schema::input::{Input, Unknown};
use crate::schema::lenient::Reading;
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
    states: &HashMap<TypeId, GivenState>,
    unknown: Unknown,
    reading: Reading,
) -> (Built, Vec<Problem>) {
    let mut entries: Vec<&'static Entry> =
        inventory::iter::<Entry>.into_iter().filter(|entry| selection.takes(entry)).collect();
    // The linker's order varies from build to build.
    entries.sort_by_key(|entry| (entry.site.package, entry.site.file, entry.site.line, entry.site.column));

    let mut builder = Builder {
        states,
        unknown,
        definitions: Definitions { reading, ..Definitions::default() },
        problems: Vec::new(),
        warnings: Vec::new(),
        taken: BTreeMap::new(),
        forms: BTreeMap::new(),
        completions: Vec::new(),
        choices: Vec::new(),
        missing: BTreeMap::new(),
    };
    let mut packages = BTreeMap::new();
    for entry in entries {
        packages.insert(entry.site.package, entry.site.version);
        builder.entry(entry);
    }
    builder.completions();
    builder.missing_states();
    builder.definitions.sort();
    let built = Built { definitions: builder.definitions, packages, warnings: builder.warnings };
    (built, builder.problems)
}

struct Builder<'s> {
    states: &'s HashMap<TypeId, GivenState>,
    unknown: Unknown,
    definitions: Definitions,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
    /// Who has which name of which kind.
    taken: BTreeMap<(&'static str, String), Site>,
    /// The templates by their form.
    forms: BTreeMap<String, (&'static str, Site)>,
    completions: Vec<Registered>,
    choices: Vec<Choice>,
    /// The types of states that were never given, with what takes them.
    missing: BTreeMap<&'static str, Vec<(Site, String)>>,
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
            What::Resource(resource) if resource.template.is_empty() => canonical(resource.uri).into_owned(),
            What::Resource(template) => template.uri.to_owned(),
            What::Completion(CompletionEntry { of: CompletionOf::Prompt(name), argument, .. }) => {
                format!("{argument} of prompt {name}")
            }
            What::Completion(CompletionEntry { of: CompletionOf::Resource(uri), argument, .. }) => {
                format!("{argument} of resource {uri}")
            }
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
            let (what, cure) = match kind {
                "resource" => ("at", "give one of them another URI"),
                "completion" => ("for", "remove one of them"),
                _ => ("named", "give one of them another name"),
            };
            format!(
                "second {kind} {what} `{name}`; the first is at {}:{}:{}: {cure}",
                first.file, first.line, first.column
            )
        };
        self.problem(site, text);
        false
    }

    fn problem(&mut self, site: Site, text: impl Into<String>) {
        self.problems.push(Problem::at(site, text));
    }

    fn warn(&mut self, site: Site, text: impl Into<String>) {
        self.warnings.push(Problem::at(site, text));
    }

    fn describe(&mut self, site: Site, what: &str, describe: fn(&mut Describe)) -> Describe {
        let mut described = Describe::new();
        describe(&mut described);
        self.definitions.logs |= described.logs;
        for need in described.needs.iter().filter(|need| !self.states.contains_key(&need.kind)) {
            self.missing.entry(need.name).or_default().push((site, what.to_owned()));
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

    fn icons(&mut self, site: Site, what: &str, common: &Common) -> Vec<Icon> {
        let icons = common.icons.map_or_else(Vec::new, |icons| icons());
        for theme in icons.iter().filter_map(|icon| icon.theme.as_deref()) {
            if !Icon::THEMES.contains(&theme) {
                self.problem(
                    site,
                    format!("{what}: the theme of an icon is {theme:?}; it is \"light\" or \"dark\""),
                );
            }
        }
        icons
    }

    fn tool(&mut self, about: About, common: &Common, entry: &'static ToolEntry) {
        let Some(site) = about.site else { return };
        let what = format!("tool `{}`", common.name);
        if let Err(text) = tool_name(common.name) {
            self.problem(site, text);
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
            (Ok(input), Ok(output)) => (input.reading(self.definitions.reading), output),
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
            icons: self.icons(site, &what, common),
            input_schema: input.schema.clone(),
            output_schema: output.as_ref().map(|output| output.schema.clone()),
            annotations: (hints != ToolAnnotations::default()).then_some(hints),
            meta: self.meta(site, &what, common),
        };
        for text in weak_points(&definition) {
            self.warn(site, format!("{what}: {text}"));
        }
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
        let owner = Owner::Prompt(common.name.to_owned());
        let arguments = self.texts(about, &what, entry.describe, Some(&owner)).arguments;
        let definition = PromptDefinition {
            name: common.name.to_owned(),
            title: common.title.map(str::to_owned),
            description: text(common.description),
            arguments,
            icons: self.icons(site, &what, common),
            meta: self.meta(site, &what, common),
        };
        self.definitions.prompts.push(Arc::new(PromptDef { about, definition, call: Arc::new(entry.call) }));
    }

    fn completion(&mut self, about: About, entry: &'static CompletionEntry) {
        let Some(site) = about.site else { return };
        let owner = completions::owner(entry.of);
        let what = format!("completion of `{}` of {owner}", entry.argument);
        let mut parameters = self.texts(about, &what, entry.describe, None).arguments.into_iter();
        let typed = parameters.next().map(|typed| typed.name);
        let argument = entry.argument.to_owned();
        let definition = CompletionDef { about, owner, argument, typed, call: Arc::new(entry.call) };
        let others = parameters.collect();
        self.completions.push(Registered { site, definition: Arc::new(definition), others });
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

    /// Tells of each state once, whatever takes it.
    fn missing_states(&mut self) {
        for (name, takers) in std::mem::take(&mut self.missing) {
            let Some(((site, what), others)) = takers.split_first() else { continue };
            let mut given: Vec<&str> = self.states.values().map(|given| given.name).collect();
            given.sort_unstable();
            let mut text = format!(
                "{what} takes `State<{name}>`, which was never given: {}; given: {}",
                states::cure(name, &given),
                states::listed(&given)
            );
            for (site, what) in others {
                text.push_str(&format!("\nso does {what}, at {}:{}:{}", site.file, site.line, site.column));
            }
            self.problem(*site, text);
        }
    }

    /// Judges the completions once everything that they can belong to is known.
    fn completions(&mut self) {
        let mut completions = Vec::new();
        for registered in std::mem::take(&mut self.completions) {
            for text in registered.problems(&self.definitions) {
                self.problem(registered.site, text);
            }
            completions.push(registered.definition);
        }
        for choice in std::mem::take(&mut self.choices) {
            if !completions.iter().any(|one| one.owner == choice.owner && one.argument == choice.argument) {
                completions.push(Arc::new(choice.completion()));
            }
        }
        self.definitions.completions = completions;
    }
}

/// What of a tool is served, and could be better.
pub(crate) fn weak_points(definition: &ToolDefinition) -> Vec<String> {
    let mut found = Vec::new();
    if definition.name.len() > 64 {
        found.push(format!("its name has {} characters; some hosts take 64 at most", definition.name.len()));
    }
    if definition.description.is_none() {
        found.push("it has no description: add a doc comment, models choose tools by it".to_owned());
    }
    found.extend(hosts::told(&definition.input_schema));
    found
}

fn text(text: &str) -> Option<String> {
    let text = text.trim_end();
    (!text.is_empty()).then(|| text.to_owned())
}
