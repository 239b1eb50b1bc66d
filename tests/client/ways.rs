//! The ways to the server of these tests, and both eras on each.

use std::path::Path;

use mcp_runtime::Sessions;
use mcp_runtime::client::{Client, Connecting, connect};
use mcp_runtime::mcp::Era;
use tokio::net::TcpListener;

/// A way to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Within,
    Program,
    Http,
    HttpWithSessions,
}

pub const WAYS: [Way; 4] = [Way::Within, Way::Program, Way::Http, Way::HttpWithSessions];

impl Way {
    /// A client on its way there.
    pub async fn connect(self) -> Connecting {
        match self {
            Self::Within => connect(server()),
            Self::Program => connect(program()),
            Self::Http => connect(http(server()).await),
            Self::HttpWithSessions => connect(http(server().sessions(Sessions::default())).await),
        }
    }

    /// Whether a server can reach its clients of that era while it answers a call.
    pub fn asks(self, era: Era) -> bool {
        self != Self::Http || era == Era::Modern
    }
}

pub fn server() -> mcp_runtime::Server {
    mcp_runtime::server().server_info("served", "1.0.0").instructions("For tests.")
}

pub fn program() -> tokio::process::Command {
    tokio::process::Command::new(Path::new(env!("CARGO_BIN_EXE_served")))
}

/// Serves on a free port until the runtime ends; its URL.
pub async fn http(server: mcp_runtime::Server) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    tokio::spawn(async move { server.http_on(listener).await.expect("it serves") });
    url
}

/// Runs one body on each way, in each era: what the client finds out by itself, and what it is told.
pub async fn each<F, Fut>(prepare: impl Fn(Connecting) -> Connecting, body: F)
where
    F: Fn(Client, Way, Era) -> Fut,
    Fut: Future<Output = ()>,
{
    for way in WAYS {
        let client = prepare(way.connect().await).await.expect("it connects");
        assert_eq!(client.era(), Some(Era::Modern), "{way:?}");
        body(client, way, Era::Modern).await;
        let client = prepare(way.connect().await).era(Era::Handshake).await.expect("it connects");
        assert_eq!(client.era(), Some(Era::Handshake), "{way:?}");
        body(client, way, Era::Handshake).await;
    }
}
