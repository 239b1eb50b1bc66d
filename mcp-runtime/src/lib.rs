#![doc = include_str!("docs/lib.md")]
// The protocol is one piece: without HTTP, what only HTTP asks for has no caller.
#![cfg_attr(not(feature = "http"), allow(dead_code))]

// Generated code names this crate; its own examples and tests are generated code too.
#[allow(unused_extern_crates)]
extern crate self as mcp_runtime;

mod auth;
mod boot;
mod call;
mod cli;
#[cfg(feature = "client")]
pub mod client;
mod contain;
mod dispatch;
mod engine;
mod error;
mod gauges;
mod handler;
#[cfg(feature = "http")]
mod http;
mod hub;
mod log;
pub mod middleware;
mod platform;
mod protocol;
mod registry;
mod schema;
mod seal;
mod serve;
mod server;
mod session;
#[cfg(feature = "testing")]
pub mod testing;
mod transport;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

#[doc(hidden)]
pub mod __private;
pub mod mcp;

pub use cli::Cli;
pub use error::{Error, Result};
pub use registry::{Problem, Problems};
pub use serve::{Program, serve};
pub use server::{Library, Server, server};
#[cfg(feature = "http")]
pub use session::Sessions;
#[cfg(feature = "http")]
pub use transport::http::Guards;

/// Longer answers than fit beside one item.
pub mod guide {
    pub mod middleware {
        #![doc = include_str!("docs/middleware.md")]

        #[allow(unused_imports)]
        use crate::mcp;
    }
    pub mod asking {
        #![doc = include_str!("docs/asking.md")]

        // The links of the text above begin with it.
        #[allow(unused_imports)]
        use crate::mcp;
    }
}

/// What a server's source files import: the module [`mcp`] and the JSON [`Value`](serde_json::Value), nothing else.
pub mod prelude {
    pub use crate::mcp;
    pub use serde_json::Value;
}

/// Links crates whose annotated functions are to be served: the linker drops those that nothing names.
///
/// ```
/// # extern crate serde_json as weather_tools;
/// # extern crate axum as calendar_tools;
/// mcp_runtime::link!(weather_tools, calendar_tools);
/// ```
#[macro_export]
macro_rules! link {
    ($($name:ident),+ $(,)?) => {
        $(use $name as _;)+
    };
}
