//! Lists in pages.

use mcp_runtime::prelude::*;
use mcp_runtime_tests::listen::listen;
use serde_json::json;

use crate::{ask, server};

macro_rules! tools {
    ($($name:ident)*) => {$(
        /// One of several.
        #[mcp::tool(group = "pages")]
        async fn $name() {}
    )*};
}

tools!(a b c d e);

fn page(address: std::net::SocketAddr, method: &str, cursor: Option<&Value>) -> Value {
    let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
    ask(address, method, params, &[]).message()
}

fn names(page: &Value) -> Vec<&str> {
    let tools = page["result"]["tools"].as_array().unwrap_or_else(|| panic!("{page}"));
    tools.iter().filter_map(|tool| tool["name"].as_str()).collect()
}

#[test]
fn a_list_is_given_in_pages_and_each_entry_once() {
    let server = server("pages").page_size(2);
    let handle = server.handle();
    let address = listen(move || server);
    let first = page(address, "tools/list", None);
    assert_eq!(names(&first), ["a", "b"]);
    let second = page(address, "tools/list", Some(&first["result"]["nextCursor"]));
    assert_eq!(names(&second), ["c", "d"]);
    let third = page(address, "tools/list", Some(&second["result"]["nextCursor"]));
    assert_eq!((names(&third), third["result"].get("nextCursor")), (vec!["e"], None));
    // A cursor that was given is good although the list changes, also for who reads on behind what is gone.
    handle.disable("a").expect("it is there");
    let again = page(address, "tools/list", Some(&first["result"]["nextCursor"]));
    assert_eq!(names(&again), ["c", "d"]);
    handle.disable("b").expect("it is there");
    let again = page(address, "tools/list", Some(&second["result"]["nextCursor"]));
    assert_eq!(names(&again), ["e"]);
    // One that was not, or for another list, is not.
    for (method, cursor) in [
        ("tools/list", json!("MQ")),
        ("tools/list", json!("")),
        ("tools/list", json!(2)),
        ("prompts/list", first["result"]["nextCursor"].clone()),
    ] {
        let refused = page(address, method, Some(&cursor));
        let expected = if method == "prompts/list" { -32601 } else { -32602 };
        assert_eq!(refused["error"]["code"], expected, "{method} {cursor}");
    }
    // One page that holds all says nothing of another.
    let whole = listen(|| crate::server("pages").page_size(5));
    assert_eq!(page(whole, "tools/list", None)["result"].get("nextCursor"), None);
}
