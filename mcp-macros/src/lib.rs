//! The attributes and derives of [mcp-runtime], which re-exports them as `mcp_runtime::mcp::{tool, …}`.
//!
//! What each takes is told where it is re-exported. What stands here ends those pages, as a paragraph of its own: hence
//! the empty lines.
//!
//! [mcp-runtime]: https://docs.rs/mcp-runtime

mod blocks;
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
#[cfg(test)]
mod pages;
mod parse;
mod paths;
mod spelling;
mod template;
mod types;
mod validate;

use proc_macro::TokenStream;

use derive::Derive;
use kind::Kind;

///
/// Registers the function as a tool; it stays as it is written.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Tool, options.into(), item.into()).into()
}

///
/// Registers the function as a prompt; it stays as it is written.
#[proc_macro_attribute]
pub fn prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Prompt, options.into(), item.into()).into()
}

///
/// Registers the function as a resource; it stays as it is written.
#[proc_macro_attribute]
pub fn resource(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Resource, options.into(), item.into()).into()
}

///
/// Registers the function as a completion; it stays as it is written.
#[proc_macro_attribute]
pub fn completion(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Completion, options.into(), item.into()).into()
}

///
/// Registers the function as a method; it stays as it is written.
#[proc_macro_attribute]
pub fn method(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Method, options.into(), item.into()).into()
}

///
/// Registers the function for a notification; it stays as it is written.
#[proc_macro_attribute]
pub fn notification(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Notification, options.into(), item.into()).into()
}

///
/// Implements `mcp::Args` for the type, and with it serde's `Deserialize` and the `JsonSchema` of schemars; neither has to be
/// a dependency.
#[proc_macro_derive(Args, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn args(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Args, item.into()).into()
}

///
/// Implements serde's `Serialize` and the `JsonSchema` of schemars for the type, which make it `mcp::Output`; neither has to
/// be a dependency.
#[proc_macro_derive(Output, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn output(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Output, item.into()).into()
}

///
/// Implements `mcp::Args` for the type, and with it serde's `Deserialize` and `Serialize` and the `JsonSchema` of schemars;
/// neither has to be a dependency.
#[proc_macro_derive(Data, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn data(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Data, item.into()).into()
}

///
/// Implements `mcp::Form` for the struct, and what [`Args`](macro@Args) does.
#[proc_macro_derive(Form, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn form(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Form, item.into()).into()
}
