//! What HTTP brings between a client and its answer: proxies, browsers, media types, paths and methods.

use std::net::SocketAddr;

use mcp_runtime::prelude::*;
use mcp_runtime_tests::raw::{Answer, exchange, send};
use serde_json::json;

use crate::client::{
    HANDSHAKE, MODERN, ask, bare, call, code, headers, initialize, listen, modern, note, post, request,
    send_as, server, text,
};

/// Says it again.
#[mcp::tool(group = "http")]
fn echo(text: String) -> String {
    text
}

/// Has a mirrored argument.
#[mcp::tool(group = "http")]
fn routed(#[x_mcp_header("Region")] region: Option<String>) -> String {
    format!("{region:?}")
}

/// Tells how far it has come.
#[mcp::tool(group = "http")]
async fn tells(ctx: mcp::Context) -> &'static str {
    ctx.progress(1).await;
    ctx.progress(2).await;
    "done"
}

fn http() -> SocketAddr {
    listen(|| server("http"))
}

/// A call of `echo`, in the era of that revision.
fn echoing(revision: &str) -> Value {
    request(revision, 1, "tools/call", json!({"name": "echo", "arguments": {"text": "a"}}))
}

fn content_type(answer: &Answer) -> &str {
    answer.header("content-type").unwrap_or_default()
}

/// fastmcp#1664, go-sdk#853, claude-code#45368: 406 for clients that exist.
#[test]
fn fc_15_an_answer_has_the_form_that_its_client_takes() {
    let address = http();
    let (json, events) = ("application/json", "text/event-stream");
    for revision in [HANDSHAKE, MODERN] {
        let quiet = echoing(revision);
        let telling =
            request(revision, 1, "tools/call", json!({"name": "tells", "_meta": {"progressToken": 1}}));
        for (accept, quiet_as, telling_as) in [
            ("*/*", json, events),
            ("application/*, text/*", json, events),
            ("application/json", json, json),
            ("text/event-stream", events, events),
            ("application/json, text/event-stream", json, events),
            ("text/event-stream,application/json", json, events),
            ("application/json;q=0.9, text/event-stream;q=0.1", json, events),
            ("application/json; charset=utf-8", json, json),
            ("APPLICATION/JSON, TEXT/EVENT-STREAM", json, events),
            ("text/html, application/json", json, json),
            ("", json, events),
        ] {
            for (message, form) in [(&quiet, quiet_as), (&telling, telling_as)] {
                let answer = post(address, message, &[("Accept", accept)]);
                assert_eq!((answer.status, content_type(&answer)), (200, form), "{revision} {accept}");
                assert_eq!(answer.message()["id"], 1, "{revision} {accept}");
            }
        }
        let mut none = headers(&quiet, &[]);
        none.retain(|(name, _)| name != "Accept");
        assert_eq!(content_type(&send_as(address, &none, quiet.to_string().as_bytes())), json, "{revision}");
        let twice = [("Accept", "application/json"), ("Accept", "text/event-stream")];
        assert_eq!(content_type(&post(address, &telling, &twice)), events, "{revision}");
        for accept in ["text/html", "image/*, text/html;q=0.9", "application/json;q=0, text/event-stream;q=0"]
        {
            let answer = post(address, &quiet, &[("Accept", accept)]);
            assert_eq!((answer.status, content_type(&answer)), (406, json), "{revision} {accept}");
        }
    }
}

/// go-sdk#878, typescript-sdk#2441, CVE-2026-33252: 415 for a charset, or none for what any page may send.
#[test]
fn fc_16_a_body_is_json_by_its_media_type() {
    let address = http();
    for revision in [HANDSHAKE, MODERN] {
        let message = echoing(revision);
        let with = |kind: &str| post(address, &message, &[("Content-Type", kind)]);
        for kind in [
            "application/json; charset=utf-8",
            "APPLICATION/JSON",
            "application/json;charset=\"utf-8\"",
            " application/json",
        ] {
            assert_eq!(with(kind).status, 200, "{revision} {kind}");
        }
        for kind in [
            "text/plain;application/json",
            "application/jsonp",
            "application/vnd.x+json",
            "text/plain",
            "application/json, text/plain",
            "",
            "*/*",
        ] {
            assert_eq!(with(kind).status, 415, "{revision} {kind}");
        }
        let twice = [("Content-Type", "application/json"), ("Content-Type", "text/plain")];
        assert_eq!(post(address, &message, &twice).status, 415, "{revision}");
        let mut none = headers(&message, &[]);
        none.retain(|(name, _)| name != "Content-Type");
        // Before anything is read.
        assert_eq!(send_as(address, &none, b"{bad").status, 415, "{revision}");
    }
}

/// python-sdk#732, #1168: a redirect that turns a POST into a GET, or sends it elsewhere.
#[test]
fn fc_17_the_endpoint_answers_on_its_path_and_never_redirects() {
    let address = http();
    let direct = |path: &str| {
        let message = echoing(MODERN).to_string();
        let mut headers = headers(&echoing(MODERN), &[]);
        headers.push(("Content-Length".to_owned(), message.len().to_string()));
        send(address, "POST", path, &headers, message.as_bytes())
    };
    let chunked = |path: &str| {
        let message = echoing(MODERN).to_string();
        let mut headers = headers(&echoing(MODERN), &[]);
        headers.push(("Transfer-Encoding".to_owned(), "chunked".to_owned()));
        let (one, two) = message.split_at(10);
        let body = format!("{:x}\r\n{one}\r\n{:x}\r\n{two}\r\n0\r\n\r\n", one.len(), two.len());
        send(address, "POST", path, &headers, body.as_bytes())
    };
    for (path, status) in [
        ("/mcp", 200),
        ("/mcp/", 200),
        ("/mcp?x=1", 200),
        ("/mcp/?x=1", 200),
        ("/mcp//", 404),
        ("//mcp", 404),
        ("//evil.example/mcp", 404),
        ("/mcp/..//evil.example", 404),
        ("/", 404),
    ] {
        for answer in [direct(path), chunked(path)] {
            assert_eq!((answer.status, answer.header("location")), (status, None), "{path}");
        }
    }
    // The same in a router of somebody's own, and behind a layer.
    let layered = listen(|| server("http").layer(axum::middleware::from_fn(pass)));
    for (path, status) in [("/mcp", 200), ("/mcp/", 200), ("/mcp//", 404), ("//evil.example/mcp", 404)] {
        let message = echoing(MODERN).to_string();
        let mut headers = headers(&echoing(MODERN), &[]);
        headers.push(("Content-Length".to_owned(), message.len().to_string()));
        let answer = send(layered, "POST", path, &headers, message.as_bytes());
        assert_eq!((answer.status, answer.header("location")), (status, None), "{path}");
    }
}

async fn pass(request: axum::extract::Request, next: axum::middleware::Next) -> axum::response::Response {
    next.run(request).await
}

/// typescript-sdk#764, python-sdk#1135: a page whose preflight is refused, or that may not read what it needs.
#[test]
fn fc_18_pages_of_allowed_origins_are_told_what_they_may_send_and_read() {
    let refuse = |_: http::request::Parts| async { Err(mcp::Refusal::unauthorized("Bearer")) };
    let address =
        listen(move || server("http").sessions(mcp_runtime::Sessions::default()).authenticate(refuse));
    let asked = "authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, mcp-param-region, last-event-id";
    let origin = ("Origin", "http://localhost:5173");
    let preflight = ask(
        address,
        "OPTIONS",
        "/mcp",
        &[origin, ("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", asked)],
    );
    assert_eq!(preflight.status, 204, "before anybody is asked for a token");
    assert_eq!(preflight.header("access-control-allow-origin"), Some("http://localhost:5173"));
    let list = |answer: &Answer, name: &str| {
        answer.header(name).unwrap_or_default().to_ascii_lowercase().replace(' ', "")
    };
    let (allowed, methods) =
        (list(&preflight, "access-control-allow-headers"), list(&preflight, "access-control-allow-methods"));
    for name in asked.split(", ") {
        assert!(allowed.split(',').any(|known| known == name), "{name} in {allowed}");
    }
    for method in ["post", "get", "delete"] {
        assert!(methods.split(',').any(|known| known == method), "{method} in {methods}");
    }
    let refused = post(address, &echoing(MODERN), &[origin]);
    assert_eq!(refused.status, 401);
    for answer in [&refused, &preflight] {
        assert_eq!(answer.header("access-control-allow-origin"), Some("http://localhost:5173"));
        assert!(list(answer, "vary").contains("origin"), "{:?}", answer.headers);
    }
    let exposed = list(&refused, "access-control-expose-headers");
    for name in ["mcp-session-id", "www-authenticate"] {
        assert!(exposed.split(',').any(|known| known == name), "{name} in {exposed}");
    }
    let foreign = ask(address, "OPTIONS", "/mcp", &[("Origin", "https://evil.example")]);
    assert_eq!((foreign.status, foreign.header("access-control-allow-origin")), (403, None));
}

/// typescript-sdk#2453, php-sdk#283: white space, letter case and repeated lines.
#[test]
fn fc_51_header_names_have_no_case_and_values_no_white_space_around_them() {
    let address = http();
    let message = echoing(MODERN);
    let with = |more: &[(&str, &str)]| {
        let answer = post(address, &message, more);
        (answer.status, code(&answer.message()))
    };
    assert_eq!(with(&[("mcp-METHOD", " \ttools/call \t"), ("MCP-name", "\techo")]), (200, None));
    assert_eq!(with(&[("mcp-protocol-VERSION", "  2026-07-28  ")]), (200, None));
    for more in [
        [("Mcp-Method", "TOOLS/CALL")].as_slice(),
        &[("Mcp-Name", "Echo")],
        &[("Mcp-Name", "\u{a0}echo")],
        &[("Mcp-Method", "tools/call"), ("mcp-method", "tools/list")],
        &[("Mcp-Method", "tools/call, tools/call")],
        &[("Mcp-Name", "echo"), ("Mcp-Name", "routed")],
        &[("Mcp-Name", "echo"), ("Mcp-Name", "echo")],
        &[("MCP-Protocol-Version", "2026-07-28"), ("MCP-Protocol-Version", "2025-11-25")],
    ] {
        assert_eq!(with(more), (400, Some(-32020)), "{more:?}");
    }
}

/// go-sdk#1234: names beyond ASCII are encoded, and what only looks so is not.
#[test]
fn fc_53_encoded_names_are_decoded_and_compared() {
    // One is named in Chinese, one as if it were encoded.
    let address = listen(|| server("encoded"));
    let read = |uri: &str, name: &str| {
        let answer = post(address, &modern(1, "resources/read", json!({"uri": uri})), &[("Mcp-Name", name)]);
        (answer.status, code(&answer.message()))
    };
    // What is read is not there; headers are judged before.
    let (matches, differs) = ((400, Some(-32602)), (400, Some(-32020)));
    assert_eq!(read("取得", "=?base64?5Y+W5b6X?="), matches);
    assert_eq!(read("ab", "=?base64?YWI=?="), matches);
    assert_eq!(read("=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="), matches, "what looks encoded has to be");
    assert_eq!(read("=?BASE64?YWI=?=", "=?BASE64?YWI=?="), matches, "the prefix has lower case");
    for (uri, name) in [
        ("取得", "=?base64?5Y+W5b6Y?="),
        ("ab", "=?base64?YWI?="),
        ("ab", "=?base64?YWJ=?="),
        ("ab", "=?base64?Y WI=?="),
        ("ab", "=?BASE64?YWI=?="),
        ("=?base64?x?=", "=?base64?x?="),
        ("=?base64?YWI=?=", "=?base64?YWI=?="),
        ("ab", "=?base64??="),
        ("取得", "取得"),
        ("ab", "=?base64?/w==?="),
    ] {
        assert_eq!(read(uri, name), differs, "{uri} {name}");
    }
}

#[mcp::resource("encoded://{x}", group = "encoded")]
fn encoded(x: String) -> String {
    x
}

/// go-sdk#757: a proxy makes 502 of a 405 without `Allow`. modelcontextprotocol#2755: a redirect makes a GET of a POST.
#[test]
fn fc_55_methods_that_are_not_served_are_told_those_that_are() {
    let (both, modern_only) = (http(), listen(|| server("http").modern_only()));
    let with_sessions = listen(|| server("http").sessions(mcp_runtime::Sessions::default()));
    for (address, methods, allow) in [
        (both, ["GET", "DELETE", "PUT", "PATCH"].as_slice(), "POST, OPTIONS"),
        (modern_only, &["GET", "DELETE", "PUT", "PATCH"], "POST, OPTIONS"),
        (with_sessions, &["PUT", "PATCH"], "POST, GET, DELETE, OPTIONS"),
    ] {
        for method in methods {
            let answer = ask(address, method, "/mcp", &[]);
            assert_eq!((answer.status, answer.header("allow")), (405, Some(allow)), "{method}");
        }
        let head = exchange(address, b"HEAD /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        assert_eq!((head.status, head.header("allow"), head.text().as_str()), (405, Some(allow), ""));
    }
}

/// modelcontextprotocol#2755: what arrives as a GET without a body was a POST before somebody redirected it.
#[test]
fn fc_58_a_get_is_told_to_be_a_post() {
    for address in [http(), listen(|| server("http").modern_only())] {
        let answer = ask(address, "GET", "/mcp", &[("Accept", "application/json")]);
        let message = answer.message();
        assert_eq!((answer.status, message["jsonrpc"].as_str(), message.get("id")), (405, Some("2.0"), None));
        assert!(message["error"]["message"].to_string().contains("POST"), "{message}");
    }
    let address = listen(|| server("http").sessions(mcp_runtime::Sessions::default()));
    let answer = ask(address, "GET", "/mcp", &[("Accept", "application/json")]);
    assert_eq!((answer.status, answer.message()["jsonrpc"].as_str()), (400, Some("2.0")), "L-32: no session");
}

/// typescript-sdk#1373, rust-sdk#849: a 202 that has a body, or says that it has one.
#[test]
fn fc_56_a_notification_is_answered_by_nothing() {
    let address = http();
    for message in [
        note("notifications/initialized"),
        note("notifications/unknown"),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
    ] {
        let answer = post(address, &message, &[]);
        assert_eq!((answer.status, answer.body.len()), (202, 0), "{message}");
        assert_eq!(
            (answer.header("content-length"), answer.header("content-type")),
            (Some("0"), None),
            "{message}"
        );
    }
}

/// go-sdk, "stateful servers refuse modern clients": two eras on one endpoint, with and without sessions.
#[test]
fn fc_54_a_server_with_sessions_serves_modern_clients() {
    for address in [http(), listen(|| server("http").sessions(mcp_runtime::Sessions::default()))] {
        for id in [None, Some(("Mcp-Session-Id", "of another era"))] {
            let answer = post(address, &modern(1, "tools/list", json!({})), id.as_slice());
            assert_eq!((answer.status, answer.header("mcp-session-id")), (200, None));
            assert_eq!(answer.message()["result"]["tools"].as_array().map(Vec::len), Some(3));
        }
        assert_eq!(
            post(address, &initialize(HANDSHAKE), &[]).message()["result"]["protocolVersion"],
            HANDSHAKE
        );
    }
}

/// mcp-context-forge#5484: what stands between strips headers, adds some, and joins lines.
#[test]
fn fc_76_what_a_gateway_changes_is_told_or_harmless() {
    let address = http();
    let message = echoing(MODERN);
    for stripped in ["Mcp-Method", "Mcp-Name", "MCP-Protocol-Version"] {
        let mut left = headers(&message, &[]);
        left.retain(|(name, _)| name != stripped);
        let answer = send_as(address, &left, message.to_string().as_bytes());
        assert_eq!((answer.status, code(&answer.message())), (400, Some(-32020)), "{stripped}");
        assert!(answer.text().contains(stripped), "{stripped} in {}", answer.text());
    }
    let routed = call(1, "routed", json!({"region": "eu"}));
    let answer = post(address, &routed, &[]).message();
    assert!(code(&answer) == Some(-32020) && answer.to_string().contains("Mcp-Param-Region"), "{answer}");
    assert_eq!(text(&post(address, &routed, &[("mcp-param-region", "eu")]).message()), r#"Some("eu")"#);
    // Nothing of a session, of a stream, or of the way is looked at.
    let added = [
        ("Mcp-Session-Id", "abc"),
        ("Last-Event-ID", "7"),
        ("X-Forwarded-For", "10.0.0.1"),
        ("X-Forwarded-Proto", "https"),
        ("Via", "1.1 proxy"),
        ("Mcp-Param-Unknown", "x"),
        ("Accept", "application/json,text/event-stream, application/json"),
    ];
    assert_eq!(text(&post(address, &message, &added).message()), "a");
    // Handshake clients send none of these, and nobody asks them for any.
    let strange = [("Mcp-Method", "tools/list"), ("Mcp-Name", "else")];
    assert_eq!(text(&post(address, &echoing(HANDSHAKE), &strange).message()), "a");
    assert_eq!(
        text(
            &post(
                address,
                &bare(1, "tools/call", json!({"name": "routed", "arguments": {"region": "eu"}})),
                &[]
            )
            .message()
        ),
        r#"Some("eu")"#
    );
}
