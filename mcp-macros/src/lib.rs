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
///
/// Its doc comment is the description that models choose it by, its name the name of the tool. Each parameter is an
/// argument of that name, described by its own doc comment, or something that the server gives (`mcp::State<T>`,
/// `mcp::Context`, …): the type decides.
///
/// ```ignore
/// use mcp_runtime::prelude::*;
///
/// /// Run a read-only SQL query in one region.
/// #[mcp::tool(title = "Execute SQL", read_only)]
/// async fn execute_sql(
///     /// The region to run in.
///     #[x_mcp_header("Region")] region: String,
///     /// The SQL text.
///     query: String,
///     /// Most rows to return.
///     #[arg(default = 100, range = 1..=10_000)] limit: u32,
///     db: mcp::State<Database>,
/// ) -> Result<mcp::Json<Rows>, mcp::ToolError> {
///     db.run(&region, &query, limit).await
/// }
/// ```
///
/// # Options
///
/// | option | |
/// | --- | --- |
/// | `name = "…"` | The name, in place of the function's: 1 to 128 of `A-Z a-z 0-9 _ . -`. |
/// | `title = "…"` | What people call it. |
/// | `description = "…"` | The description, in place of the doc comment. |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | Hints for clients; `= false` says that it is not. |
/// | `open` | Arguments that nobody declared are ignored; by default they are refused. |
/// | `blocking` | A plain `fn` runs on a thread that may block; by default it runs where futures are polled. |
/// | `icons = EXPR` | A list of `mcp::Icon`. |
/// | `meta = EXPR` | An object of facts for clients, as a `Value` or `mcp::Meta`. |
/// | `input_schema = EXPR` | A schema written by hand, a `fn() -> Value` or a `Value`; one parameter is a `Value` then and takes all arguments. Needs the feature `validation`. |
/// | `output_schema = EXPR` | The same for the result. |
/// | `group = "…"` | The group by which a server selects it. |
/// | `order = INT` | Its place in lists, before the name; 0 by default. |
/// | `crate = path` | Where the runtime is, if the macro does not find it. |
///
/// # Parameters
///
/// `#[arg(…)]` says more of an argument than its type does:
///
/// | option | |
/// | --- | --- |
/// | `name = "…"`, `title = "…"`, `description = "…"` | In place of the parameter's own name and doc comment. |
/// | `default`, `default = EXPR` | The value where a call gives none. |
/// | `range = 1..=100` | The least and the greatest number; `..10` is below 10. |
/// | `length = 1..=80`, `length = 3` | The number of characters of a text, or of items of a list. |
/// | `pattern = "…"` | A regular expression that a text matches. |
/// | `flatten` | The fields of the struct are the arguments. |
///
/// `#[x_mcp_header("Region")]` mirrors an argument to the header `Mcp-Param-Region`, so that what stands between
/// client and server can route by it; `#[x_mcp_header]` makes `Tenant-Id` of `tenant_id`.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Tool, options.into(), item.into()).into()
}

/// Makes a function a prompt: a template that a person picks.
///
/// Its parameters are arguments, each a single text, number, boolean or enum without data, or something that the
/// server gives.
///
/// ```ignore
/// /// Review a piece of code.
/// #[mcp::prompt]
/// async fn review(code: String, language: Option<Language>) -> mcp::Prompt {
///     mcp::Prompt::new().user(format!("Review this {language:?}:\n{code}"))
/// }
/// ```
///
/// Options: `name`, `title`, `description`, `blocking`, `icons`, `meta`, `group`, `order` and `crate`, as with
/// [`tool`](macro@tool). `#[arg(…)]` takes `name`, `title`, `description` and `default`.
#[proc_macro_attribute]
pub fn prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Prompt, options.into(), item.into()).into()
}

/// Makes a function a resource, or with a template a family of resources.
///
/// The variables of a template are parameters: `{x}` is one segment, `{+x}` takes slashes too, `{?x,y}` at the end
/// is the query, whose variables can be left out.
///
/// ```ignore
/// #[mcp::resource("config://app", mime_type = "application/json")]
/// async fn config(settings: mcp::State<Settings>) -> mcp::Json<Settings> {
///     mcp::Json(settings.0)
/// }
///
/// #[mcp::resource("logs://{service}{?limit}")]
/// async fn log(service: String, limit: Option<u32>) -> Result<String, mcp::ResourceError> {
///     read(&service, limit).await
/// }
/// ```
///
/// | option | |
/// | --- | --- |
/// | `mime_type = "…"` | The media type of what it returns. |
/// | `cache_ttl_ms = INT` | How long it may be cached; 0 if only `cache_scope` is said, else the server's setting. |
/// | `cache_scope = "public"` | Who may share it; `"private"` by default. |
///
/// And `name`, `title`, `description`, `blocking`, `icons`, `meta`, `group`, `order` and `crate`, as with
/// [`tool`](macro@tool).
#[proc_macro_attribute]
pub fn resource(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Resource, options.into(), item.into()).into()
}

/// Completes an argument of a prompt, or a variable of a resource template, while a person types.
///
/// The first parameter that is an argument is what has been typed; others are the arguments given before, by name.
///
/// ```ignore
/// #[mcp::completion(prompt = "review", argument = "language")]
/// async fn languages(prefix: String) -> Vec<String> {
///     known().filter(|name| name.starts_with(&prefix)).collect()
/// }
///
/// #[mcp::completion(resource = "logs://{service}{?limit}", argument = "service")]
/// async fn services(prefix: String) -> Vec<String> {
///     running(&prefix).await
/// }
/// ```
///
/// Beside these, the options are `blocking`, `group` and `crate`, as with [`tool`](macro@tool).
#[proc_macro_attribute]
pub fn completion(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Completion, options.into(), item.into()).into()
}

/// Makes a function a method that the protocol does not have.
///
/// ```ignore
/// #[mcp::method("acme/reindex")]
/// async fn reindex(full: bool, index: mcp::State<Index>) -> Result<mcp::Json<Report>, mcp::ProtocolError> {
///     index.rebuild(full).await
/// }
/// ```
///
/// Parameters are the members of `params`. Options: `blocking`, `group` and `crate`, as with [`tool`](macro@tool).
#[proc_macro_attribute]
pub fn method(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Method, options.into(), item.into()).into()
}

/// Makes a function hear a notification that the protocol does not have.
///
/// ```ignore
/// #[mcp::notification("notifications/acme/ping")]
/// async fn ping(count: Option<u32>) {}
/// ```
///
/// It returns `()`, or a `Result` whose error goes to the log. Options: `blocking`, `group` and `crate`, as with
/// [`tool`](macro@tool).
#[proc_macro_attribute]
pub fn notification(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Kind::Notification, options.into(), item.into()).into()
}

/// Makes a type an argument: it is read from JSON and has a schema, without a dependency on serde or schemars.
///
/// ```ignore
/// /// What to deploy.
/// #[derive(mcp::Args)]
/// struct Target {
///     /// Whose it is.
///     #[x_mcp_header("Tenant")]
///     tenant: String,
///     #[arg(default = 1, range = 1..=9)]
///     replicas: u32,
/// }
/// ```
///
/// Doc comments are descriptions. `#[arg(…)]` on fields takes what it takes on the parameters of a
/// [`tool`](macro@tool), but for `flatten`, which is `#[serde(flatten)]` here. `#[x_mcp_header]` stands on named
/// fields of structs. `#[serde(…)]` and `#[schemars(…)]` are heard everywhere. `#[mcp(crate = path)]` says where the
/// runtime is, if the macro does not find it.
///
/// A type that is a result too derives [`Data`](macro@Data) instead; this derive and serde's own `Deserialize` do not
/// go together.
#[proc_macro_derive(Args, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn args(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Args, item.into()).into()
}

/// Makes a type the data of a result, to be returned as `mcp::Json<T>`: it is written as JSON and has a schema.
///
/// ```ignore
/// #[derive(mcp::Output)]
/// struct Rows {
///     /// Names of the columns.
///     columns: Vec<String>,
///     rows: Vec<Vec<Value>>,
/// }
/// ```
///
/// Attributes as with [`Args`](macro@Args), but for defaults and headers.
#[proc_macro_derive(Output, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn output(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Output, item.into()).into()
}

/// Makes a type an argument and the data of a result: [`Args`](macro@Args) and [`Output`](macro@Output) in one.
///
/// ```ignore
/// #[derive(mcp::Data)]
/// enum Unit {
///     Celsius,
///     Fahrenheit,
/// }
/// ```
#[proc_macro_derive(Data, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn data(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Data, item.into()).into()
}

/// Makes a struct a form that a person fills in (`ctx.elicit(…)`).
///
/// Forms are flat: each field is a text, a number, a boolean, an enum without data, or an `Option` of one of these.
///
/// ```ignore
/// #[derive(mcp::Form)]
/// struct Login {
///     /// Your user name.
///     #[arg(length = 1..=80)]
///     user: String,
///     remember: bool,
/// }
/// ```
///
/// Attributes as with [`Args`](macro@Args), but for headers.
#[proc_macro_derive(Form, attributes(arg, x_mcp_header, serde, schemars, mcp))]
pub fn form(item: TokenStream) -> TokenStream {
    derive::derive(Derive::Form, item.into()).into()
}
