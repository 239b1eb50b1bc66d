//! What `#[serde(…)]` and `#[schemars(…)]` say is heard.

#![deny(warnings)]
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::marker::PhantomData;

use mcp_runtime::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

fn one() -> u32 {
    1
}

/// Everything.
#[derive(mcp::Data, Debug, PartialEq)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Everything {
    /// The first.
    #[serde(alias = "premier")]
    first_one: String,
    #[serde(default = "one")]
    second: u32,
    #[arg(name = "third-one", default = 3, range = 1..=3, title = "Third")]
    third: u32,
    #[arg(length = 1..=2, description = "The fourth.")]
    fourth: Vec<Self>,
    #[serde(skip)]
    skipped: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fifth: Option<Box<Self>>,
    #[schemars(extend("examples" = [1]))]
    #[arg(pattern = "^x")]
    sixth: Option<String>,
    r#type: u8,
}

#[derive(mcp::Data, Debug, PartialEq)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Tagged {
    /// One.
    First { number: u8 },
    Second(Inner),
    Third,
}

#[derive(mcp::Data, Debug, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Text(String),
}

#[derive(mcp::Data, Debug, PartialEq)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    A(u8, u8),
    B,
}

#[derive(mcp::Data, Debug, PartialEq)]
enum External {
    A(u8),
    B {
        #[arg(default = 5)]
        b: u8,
    },
    C,
}

#[derive(mcp::Data, Debug, PartialEq)]
struct Inner {
    #[serde(flatten)]
    more: BTreeMap<String, u8>,
}

#[derive(mcp::Data, Debug, PartialEq)]
struct Newtype(String);

#[derive(mcp::Data, Debug, PartialEq)]
#[serde(transparent)]
struct Transparent {
    inner: Newtype,
}

#[derive(mcp::Data, Debug, PartialEq)]
struct Tuple(u8, #[arg(range = 1..)] u16);

#[derive(mcp::Data, Debug, PartialEq)]
struct Unit;

#[derive(mcp::Data, Debug, PartialEq)]
struct Empty {}

#[derive(mcp::Data, Debug, PartialEq)]
#[serde(default)]
struct Defaulted {
    count: u32,
    text: String,
}

impl Default for Defaulted {
    fn default() -> Self {
        Self { count: 7, text: "seven".to_owned() }
    }
}

#[derive(mcp::Data, Debug, PartialEq, Clone)]
#[serde(try_from = "String", into = "String")]
struct Even(String);

impl TryFrom<String> for Even {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.len() % 2 == 0 { Ok(Self(text)) } else { Err("odd".to_owned()) }
    }
}

impl From<Even> for String {
    fn from(even: Even) -> Self {
        even.0
    }
}

#[derive(mcp::Data, Debug, PartialEq)]
#[serde(crate = "serde", rename = "Other")]
#[schemars(crate = "schemars")]
struct OwnCrate {
    a: u8,
}

#[derive(mcp::Data, Debug, PartialEq)]
#[serde(bound = "T: Serialize + for<'a> Deserialize<'a>")]
struct Bound<T> {
    inner: Vec<T>,
}

/// A pair.
#[derive(mcp::Data, Debug, PartialEq)]
struct Pair<A, B: Clone = u8>
where
    A: PartialEq,
{
    #[arg(default)]
    a: A,
    #[serde(default)]
    b: Option<B>,
    #[serde(skip)]
    marker: PhantomData<B>,
}

#[derive(mcp::Data, Debug, PartialEq)]
struct Fixed<const N: usize> {
    list: Vec<[u8; 2]>,
}

trait Has {
    type It;
}

#[derive(Debug, PartialEq)]
struct Its;

impl Has for Its {
    type It = u8;
}

#[derive(mcp::Data, Debug, PartialEq)]
struct Projected<T: Has>
where
    T::It: PartialEq + std::fmt::Debug,
{
    it: T::It,
}

#[derive(mcp::Output)]
struct Borrowed<'a> {
    text: &'a str,
}

#[track_caller]
fn round<T>(value: Value, expected: &T)
where
    T: Serialize + for<'a> Deserialize<'a> + std::fmt::Debug + PartialEq,
{
    let read: T = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(&read, expected);
    assert_eq!(serde_json::to_value(&read).unwrap(), value);
}

fn schema<T: schemars::JsonSchema>() -> Value {
    let mut value = schemars::schema_for!(T).to_value();
    value.as_object_mut().unwrap().remove("$schema");
    value
}

/// Tools take them all.
#[mcp::tool]
async fn takes(
    everything: Everything,
    tagged: Tagged,
    untagged: Untagged,
    adjacent: Adjacent,
    external: External,
    transparent: Transparent,
    tuple: Tuple,
    unit: Unit,
    empty: Empty,
    defaulted: Defaulted,
    even: Even,
    own: OwnCrate,
    pair: Pair<String, u8>,
    other: Option<Pair<u8>>,
    fixed: Fixed<2>,
    projected: Projected<Its>,
    #[x_mcp_header] newtype: Newtype,
) -> mcp::Json<Everything> {
    let _ = (tagged, untagged, adjacent, external, transparent, tuple, unit, empty, defaulted, even, own, pair);
    let _ = (other, fixed, projected, newtype);
    mcp::Json(everything)
}

fn main() {
    mcp_runtime_ui_tests::boots(mcp_runtime::server());

    let everything = Everything {
        first_one: "a".to_owned(),
        second: 1,
        third: 3,
        fourth: vec![],
        skipped: None,
        fifth: None,
        sixth: None,
        r#type: 9,
    };
    let read: Everything =
        serde_json::from_value(json!({"premier": "a", "fourth": [], "type": 9})).unwrap();
    assert_eq!(read, everything);
    assert!(serde_json::from_value::<Everything>(json!({"firstOne": "a", "fourth": [], "type": 9, "x": 1})).is_err());
    let shown = schema::<Everything>();
    assert_eq!(shown["title"], "Everything");
    assert_eq!(shown["description"], "Everything.");
    assert_eq!(shown["required"], json!(["firstOne", "fourth", "type"]));
    let of = &shown["properties"];
    assert_eq!(of["firstOne"], json!({"type": "string", "description": "The first."}));
    assert_eq!(of["second"]["default"], 1);
    assert_eq!(of["third-one"]["title"], "Third");
    assert_eq!((&of["third-one"]["default"], &of["third-one"]["maximum"]), (&json!(3), &json!(3)));
    assert_eq!((&of["fourth"]["minItems"], &of["fourth"]["description"]), (&json!(1), &json!("The fourth.")));
    assert_eq!((&of["sixth"]["pattern"], &of["sixth"]["examples"]), (&json!("^x"), &json!([1])));
    assert_eq!(of.get("skipped"), None);

    round(json!({"kind": "first", "number": 5}), &Tagged::First { number: 5 });
    round(json!({"kind": "second", "a": 1}), &Tagged::Second(Inner { more: [("a".to_owned(), 1)].into() }));
    round(json!(5), &Untagged::Number(5));
    round(json!({"t": "A", "c": [1, 2]}), &Adjacent::A(1, 2));
    round(json!({"B": {"b": 6}}), &External::B { b: 6 });
    assert_eq!(serde_json::from_value::<External>(json!({"B": {}})).unwrap(), External::B { b: 5 });
    round(json!("x"), &Transparent { inner: Newtype("x".to_owned()) });
    round(json!([1, 2]), &Tuple(1, 2));
    round(json!(null), &Unit);
    round(json!({}), &Empty {});
    round(json!("ab"), &Even("ab".to_owned()));
    assert!(serde_json::from_value::<Even>(json!("abc")).is_err());
    round(json!({"a": 1}), &OwnCrate { a: 1 });
    round(json!({"inner": [1]}), &Bound { inner: vec![1_u8] });
    round(json!({"a": "x", "b": 1}), &Pair { a: "x".to_owned(), b: Some(1_u8), marker: PhantomData });
    round(json!({"list": [[1, 2]]}), &Fixed::<2> { list: vec![[1, 2]] });
    round(json!({"it": 5}), &Projected::<Its> { it: 5 });
    assert_eq!(serde_json::to_value(Borrowed { text: "a" }).unwrap(), json!({"text": "a"}));

    let read: Defaulted = serde_json::from_value(json!({"count": 1})).unwrap();
    assert_eq!(read, Defaulted { count: 1, text: "seven".to_owned() });
    assert_eq!(schema::<Defaulted>()["properties"]["text"]["default"], "seven");
    assert_eq!(schema::<Pair<u8, String>>()["title"], "Pair_for_uint8_and_string");
    assert_eq!(schema::<OwnCrate>()["title"], "Other");
    assert_eq!(schema::<Tagged>()["oneOf"][0]["description"], "One.");
    let error = serde_json::from_value::<Newtype>(json!(5)).unwrap_err().to_string();
    assert!(!error.contains("Shadow"), "{error}");
    let error = serde_json::from_value::<Empty>(json!(5)).unwrap_err().to_string();
    assert!(error.contains("struct Empty"), "{error}");
}
