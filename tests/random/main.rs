//! Annotated functions at random, as programs: they compile without a warning, start, list what they have by schemas
//! that every judge takes, and take what fits those.
//!
//! `MCP_RANDOM_FUNCTIONS=500 cargo test -p mcp-runtime-tests --test random` makes as many, in programs of 50; a few by
//! default. `MCP_RANDOM_SEED` makes others.

#[path = "../outside/cache.rs"]
mod cache;
#[path = "../schemas/generate.rs"]
mod generate;
#[path = "../outside/node.rs"]
#[allow(dead_code)]
mod node;
#[path = "../outside/process.rs"]
mod process;
#[path = "../outside/python.rs"]
mod python;
mod source;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use generate::{Random, value};

/// How many functions a program has.
const BATCH: usize = 50;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .map_or(otherwise, |text| text.parse().unwrap_or_else(|error| panic!("{name}: {error}")))
}

#[test]
fn functions_at_random_are_served_by_schemas_that_every_judge_takes() {
    let functions = usize::try_from(number("MCP_RANDOM_FUNCTIONS", 20)).expect("it is a count");
    served("mcp_runtime", functions, number("MCP_RANDOM_SEED", 1));
}

/// What is generated finds the runtime by the name that its user gave it.
#[test]
fn a_renamed_dependency_is_found() {
    served("framework", 10, 3);
}

/// Builds functions in a package that knows the runtime by that name, and judges what they serve.
fn served(runtime: &str, functions: usize, seed: u64) {
    let folder = package(runtime, functions, seed);
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--quiet", "--offline"]).current_dir(&folder).env("CARGO_TARGET_DIR", target());
    process::run(command, Duration::from_secs(900)).and_then(|built| built.successful("the build")).unwrap();

    let (mut cases, mut listed) = (Vec::new(), 0);
    for batch in 0..functions.div_ceil(BATCH) {
        let mut program = Program::start(&target().join(format!("debug/random_{runtime}_{batch}")));
        for list in ["tools", "prompts", "resources", "resources/templates"] {
            let answer = program.ask(&format!("{list}/list"), json!({}));
            let member = if list == "resources/templates" { "resourceTemplates" } else { list };
            // A list of what there is none of is no method.
            let entries = answer["result"][member].as_array().cloned().unwrap_or_default();
            listed += entries.len();
            for entry in entries {
                assert!(entry["description"].as_str().is_some_and(|text| !text.is_empty()), "{entry}");
                if list == "tools" {
                    cases.push(judged_here(&mut program, &entry, seed));
                }
            }
        }
    }
    assert_eq!(listed, functions);
    judged_outside(&folder, &cases);
}

/// The target folder, where what the programs depend on is built already for the most part.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("..")
}

/// Writes a package with a program for each batch.
fn package(runtime: &str, functions: usize, seed: u64) -> PathBuf {
    let name = format!("random_{runtime}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
    let programs = folder.join("src/bin");
    let _ = fs::remove_dir_all(&programs);
    fs::create_dir_all(&programs).unwrap();
    for (batch, first) in (0..functions).step_by(BATCH).enumerate() {
        let text = source::program(runtime, seed * 1000 + batch as u64, BATCH.min(functions - first));
        fs::write(programs.join(format!("{name}_{batch}.rs")), text).unwrap();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let manifest = format!(
        "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         anyhow = \"1\"\n{} = {{ package = \"mcp-runtime\", path = {:?} }}\n\
         tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n\n[profile.dev]\ndebug = \"line-tables-only\"\n",
        runtime.replace('_', "-"),
        root.join("mcp-runtime")
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    folder
}

/// A program that speaks by lines; ended when dropped.
struct Program {
    child: std::process::Child,
    output: BufReader<std::process::ChildStdout>,
}

impl Program {
    fn start(path: &Path) -> Self {
        let mut command = Command::new(path);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        Self { child, output }
    }

    fn ask(&mut self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let input = self.child.stdin.as_mut().expect("stdin is piped");
        input.write_all(format!("{message}\n").as_bytes()).expect("it reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it writes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in {line:?}"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Judges a tool's schemas, and calls it with what they admit. Gives the case for the judges outside.
fn judged_here(program: &mut Program, tool: &Value, seed: u64) -> Value {
    let (name, schema) = (&tool["name"], &tool["inputSchema"]);
    assert_eq!(schema["type"], "object", "{tool}");
    assert!(schema["properties"].is_object(), "{tool}");
    for side in ["inputSchema", "outputSchema"].iter().filter_map(|side| tool.get(*side)) {
        jsonschema::draft202012::meta::validate(side).unwrap_or_else(|error| panic!("{error} in {side}"));
    }
    let validator = jsonschema::validator_for(schema).unwrap_or_else(|error| panic!("{error} in {schema}"));
    let mut random = Random::new(seed);
    let values: Vec<Value> = (0..4).filter_map(|_| value(schema, schema, &mut random, 0)).collect();
    for arguments in &values {
        assert!(validator.is_valid(arguments), "{arguments} is made by {schema}");
        let answer = program.ask("tools/call", json!({"name": name, "arguments": arguments}));
        assert!(answer["result"].is_object(), "{name}({arguments}): {answer}");
        assert_ne!(answer["result"]["isError"], true, "{name}({arguments}): {answer} by {schema}");
    }
    json!({"name": name, "side": "input", "schema": schema, "fits": values, "refused": []})
}

/// Lets ajv and the `jsonschema` of Python judge, where they are.
fn judged_outside(folder: &Path, cases: &[Value]) {
    let file = folder.join("cases.json");
    fs::write(&file, serde_json::to_vec(cases).unwrap()).unwrap();
    let node = node::Node::prepare().map(|node| node.program("schemas.mjs"));
    let python = python::Python::prepare().map(|python| python.program("schemas.py"));
    for judge in [node, python] {
        match judge {
            Ok(mut judge) => {
                judge.arg(&file);
                let said = process::run(judge, Duration::from_secs(120))
                    .and_then(|said| said.successful("the judge"));
                eprint!("{}", said.unwrap());
            }
            Err(why) => {
                let required = std::env::var("MCP_REQUIRE_OUTSIDE")
                    .is_ok_and(|value| !matches!(value.as_str(), "" | "0"));
                assert!(!required, "{why}");
                eprintln!("a judge is not there: {why}");
            }
        }
    }
}
