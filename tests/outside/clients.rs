//! Clients that others wrote, against the example `weather`: a trial for each client, era and transport.
//!
//! What is expected of a conversation is in the client programs; they end with a message where it is not met.

use std::process::Command;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use mcp_runtime_tests::example::{self, HttpServer};

use crate::node::Node;
use crate::python::Python;
use crate::{absent, process};

/// All clients, over stdio and over HTTP.
pub fn trials(node: &Result<Node, String>, python: &Result<Python, String>) -> Vec<Trial> {
    let node = |program: &str| node.as_ref().map(|node| node.program(program));
    let python = |program: &str| python.as_ref().map(|python| python.program(program));
    let mut trials = Vec::new();
    for transport in ["stdio", "http"] {
        trials.push(trial("typescript-1", "handshake", transport, node("sdk.mjs")));
        for era in ["handshake", "modern"] {
            trials.push(trial("typescript-2", era, transport, node("client.mjs")));
            trials.push(trial("python-2", era, transport, python("client.py")));
        }
    }
    trials
}

fn trial(name: &str, era: &'static str, transport: &'static str, program: Result<Command, &String>) -> Trial {
    let name = format!("clients::{name}::{era}::{transport}");
    match program {
        Ok(client) => Trial::test(name, move || converse(client, era, transport)),
        Err(why) => absent::trial(name, why),
    }
}

/// Lets a client talk to the server: one that it starts itself, or one that listens.
fn converse(mut client: Command, era: &str, transport: &str) -> Result<(), Failed> {
    client.args([era, transport]);
    let listening = (transport == "http").then(|| HttpServer::start("weather"));
    match &listening {
        Some(server) => client.arg(&server.url),
        None => client.arg(example::path("weather")),
    };
    process::run(client, Duration::from_secs(60))?.successful("the client")?;
    Ok(())
}
