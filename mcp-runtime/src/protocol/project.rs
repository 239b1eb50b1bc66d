//! Which revision knows which member: every type drops what the receiver's revision does not define.
//!
//! The table is section by section that of the published schemas. What has no older form is dropped; what has
//! one (a resource link, a sound, structured content) is converted.

use serde_json::{Value, json};

use super::content::{Annotations, ContentBlock, TextContent};
use super::icon::Icon;
use super::lifecycle::Implementation;
use super::prompt::{GetPromptResult, Prompt, PromptMessage};
use super::resource::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use super::tool::{CallToolResult, Tool};
use super::{CompleteResult, Revision, ServerCapabilities};
use crate::schema::walk::{each_child, spell_out};

/// A type of which older revisions know less.
pub(crate) trait Project {
    /// Leaves only what `revision` defines.
    fn project(&mut self, revision: Revision);
}

/// Whether `structuredContent` of a revision has to be an object (2025-06-18 and 2025-11-25).
pub(crate) fn structured_must_be_object(revision: Revision) -> bool {
    revision < Revision::V2026_07_28
}

/// The member under which a value that is no object is shown to revisions that want one.
pub(crate) const WRAPPED: &str = "result";

impl Project for Tool {
    fn project(&mut self, revision: Revision) {
        project_icons(&mut self.icons, revision);
        if revision < Revision::V2025_06_18 {
            self.title = None;
            self.output_schema = None;
            self.meta = None;
        }
        if revision < Revision::V2025_03_26 {
            self.annotations = None;
        }
        if structured_must_be_object(revision)
            && let Some(schema) = &mut self.output_schema
            && !is_object_schema(schema)
        {
            *schema = wrap_schema(schema.take());
        }
        if revision < Revision::V2026_07_28 {
            spell_out_members(&mut self.input_schema);
            self.output_schema.iter_mut().for_each(spell_out_members);
        }
    }
}

/// What older revisions say of a member, in the schema of a tool, is an object.
fn spell_out_members(schema: &mut Value) {
    if let Some(Value::Object(members)) = schema.get_mut("properties") {
        members.values_mut().for_each(spell_out);
    }
}

/// Whether every value of the schema is an object, as far as its root says.
pub(crate) fn is_object_schema(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object")
}

/// An object schema that holds the given one as its only member; local references keep their meaning.
fn wrap_schema(mut inner: Value) -> Value {
    let mut outer = json!({ "type": "object", "required": [WRAPPED] });
    lead_on(&mut inner);
    for hoisted in ["$schema", "$defs", "definitions"] {
        if let Some(value) = inner.as_object_mut().and_then(|schema| schema.remove(hoisted)) {
            outer[hoisted] = value;
        }
    }
    outer["properties"] = json!({ WRAPPED: inner });
    outer
}

/// Has references to the root, or to a place under it that moves with it, lead to where the root is now.
fn lead_on(schema: &mut Value) {
    let Some(node) = schema.as_object_mut() else { return };
    // What has an identity of its own is the root of its references.
    if node.contains_key("$id") {
        return;
    }
    if let Some(Value::String(reference)) = node.get_mut("$ref")
        && let Some(pointer) = reference.strip_prefix('#')
        && (pointer.is_empty() || pointer.starts_with('/'))
        && !["/$defs/", "/definitions/"].iter().any(|stays| pointer.starts_with(stays))
    {
        *reference = format!("#/properties/{WRAPPED}{pointer}");
    }
    each_child(node, |_, child| lead_on(child));
}

/// The structured content of a tool as a revision wants it that takes objects alone. What the schema of its output
/// makes it, it is for every value: wrapped or not.
pub(crate) fn wrap_structured(value: Value) -> Value {
    json!({ WRAPPED: value })
}

impl Project for CallToolResult {
    fn project(&mut self, revision: Revision) {
        if revision < Revision::V2025_06_18 {
            self.structured_content = None;
        } else if structured_must_be_object(revision)
            && let Some(value) = &mut self.structured_content
            && !value.is_object()
        {
            *value = wrap_structured(value.take());
        }
        for block in &mut self.content {
            block.project(revision);
        }
    }
}

impl Project for ContentBlock {
    fn project(&mut self, revision: Revision) {
        match self {
            Self::Text(block) => {
                project_annotations(&mut block.annotations, revision);
                drop_before(&mut block.meta, revision, Revision::V2025_06_18);
            }
            Self::Image(block) => {
                project_annotations(&mut block.annotations, revision);
                drop_before(&mut block.meta, revision, Revision::V2025_06_18);
            }
            Self::Audio(block) if revision < Revision::V2025_03_26 => {
                let text = format!("[audio, {}]", block.mime_type);
                *self = in_place_of(&mut block.annotations, text, revision);
            }
            Self::Audio(block) => {
                project_annotations(&mut block.annotations, revision);
                drop_before(&mut block.meta, revision, Revision::V2025_06_18);
            }
            Self::ResourceLink(link) if revision < Revision::V2025_06_18 => {
                let text = format!("{}: {}", link.name, link.uri);
                *self = in_place_of(&mut link.annotations, text, revision);
            }
            Self::ResourceLink(link) => {
                project_icons(&mut link.icons, revision);
                project_annotations(&mut link.annotations, revision);
            }
            Self::Resource(block) => {
                project_annotations(&mut block.annotations, revision);
                drop_before(&mut block.meta, revision, Revision::V2025_06_18);
                block.resource.project(revision);
            }
        }
    }
}

/// The text that stands for a block which the revision does not know.
fn in_place_of(annotations: &mut Option<Annotations>, text: String, revision: Revision) -> ContentBlock {
    let mut annotations = annotations.take();
    project_annotations(&mut annotations, revision);
    ContentBlock::Text(TextContent { text, annotations, meta: None })
}

fn project_annotations(annotations: &mut Option<Annotations>, revision: Revision) {
    if let Some(known) = annotations {
        drop_before(&mut known.last_modified, revision, Revision::V2025_06_18);
        known.priority = known.priority.filter(|priority| Annotations::PRIORITY.contains(priority));
        if *known == Annotations::default() {
            *annotations = None;
        }
    }
}

fn project_icons(icons: &mut Vec<Icon>, revision: Revision) {
    if revision < Revision::V2025_11_25 {
        icons.clear();
    }
    for icon in icons {
        icon.theme = icon.theme.take().filter(|theme| Icon::THEMES.contains(&theme.as_str()));
    }
}

fn drop_before<T>(member: &mut Option<T>, revision: Revision, from: Revision) {
    if revision < from {
        *member = None;
    }
}

impl Project for ResourceContents {
    fn project(&mut self, revision: Revision) {
        drop_before(self.meta_mut(), revision, Revision::V2025_06_18);
    }
}

impl Project for ReadResourceResult {
    fn project(&mut self, revision: Revision) {
        for contents in &mut self.contents {
            contents.project(revision);
        }
    }
}

impl Project for Resource {
    fn project(&mut self, revision: Revision) {
        project_icons(&mut self.icons, revision);
        drop_before(&mut self.title, revision, Revision::V2025_06_18);
        drop_before(&mut self.meta, revision, Revision::V2025_06_18);
        project_annotations(&mut self.annotations, revision);
    }
}

impl Project for ResourceTemplate {
    fn project(&mut self, revision: Revision) {
        project_icons(&mut self.icons, revision);
        drop_before(&mut self.title, revision, Revision::V2025_06_18);
        drop_before(&mut self.meta, revision, Revision::V2025_06_18);
        project_annotations(&mut self.annotations, revision);
    }
}

impl Project for Prompt {
    fn project(&mut self, revision: Revision) {
        project_icons(&mut self.icons, revision);
        drop_before(&mut self.title, revision, Revision::V2025_06_18);
        drop_before(&mut self.meta, revision, Revision::V2025_06_18);
        for argument in &mut self.arguments {
            drop_before(&mut argument.title, revision, Revision::V2025_06_18);
        }
    }
}

impl Project for PromptMessage {
    fn project(&mut self, revision: Revision) {
        self.content.project(revision);
    }
}

impl Project for GetPromptResult {
    fn project(&mut self, revision: Revision) {
        for message in &mut self.messages {
            message.project(revision);
        }
    }
}

impl Project for CompleteResult {
    fn project(&mut self, _: Revision) {}
}

impl Project for Implementation {
    fn project(&mut self, revision: Revision) {
        drop_before(&mut self.title, revision, Revision::V2025_06_18);
        if revision < Revision::V2025_11_25 {
            self.description = None;
            self.website_url = None;
        }
        project_icons(&mut self.icons, revision);
    }
}

impl Project for ServerCapabilities {
    fn project(&mut self, revision: Revision) {
        drop_before(&mut self.completions, revision, Revision::V2025_03_26);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn projected<T: Project>(mut value: T, revision: Revision) -> T {
        value.project(revision);
        value
    }

    #[test]
    fn a_link_becomes_text_for_clients_that_do_not_know_links() {
        for (revision, expected) in [
            (Revision::V2024_11_05, "text"),
            (Revision::V2025_03_26, "text"),
            (Revision::V2025_06_18, "resource_link"),
        ] {
            let shown = serde_json::to_value(projected(ContentBlock::link("a://b", "B"), revision)).unwrap();
            assert_eq!(shown["type"], expected);
            if expected == "text" {
                assert_eq!(shown["text"], "B: a://b");
            }
        }
    }

    #[test]
    fn a_structured_list_is_wrapped_together_with_its_schema() {
        let schema = json!({"type": "array", "items": {"$ref": "#/$defs/Node"}, "$defs": {"Node": {"type": "object"}}});
        let tool = Tool {
            name: "t".into(),
            title: None,
            description: None,
            icons: vec![],
            input_schema: json!({}),
            output_schema: Some(schema.clone()),
            annotations: None,
            meta: None,
        };
        let result = CallToolResult::text("[]").structured(json!([]));
        let at = |revision| (projected(tool.clone(), revision), projected(result.clone(), revision));

        let (tool_2025, result_2025) = at(Revision::V2025_11_25);
        let wrapped = tool_2025.output_schema.unwrap();
        assert_eq!(wrapped["properties"]["result"]["type"], "array");
        assert_eq!(wrapped["$defs"]["Node"]["type"], "object");
        let moved = wrap_schema(
            json!({"$schema": "x", "anyOf": [{"$ref": "#"}, {"$ref": "#/items"}, {"$ref": "#/$defs/N"}]}),
        );
        assert_eq!(
            moved,
            json!({"$schema": "x", "type": "object", "required": ["result"], "properties": {"result": {"anyOf": [
                {"$ref": "#/properties/result"}, {"$ref": "#/properties/result/items"}, {"$ref": "#/$defs/N"}]}}})
        );
        assert_eq!(result_2025.structured_content, Some(json!({"result": []})));

        let (tool_2026, result_2026) = at(Revision::V2026_07_28);
        assert_eq!(tool_2026.output_schema, Some(schema));
        assert_eq!(result_2026.structured_content, Some(json!([])));

        let (tool_old, result_old) = at(Revision::V2025_03_26);
        assert_eq!((tool_old.output_schema, result_old.structured_content), (None, None));
    }
}
