//! Each type of the matrix: its values, values at random, and values with one mistake.

use jsonschema::{Validator, validator_for};
use serde_json::{Value, json};

use crate::generate::{Random, value};
use crate::listed::{Client, named};
use crate::mutate::{Mutant, mutants};
use crate::types::ROWS;

/// The faults that a call was refused for, by their paths; none where it was not refused.
fn refused(client: &mut Client, tool: &str, value: &Value) -> Option<Vec<(String, String)>> {
    let answer = client.ask("tools/call", json!({"name": tool, "arguments": {"value": value}}));
    let result = &answer["result"];
    assert!(result.is_object(), "{tool}({value}) is answered by {answer}");
    let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    if result["isError"] != true {
        return None;
    }
    let faults = text.lines().filter_map(|line| {
        let (path, says) = line.strip_prefix("- `")?.split_once("`: ")?;
        Some((path.to_owned(), says.to_owned()))
    });
    let faults: Vec<_> = faults.collect();
    assert!(!faults.is_empty(), "{tool}({value}): {text}");
    Some(faults)
}

/// Whether a fault may be told at that path: where it is, or from the union on that it is in.
fn may_be_told_at(mutant: &Mutant, told: &str) -> bool {
    let of_union = |union: &str| told.starts_with(union) && mutant.path.starts_with(told);
    // Of an object in place of a variant with members, those are missing.
    told == mutant.path
        || mutant.union.as_deref().is_some_and(|union| of_union(union) || told.starts_with(&mutant.path))
}

fn judge(schema: &Value) -> Validator {
    validator_for(schema).expect("the schema is one")
}

#[test]
fn every_value_that_fits_is_taken_and_given_back_as_its_schema_says() {
    let mut client = Client::new();
    let tools = client.tools();
    assert!(ROWS.len() >= 60, "{} types", ROWS.len());
    assert_eq!(tools.len(), ROWS.len());
    for row in ROWS {
        let tool = named(&tools, row.name);
        let (input, output) = (judge(&tool["inputSchema"]), judge(&tool["outputSchema"]));
        for value in row.values() {
            let arguments = json!({"value": value});
            assert!(input.is_valid(&arguments), "{}({value}) by {}", row.name, tool["inputSchema"]);
            let answer = client.ask("tools/call", json!({"name": row.name, "arguments": arguments}));
            let result = &answer["result"];
            assert_ne!(result["isError"], true, "{}({value}): {answer}", row.name);
            let given = &result["structuredContent"];
            assert!(output.is_valid(given), "{}: {given} by {}", row.name, tool["outputSchema"]);
        }
    }
}

#[test]
fn every_mistake_is_refused_where_it_is() {
    let mut client = Client::new();
    let tools = client.tools();
    let (mut made, mut kinds) = (0, std::collections::BTreeMap::<&str, usize>::new());
    for row in ROWS {
        let schema = &named(&tools, row.name)["inputSchema"];
        let judge = judge(schema);
        let of_value = &schema["properties"]["value"];
        for value in row.values() {
            for mutant in mutants(schema, of_value, &value, "value") {
                let what = format!("{}: {} at {} in {}", row.name, mutant.what, mutant.path, mutant.value);
                let refused = refused(&mut client, row.name, &mutant.value);
                // That no integer has more than 64 bits, schemas do not say.
                if mutant.what != "width" && judge.is_valid(&json!({"value": mutant.value})) {
                    assert_eq!(refused, None, "{what} fits the schema");
                    continue;
                }
                let faults = refused.unwrap_or_else(|| panic!("{what} is taken, against {of_value}"));
                assert!(faults.iter().all(|(path, _)| may_be_told_at(&mutant, path)), "{what}: {faults:?}");
                made += 1;
                *kinds.entry(mutant.what).or_default() += 1;
            }
        }
    }
    assert!(made > 1000 && kinds.len() == 6, "{made} mistakes: {kinds:?}");
}

#[test]
fn what_fits_the_schema_decodes() {
    let mut client = Client::new();
    let tools = client.tools();
    let mut made = 0;
    for (seed, row) in ROWS.iter().enumerate() {
        let schema = &named(&tools, row.name)["inputSchema"];
        let mut random = Random::new(seed as u64 + 1);
        let judge = judge(schema);
        for _ in 0..40 {
            let Some(value) = value(schema, &schema["properties"]["value"], &mut random, 0) else { break };
            assert!(judge.is_valid(&json!({"value": value})), "{}: {value} is made by {schema}", row.name);
            assert_eq!(refused(&mut client, row.name, &value), None, "{}({value}) by {schema}", row.name);
            made += 1;
        }
    }
    assert!(made > 2000, "{made} values");
}

#[test]
fn optional_values_may_be_null_or_left_out() {
    let mut client = Client::new();
    let tools = client.tools();
    for row in ROWS.iter().filter(|row| row.name.starts_with("optional_")) {
        let schema = &named(&tools, row.name)["inputSchema"];
        assert_eq!(schema.get("required"), None, "{}: {schema}", row.name);
        assert!(!schema["properties"]["value"].to_string().contains("null"), "{}: {schema}", row.name);
        assert_eq!(refused(&mut client, row.name, &Value::Null), None, "{}", row.name);
        let answer = client.ask("tools/call", json!({"name": row.name, "arguments": {}}));
        assert_ne!(answer["result"]["isError"], true, "{}: {answer}", row.name);
    }
}

#[test]
fn whole_numbers_may_be_written_with_a_point() {
    let mut client = Client::new();
    for name in
        ["of_u8", "of_u16", "of_u32", "of_u64", "of_i8", "of_i64", "of_i128", "newtype", "optional_u8"]
    {
        assert_eq!(refused(&mut client, name, &json!(7.0)), None, "{name}");
        assert!(refused(&mut client, name, &json!(7.5)).is_some(), "{name}");
    }
}
