//! Arguments of recursive and large types.

use mcp_runtime::prelude::*;
use serde_json::json;

use crate::{call, text};

/// A term: every variant but one has a member of the same name.
#[derive(mcp::Args)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Term {
    Neg { arg: Box<Term> },
    Abs { arg: Box<Term> },
    Sqrt { arg: Box<Term> },
    Sum { args: Vec<Term> },
    Num { value: i64 },
}

/// Works a term out.
#[mcp::tool(group = "terms")]
fn work_out(term: Term) -> i64 {
    fn of(term: Term) -> i64 {
        match term {
            Term::Neg { arg } => -of(*arg),
            Term::Abs { arg } => of(*arg).abs(),
            Term::Sqrt { arg } => of(*arg).isqrt(),
            Term::Sum { args } => args.into_iter().map(of).sum(),
            Term::Num { value } => value,
        }
    }
    of(term)
}

fn nested(depth: usize, value: Value) -> Value {
    (0..depth).fold(json!({"op": "num", "value": value}), |arg, _| json!({"op": "abs", "arg": arg}))
}

#[test]
fn a_recursive_union_is_read_however_deep_it_is() {
    // A float at the bottom has everything above it looked at for what may be an integer.
    assert_eq!(text(&call("terms", "work_out", &json!({"term": nested(50, json!(7.0))}))), "7");
}

#[test]
fn what_is_wrong_deep_within_a_recursive_union_is_told_with_its_place() {
    let result = call("terms", "work_out", &json!({"term": nested(40, json!("x"))}));
    let path = ["arg"; 40].join(".");
    assert_eq!(
        text(&result),
        format!("Invalid arguments for tool `work_out`:\n- `term.{path}.value`: expected integer, got \"x\"")
    );
    assert_eq!(result["isError"], true);
}

#[derive(mcp::Args)]
struct Point {
    x: f64,
    y: f64,
}

/// Joins points.
#[mcp::tool(group = "points")]
fn join(points: Vec<Point>) -> f64 {
    points.iter().map(|point| point.x + point.y).sum()
}

#[test]
fn a_thousand_faults_are_told_in_a_short_text() {
    let points: Vec<Value> = (0..10_000).map(|_| json!({})).collect();
    let result = call("points", "join", &json!({"points": points, "other": 1}));
    let told = text(&result);
    assert!(told.len() < 4096, "{} bytes", told.len());
    assert!(told.contains("`points[0].x`: missing; expected number"), "{told}");
    assert!(told.ends_with("\n- and more"), "{told}");

    let unknown: serde_json::Map<String, Value> = (0..10_000).map(|n| (format!("n{n}"), json!(n))).collect();
    let told = text(&call("points", "join", &Value::Object(unknown))).to_owned();
    assert!(told.len() < 4096, "{} bytes", told.len());
}

/// Takes whole numbers of every size.
#[mcp::tool(group = "numbers")]
fn count(n: i64) -> i64 {
    n
}

#[test]
fn a_number_is_taken_as_it_was_written_or_not_at_all() {
    let counted = |raw: &str| {
        let result =
            call("numbers", "count", &json!({"n": serde_json::from_str::<Value>(raw).expect("JSON")}));
        (result["isError"] == true, text(&result).to_owned())
    };
    for (raw, number) in [
        ("42.0", "42"),
        ("-4.2e1", "-42"),
        ("9007199254740991.0", "9007199254740991"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
    ] {
        assert_eq!(counted(raw), (false, number.to_owned()), "{raw}");
    }
    for raw in ["-9223372036854775809", "9223372036854775808", "9007199254740993.0", "1.5"] {
        assert!(counted(raw).0, "{raw} is refused");
    }
}

/// What an order may be.
#[derive(mcp::Args)]
enum Order {
    Nothing,
    Book { title: String },
    Record { artist: String },
}

/// Orders something.
#[mcp::tool(group = "orders")]
fn order(order: Order) -> String {
    match order {
        Order::Nothing => "nothing".to_owned(),
        Order::Book { title } => title,
        Order::Record { artist } => artist,
    }
}

#[test]
fn what_a_union_takes_is_named() {
    let told = |order| text(&call("orders", "order", &json!({"order": order}))).to_owned();
    let forms = r#"`order`: expected one of "Nothing", {"Book": …}, {"Record": …}"#;
    assert!(
        told(json!({"Bok": {}}))
            .contains(&format!(r#"{forms}, got {{"Bok":{{}}}}; did you mean {{"Book": …}}?"#))
    );
    assert!(told(json!({"Book": {}})).contains("`order.Book.title`: missing; expected string"));
    assert!(told(json!(7)).contains(&format!("{forms}, got 7")));
}

/// Counts by number.
#[mcp::tool(group = "maps")]
fn by_number(names: std::collections::BTreeMap<u32, String>) -> usize {
    names.len()
}

#[test]
fn keys_of_a_map_are_judged() {
    assert_eq!(text(&call("maps", "by_number", &json!({"names": {"1": "a"}}))), "1");
    let told = text(&call("maps", "by_number", &json!({"names": {"one": "a"}}))).to_owned();
    assert!(told.contains("`names.one`: a name of another form is expected"), "{told}");
}

#[derive(mcp::Args)]
enum Urgency {
    Urgent,
    Normal,
}

/// Orders something.
#[mcp::tool(group = "orders")]
fn send(urgency: Urgency, day: chrono::NaiveDate, count: u64, #[arg(default = 1)] weight: i64) -> String {
    let urgent = matches!(urgency, Urgency::Urgent) && !matches!(urgency, Urgency::Normal);
    format!("{urgent} {day} {count} {weight}")
}

#[test]
fn faults_are_told_in_words_of_json() {
    let told = |arguments: Value| text(&call("orders", "send", &arguments)).to_owned();
    assert_eq!(
        told(json!({"weight": 1})),
        "Invalid arguments for tool `send`:\n- `urgency`: missing; expected one of \"Urgent\", \"Normal\"\n\
         - `day`: missing; expected date\n- `count`: missing; expected integer"
    );
    assert_eq!(
        told(json!({"urgency": "Urgnt", "day": "2026-12-01", "count": 1})),
        "Invalid arguments for tool `send`:\n\
         - `urgency`: expected one of \"Urgent\", \"Normal\", got \"Urgnt\"; did you mean \"Urgent\"?"
    );
    assert_eq!(
        told(json!({"urgency": "Urgent", "day": "2026-12-01", "count": 1e30, "weight": 1e30})),
        "Invalid arguments for tool `send`:\n\
         - `count`: expected an integer from 0 to 18446744073709551615, got 1e+30\n\
         - `weight`: expected an integer from -9223372036854775808 to 9223372036854775807, got 1e+30"
    );
}

#[test]
fn names_are_told_at_a_readable_length() {
    let name = "n".repeat(1_000_000);
    let told = text(&call(
        "orders",
        "send",
        &json!({"urgency": "Urgent", "day": "2026-12-01", "count": 1, (&*name): 1}),
    ))
    .to_owned();
    assert!(
        told.len() < 1000 && told.contains(&format!("`{}…`: unknown argument", "n".repeat(128))),
        "{}",
        told.len()
    );
    let told =
        text(&call("orders", "send", &json!({"urgency": "Urgent", "day": "2026-12-01", "count": 1, "": 1})))
            .to_owned();
    assert!(told.contains("`\"\"`: unknown argument"), "{told}");
}
