//! What the server gives, under other names and of other crates.

#![deny(warnings)]

use mcp_runtime::mcp::State as Given;
use mcp_runtime::prelude::*;
use mcp_runtime_ui_tests::{CallContext, Database, Shared, Target};

type Db = mcp::State<Database>;

#[derive(mcp::Args)]
struct Page {
    start: u8,
}

struct Tenant(String);

impl mcp::Param for Tenant {
    fn take(scope: &mcp::Scope, _: &mcp::ParamSpec) -> Result<Self, mcp::ParamFault> {
        Ok(Tenant(scope.context().principal().id().unwrap_or("public").to_owned()))
    }
}

/// Search.
#[mcp::tool]
async fn search(
    aliased: Db,
    mcp::State(database): mcp::State<Database>,
    Given(other): Given<Database>,
    shared: Shared<Database>,
    context: CallContext,
    caller: mcp::Caller,
    headers: mcp::Headers,
    attached: Option<mcp::Extension<Database>>,
    Tenant(tenant): Tenant,
    #[x_mcp_header] region: String,
    target: Target,
    #[arg(flatten)] page: Page,
) -> String {
    let _ = (aliased, database, other, shared, context, caller, headers, attached, target.path, target.tenant, page.start);
    tenant + &region
}

fn main() {
    mcp_runtime_ui_tests::boots(mcp_runtime::server().state(Database));
}
