//! What a server tells people about what it found: one line at boot, a table on demand.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::definition::{About, Definitions};

/// `12 tools, 3 prompts, 5 resources from a 0.1.0, b 0.2.0`
pub(crate) fn found(definitions: &Definitions, packages: &BTreeMap<&str, &str>) -> String {
    let counts = [
        (definitions.tools.len(), "tool"),
        (definitions.prompts.len(), "prompt"),
        (definitions.resources.len(), "resource"),
        (definitions.templates.len(), "resource template"),
        (definitions.completions.len(), "completion"),
        (definitions.methods.len(), "method"),
        (definitions.notifications.len(), "notification"),
    ];
    let counts: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}{}", if count == 1 { "" } else { "s" }))
        .collect();
    let mut text = if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") };
    if !packages.is_empty() {
        let from: Vec<String> = packages.iter().map(|(name, version)| format!("{name} {version}")).collect();
        let _ = write!(text, " from {}", from.join(", "));
    }
    text
}

/// Everything that is registered, a line each: kind, name, where it stands, the first line of its description.
pub(crate) fn table(definitions: &Definitions) -> String {
    let mut rows: Vec<[String; 4]> = Vec::new();
    let mut row = |kind: &str, name: &str, about: About, description: Option<&str>| {
        let place = about.site.map_or("run time".to_owned(), |site| format!("{}:{}", site.file, site.line));
        let first = description.and_then(|text| text.lines().next()).unwrap_or_default();
        rows.push([kind.to_owned(), name.to_owned(), place, first.to_owned()]);
    };
    for tool in &definitions.tools {
        row("tool", &tool.definition.name, tool.about, tool.definition.description.as_deref());
    }
    for prompt in &definitions.prompts {
        row("prompt", &prompt.definition.name, prompt.about, prompt.definition.description.as_deref());
    }
    for resource in &definitions.resources {
        row("resource", &resource.definition.uri, resource.about, resource.definition.description.as_deref());
    }
    for template in &definitions.templates {
        row(
            "template",
            &template.definition.uri_template,
            template.about,
            template.definition.description.as_deref(),
        );
    }
    for completion in &definitions.completions {
        row(
            "completion",
            &format!("{} of {}", completion.argument, completion.owner),
            completion.about,
            None,
        );
    }
    for method in &definitions.methods {
        row("method", &method.name, method.about, None);
    }
    for notification in &definitions.notifications {
        row("notification", &notification.name, notification.about, None);
    }
    aligned(&rows)
}

fn aligned(rows: &[[String; 4]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        line.push_str(&row[3]);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
