//! Messages about the URIs and templates of resources.

use quote::ToTokens;
use syn::{Error, LitStr};

use super::{listed, message};
use crate::template::Fault;

/// What is wrong with a URI or template.
pub fn template(on: &LitStr, fault: &Fault) -> Error {
    match fault {
        Fault::NoScheme => message(
            on,
            40,
            "a resource needs a URI with a scheme",
            "write such as \"config://app\", \"file:///etc/hosts\" or \"logs://{service}/{date}\"",
        ),
        Fault::Character(letter) => message(
            on,
            41,
            format_args!("{letter:?} does not stand in a URI"),
            format_args!("write it percent-encoded: {}", encoded(*letter)),
        ),
        Fault::Fragment => message(
            on,
            42,
            "the URI of a resource has no fragment (`#…`)",
            "make it part of the path, or of the query: \"config://app/section\"",
        ),
        Fault::Unclosed(rest) => {
            message(on, 43, format_args!("`{{{rest}` opens a brace that is not closed"), "write `{name}`")
        }
        Fault::Stray => message(
            on,
            44,
            "a `}` closes no brace",
            "remove it, or write the `{` before it; a brace of the URI itself is `%7D`",
        ),
        Fault::Unsupported(form, called) => message(
            on,
            45,
            format_args!("`{form}` ({called}) is not supported in templates"),
            "`{x}` is one segment, `{+x}` takes slashes too, `{?x,y}` is the query at the end",
        ),
        Fault::BadName(name) => message(
            on,
            46,
            format_args!("`{{{name}}}` names no variable"),
            "a variable is named like a parameter: letters, digits and `_`, as in `{service}`",
        ),
        Fault::Twice(name) => message(
            on,
            47,
            format_args!("the variable `{name}` stands twice in the template"),
            "give one of them another name",
        ),
        Fault::SideBySide(one, other) => message(
            on,
            48,
            format_args!("nothing tells where `{{{one}}}` ends and `{{{other}}}` begins"),
            format_args!("write something between them: `{{{one}}}/{{{other}}}`"),
        ),
        Fault::QueryNotLast(names) => {
            message(on, 49, format_args!("`{{?{names}}}` is a query, which ends a URI"), "move it to the end")
        }
    }
}

/// A variable that nothing takes.
pub fn variable_without_parameter(on: &LitStr, variable: &str, is_query: bool) -> Error {
    let ty = if is_query { "Option<String>" } else { "String" };
    message(
        on,
        50,
        format_args!("`{{{variable}}}` has no parameter"),
        format_args!("add `{variable}: {ty}` to the function, or take the variable out"),
    )
}

/// A parameter that nothing fills.
pub fn parameter_without_variable(on: &dyn ToTokens, name: &str, variables: &[&str]) -> Error {
    let remedy = if variables.is_empty() {
        format!("this URI has no variables; to make it a template, write such as \"config://app/{{{name}}}\"")
    } else {
        format!(
            "its variables are {}: name it like one of them, or add `{{{name}}}`",
            listed(variables.iter().copied())
        )
    };
    message(on, 51, format_args!("the parameter `{name}` is no variable of the resource"), remedy)
}

/// A parameter and a variable of nearly the same name.
pub fn parameter_misses_variable(on: &dyn ToTokens, name: &str, variable: &str) -> Error {
    message(
        on,
        51,
        format_args!(
            "the parameter `{name}` is no variable of the resource, and `{{{variable}}}` has no parameter"
        ),
        "give both the same name",
    )
}

/// A query variable that clients cannot leave out.
pub fn query_not_optional(on: &dyn ToTokens, name: &str) -> Error {
    let shown = on.to_token_stream().to_string().replace(' ', "");
    message(
        on,
        52,
        format_args!("`{name}` stands in the query, and clients can leave it out"),
        format_args!("take `Option<{shown}>`, or give it `#[arg(default = …)]`"),
    )
}

/// A size where there is more than one resource.
pub fn size_of_template(on: &dyn ToTokens) -> Error {
    message(
        on,
        53,
        "a template has no size: each of its resources has one of its own",
        "remove it, or give the resource a URI without variables",
    )
}

fn encoded(letter: char) -> String {
    let mut bytes = [0; 4];
    letter.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")).collect()
}
