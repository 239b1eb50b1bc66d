//! The attributes and derives of [mcp-runtime], which re-exports them as `mcp_runtime::mcp::{tool, …}`.
//!
//! [mcp-runtime]: https://docs.rs/mcp-runtime

mod bounds;
mod derive;
mod diagnostics;
mod docs;
mod expand;
#[cfg(test)]
mod golden;
mod header;
mod kind;
mod mirror;
mod model;
mod near;
mod parse;
mod paths;
mod template;
mod types;
mod validate;

use proc_macro::TokenStream;

use derive::Derive;
use kind::Kind;

/// Makes a function a tool.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Tool, options.into(), item.into()).into()
}

/// Makes a function a prompt: a template that a person picks.
#[proc_macro_attribute]
pub fn prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Prompt, options.into(), item.into()).into()
}

/// Makes a function a resource, or with a template a family of resources.
#[proc_macro_attribute]
pub fn resource(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Resource, options.into(), item.into()).into()
}

/// Completes an argument of a prompt, or a variable of a resource template, while a person types.
#[proc_macro_attribute]
pub fn completion(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Completion, options.into(), item.into()).into()
}

/// Makes a function a method that the protocol does not have.
#[proc_macro_attribute]
pub fn method(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Method, options.into(), item.into()).into()
}

/// Makes a function hear a notification that the protocol does not have.
#[proc_macro_attribute]
pub fn notification(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Notification, options.into(), item.into()).into()
}

/// Makes a type an argument: it is read from JSON and has a schema, without a dependency on serde or schemars.
#[proc_macro_derive(Args, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn args(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Args, item.into()).into()
}

/// Makes a type the data of a result, to be returned as `mcp::Json<T>`: it is written as JSON and has a schema.
#[proc_macro_derive(Output, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn output(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Output, item.into()).into()
}

/// Makes a type an argument and the data of a result: [`Args`](macro@Args) and [`Output`](macro@Output) in one.
#[proc_macro_derive(Data, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn data(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Data, item.into()).into()
}

/// Makes a struct a form that a person fills in (`ctx.elicit(…)`).
#[proc_macro_derive(Form, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn form(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Form, item.into()).into()
}
