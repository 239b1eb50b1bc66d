//! What is wrong with what is registered is told at boot, all at once, with its place; each case is a group of its own.

mod warnings;

use mcp_runtime::Problems;
use mcp_runtime::prelude::*;
use serde_json::json;

mod twice {
    use super::*;

    #[mcp::tool(name = "same", group = "twice")]
    fn first() {}

    #[mcp::tool(name = "same", group = "twice")]
    fn second() {}

    #[mcp::prompt(name = "same", group = "twice")]
    fn of_another_kind() -> &'static str {
        ""
    }
}

mod stateful {
    use super::*;

    #[derive(Clone)]
    pub struct Database;

    /// Takes a state.
    #[mcp::tool(group = "stateful")]
    fn query(_database: mcp::State<Database>) {}

    /// Takes the same.
    #[mcp::tool(group = "stateful")]
    fn query_again(_database: mcp::State<Database>) {}

    pub trait Store: Send + Sync {}

    impl Store for Database {}

    /// Takes any of them.
    #[mcp::tool(group = "stateful_by_trait")]
    fn store(_store: mcp::State<std::sync::Arc<dyn Store>>) {}
}

mod completions {
    use super::*;

    #[mcp::prompt(group = "completions")]
    fn review(language: String) -> String {
        language
    }

    #[mcp::completion(prompt = "reviw", argument = "language", group = "completions")]
    fn unknown_prompt(typed: String) -> Vec<String> {
        vec![typed]
    }

    #[mcp::completion(prompt = "review", argument = "languge", group = "completions")]
    fn unknown_argument(typed: String) -> Vec<String> {
        vec![typed]
    }

    #[mcp::completion(resource = "x://{y}", argument = "y", group = "completions")]
    fn unknown_template(typed: String) -> Vec<String> {
        vec![typed]
    }
}

mod chosen {
    use super::*;

    #[mcp::prompt(group = "chosen")]
    fn review(language: String, style: String) -> String {
        language + &style
    }

    #[mcp::completion(prompt = "review", argument = "language", group = "chosen")]
    fn languages(typed: String, style: String, stlye: Option<String>) -> Vec<String> {
        vec![typed, style, stlye.unwrap_or_default()]
    }
}

mod templates {
    use super::*;

    #[mcp::resource("a://x/{z}{?p,q}", group = "templates")]
    fn first(z: String, p: Option<String>, q: Option<String>) -> String {
        format!("{z} {p:?} {q:?}")
    }

    #[mcp::resource("a://x/{y}{?q,p}", group = "templates")]
    fn second(y: String, p: Option<String>, q: Option<String>) -> String {
        format!("{y} {p:?} {q:?}")
    }

    #[mcp::resource("a://x/{+y}", group = "templates")]
    fn another(y: String) -> String {
        y
    }
}

mod named_twice {
    use super::*;

    #[derive(mcp::Args)]
    struct Filter {
        a: Option<u32>,
    }

    #[mcp::tool(group = "named twice")]
    fn search(#[arg(flatten)] filter: Filter, a: Option<String>) -> String {
        format!("{:?} {a:?}", filter.a)
    }
}

mod looks {
    use super::*;

    /// Is of no importance that there is.
    #[mcp::resource(
        "looks://here",
        icons = mcp::Icon::new("https://example.com/icon.png").theme("purple"),
        annotations = mcp::Annotations { priority: Some(1.5), ..Default::default() },
        group = "looks"
    )]
    fn here() -> &'static str {
        ""
    }
}

mod defaults {
    use super::*;

    #[mcp::tool(group = "defaults")]
    fn paint(#[arg(default = "b", pattern = "^a$")] colour: String) -> String {
        colour
    }
}

mod not_text {
    use super::*;

    #[mcp::prompt(group = "not text")]
    fn lists(words: Vec<String>) -> String {
        words.join(" ")
    }
}

mod headers {
    use super::*;

    #[derive(mcp::Args)]
    struct Inner {
        #[x_mcp_header("Zone")]
        zone: String,
    }

    #[mcp::tool(group = "headers")]
    fn in_a_list(places: Vec<Inner>) -> usize {
        places.into_iter().map(|place| place.zone.len()).sum()
    }
}

mod written {
    use super::*;

    #[mcp::tool(group = "written", input_schema = json!({"oneOf": []}))]
    fn without_type(arguments: Value) -> String {
        arguments.to_string()
    }

    #[mcp::tool(group = "written", input_schema = json!({"type": "object", "$ref": "http://127.0.0.1:9/schema"}))]
    fn elsewhere(arguments: Value) -> String {
        arguments.to_string()
    }
}

mod reserved {
    use super::*;

    #[mcp::method("tools/list", group = "reserved")]
    fn tools_list() {}
}

/// A tool that is in order.
#[mcp::tool(group = "good")]
fn good() {}

fn problems(group: &str) -> Vec<String> {
    let problems: Problems = mcp_runtime::server()
        .server_info("boot", "1")
        .groups([group])
        .into_router()
        .expect_err("something is wrong");
    problems.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn has(problems: &[String], place: &str, says: &[&str]) {
    let fits =
        |problem: &&String| problem.starts_with(place) && says.iter().all(|text| problem.contains(text));
    assert!(problems.iter().any(|problem| fits(&problem)), "{place} {says:?} in {problems:#?}");
}

#[test]
fn a_name_used_twice_is_told_with_both_places() {
    let found = problems("twice");
    has(
        &found,
        "tests/boot/main.rs:16:",
        &["second tool named `same`", "the first is at tests/boot/main.rs:13:"],
    );
    assert_eq!(found.len(), 1, "a prompt may have the name of a tool: {found:#?}");
}

#[test]
fn a_state_that_nobody_gave_names_the_function() {
    let found = problems("stateful");
    has(
        &found,
        "tests/boot/main.rs:",
        &["tool `query` takes `State<", "Database>`, which was never given: add `.state(…)`"],
    );
    has(&found, "tests/boot/main.rs:", &["so does tool `query_again`, at tests/boot/main.rs:"]);
    assert_eq!(found.len(), 1, "one state is one problem: {found:#?}");
    let server = || mcp_runtime::server().server_info("boot", "1").groups(["stateful"]);
    assert!(server().state(stateful::Database).into_router().is_ok());
    let other = server().state(5_i32).into_router().expect_err("another state").to_string();
    assert!(other.contains("add `.state(…)`; given: `i32`"), "{other}");
    let twice =
        server().state(stateful::Database).state(stateful::Database).into_router().expect_err("twice");
    let place = format!("tests/boot/main.rs:{}:", line!() - 1);
    assert!(twice.to_string().contains(&place), "{twice}");
    assert!(twice.to_string().contains("is given twice, first at tests/boot/main.rs:"), "{twice}");
}

#[test]
fn a_state_of_a_trait_is_given_as_such() {
    let server = || mcp_runtime::server().server_info("boot", "1").groups(["stateful_by_trait"]);
    let given = std::sync::Arc::new(stateful::Database);
    let told = server().state(given.clone()).into_router().expect_err("another type").to_string();
    assert!(told.contains("write `let value: alloc::sync::Arc<dyn boot::stateful::Store> = …;`"), "{told}");
    let given: std::sync::Arc<dyn stateful::Store> = given;
    assert!(server().state(given).into_router().is_ok());
}

#[test]
fn a_tool_made_at_run_time_is_told_with_its_place() {
    let tool = || mcp::Tool::new("a b", json!({"type": "object"}), |_: Value, _: mcp::Context| async {});
    let line = line!() - 1;
    let told = mcp_runtime::server().server_info("boot", "1").groups(["stateful"]).state(stateful::Database);
    let told = told.tool(tool()).into_router().expect_err("no name").to_string();
    assert!(told.contains(&format!("tests/boot/main.rs:{line}:")), "{told}");
    assert!(told.contains("tool `a b`: the name \"a b\" is not"), "{told}");
}

#[test]
fn completions_of_nothing_are_told() {
    let found = problems("completions");
    has(&found, "", &["unknown prompt, `reviw`", "did you mean `review`?"]);
    has(&found, "", &["unknown argument of prompt `review`, `languge`", "did you mean `language`?"]);
    has(&found, "", &["unknown resource template, `x://{y}`", "there are none"]);
    assert_eq!(found.len(), 3);
}

#[test]
fn what_a_completion_is_given_exists_and_may_be_absent() {
    let found = problems("chosen");
    has(
        &found,
        "",
        &["completion of `language` of prompt `review`", "`style` is there only once", "`Option`"],
    );
    has(&found, "", &["the parameter `stlye` is no argument of prompt `review`: did you mean `style`?"]);
    assert_eq!(found.len(), 2);
}

#[test]
fn a_template_that_no_uri_reaches_is_told() {
    let found = problems("templates");
    has(
        &found,
        "",
        &["resource `a://x/{y}{?q,p}` is never read", "`a://x/{z}{?p,q}` at tests/boot/main.rs:"],
    );
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn an_argument_named_twice_is_told() {
    has(&problems("named twice"), "", &["tool `search`: two arguments are called `a`", "#[arg(name"]);
}

#[test]
fn a_default_that_does_not_fit_is_told() {
    let says = ["tool `paint`: the default of `colour`", "matches `^a$`, got \"b\""];
    has(&problems("defaults"), "", &says);
}

#[test]
fn looks_that_no_client_knows_are_told() {
    let found = problems("looks");
    has(
        &found,
        "",
        &["resource `looks://here`: the theme of an icon is \"purple\"; it is \"light\" or \"dark\""],
    );
    has(&found, "", &["resource `looks://here`: its priority is 1.5; it goes from 0 to 1"]);
}

#[test]
fn hosts_and_origins_that_would_never_match_are_told() {
    let server = mcp_runtime::server().server_info("boot", "1").groups(["good"]);
    let problems =
        server.allow_hosts(["https://mcp.example"]).allow_origins(["*"]).into_router().unwrap_err();
    let text = problems.to_string();
    assert!(text.contains("the allowed host `https://mcp.example` is none: write `mcp.example`"), "{text}");
    assert!(text.contains("the allowed origin `*` is none"), "{text}");
}

#[test]
fn what_no_text_gives_is_told() {
    has(&problems("not text"), "tests/boot/main.rs:", &["prompt `lists`: `words` is text on the wire"]);
}

#[test]
fn headers_that_no_client_can_find_are_told() {
    has(
        &problems("headers"),
        "tests/boot/main.rs:",
        &["tool `in_a_list`", "`places[].zone`: a client cannot find what `Mcp-Param-Zone` mirrors"],
    );
}

#[test]
fn schemas_that_cannot_be_served_are_told() {
    let found = problems("written");
    has(&found, "tests/boot/main.rs:", &["tool `without_type`", "\"type\": \"object\""]);
    has(&found, "tests/boot/main.rs:", &["tool `elsewhere`", "cannot be used"]);
}

#[test]
fn the_protocols_own_methods_are_not_the_authors() {
    has(&problems("reserved"), "tests/boot/main.rs:", &["method `tools/list` is one of the protocol's own"]);
}

#[test]
fn nothing_selected_names_the_selection() {
    assert_eq!(
        problems("defualts"),
        ["nothing is registered in the group `defualts`: did you mean `defaults`?"],
        "and not that the server has no name"
    );
    let server = || mcp_runtime::server().server_info("boot", "1");
    let told = |server: mcp_runtime::Server| server.into_router().unwrap_err().to_string();
    assert!(told(server().crates(["mcp-runtime-test"])).contains("did you mean `mcp-runtime-tests`?"));
    assert!(told(server().groups(Vec::<String>::new())).contains("`.groups([])` selects nothing"));
}

#[test]
fn versions_that_do_not_exist_are_told() {
    let server = || mcp_runtime::server().server_info("boot", "1").groups(["good"]);
    let told = |server: mcp_runtime::Server| server.into_router().expect_err("wrong").to_string();
    assert!(
        told(server().modern_versions(["2025-11-25"]))
            .contains("`2025-11-25` is no revision of the modern era")
    );
    assert!(told(server().handshake_versions(["yesterday"])).contains("there are 2025-11-25, 2025-06-18"));
    assert!(told(server().modern_versions(Vec::<String>::new())).contains("`.without_modern_era()`"));
    assert!(told(server().modern_only().without_modern_era()).contains("no era is served"));
}

#[test]
fn problems_are_a_list_that_people_can_read() {
    let problems = mcp_runtime::server()
        .server_info("boot", "1")
        .groups(["completions"])
        .into_router()
        .expect_err("wrong");
    let text = format!("{problems:?}");
    assert!(text.starts_with("3 problems found\n  tests/boot/main.rs:"), "{text}");
    let error: Box<dyn std::error::Error + Send + Sync> = problems.clone().into();
    assert!(error.to_string().contains("3 problems"));
    let error = mcp_runtime::Error::from(problems);
    assert!(error.to_string().starts_with("3 problems found, nothing is served\n"));
}

#[test]
fn a_state_that_has_to_be_made_needs_somebody_who_waits() {
    let server = mcp_runtime::server().server_info("boot", "1").groups(["stateful"]);
    let server = server.state_with(|| async { Ok::<_, String>(stateful::Database) });
    assert!(
        server.into_router().expect_err("a router does not wait").to_string().contains("`.state_with(…)`")
    );
}

#[test]
fn run_time_tools_are_checked_too() {
    let tool = |name: &str, schema| mcp::Tool::new(name, schema, |_: Value, _: mcp::Context| async { "" });
    let told = |tool| {
        let server = mcp_runtime::server().server_info("boot", "1").groups(["good"]).tool(tool);
        server.into_router().err().map(|problems| problems.to_string()).unwrap_or_default()
    };
    let object = || json!({"type": "object"});
    assert_eq!(told(tool("fine", object())), "");
    assert!(told(tool("good", object())).contains("second tool named `good`"));
    assert!(told(tool("a b", object())).contains("the name \"a b\""));
    assert!(told(tool("x", json!({}))).contains("\"type\": \"object\""));
    let header = json!({"type": "object", "properties": {"n": {"type": "number", "x-mcp-header": "N"}}});
    assert!(told(tool("x", header)).contains("only a string, an integer or a boolean"));
}
