//! `add` with rmcp. `FORM` is how its router is held: `usual` as in its examples, a field that each new server makes;
//! `shared`, made once; `macro`, its shortest form, with 50 tools. Over HTTP at `PORT`, statelessly or with `SESSIONS`; else over
//! stdio, or over `PIPES` that are not blocking. On one thread by `THREADS=1`.

mod fifty;

use std::sync::Arc;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{ServerCapabilities, ServerConfig, SubscriptionFilter};
use rmcp::service::SubscriptionContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, ServerHandler, ServiceExt, tool, tool_handler, tool_router};

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Add {
    pub a: i64,
    pub b: i64,
}

#[derive(Clone)]
struct Usual {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Usual {
    fn new() -> Self {
        Self { tool_router: Self::tool_router() }
    }

    #[tool(description = "Adds two numbers")]
    async fn add(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Usual {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

/// The router made once for all requests.
#[derive(Clone)]
struct Shared {
    tool_router: Arc<ToolRouter<Self>>,
}

#[tool_router]
impl Shared {
    fn new(tools: usize) -> Self {
        let mut router = Self::tool_router();
        let add = router.map.get("add").expect("it is there").clone();
        for number in 1..tools {
            let mut tool = add.clone();
            tool.attr.name = format!("tool_{number:03}").into();
            router.add_route(tool);
        }
        Self { tool_router: Arc::new(router) }
    }

    #[tool(description = "Adds two numbers")]
    async fn add(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Shared {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        ServerConfig::new(capabilities)
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        context.cancelled().await;
        Ok(())
    }
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some()
}

async fn serve<S: ServerHandler>(make: impl Fn() -> S + Send + Sync + 'static) {
    let Ok(port) = std::env::var("PORT") else {
        let running = if is_set("PIPES") {
            make().serve(rmcp::transport::io::stdio_pipes()).await
        } else {
            make().serve(rmcp::transport::stdio()).await
        };
        running.expect("it starts").waiting().await.expect("it serves");
        return;
    };
    let sessions = is_set("SESSIONS");
    let config =
        StreamableHttpServerConfig::default().with_legacy_session_mode(sessions).with_json_response(true);
    let service =
        StreamableHttpService::new(move || Ok(make()), Arc::new(LocalSessionManager::default()), config);
    let router = axum::Router::new().nest_service("/mcp", service);
    let listener =
        tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await.expect("the port is free");
    if is_set("NODELAY") {
        use axum::serve::ListenerExt as _;
        let listener = listener.tap_io(|socket| {
            let _ = socket.set_nodelay(true);
        });
        axum::serve(listener, router).await.expect("it serves");
    } else {
        axum::serve(listener, router).await.expect("it serves");
    }
}

fn main() {
    let mut builder = if std::env::var("THREADS").as_deref() == Ok("1") {
        tokio::runtime::Builder::new_current_thread()
    } else {
        tokio::runtime::Builder::new_multi_thread()
    };
    let tools = std::env::var("TOOLS").ok().and_then(|tools| tools.parse().ok()).unwrap_or(1);
    builder.enable_all().build().expect("a runtime can be made").block_on(async {
        match std::env::var("FORM").as_deref() {
            Ok("shared") => {
                let shared = Shared::new(tools);
                serve(move || shared.clone()).await;
            }
            Ok("macro") => serve(|| fifty::Fifty).await,
            _ => serve(Usual::new).await,
        }
    });
}
