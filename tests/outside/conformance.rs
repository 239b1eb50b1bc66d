//! The official conformance suite against the example `everything`: a trial for each scenario and revision.
//!
//! Each trial runs its scenario anew, in a process of its own. All share one server, over HTTP.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use libtest_mimic::{Completion, Failed, Trial};
use mcp_runtime_tests::example::HttpServer;

use crate::expected::{self, Expected};
use crate::node::Node;
use crate::requirements::{self, Scenario};
use crate::verdict::Verdict;
use crate::{absent, process};

pub const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

type Server = Arc<LazyLock<HttpServer>>;

/// One trial for each scenario, and one for the list of failures that are expected.
pub fn trials(node: &Result<Node, String>) -> Vec<Trial> {
    match node.as_ref().map_err(Clone::clone).and_then(|node| Ok((node, required(node)?))) {
        Ok((node, scenarios)) => {
            let server: Server = Arc::new(LazyLock::new(|| HttpServer::start("everything")));
            let mut trials: Vec<_> =
                scenarios.iter().map(|scenario| trial(node, &server, scenario.clone())).collect();
            trials.push(Trial::test("conformance::expected-failures", move || all_are_known(&scenarios)));
            trials
        }
        Err(why) => vec![absent::trial("conformance".to_owned(), &why)],
    }
}

fn required(node: &Node) -> Result<Vec<Scenario>, String> {
    let mut all = Vec::new();
    for revision in REVISIONS {
        let scenarios = requirements::scenarios(revision, &node.requirements(revision)?, "server");
        if scenarios.is_empty() {
            return Err(format!("the suite requires nothing of {revision}"));
        }
        all.extend(scenarios);
    }
    Ok(all)
}

fn trial(node: &Node, server: &Server, scenario: Scenario) -> Trial {
    let (node, server) = (node.clone(), Arc::clone(server));
    let name = format!("conformance::{}::{}", scenario.revision, scenario.name);
    Trial::ignorable_test(name, move || judge(&scenario, &run(&node, &server.url, &scenario)?))
}

/// A list that names what the suite does not have would hide nothing, and mislead.
fn all_are_known(scenarios: &[Scenario]) -> Result<(), Failed> {
    for Expected { revision, scenario, .. } in expected::failures() {
        if !scenarios.iter().any(|known| known.revision == revision && known.name == scenario) {
            return Err(format!("`{scenario}` of {revision} is on the list, but not in the suite").into());
        }
    }
    Ok(())
}

/// Runs one scenario at the wire of its revision.
fn run(node: &Node, url: &str, scenario: &Scenario) -> Result<Verdict, Failed> {
    let results = tempfile::tempdir()?;
    let mut suite = node.suite();
    suite.args(["server", "--url", url, "--scenario", &scenario.name, "--spec-version", scenario.revision]);
    // A requirement set has scenarios that the suite assigns to another revision; they are run all the same.
    suite.args(["--force", "--timeout", "30000", "--output-dir"]).arg(results.path());
    let ended = process::run(suite, Duration::from_secs(60))?;
    Verdict::read(results.path()).map_err(|why| format!("{why}:\n{}", ended.output).into())
}

/// Compares what was found with what was expected.
fn judge(scenario: &Scenario, verdict: &Verdict) -> Result<Completion, Failed> {
    let of_this = |it: &Expected| it.revision == scenario.revision && it.scenario == scenario.name;
    let listed: Vec<Expected> = expected::failures().into_iter().filter(of_this).collect();

    let mut complaints = Vec::new();
    for (check, said) in &verdict.faults {
        if !listed.iter().any(|it| it.check == check) {
            complaints.push(format!("{check}: {}", said.join("; ")));
        }
    }
    for Expected { check, reason, .. } in listed {
        if !verdict.faults.contains_key(check) {
            complaints
                .push(format!("{check}: starts to pass: take it from the list, where it says: {reason}"));
        }
    }
    if !complaints.is_empty() {
        return Err(complaints.join("\n").into());
    }
    if verdict.faults.is_empty() && verdict.succeeded == 0 {
        return Ok(Completion::ignored_with(format!("nothing was checked: {}", verdict.notes.join("; "))));
    }
    Ok(Completion::Completed)
}
