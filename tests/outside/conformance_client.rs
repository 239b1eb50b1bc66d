//! The official conformance suite against the example `everything-client`: a trial for each scenario and revision.
//!
//! Each scenario is run by itself: only so does the suite look at how the client's process ended.

use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use mcp_runtime_tests::example;

use crate::conformance::REVISIONS;
use crate::node::Node;
use crate::requirements::{self, Scenario};
use crate::{absent, expected, process};

/// One trial for each scenario, and one for the list of failures that are expected.
pub fn trials(node: &Result<Node, String>) -> Vec<Trial> {
    match node.as_ref().map_err(Clone::clone).and_then(|node| Ok((node, required(node)?))) {
        Ok((node, scenarios)) => {
            let mut trials: Vec<_> = scenarios.iter().map(|scenario| trial(node, scenario.clone())).collect();
            let name = "conformance-client::expected-failures";
            trials.push(Trial::test(name, move || all_are_known(&scenarios)));
            trials
        }
        Err(why) => vec![absent::trial("conformance-client".to_owned(), &why)],
    }
}

fn required(node: &Node) -> Result<Vec<Scenario>, String> {
    let mut all = Vec::new();
    for revision in REVISIONS {
        let scenarios = requirements::scenarios(revision, &node.requirements(revision)?, "client");
        if scenarios.is_empty() {
            return Err(format!("the suite requires nothing of clients of {revision}"));
        }
        all.extend(scenarios);
    }
    Ok(all)
}

fn trial(node: &Node, scenario: Scenario) -> Trial {
    let node = node.clone();
    let name = format!("conformance-client::{}::{}", scenario.revision, scenario.name);
    Trial::test(name, move || judge(&scenario, &run(&node, &scenario)?))
}

/// A list that names what the suite does not have would hide nothing, and mislead.
fn all_are_known(scenarios: &[Scenario]) -> Result<(), Failed> {
    for (revision, scenario, _) in expected::client_failures() {
        if !scenarios.iter().any(|known| known.revision == revision && known.name == scenario) {
            return Err(format!("`{scenario}` of {revision} is on the list, but not in the suite").into());
        }
    }
    Ok(())
}

/// Runs one scenario at the wire of its revision.
fn run(node: &Node, scenario: &Scenario) -> Result<process::Ended, String> {
    let results = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut suite = node.suite();
    suite.args(["client", "--command"]).arg(example::path("everything-client"));
    suite.args(["--scenario", &scenario.name, "--spec-version", scenario.revision]);
    // A requirement set has scenarios that the suite assigns to another revision; they are run all the same.
    suite.args(["--force", "--timeout", "30000", "--output-dir"]).arg(results.path());
    process::run(suite, Duration::from_secs(60))
}

/// Compares how it ended with what was expected: warnings fail a scenario as well.
fn judge(scenario: &Scenario, ended: &process::Ended) -> Result<(), Failed> {
    let listed = expected::client_failures()
        .into_iter()
        .find(|(revision, name, _)| *revision == scenario.revision && *name == scenario.name);
    match (listed, ended.success) {
        (None, true) | (Some(_), false) => Ok(()),
        (None, false) => Err(ended.output.clone().into()),
        (Some((.., reason)), true) => {
            Err(format!("it starts to pass: take it from the list, where it says: {reason}").into())
        }
    }
}
