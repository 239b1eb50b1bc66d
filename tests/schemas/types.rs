//! The types that arguments and results are made of, each as a tool that gives back what it takes, with values that it
//! has to take.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::net::{IpAddr, Ipv4Addr};
use std::num::{NonZeroI8, NonZeroU32};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use mcp_runtime::prelude::*;
use serde_json::{Map, json};

/// The group of the tools.
pub const GROUP: &str = "matrix";

impl Row {
    /// What it has to take.
    pub fn values(&self) -> Vec<Value> {
        serde_json::from_value((self.values)()).expect("a list")
    }
}

/// A type by the name of its tool, with values of it.
pub struct Row {
    /// The tool.
    pub name: &'static str,
    values: fn() -> Value,
}

macro_rules! matrix {
    ($($name:ident: $ty:ty = $values:tt;)*) => {
        $(
            /// Gives back what it takes.
            #[mcp::tool(group = "matrix")]
            fn $name(value: $ty) -> mcp::Json<$ty> {
                mcp::Json(value)
            }
        )*
        /// Every type.
        pub const ROWS: &[Row] = &[$(Row { name: stringify!($name), values: || json!($values) }),*];
    };
}

matrix! {
    of_u8: u8 = [0, 255];
    of_u16: u16 = [0, 65535];
    of_u32: u32 = [0, u32::MAX];
    of_u64: u64 = [0, u64::MAX];
    of_usize: usize = [0, 1];
    of_i8: i8 = [-128, 127];
    of_i16: i16 = [i16::MIN, i16::MAX];
    of_i32: i32 = [i32::MIN, i32::MAX];
    of_i64: i64 = [i64::MIN, i64::MAX];
    of_isize: isize = [-1, 1];
    of_u128: u128 = [0, u64::MAX];
    of_i128: i128 = [i64::MIN, i64::MAX];
    non_zero: NonZeroU32 = [1, u32::MAX];
    non_zero_signed: NonZeroI8 = [-128, 1];
    of_f32: f32 = [0, 0.5, -1.5];
    of_f64: f64 = [0, 1e300, -0.25];
    of_bool: bool = [true, false];
    of_char: char = ["a", "é", "𝄞"];
    of_string: String = ["", "a", "ünï \u{2028}"];
    cow: Cow<'static, str> = ["a"];
    arc_str: Arc<str> = ["a"];
    boxed_str: Box<str> = ["a"];
    path: PathBuf = ["/a/b"];
    date: NaiveDate = ["2026-11-30"];
    time: NaiveTime = ["12:30:00"];
    instant: DateTime<Utc> = ["2026-11-30T12:30:00Z"];
    id: uuid::Uuid = ["67e55044-10b1-426f-9247-bb680e5fe0c8"];
    address: url::Url = ["https://example.com/a?b=c"];
    ip: IpAddr = ["127.0.0.1", "::1"];
    ipv4: Ipv4Addr = ["127.0.0.1"];
    duration: Duration = [{"secs": 1, "nanos": 5}];
    bytes: Vec<u8> = [[], [0, 255]];
    optional_u8: Option<u8> = [0, 255];
    optional_i64: Option<i64> = [i64::MIN];
    optional_f64: Option<f64> = [0.5];
    optional_bool: Option<bool> = [true];
    optional_char: Option<char> = ["a"];
    optional_string: Option<String> = [""];
    optional_list: Option<Vec<u8>> = [[], [1]];
    optional_unit: Option<Unit> = ["Celsius"];
    optional_struct: Option<Plain> = [{"n": 1, "text": "a"}];
    optional_tree: Option<Tree> = [{"name": "a", "children": []}];
    optional_date: Option<NaiveDate> = ["2026-11-30"];
    list: Vec<String> = [[], ["a", "b"]];
    queue: VecDeque<i16> = [[], [1, -1]];
    lists: Vec<Vec<i32>> = [[], [[], [1, 2]]];
    list_of_optional: Vec<Option<u8>> = [[1, null]];
    list_of_structs: Vec<Plain> = [[{"n": 1, "text": "a"}]];
    set: BTreeSet<String> = [[], ["a", "b"]];
    array: [u8; 3] = [[1, 2, 3]];
    tuple: (u8, String) = [[1, "a"]];
    tuple_of_one: (u8,) = [[1]];
    tuple_of_equals: (f64, f64) = [[1, 2.5]];
    tuple_of_structs: (Plain, Option<Plain>, bool) = [[{"n": 1, "text": "a"}, null, true]];
    map: BTreeMap<String, u32> = [{}, {"a": 1, "b c": 2}];
    map_by_number: BTreeMap<u32, String> = [{}, {"1": "a"}];
    map_of_lists: HashMap<String, Vec<bool>> = [{"a": [true]}];
    map_of_structs: BTreeMap<String, Plain> = [{"a": {"n": 1, "text": "a"}}];
    map_by_unit: BTreeMap<Unit, u8> = [{"Celsius": 1}];
    anything: Value = [null, 1, "a", [1], {"a": 1}];
    any_object: Map<String, Value> = [{}, {"a": [1]}];
    list_of_anything: Vec<Value> = [[1, "a", null]];
    plain: Plain = [{"n": 1, "text": "a"}];
    nested: Nested = [{"plain": {"n": 1, "text": "a"}, "list": [{"n": 2, "text": ""}], "maybe": {"n": 3, "text": "c"}}, {"plain": {"n": 1, "text": "a"}, "list": []}];
    tree: Tree = [{"name": "a", "children": [{"name": "b", "children": []}]}];
    chain: Chain = [{"n": 1}, {"n": 1, "next": {"n": 2, "next": {"n": 3}}}];
    even: Even = [{"odd": {"even": {}}}];
    empty: Empty = [{}];
    arc: Arc<Plain> = [{"n": 1, "text": "a"}];
    boxed: Box<Plain> = [{"n": 1, "text": "a"}];
    newtype: Id = [7];
    newtype_of_text: Name = ["a"];
    newtype_of_struct: Wrapped = [{"n": 1, "text": "a"}];
    tuple_struct: Pair = [[1, "a"]];
    transparent: Transparent = [5];
    generic: Page<Plain> = [{"items": [{"n": 1, "text": "a"}], "next": 2}, {"items": []}];
    renamed: Renamed = [{"@id": 1, "camelCase": "a"}];
    aliased: Aliased = [{"name": "a"}];
    defaulted: Defaulted = [{}, {"limit": 5, "text": "a"}];
    defaulted_as_a_whole: DefaultedAsAWhole = [{}, {"a": 5}, {"b": "c"}];
    skipped: Skipped = [{"kept": 1}];
    sparse: Sparse = [{}, {"a": 1}];
    flattened: Flattened = [{"own": true, "n": 1, "text": "a"}];
    flattened_map: FlattenedMap = [{"own": true, "x": 1, "y": 2}];
    flattened_enum: FlattenedEnum = [{"own": true, "kind": "Circle", "r": 1}];
    strict: Strict = [{"a": 1}];
    constrained: Constrained = [{"count": 1, "code": "ab", "tags": ["x"]}, {"count": 10, "code": "zz", "tags": ["a", "b"], "share": 0.5}];
    constrained_by_schemars: ConstrainedBySchemars = [{"count": 1, "code": "ab"}];
    unit: Unit = ["Celsius", "Fahrenheit"];
    documented_unit: Documented = ["fast", "slow"];
    unit_of_one: Only = ["Only"];
    external: External = ["Nothing", {"One": 1}, {"Two": [1, "a"]}, {"Fields": {"a": 1}}];
    internal: Internal = [{"kind": "Nothing"}, {"kind": "Fields", "a": 1}, {"kind": "Plain", "n": 1, "text": "a"}];
    adjacent: Adjacent = [{"t": "Nothing"}, {"t": "One", "c": 1}, {"t": "Fields", "c": {"a": 1}}];
    untagged: Untagged = [1, "a", {"a": 1}, [1, 2]];
    untagged_alike: UntaggedAlike = [{"a": 1}, {"b": 1}];
    recursive_enum: Term = [{"Number": 1}, {"Sum": [{"Number": 1}, {"Negated": {"Number": 2}}]}];
    list_of_unions: Vec<External> = [["Nothing", {"One": 1}]];
    optional_union: Option<Internal> = [{"kind": "Fields", "a": 1}];
}

/// A struct.
#[derive(mcp::Data)]
pub struct Plain {
    /// A number.
    n: i32,
    text: String,
}

#[derive(mcp::Data)]
pub struct Nested {
    plain: Plain,
    list: Vec<Plain>,
    /// Perhaps.
    maybe: Option<Plain>,
}

#[derive(mcp::Data)]
pub struct Tree {
    name: String,
    children: Vec<Tree>,
}

#[derive(mcp::Data)]
pub struct Chain {
    n: u8,
    next: Option<Box<Chain>>,
}

#[derive(mcp::Data)]
pub struct Even {
    odd: Option<Box<Odd>>,
}

#[derive(mcp::Data)]
pub struct Odd {
    even: Option<Even>,
}

#[derive(mcp::Data)]
pub struct Empty {}

#[derive(mcp::Data)]
pub struct Id(u32);

#[derive(mcp::Data)]
pub struct Name(String);

#[derive(mcp::Data)]
pub struct Wrapped(Plain);

#[derive(mcp::Data)]
pub struct Pair(u8, String);

#[derive(mcp::Data)]
#[serde(transparent)]
pub struct Transparent {
    n: u8,
}

#[derive(mcp::Data)]
pub struct Page<T> {
    items: Vec<T>,
    next: Option<u64>,
}

#[derive(mcp::Data)]
#[serde(rename_all = "camelCase")]
pub struct Renamed {
    #[serde(rename = "@id")]
    id: u8,
    camel_case: String,
}

#[derive(mcp::Data)]
pub struct Aliased {
    #[serde(alias = "title")]
    name: String,
}

#[derive(mcp::Data)]
pub struct Defaulted {
    #[arg(default = 10, range = 1..=100)]
    limit: u8,
    #[serde(default)]
    text: String,
}

#[derive(mcp::Data, Default)]
#[serde(default)]
pub struct DefaultedAsAWhole {
    a: u8,
    b: String,
}

#[derive(mcp::Data)]
pub struct Skipped {
    kept: u8,
    #[serde(skip)]
    _left_out: u8,
}

#[derive(mcp::Data)]
pub struct Sparse {
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
}

#[derive(mcp::Data)]
pub struct Flattened {
    own: bool,
    #[serde(flatten)]
    plain: Plain,
}

#[derive(mcp::Data)]
pub struct FlattenedMap {
    own: bool,
    #[serde(flatten)]
    more: BTreeMap<String, u8>,
}

#[derive(mcp::Data)]
pub struct FlattenedEnum {
    own: bool,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(mcp::Data)]
#[serde(tag = "kind")]
pub enum Shape {
    Circle { r: u8 },
    Square { side: u8 },
}

#[derive(mcp::Data)]
#[serde(deny_unknown_fields)]
pub struct Strict {
    a: u8,
}

#[derive(mcp::Data)]
pub struct Constrained {
    #[arg(range = 1..=10)]
    count: u8,
    #[arg(length = 2, pattern = "^[a-z]+$")]
    code: String,
    #[arg(length = 1..=2)]
    tags: Vec<String>,
    #[arg(range = 0.0..1.0)]
    share: Option<f64>,
}

#[derive(mcp::Data)]
pub struct ConstrainedBySchemars {
    #[schemars(range(min = 1, max = 10))]
    count: u8,
    #[schemars(length(min = 2, max = 2), regex(pattern = "^[a-z]+$"))]
    code: String,
}

#[derive(mcp::Data, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    Celsius,
    Fahrenheit,
}

/// How.
#[derive(mcp::Data)]
#[serde(rename_all = "snake_case")]
pub enum Documented {
    /// In a hurry.
    Fast,
    /// With care.
    Slow,
}

#[derive(mcp::Data)]
pub enum Only {
    Only,
}

#[derive(mcp::Data)]
pub enum External {
    Nothing,
    One(u8),
    Two(u8, String),
    Fields { a: u8 },
}

#[derive(mcp::Data)]
#[serde(tag = "kind")]
pub enum Internal {
    Nothing,
    Fields { a: u8 },
    Plain(Plain),
}

#[derive(mcp::Data)]
#[serde(tag = "t", content = "c")]
pub enum Adjacent {
    Nothing,
    One(u8),
    Fields { a: u8 },
}

#[derive(mcp::Data)]
#[serde(untagged)]
pub enum Untagged {
    Number(u8),
    Text(String),
    Fields { a: u8 },
    List(Vec<u8>),
}

#[derive(mcp::Data)]
#[serde(untagged)]
pub enum UntaggedAlike {
    A { a: u8 },
    B { b: u8 },
}

#[derive(mcp::Data)]
pub enum Term {
    Number(i64),
    Negated(Box<Term>),
    Sum(Vec<Term>),
}
