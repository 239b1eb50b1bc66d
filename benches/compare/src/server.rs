//! The servers that are compared, and how each is run.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a server is made with.
#[derive(Clone, Copy)]
enum Made {
    Cargo(&'static str),
    Node,
    Python,
}

/// A server as it is run for one comparison.
#[derive(Clone, Copy)]
pub struct Server {
    pub name: &'static str,
    made: Made,
    environment: &'static [(&'static str, &'static str)],
    /// How many times fewer messages it gets, since it takes longer over each.
    pub slowness: usize,
}

const fn rust(
    name: &'static str,
    program: &'static str,
    environment: &'static [(&'static str, &'static str)],
) -> Server {
    Server { name, made: Made::Cargo(program), environment, slowness: 1 }
}

pub const BARE_AXUM: Server = rust("bare axum", "bare-axum", &[]);
pub const BARE_AXUM_HANDSHAKE: Server = rust("bare axum", "bare-axum", &[("ERA", "handshake")]);
pub const BARE_HYPER: Server = rust("bare hyper", "bare-hyper", &[]);
pub const BARE_HYPER_HANDSHAKE: Server = rust("bare hyper", "bare-hyper", &[("ERA", "handshake")]);
pub const BARE_STDIO: Server = rust("bare loop", "bare-stdio", &[]);
pub const BARE_STDIO_HANDSHAKE: Server = rust("bare loop", "bare-stdio", &[("ERA", "handshake")]);
pub const OURS: Server = rust("ours", "ours", &[]);
pub const OURS_ONE_THREAD: Server = rust("ours on one thread", "ours", &[("THREADS", "1")]);
pub const OURS_ROUTER: Server = rust("ours in a Router", "ours", &[("ROUTER", "1")]);
pub const OURS_SESSIONS: Server = rust("ours", "ours", &[("SESSIONS", "1")]);
pub const OURS_TOLD: Server = rust("ours by events", "ours", &[("SESSIONS", "1"), ("GROUP", "told")]);
pub const OURS_RECEIVE: Server = rust("a middleware that receives", "ours", &[("RECEIVE", "1")]);
pub const OURS_BOTH: Server = rust("one in each stack", "ours", &[("RECEIVE", "1"), ("SEND", "1")]);
pub const OURS_PLAIN: Server = rust("no mirror", "ours", &[("GROUP", "plain")]);
pub const OURS_MIRRORED: Server = rust("four mirrors", "ours", &[("GROUP", "mirrored")]);
pub const OURS_1: Server = rust("ours with 1 tool", "ours-many", &[("TOOLS", "1")]);
pub const OURS_50: Server = rust("ours with 50 tools", "ours-many", &[("TOOLS", "50")]);
pub const OURS_500: Server = rust("ours with 500 tools", "ours-many", &[("TOOLS", "500")]);
pub const RMCP: Server = rust("rmcp", "peer-rmcp", &[]);
pub const RMCP_SHARED: Server = rust("rmcp with a shared router", "peer-rmcp", &[("FORM", "shared")]);
pub const RMCP_50: Server =
    Server { slowness: 10, ..rust("rmcp with 50 tools by macro", "peer-rmcp", &[("FORM", "macro")]) };
pub const RMCP_500: Server = Server {
    slowness: 4,
    ..rust("rmcp with 500 tools", "peer-rmcp", &[("FORM", "shared"), ("TOOLS", "500")])
};
pub const RMCP_SESSIONS: Server =
    rust("rmcp by events", "peer-rmcp", &[("FORM", "shared"), ("SESSIONS", "1"), ("NODELAY", "1")]);
pub const RMCP_NAGLE: Server = Server {
    slowness: 100,
    ..rust("rmcp by events (plain axum::serve)", "peer-rmcp", &[("FORM", "shared"), ("SESSIONS", "1")])
};
pub const RMCP_PIPES: Server = rust(
    "rmcp over pipes on one thread",
    "peer-rmcp",
    &[("FORM", "shared"), ("PIPES", "1"), ("THREADS", "1")],
);
pub const TURBOMCP: Server = rust("turbomcp", "peer-turbomcp", &[]);
pub const TYPESCRIPT: Server =
    Server { name: "TypeScript", made: Made::Node, environment: &[], slowness: 20 };
pub const PYTHON: Server = Server { name: "Python", made: Made::Python, environment: &[], slowness: 20 };

/// The folder of this workspace.
fn workspace() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

impl Server {
    fn program(&self) -> (PathBuf, Option<PathBuf>) {
        let servers = workspace().join("servers");
        match self.made {
            Made::Cargo(program) => (workspace().join("target/release").join(program), None),
            Made::Node => ("node".into(), Some(servers.join("typescript/server.js"))),
            Made::Python => {
                let python = servers.join("python");
                (python.join(".venv/bin/python"), Some(python.join("server.py")))
            }
        }
    }

    /// Whether it has been built, or installed.
    pub fn is_there(&self) -> bool {
        match (self.made, self.program()) {
            (Made::Node, _) => workspace().join("servers/typescript/node_modules").is_dir(),
            (_, (program, _)) => program.is_file(),
        }
    }

    /// How it is run, behind another program where one is named.
    pub fn command(&self, behind: &[String]) -> Command {
        let (program, script) = self.program();
        let mut command = match behind.split_first() {
            None => Command::new(program),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(program);
                command
            }
        };
        command.args(script).envs(self.environment.iter().copied());
        command
    }
}
