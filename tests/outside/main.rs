//! Judges from outside: the official conformance suite for both sides, and clients and servers that others wrote.
//!
//! They come from npm and PyPI at exact versions, into a folder under the target directory. Where node or python is
//! missing, or the packages cannot be installed, their trials are told as ignored and stderr says why; with
//! `MCP_REQUIRE_OUTSIDE=1` they fail instead.

mod absent;
mod cache;
mod clients;
mod conformance;
mod conformance_client;
mod expected;
mod node;
mod process;
mod python;
mod requirements;
mod schemas;
mod servers;
mod verdict;

// The matrix of types is that of the tests in `schemas`.
#[path = "../schemas/listed.rs"]
mod listed;
#[path = "../schemas/mutate.rs"]
#[allow(dead_code)]
mod mutate;
#[path = "../schemas/types.rs"]
mod types;

use std::process::ExitCode;

use libtest_mimic::Arguments;

use crate::node::Node;
use crate::python::Python;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (node, python) = (Node::prepare(), Python::prepare());
    let mut trials = conformance::trials(&node);
    trials.extend(conformance_client::trials(&node));
    trials.extend(clients::trials(&node, &python));
    trials.extend(servers::trials(&node, &python));
    trials.extend(schemas::trials(&node, &python));
    libtest_mimic::run(&arguments, trials).exit_code()
}
