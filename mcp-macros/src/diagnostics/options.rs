//! Messages about the options in the parentheses of an attribute.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Error, LitStr};

use super::{attribute, listed, message};
use crate::kind::Kind;
use crate::near::{elsewhere, near};

/// An option that does not exist.
pub fn unknown_option(key: &Ident, owner: &str, known: &[&str]) -> Error {
    let written = key.to_string();
    let all = listed(known.iter().copied());
    let remedy = match (elsewhere(&written, known), near(&written, known)) {
        (Some(instead), _) => format!("write {instead}. It takes {all}"),
        (None, Some(meant)) => format!("did you mean `{meant}`? It takes {all}"),
        (None, None) => format!("it takes {all}"),
    };
    message(key, 20, format_args!("`{owner}` has no option `{written}`"), remedy)
}

/// An option that is given twice.
pub fn option_twice(key: &Ident) -> Error {
    message(key, 21, format_args!("`{key}` is given twice"), "remove one of them")
}

/// An option with another kind of value than it takes.
pub fn wrong_kind(on: &dyn ToTokens, key: &Ident, takes: &str, example: &str) -> Error {
    message(on, 22, format_args!("`{key}` takes {takes}"), format_args!("write {example}"))
}

/// Something between the parentheses that is no option.
pub fn no_option(on: &dyn ToTokens) -> Error {
    message(on, 27, "this is no option", "options are `key` or `key = value`, with commas between them")
}

/// The text that an attribute begins with is missing.
pub fn no_target(kind: Kind, example: &str) -> Error {
    let (noun, what) = match kind {
        Kind::Resource => ("resource", "URI, or the template of its URIs,"),
        other => (other.noun(), "name"),
    };
    message(
        &attribute(),
        23,
        format_args!("a {noun} needs its {what} first"),
        format_args!("write `#[mcp::{noun}(\"{example}\")]`"),
    )
}

/// The text that an attribute begins with, as an option.
pub fn target_as_option(kind: Kind, key: &Ident, example: &str) -> Error {
    let noun = kind.noun();
    message(
        key,
        23,
        format_args!("`{key}` is no option: it is what `#[mcp::{noun}]` begins with"),
        format_args!("write it first and alone, as in `#[mcp::{noun}(\"{example}\")]`"),
    )
}

/// A text where only options stand.
pub fn unexpected_target(kind: Kind, text: &LitStr) -> Error {
    let noun = kind.noun();
    let remedy = match kind {
        Kind::Completion => {
            "write `#[mcp::completion(prompt = \"review\", argument = \"language\")]`, or `resource = \"…\"` in place of \
             `prompt`"
                .to_owned()
        }
        Kind::Tool if text.value().contains(char::is_whitespace) => {
            format!("its name is the function's; for what people read write `title = {}`", text.token())
        }
        _ => format!("its name is the function's; for another write `name = {}`", text.token()),
    };
    message(text, 23, format_args!("`#[mcp::{noun}]` takes options only"), remedy)
}

/// A completion that does not say what it completes.
pub fn completion_of_nothing(missing: &str) -> Error {
    message(
        &attribute(),
        23,
        format_args!("a completion needs {missing}"),
        "write `#[mcp::completion(prompt = \"review\", argument = \"language\")]`, or \
         `#[mcp::completion(resource = \"logs://{service}\", argument = \"service\")]`",
    )
}

/// A completion for a prompt and a resource at once.
pub fn completion_of_two(on: &dyn ToTokens) -> Error {
    message(
        on,
        26,
        "a completion is for a prompt or for a resource template, not for both",
        "write a second function for the other",
    )
}

/// A name that clients do not take.
pub fn tool_name(name: &LitStr, is_option: bool) -> Error {
    let value = name.value();
    let foreign = value.chars().find(|letter| !letter.is_ascii_alphanumeric() && !"_.-".contains(*letter));
    let wrong = match (foreign, value.chars().count()) {
        (Some(letter), _) => format!("holds {letter:?}"),
        (None, 0) => "is empty".to_owned(),
        (None, many) => format!("has {many} characters"),
    };
    let allowed = "1 to 128 of A-Z a-z 0-9 _ . - (some hosts take 64 at most)";
    let remedy = if is_option {
        format!("write {allowed}, such as \"execute_sql\"")
    } else {
        format!("rename the function, or write `name = \"…\"` with {allowed}")
    };
    message(name, 24, format_args!("the name of this tool {wrong}"), remedy)
}

/// A name of a custom method that no client can send.
pub fn method_name(kind: Kind, name: &LitStr, example: &str) -> Error {
    message(
        name,
        24,
        format_args!("the name of this {} is empty or holds spaces", kind.noun()),
        format_args!("write a name with a prefix of your own, such as \"{example}\""),
    )
}

/// `blocking` on a function that is not.
pub fn blocking_async(on: &dyn ToTokens) -> Error {
    message(
        on,
        25,
        "`blocking` moves a plain `fn` to a thread of its own, and this is an `async fn`",
        "remove `blocking`, or remove `async` if the function blocks its thread",
    )
}

/// A hand-written schema and no parameter that takes the arguments.
pub fn no_whole_parameter(on: &dyn ToTokens) -> Error {
    message(
        on,
        60,
        "with a schema written by hand the arguments come as one `Value`, and no parameter is one",
        "add `arguments: Value` to the function",
    )
}

/// A hand-written schema and several parameters that could take the arguments.
pub fn two_whole_parameters(on: &dyn ToTokens) -> Error {
    message(
        on,
        61,
        "with a schema written by hand the arguments come as one `Value`, and a second parameter is one too",
        "keep one of them",
    )
}

/// An argument beside the one that takes them all.
pub fn argument_beside_whole(on: &dyn ToTokens, name: &str) -> Error {
    message(
        on,
        61,
        format_args!("with a schema written by hand `{name}` is no argument of its own"),
        "read it out of the `Value` that holds all arguments",
    )
}

/// `meta` that is no object.
pub fn meta_not_object(on: &dyn ToTokens) -> Error {
    message(on, 62, "`meta` takes an object", "write `meta = json!({\"acme/owner\": \"search\"})`")
}
