//! What lets pages of allowed origins call the endpoint (Fetch, "CORS protocol").

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, VARY,
};
use http::{HeaderMap, HeaderValue};

/// Every header that a client of some revision sends.
const HEADERS: &str = "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, \
                       MCP-Protocol-Version, Mcp-Session-Id, traceparent, tracestate";

/// What every answer to a page of an allowed origin carries.
pub(super) fn answer(origin: &HeaderValue, headers: &mut HeaderMap) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers
        .insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("Mcp-Session-Id, WWW-Authenticate"));
    headers.append(VARY, HeaderValue::from_static("Origin"));
}

/// What the answer to a preflight request carries beside that. `mirrored` are the names behind `Mcp-Param-` of the
/// tools that there are.
pub(super) fn preflight<'n>(
    methods: &'static str,
    mirrored: impl Iterator<Item = &'n str>,
    headers: &mut HeaderMap,
) {
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(methods));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed(mirrored));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("3600"));
}

fn allowed<'n>(mirrored: impl Iterator<Item = &'n str>) -> HeaderValue {
    let mut names: Vec<&str> = mirrored.collect();
    names.sort_unstable_by_key(|name| name.to_ascii_lowercase());
    names.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
    let mut text = HEADERS.to_owned();
    for name in names {
        text.push_str(", Mcp-Param-");
        text.push_str(name);
    }
    // Names behind `Mcp-Param-` are tokens, checked when their tool was defined.
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(HEADERS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_headers_are_allowed_by_name() {
        let allowed = allowed(["Tenant-Id", "Region", "region"].into_iter());
        let allowed = allowed.to_str().unwrap();
        assert!(allowed.ends_with("tracestate, Mcp-Param-Region, Mcp-Param-Tenant-Id"), "{allowed}");
    }
}
