//! Another crate, from which the tools of the cases take things.

use mcp_runtime::prelude::*;

pub use mcp_runtime::mcp::Context as CallContext;

/// What an injected type may be called elsewhere.
pub type Shared<T> = mcp::State<T>;

/// A database.
#[derive(Clone, Debug)]
pub struct Database;

/// Arguments of another crate.
#[derive(mcp::Args)]
pub struct Target {
    /// Whose it is.
    #[x_mcp_header("Tenant")]
    pub tenant: String,
    /// Where it is.
    pub path: Option<String>,
}

/// Whether everything that is registered can be served.
pub fn boots(server: mcp_runtime::Server) {
    if let Err(problems) = server.server_info("case", "1.0.0").into_router() {
        panic!("{problems}");
    }
}
