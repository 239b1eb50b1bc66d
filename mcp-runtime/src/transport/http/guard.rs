//! Which `Host` and `Origin` are answered: the guard against pages that reach a local server through the browser
//! (2026-07-28, Streamable HTTP, "Security").

use std::net::IpAddr;

use super::head::Head;
use crate::protocol::fault::{Fault, FaultKind};
use crate::protocol::mirrored::trim;
use crate::schema::mirror::Line;

/// Which of the guards in front of the endpoint are on; all are by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Guards {
    /// Requests of pages are answered for allowed origins only.
    pub origin: bool,
    /// Requests are answered for allowed hosts only.
    pub host: bool,
    /// Pages of allowed origins may read the answers.
    pub cors: bool,
}

impl Guards {
    /// All guards on.
    pub const fn on() -> Self {
        Self { origin: true, host: true, cors: true }
    }

    /// All guards off: something in front of the server takes care of them.
    pub const fn off() -> Self {
        Self { origin: false, host: false, cors: false }
    }

    /// Sets the guard of `Origin`.
    pub const fn origin(mut self, on: bool) -> Self {
        self.origin = on;
        self
    }

    /// Sets the guard of `Host`.
    pub const fn host(mut self, on: bool) -> Self {
        self.host = on;
        self
    }

    /// Sets whether CORS headers are sent.
    pub const fn cors(mut self, on: bool) -> Self {
        self.cors = on;
        self
    }
}

impl Default for Guards {
    fn default() -> Self {
        Self::on()
    }
}

/// Which hosts and origins are answered.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(crate) guards: Guards,
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// The names of this machine that only this machine has.
const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Guard {
    /// Answers local names, and those that were allowed.
    pub(crate) fn new(guards: Guards, hosts: &[String], origins: &[String]) -> Self {
        let lower = |names: &[String]| {
            names.iter().map(|name| name.trim_end_matches('/').to_ascii_lowercase()).collect()
        };
        Self { guards, hosts: lower(hosts), origins: lower(origins) }
    }

    /// Answers the address that the server listens on: no page can make a browser send a number as a name.
    pub(crate) fn allow_address(&mut self, address: IpAddr) {
        if !address.is_unspecified() {
            self.hosts.push(match address {
                IpAddr::V4(address) => address.to_string(),
                IpAddr::V6(address) => format!("[{address}]"),
            });
        }
    }

    /// Refuses a request of a page or for a host that is not answered.
    pub(crate) fn check(&self, head: &Head<'_>) -> Result<(), Fault> {
        match head.origin {
            Line::Absent => {}
            Line::Once(origin) if self.guards.origin => {
                let origin = String::from_utf8_lossy(trim(origin)).to_ascii_lowercase();
                return if self.allows_origin(&origin) {
                    Ok(())
                } else {
                    Err(forbidden("Origin", &origin, "origin", "ORIGINS"))
                };
            }
            Line::Twice if self.guards.origin => {
                return Err(twice("Origin"));
            }
            Line::Once(_) | Line::Twice => {}
        }
        if !self.guards.host {
            return Ok(());
        }
        match head.host {
            Line::Once(host) => {
                if self.allows_host(trim(host)) {
                    Ok(())
                } else {
                    Err(forbidden("Host", &String::from_utf8_lossy(host), "host", "HOSTS"))
                }
            }
            Line::Absent => Err(Fault::new(FaultKind::Forbidden, "The request has no `Host` header")),
            Line::Twice => Err(twice("Host")),
        }
    }

    /// Whether pages of that origin are answered.
    pub(crate) fn allows_origin(&self, origin: &str) -> bool {
        if self.origins.iter().any(|allowed| allowed == origin) {
            return true;
        }
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority
            .and_then(|authority| authority_host(authority.as_bytes()))
            .is_some_and(|host| LOCAL.iter().any(|local| local.as_bytes() == host))
    }

    /// Names of hosts are compared without regard to case.
    fn allows_host(&self, authority: &[u8]) -> bool {
        let Some(host) = authority_host(authority) else { return false };
        let is = |known: &[u8]| known.eq_ignore_ascii_case(host) || known.eq_ignore_ascii_case(authority);
        LOCAL.iter().any(|local| local.as_bytes() == host)
            || LOCAL.iter().any(|local| local.as_bytes().eq_ignore_ascii_case(host))
            || self.hosts.iter().any(|allowed| is(allowed.as_bytes()))
    }
}

/// Why a host that is to be allowed would never match.
pub(crate) fn host_problem(host: &str) -> Option<String> {
    let name = host.trim_end_matches('/');
    let bare = name.rsplit_once("://").map_or(name, |(_, bare)| bare);
    let bare = bare.split('/').next().unwrap_or_default();
    let cure = if host == "*" {
        "every host is answered by `.http_guards(Guards::on().host(false))`".to_owned()
    } else if authority_host(name.as_bytes()).is_some() {
        return None;
    } else if authority_host(bare.as_bytes()).is_some() {
        format!("write `{bare}`")
    } else {
        "write a name such as `mcp.example`, with or without a port".to_owned()
    };
    Some(format!("the allowed host `{host}` is none: {cure}"))
}

/// Why an origin that is to be allowed would never match.
pub(crate) fn origin_problem(origin: &str) -> Option<String> {
    if origin == "null" {
        return None;
    }
    let cure = match origin.trim_end_matches('/').split_once("://") {
        Some((scheme, authority)) if !scheme.is_empty() && authority_host(authority.as_bytes()).is_some() => {
            return None;
        }
        None if origin == "*" => {
            "pages of every origin are answered by `.http_guards(Guards::on().origin(false))`".to_owned()
        }
        None if authority_host(origin.as_bytes()).is_some() => format!("write `https://{origin}`"),
        _ => "write a scheme and a host, such as `https://app.example`".to_owned(),
    };
    Some(format!("the allowed origin `{origin}` is none: {cure}"))
}

/// The host of `host[:port]`, where it is nothing more than that.
fn authority_host(authority: &[u8]) -> Option<&[u8]> {
    let end = match authority {
        [b'[', ..] => memchr::memchr(b']', authority)? + 1,
        _ => memchr::memchr(b':', authority).unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at(end);
    let port_fits = match port {
        [] => true,
        [b':', digits @ ..] => (1..=5).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    // The names that most requests are for need no look at each byte.
    let host_fits = LOCAL.iter().any(|local| local.as_bytes() == host)
        || (!host.is_empty() && !host.iter().any(|byte| matches!(byte, b'@' | b'/' | b'\\' | b' ')));
    (port_fits && host_fits).then_some(host)
}

fn forbidden(header: &str, value: &str, option: &str, variable: &str) -> Fault {
    let shown: String = value.chars().take(100).collect();
    Fault::new(
        FaultKind::Forbidden,
        format!(
            "{header} `{shown}` is not allowed; a server allows it by `.allow_{option}s([…])`, and one that `serve()` runs \
             by `--allow-{option}` or MCP_ALLOWED_{variable} too"
        ),
    )
}

fn twice(header: &str) -> Fault {
    Fault::new(FaultKind::Forbidden, format!("The request has more than one `{header}` header"))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue};

    use super::*;

    fn check(guard: &Guard, lines: &[(&'static str, &str)]) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in lines {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        guard.check(&Head::read(&map, &http::Uri::default())).is_ok()
    }

    #[test]
    fn only_local_names_are_answered_by_default() {
        let guard = Guard::new(Guards::on(), &[], &[]);
        for host in ["localhost", "127.0.0.1", "[::1]", "localhost:8000", "[::1]:8000", "LOCALHOST:1"] {
            assert!(check(&guard, &[("host", host)]), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:80",
            "127.0.0.1.evil.example",
            "0.0.0.0",
            "localhost:",
            "localhost:x",
            "a@localhost",
        ] {
            assert!(!check(&guard, &[("host", host)]), "{host}");
        }
        assert!(!check(&guard, &[]));
        assert!(!check(&guard, &[("host", "localhost"), ("host", "localhost")]));
    }

    #[test]
    fn an_allowed_origin_answers_for_the_host() {
        let guard =
            Guard::new(Guards::on(), &["api.example".to_owned()], &["https://app.example/".to_owned()]);
        for origin in ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:1", "https://app.example"]
        {
            assert!(check(&guard, &[("origin", origin), ("host", "any.example")]), "{origin}");
        }
        for origin in [
            "https://evil.example",
            "null",
            "http://localhost.evil.example",
            "http://127.0.0.1:1@evil",
            "http://app.example",
        ] {
            assert!(!check(&guard, &[("origin", origin), ("host", "localhost")]), "{origin}");
        }
        assert!(check(&guard, &[("host", "api.example:443")]));
    }

    #[test]
    fn what_would_never_match_is_told() {
        for host in ["mcp.example", "mcp.example:8443", "[::1]", "mcp.example/"] {
            assert_eq!(host_problem(host), None, "{host}");
        }
        for (host, cure) in [
            ("https://mcp.example/mcp", "write `mcp.example`"),
            ("*", ".host(false)"),
            ("a b", "such as `mcp.example`"),
            ("", "such as `mcp.example`"),
        ] {
            assert!(host_problem(host).is_some_and(|text| text.contains(cure)), "{host}");
        }
        for origin in ["https://app.example", "https://app.example:1/", "null", "app://page"] {
            assert_eq!(origin_problem(origin), None, "{origin}");
        }
        for (origin, cure) in [
            ("app.example", "write `https://app.example`"),
            ("*", ".origin(false)"),
            ("https://app.example/page", "such as `https://app.example`"),
            ("https://", "such as `https://app.example`"),
        ] {
            assert!(origin_problem(origin).is_some_and(|text| text.contains(cure)), "{origin}");
        }
    }

    #[test]
    fn guards_can_be_off() {
        assert!(check(&Guard::new(Guards::off(), &[], &[]), &[("origin", "https://evil.example")]));
    }

    #[test]
    fn the_address_that_is_listened_on_is_answered() {
        let mut guard = Guard::new(Guards::on(), &[], &[]);
        guard.allow_address("192.0.2.7".parse().unwrap());
        guard.allow_address("0.0.0.0".parse().unwrap());
        assert!(check(&guard, &[("host", "192.0.2.7:8000")]));
        assert!(!check(&guard, &[("host", "0.0.0.0:8000")]));
    }
}
