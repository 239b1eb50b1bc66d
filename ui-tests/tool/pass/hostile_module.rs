//! A module with names of its own for everything that generated code could mean.

#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    warnings,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    let_underscore_drop,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results
)]

use mcp_runtime::mcp;

type Result<T> = std::result::Result<T, mcp::ToolError>;

#[derive(Debug)]
enum Option<T> {
    #[allow(dead_code)]
    Some(T),
}

#[allow(dead_code)]
struct Box;
#[allow(dead_code)]
struct Vec;
#[allow(dead_code)]
struct Pin;
#[allow(dead_code)]
struct Entry;
#[allow(dead_code)]
struct Scope;
#[allow(dead_code)]
trait Default {}
#[allow(dead_code)]
trait From {}
#[allow(dead_code)]
trait Iterator {}
#[allow(dead_code)]
mod core {}
#[allow(dead_code)]
mod std_like {}

#[allow(unused_macros)]
macro_rules! line {
    () => {
        compile_error!("not this one")
    };
}
#[allow(unused_macros)]
macro_rules! concat {
    () => {
        compile_error!("not this one")
    };
}

/// Arguments.
#[derive(mcp::Data)]
pub struct Target {
    /// Where.
    #[arg(default = "here", length = 1..)]
    #[x_mcp_header]
    pub path: ::std::string::String,
    /// How often.
    #[arg(default, range = 0..=9)]
    pub times: u8,
}

/// A state of mind.
#[derive(mcp::Data)]
pub enum Mood {
    /// Well.
    Well,
    /// Unwell.
    Unwell,
}

mod tools {
    use super::{Mood, Option, Result, Target};
    use mcp_runtime::mcp;

    #[allow(non_snake_case, dead_code)]
    fn Some() {}
    #[allow(non_snake_case, dead_code)]
    fn Ok() {}
    #[allow(non_snake_case, dead_code)]
    fn Err() {}
    #[allow(non_upper_case_globals, dead_code)]
    const None: u8 = 0;

    #[allow(dead_code)]
    struct Unused(Option<u8>);

    /// Search.
    ///
    /// # Errors
    ///
    /// None.
    #[mcp::tool(read_only)]
    pub async fn search(
        /// What.
        #[x_mcp_header("Text")]
        text: ::std::string::String,
        #[arg(default = 5, range = 1..)] count: u32,
        #[arg(default = "b")] other: ::std::string::String,
        mood: Mood,
        target: Target,
    ) -> Result<::std::string::String> {
        let _ = (mood, target.times);
        ::std::result::Result::Ok(text + &count.to_string() + &other + &target.path)
    }

    /// Look.
    #[mcp::tool]
    pub fn look(optional: ::std::option::Option<u8>) {
        let _ = optional;
    }

    /// Review.
    #[mcp::prompt]
    pub fn review(code: ::std::string::String) -> ::std::string::String {
        code
    }

    /// Config.
    #[mcp::resource("config://{part}")]
    pub fn config(part: ::std::string::String) -> ::std::string::String {
        part
    }
}

fn main() {
    mcp_runtime_ui_tests::boots(mcp_runtime::server());
}
