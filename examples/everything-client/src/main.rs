//! The client that the official conformance suite runs: one conversation for each scenario of the suite.
//!
//! The suite names the scenario and the revision by the environment, and appends the URL to the command line.

mod scenarios;

use std::process::ExitCode;
use std::time::Duration;

/// Below the suite's own limit, after which it waits for a process that it no longer ends.
const MOST: Duration = Duration::from_secs(25);

#[tokio::main]
async fn main() -> ExitCode {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let Some(url) = std::env::args().next_back().filter(|url| url.starts_with("http")) else {
        eprintln!("everything-client: the URL of a server is wanted as the last argument");
        return ExitCode::from(2);
    };
    let scenario = variable("MCP_CONFORMANCE_SCENARIO");
    let given = scenarios::Given {
        url,
        revision: variable("MCP_CONFORMANCE_PROTOCOL_VERSION"),
        context: serde_json::from_str(&variable("MCP_CONFORMANCE_CONTEXT")).unwrap_or_default(),
    };
    let ended = tokio::time::timeout(MOST, scenarios::run(&scenario, &given)).await;
    match ended {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            eprintln!("everything-client: {scenario}: {error}");
            ExitCode::FAILURE
        }
        Err(_) => {
            eprintln!("everything-client: {scenario}: not done within {MOST:?}");
            ExitCode::FAILURE
        }
    }
}
