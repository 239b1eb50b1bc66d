//! Which options an attribute can have together.

use quote::ToTokens;
use syn::{Expr, LitStr};

use crate::diagnostics::{self, Errors};
use crate::kind::Kind;
use crate::model::Handler;

/// Notes options that do not fit the function or each other.
pub fn check(handler: &Handler, errors: &mut Errors) {
    let options = &handler.options;
    match handler.kind {
        Kind::Tool => {
            if !is_tool_name(&handler.name.value()) {
                errors.push(diagnostics::tool_name(&handler.name, options.name.is_some()));
            }
        }
        Kind::Method | Kind::Notification => {
            if let (Some(name), Some(example)) = (&options.target, handler.kind.target())
                && !is_method_name(name)
            {
                errors.push(diagnostics::method_name(handler.kind, name, example));
            }
        }
        Kind::Completion => completion(handler, errors),
        Kind::Prompt | Kind::Resource => {}
    }
    if let Some(blocking) = &options.blocking
        && handler.is_async
    {
        errors.push(diagnostics::blocking_async(blocking));
    }
    if let Some(meta) = &options.meta
        && is_json_of_no_object(meta)
    {
        errors.push(diagnostics::meta_not_object(meta));
    }
}

/// Whether clients take it (2025-11-25, Tools, "Tool Names").
fn is_tool_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

fn is_method_name(name: &LitStr) -> bool {
    let name = name.value();
    !name.is_empty() && !name.contains(|letter: char| letter.is_whitespace() || letter.is_control())
}

fn completion(handler: &Handler, errors: &mut Errors) {
    let options = &handler.options;
    match (&options.prompt, &options.resource) {
        (Some(_), Some(resource)) => errors.push(diagnostics::completion_of_two(resource)),
        _ if options.has("prompt") || options.has("resource") => {
            if !options.has("argument") {
                errors.push(diagnostics::completion_of_nothing("the argument that it completes"));
            }
        }
        _ if options.has("argument") => {
            errors.push(diagnostics::completion_of_nothing(
                "the prompt or the resource whose argument it completes",
            ));
        }
        _ if options.is_misread => {}
        _ => errors.push(diagnostics::completion_of_nothing("to know what it completes")),
    }
}

/// Whether it is `json!(…)` of something else than an object.
fn is_json_of_no_object(expr: &Expr) -> bool {
    let Expr::Macro(call) = expr else { return false };
    call.mac.path.segments.last().is_some_and(|segment| segment.ident == "json")
        && !call.mac.tokens.to_token_stream().to_string().starts_with('{')
}
