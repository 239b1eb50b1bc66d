//! Resources, and templates of them.

use std::sync::Arc;

use super::{Builder, text};
use crate::protocol::{Annotations, ResourceDefinition, ResourceTemplateDefinition};
use crate::registry::definition::{About, Owner, ResourceDef, TemplateDef};
use crate::registry::entry::{Common, ResourceEntry};
use crate::registry::path::paths;
use crate::registry::template::form;

impl Builder<'_> {
    pub(super) fn resource(&mut self, about: About, common: &Common, entry: &'static ResourceEntry) {
        let Some(site) = about.site else { return };
        let what = format!("resource `{}`", entry.uri);
        // Variables are matched to parameters by the macro; here their types are judged.
        let owner = (!entry.template.is_empty()).then(|| Owner::Template(entry.uri.to_owned()));
        let typed = self.texts(about, &what, entry.describe, owner.as_ref()).paths;
        if common.description.is_empty() {
            self.warn(site, format!("{what} has no description: add a doc comment"));
        }
        let name = common.name.to_owned();
        let title = common.title.map(str::to_owned);
        let description = text(common.description);
        let mime_type = entry.mime_type.map(str::to_owned);
        let icons = self.icons(site, &what, common);
        let meta = self.meta(site, &what, common);
        let annotations = entry.annotations.map(|annotations| annotations());
        if let Some(priority) = annotations.as_ref().and_then(|known| known.priority)
            && !Annotations::PRIORITY.contains(&priority)
        {
            self.problem(site, format!("{what}: its priority is {priority}; it goes from 0 to 1"));
        }
        let call = entry.call;
        if entry.template.is_empty() {
            let uri = entry.uri.to_owned();
            let definition = ResourceDefinition {
                uri,
                name,
                title,
                description,
                mime_type,
                size: entry.size,
                icons,
                annotations,
                meta,
            };
            let resource = ResourceDef { about, definition, cache: entry.cache, call: Arc::new(call) };
            self.definitions.resources.push(Arc::new(resource));
        } else {
            if let Some((first, at)) = self.forms.insert(form(entry.template), (entry.uri, site)) {
                self.problem(
                    site,
                    format!(
                        "{what} is never read: every URI that it has, `{first}` at {}:{}:{} has too",
                        at.file, at.line, at.column
                    ),
                );
            }
            let uri_template = entry.uri.to_owned();
            let definition = ResourceTemplateDefinition {
                uri_template,
                name,
                title,
                description,
                mime_type,
                icons,
                annotations,
                meta,
            };
            let template = TemplateDef {
                about,
                definition,
                parts: entry.template,
                paths: paths(entry.template, &typed),
                cache: entry.cache,
                call: Arc::new(call),
            };
            self.definitions.templates.push(Arc::new(template));
        }
    }
}
