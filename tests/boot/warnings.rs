//! What is served and could be better is told on stderr, with its place.

use std::process::Command;

/// The warnings of the program `careless`.
fn warnings() -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_careless")).arg("--list").output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stderr).expect("it is text");
    text.lines().filter_map(|line| Some(line.split_once("warning: ")?.1.to_owned())).collect()
}

#[track_caller]
fn has(warnings: &[String], of: &str, says: &str) {
    let fits = |warning: &&String| warning.contains(of) && warning.contains(says);
    assert!(warnings.iter().any(|warning| fits(&warning)), "{of} {says} in {warnings:#?}");
}

#[test]
fn what_could_be_better_is_told_with_its_place() {
    let all = warnings();
    for (of, says) in [
        ("tool `without_description`", "no description: add a doc comment, models choose tools by it"),
        ("tool `made`", "no description"),
        ("tool `added`", "no description"),
        ("prompt `prompt_without_description`", "no description: add a doc comment"),
        ("resource `careless://resource`", "no description: add a doc comment"),
        ("resource `careless://template/{name}`", "no description: add a doc comment"),
        ("tool `a_name_that_is_longer", "its name has 73 characters; some hosts take 64 at most"),
        (
            "tool `untold`: Gemini cannot be told",
            "`any` (any value), `labels` (a map, or an object without members), `node` (a reference, as in a type that holds itself)",
        ),
        (
            "tool `named`: Anthropic cannot be told",
            "an argument whose name is not 1 to 64 of A-Z a-z 0-9 _ . -",
        ),
        ("tool `by_hand`: Anthropic cannot be told", "a union in place of named arguments"),
        (
            "tool `by_hand`: OpenAI cannot be told",
            "a union in place of named arguments, `b` (a list that does not say what it holds)",
        ),
    ] {
        has(&all, of, says);
        let placed = all.iter().filter(|warning| warning.starts_with("tests/programs/careless.rs:"));
        assert_eq!(placed.count(), all.len(), "{all:#?}");
    }
    assert_eq!(all.len(), 11, "{all:#?}");
}
