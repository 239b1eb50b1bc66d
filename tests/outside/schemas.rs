//! The schemas of the matrix of types, judged by validators that others wrote: ajv in its strict mode, and the
//! `jsonschema` of Python. Each has to take every value that fits, and to refuse every value with a mistake.

use std::process::Command;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

use crate::listed::{Client, named};
use crate::mutate::mutants;
use crate::node::Node;
use crate::python::Python;
use crate::types::ROWS;
use crate::{absent, process};

/// A trial for each validator.
pub fn trials(node: &Result<Node, String>, python: &Result<Python, String>) -> Vec<Trial> {
    let node = node.as_ref().map(|node| node.program("schemas.mjs"));
    let python = python.as_ref().map(|python| python.program("schemas.py"));
    vec![trial("ajv", node), trial("python", python)]
}

fn trial(name: &str, program: Result<Command, &String>) -> Trial {
    let name = format!("schemas::{name}");
    match program {
        Ok(judge) => Trial::test(name, move || judged(judge)),
        Err(why) => absent::trial(name, why),
    }
}

/// What the judge is told: each schema, with values that fit it and values that do not.
fn cases() -> Vec<Value> {
    let mut client = Client::new();
    let tools = client.tools();
    let mut cases = Vec::new();
    for row in ROWS {
        let tool = named(&tools, row.name);
        let schema = &tool["inputSchema"];
        let validator = jsonschema::validator_for(schema).expect("the schema is one");
        let arguments = |value: Value| json!({ "value": value });
        let values = row.values();
        let (mut fitting, mut refused) = (Vec::new(), Vec::new());
        for value in values {
            for mutant in mutants(schema, &schema["properties"]["value"], &value, "value") {
                let mutant = arguments(mutant.value);
                if validator.is_valid(&mutant) { fitting.push(mutant) } else { refused.push(mutant) }
            }
            fitting.push(arguments(value));
        }
        cases.push(
            json!({"name": row.name, "side": "input", "schema": schema, "fits": fitting, "refused": refused}),
        );
        if let Some(schema) = tool.get("outputSchema") {
            cases.push(
                json!({"name": row.name, "side": "output", "schema": schema, "fits": [], "refused": []}),
            );
        }
    }
    cases
}

fn judged(mut judge: Command) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("cases.json");
    std::fs::write(&file, serde_json::to_vec(&cases())?)?;
    judge.arg(&file);
    let said = process::run(judge, Duration::from_secs(120))?.successful("the judge")?;
    if said.contains("judged") { Ok(()) } else { Err(format!("the judge says nothing: {said}").into()) }
}
