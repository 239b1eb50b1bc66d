//! Tools and methods that a program registers while it runs.

use std::panic::Location;
use std::sync::Arc;

use serde_json::Value;

use super::definition::{About, Call, MethodDef, ToolDef};
use super::problem::Problem;
use crate::call::Context;
use crate::handler::{IntoMethodResult, IntoToolResult, OutputDescription, Scope, Source};
use crate::protocol::{CallToolResult, Icon, Meta, ToolAnnotations, ToolDefinition};
use crate::schema::input::Input;
use crate::schema::output::Output;

/// A tool made at run time, for what is not known when the program is compiled.
///
/// ```
/// use mcp_runtime::prelude::*;
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
/// let shout = mcp::Tool::new("shout", schema, |arguments: Value, _ctx: mcp::Context| async move {
///     arguments["text"].as_str().unwrap_or_default().to_uppercase()
/// })
/// .description("Say it louder.");
/// # let _ = mcp_runtime::server().tool(shout);
/// ```
pub struct Tool {
    definition: ToolDefinition,
    order: i32,
    output: OutputDescription,
    call: Call<CallToolResult>,
    /// Where it was made.
    at: &'static Location<'static>,
}

impl Tool {
    /// A tool of that name, input schema (served as written, an object) and handler. The handler is given arguments
    /// that fit the schema.
    #[track_caller]
    pub fn new<F, Fut, R>(name: impl Into<String>, input_schema: Value, handler: F) -> Self
    where
        F: Fn(Value, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoToolResult + 'static,
    {
        let mut output = OutputDescription::default();
        R::describe(&mut output);
        let definition = ToolDefinition {
            name: name.into(),
            title: None,
            description: None,
            icons: Vec::new(),
            input_schema,
            output_schema: None,
            annotations: None,
            meta: None,
        };
        let handler = Arc::new(handler);
        let call: Call<CallToolResult> = Arc::new(move |scope: Scope| {
            let handler = Arc::clone(&handler);
            Box::pin(async move {
                let (context, arguments) = json(scope);
                handler(arguments, context).await.into_tool_result()
            })
        });
        Self { definition, order: 0, output, call, at: Location::caller() }
    }

    /// What it does, for the model.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.definition.description = Some(text.into());
        self
    }

    /// What people call it.
    pub fn title(mut self, text: impl Into<String>) -> Self {
        self.definition.title = Some(text.into());
        self
    }

    /// Hints about its behaviour.
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.definition.annotations = Some(annotations);
        self
    }

    /// The schema of its structured output, served as written; by default that of the handler's own type.
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.definition.output_schema = Some(schema);
        self
    }

    /// A picture for a user interface; called again, one more.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.definition.icons.push(icon);
        self
    }

    /// Facts of the author's own.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.definition.meta = Some(meta);
        self
    }

    /// Its place in lists, before the name; 0 by default.
    pub fn order(mut self, order: i32) -> Self {
        self.order = order;
        self
    }

    /// Where it was made.
    pub(crate) fn at(&self) -> &'static Location<'static> {
        self.at
    }

    /// Checks it, as the boot checks annotated tools.
    pub(crate) fn define(self) -> Result<ToolDef, Vec<Problem>> {
        let Self { mut definition, order, output, call, at } = self;
        let name = tool_name(&definition.name);
        let input = Input::verbatim(std::mem::take(&mut definition.input_schema));
        let output = match (definition.output_schema.take(), output.schema) {
            (Some(written), _) => Some(Output::verbatim(written)),
            (None, Some((schema, definitions))) => Some(Output::of_type(schema, definitions)),
            (None, None) => None,
        }
        .transpose();
        match (name, input, output) {
            (Ok(()), Ok(input), Ok(output)) => {
                definition.input_schema = input.schema.clone();
                definition.output_schema = output.as_ref().map(|output| output.schema.clone());
                Ok(ToolDef { about: About { site: None, order }, definition, input, output, call })
            }
            (name, input, output) => {
                let texts = name.err().into_iter().chain(input.err().unwrap_or_default()).chain(output.err());
                Err(texts
                    .map(|text| Problem::by(at, format!("tool `{}`: {text}", definition.name)))
                    .collect())
            }
        }
    }
}

/// Makes a custom method of a closure.
pub(crate) fn method<F, Fut, R>(name: String, handler: F) -> MethodDef
where
    F: Fn(Value, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = R> + Send + 'static,
    R: IntoMethodResult,
{
    MethodDef { about: About::default(), name, call: method_call(handler) }
}

/// Keeps a handler of a method without its type.
pub(crate) fn method_call<F, Fut, R>(handler: F) -> Call<Meta>
where
    F: Fn(Value, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = R> + Send + 'static,
    R: IntoMethodResult,
{
    let handler = Arc::new(handler);
    Arc::new(move |scope: Scope| {
        let handler = Arc::clone(&handler);
        Box::pin(async move {
            let (context, params) = json(scope);
            handler(params, context).await.into_method_result()
        })
    })
}
fn json(scope: Scope) -> (Context, Value) {
    let (context, source) = scope.into_parts();
    let arguments = match source {
        Source::Json(arguments) => arguments,
        Source::Text(texts) => texts.into_iter().map(|(name, text)| (name, Value::String(text))).collect(),
    };
    (context, arguments)
}

/// Whether a text can be the name of a tool, and why not (2026-07-28, Tools, "Tool Names").
pub(crate) fn tool_name(name: &str) -> Result<(), String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if name.is_empty() || name.len() > 128 || !name.bytes().all(allowed) {
        return Err(format!(
            "the name {name:?} is not 1 to 128 letters, digits, `_`, `-` and `.`, such as `get_weather`"
        ));
    }
    Ok(())
}
