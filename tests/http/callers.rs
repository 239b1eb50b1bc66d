//! Who calls: the hook, what it refuses, and how the principal travels with the call.

use http::request::Parts;
use mcp_runtime::mcp::{Principal, Refusal};
use mcp_runtime::prelude::*;

use crate::{call, listen, server, shown};
use mcp_runtime_tests::raw::send;

/// What is known of a caller beside the name.
struct Claims {
    admin: bool,
}

/// Who calls.
#[mcp::tool(group = "callers")]
async fn who(caller: mcp::Caller, ctx: mcp::Context) -> String {
    let admin = caller.claims::<Claims>().is_some_and(|claims| claims.admin);
    format!("{:?} {admin} {}", caller.id(), ctx.principal().id() == caller.id())
}

async fn by_token(parts: Parts) -> Result<Principal, Refusal> {
    match parts.headers.get("authorization").and_then(|value| value.to_str().ok()) {
        Some("Bearer ali") => Ok(Principal::new("ali").with_claims(Claims { admin: true })),
        Some("Bearer bob") => Ok(Principal::new("bob")),
        Some(_) => {
            Err(Refusal::forbidden("this token may not")
                .with_challenge("Bearer error=\"insufficient_scope\""))
        }
        None => Err(Refusal::unauthorized("Bearer realm=\"test\"")),
    }
}

#[test]
fn the_principal_travels_with_the_call() {
    let address = listen(|| server("callers").authenticate(by_token));
    assert_eq!(shown(&call(address, "who", &[("Authorization", "Bearer ali")])), "Some(\"ali\") true true");
    assert_eq!(shown(&call(address, "who", &[("Authorization", "Bearer bob")])), "Some(\"bob\") false true");
}

#[test]
fn without_a_hook_everyone_is_anonymous() {
    let address = listen(|| server("callers"));
    assert_eq!(shown(&call(address, "who", &[("Authorization", "Bearer ali")])), "None false true");
}

#[test]
fn refusals_have_their_status_and_challenge_before_the_body_is_looked_at() {
    let address = listen(|| server("callers").authenticate(by_token));
    let unknown = call(address, "who", &[]);
    assert_eq!((unknown.status, unknown.header("www-authenticate")), (401, Some("Bearer realm=\"test\"")));
    assert_eq!(unknown.message().get("id"), None);
    let forbidden = call(address, "who", &[("Authorization", "Bearer eve")]);
    assert_eq!(
        (forbidden.status, forbidden.header("www-authenticate")),
        (403, Some("Bearer error=\"insufficient_scope\""))
    );
    assert!(forbidden.text().contains("this token may not"));

    let headers = |more: &[(&str, &str)]| -> Vec<(String, String)> {
        let host = [("Host", "127.0.0.1")];
        host.iter().chain(more).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    // Without a token even what is no message at all is answered 401, and a preflight is answered without one.
    assert_eq!(send(address, "POST", "/mcp", &headers(&[("Content-Length", "4")]), b"{bad").status, 401);
    assert_eq!(
        send(address, "OPTIONS", "/mcp", &headers(&[("Origin", "http://localhost")]), b"").status,
        204
    );
    // A page of a foreign origin is refused before it is asked who it is.
    assert_eq!(
        send(
            address,
            "POST",
            "/mcp",
            &headers(&[("Origin", "https://evil.example"), ("Content-Length", "0")]),
            b""
        )
        .status,
        403
    );
}

#[test]
fn a_closure_is_a_hook_too() {
    let token = "secret".to_owned();
    let address = listen(|| {
        server("callers").authenticate(move |parts: Parts| {
            let token = token.clone();
            async move {
                match parts.headers.get("x-token") {
                    Some(value) if value.as_bytes() == token.as_bytes() => Ok(Principal::new("by closure")),
                    _ => Err(Refusal::unauthorized("X-Token")),
                }
            }
        })
    });
    assert_eq!(shown(&call(address, "who", &[("X-Token", "secret")])), "Some(\"by closure\") false true");
}
