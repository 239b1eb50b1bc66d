//! The example programs, built once and started as a person would start them.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

/// The path of an example's executable, built if it is not up to date.
pub fn path(name: &str) -> PathBuf {
    static BUILDING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = BUILDING.lock();
    let built = Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--package",
            name,
            "--bin",
            name,
            "--message-format",
            "json-render-diagnostics",
        ])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo can be started");
    assert!(built.status.success(), "the example `{name}` does not build");
    let messages = String::from_utf8_lossy(&built.stdout);
    let executable = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back();
    executable.expect("cargo names the executable")
}

/// An example that serves HTTP on a free port of this machine; ended when dropped.
pub struct HttpServer {
    child: Child,
    /// Such as `http://127.0.0.1:40123/mcp`.
    pub url: String,
}

impl HttpServer {
    /// Starts an example, and waits until it says where it listens.
    pub fn start(name: &str) -> Self {
        Self::start_with(name, &[])
    }

    /// The same with these variables in its environment.
    pub fn start_with(name: &str, variables: &[(&str, &str)]) -> Self {
        let mut child = Command::new(path(name))
            .args(["--http", "127.0.0.1:0"])
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the example can be started");
        let stderr = child.stderr.take().expect("stderr is piped");
        let mut lines = BufReader::new(stderr).lines();
        let mut told = String::new();
        let url = loop {
            let Some(Ok(line)) = lines.next() else { panic!("`{name}` ended before it listened:\n{told}") };
            if let Some((_, url)) = line.split_once("serving ").filter(|(_, url)| url.starts_with("http://"))
            {
                break url.to_owned();
            }
            told.push_str(&line);
            told.push('\n');
        };
        // What it logs goes where the test's own output goes, and never fills the pipe.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(|line| eprintln!("{line}")));
        Self { child, url }
    }

    /// The port that it listens on.
    pub fn port(&self) -> u16 {
        let authority = self.url.trim_start_matches("http://").split('/').next().unwrap_or_default();
        authority.rsplit(':').next().and_then(|port| port.parse().ok()).expect("the URL has a port")
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
