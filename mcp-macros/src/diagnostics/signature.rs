//! Messages about the function that an attribute stands on.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::Error;

use super::{message, text};
use crate::kind::Kind;

/// The attribute stands on something else than a function.
pub fn not_a_function(kind: Kind, on: &dyn ToTokens, what: &str) -> Error {
    let noun = kind.noun();
    let remedy = match what {
        "a struct" | "an enum" => {
            "write it above an `async fn` of a module; a type that a handler takes has `#[derive(mcp::Args)]`"
        }
        "a module" | "an `impl` block" | "a trait" => {
            "write it above each `async fn`, outside of `impl` blocks and traits"
        }
        _ => "write it above an `async fn` of a module",
    };
    message(on, 1, format_args!("`#[mcp::{noun}]` goes on a free function, and this is {what}"), remedy)
}

/// The function takes `self`.
pub fn receiver(kind: Kind, on: &dyn ToTokens) -> Error {
    message(
        on,
        2,
        format_args!("a {} is a free function, it takes no `self`", kind.noun()),
        "move it out of the `impl` block; what `self` holds comes as `mcp::State<T>`, given to the server by `.state(…)`",
    )
}

/// The function is declared and not written.
pub fn no_body(kind: Kind, on: &dyn ToTokens) -> Error {
    message(
        on,
        2,
        format_args!("a {} is a free function, and this one has no body", kind.noun()),
        "move it out of the trait and write what it does",
    )
}

/// The function has type, lifetime or const parameters.
pub fn generic(kind: Kind, on: &dyn ToTokens, first: &str) -> Error {
    let noun = kind.noun();
    message(
        on,
        3,
        format_args!("a {noun} cannot be generic: clients see one list of arguments, so each has one type"),
        format_args!("write a concrete type in place of `{first}`"),
    )
}

/// The function has a `where` clause and nothing that it could be about.
pub fn where_clause(kind: Kind, on: &dyn ToTokens) -> Error {
    message(
        on,
        3,
        format_args!("a {} cannot be generic, so it has no `where` clause", kind.noun()),
        "remove it",
    )
}

/// A parameter is `impl Trait`.
pub fn impl_parameter(kind: Kind, on: &dyn ToTokens) -> Error {
    message(
        on,
        4,
        format_args!("a parameter of a {} has one type, not any that is `impl Trait`", kind.noun()),
        "write a concrete type, such as `String`",
    )
}

/// A parameter borrows.
pub fn borrowed_parameter(kind: Kind, on: &dyn ToTokens, instead: &str) -> Error {
    message(
        on,
        5,
        format_args!("a parameter of a {} owns its value, there is nothing to borrow it from", kind.noun()),
        format_args!("take {instead}"),
    )
}

/// The function is `unsafe`, `const` or `extern`.
pub fn special_function(kind: Kind, on: &dyn ToTokens, word: &str) -> Error {
    let remedy = match word {
        "unsafe" => "remove `unsafe`; what is unsafe goes in a block inside",
        _ => "write it as `async fn` or `fn`",
    };
    message(on, 6, format_args!("a {} cannot be `{word} fn`", kind.noun()), remedy)
}

/// The function takes any number of arguments.
pub fn variadic(kind: Kind, on: &dyn ToTokens) -> Error {
    message(on, 6, format_args!("a {} cannot be variadic", kind.noun()), "take a list, such as `Vec<String>`")
}

/// A parameter has no name.
pub fn nameless_parameter(on: &dyn ToTokens) -> Error {
    message(
        on,
        7,
        "a parameter needs a name, since it is the name of the argument",
        "write `name: Type` and take it apart in the body; only one binding in a tuple struct works here, as in \
         `mcp::State(db): mcp::State<Db>`",
    )
}

/// The result has no type that can be named.
pub fn impl_return(kind: Kind, on: &dyn ToTokens) -> Error {
    let example = match kind {
        Kind::Tool => "`String`, `mcp::Json<T>`, `mcp::CallToolResult` or a `Result` of one",
        Kind::Prompt => "`mcp::Prompt`, `String` or a `Result` of one",
        Kind::Resource => "`String`, `mcp::Json<T>`, `Vec<u8>` or a `Result` of one",
        Kind::Completion => "`Vec<String>` or a `Result` of it",
        Kind::Method => "`mcp::Json<T>`, `()` or a `Result` of one",
        Kind::Notification => "`()` or a `Result` of it",
    };
    message(
        on,
        8,
        format_args!("the result of a {} has a type that is named, not `impl Trait`", kind.noun()),
        format_args!("write {example}"),
    )
}

/// The function never returns.
pub fn never_returns(kind: Kind, on: &dyn ToTokens) -> Error {
    message(
        on,
        8,
        format_args!("a {} that never returns has no result, and its client waits for ever", kind.noun()),
        "return `()` for an empty result, or a `Result`",
    )
}

/// The error may hold what cannot leave its thread.
pub fn confined_error(on: &dyn ToTokens) -> Error {
    message(
        on,
        11,
        "handlers run on any thread, and this error may hold what cannot leave its own",
        "write `Box<dyn std::error::Error + Send + Sync>`, or return `anyhow::Error`",
    )
}

/// The function sleeps on a thread that serves others too: a warning.
pub fn sleeping(kind: Kind, is_async: bool) -> String {
    let noun = kind.noun();
    let remedy = if is_async {
        "write `tokio::time::sleep(…).await`, or move what blocks into `tokio::task::spawn_blocking`"
            .to_owned()
    } else {
        format!("write `#[mcp::{noun}(blocking)]`, which moves the function to a thread of its own")
    };
    text(28, format_args!("this blocks a thread that other calls are served by"), remedy)
}

/// The same attribute stands twice on a function.
pub fn attribute_twice(kind: Kind, on: &dyn ToTokens, function: &Ident) -> Error {
    let noun = kind.noun();
    message(on, 9, format_args!("`#[mcp::{noun}]` stands twice on `{function}`"), "remove one of them")
}

/// Two attributes stand on a function.
pub fn two_attributes(kind: Kind, other: Kind, on: &dyn ToTokens, function: &Ident) -> Error {
    let (noun, other) = (kind.noun(), other.noun());
    message(
        on,
        9,
        format_args!("`{function}` is a {noun} already, one function cannot be a {other} too"),
        format_args!("write a second function for the {other} that calls what both need"),
    )
}

/// A parameter is compiled or not.
pub fn conditional_parameter(kind: Kind, on: &dyn ToTokens) -> Error {
    message(
        on,
        10,
        format_args!("a parameter of a {} cannot have `#[cfg]`", kind.noun()),
        "write the function twice, each with its own `#[cfg]`",
    )
}

/// Two arguments have one name.
pub fn argument_twice(on: &dyn ToTokens, name: &str) -> Error {
    message(
        on,
        12,
        format_args!("two arguments are called `{name}`"),
        "give one of them another name: `#[arg(name = \"…\")]`",
    )
}
