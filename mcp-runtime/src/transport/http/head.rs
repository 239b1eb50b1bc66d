//! The headers of a request, looked through once.

use http::{HeaderMap, HeaderName, Uri};
use mediatype::{MediaType, MediaTypeList};

use crate::engine::Headers;
use crate::protocol::mirrored::trim;
use crate::schema::mirror::{Line, Mirror};
use crate::session::Presented;

/// The headers that this endpoint knows.
pub(crate) struct Head<'h> {
    map: &'h HeaderMap,
    pub(crate) version: Line<'h>,
    pub(crate) method: Line<'h>,
    pub(crate) name: Line<'h>,
    pub(crate) session: Line<'h>,
    pub(crate) last_event: Line<'h>,
    pub(crate) host: Line<'h>,
    pub(crate) origin: Line<'h>,
    pub(crate) content_type: Line<'h>,
    pub(crate) content_encoding: Line<'h>,
    transfer_encoding: Line<'h>,
    accept: Line<'h>,
}

/// Which kinds of answer a client takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accepts {
    pub(crate) json: bool,
    pub(crate) stream: bool,
}

const JSON: &str = "application/json";
const STREAM: &str = "text/event-stream";

impl<'h> Head<'h> {
    /// The host of a target that names one (`POST http://host/mcp`, and every target of HTTP/2) counts instead of `Host`
    /// (RFC 9112, section 3.2.2).
    pub(crate) fn read(map: &'h HeaderMap, target: &'h Uri) -> Self {
        let mut head = Self {
            map,
            version: Line::Absent,
            method: Line::Absent,
            name: Line::Absent,
            session: Line::Absent,
            last_event: Line::Absent,
            host: Line::Absent,
            origin: Line::Absent,
            content_type: Line::Absent,
            content_encoding: Line::Absent,
            transfer_encoding: Line::Absent,
            accept: Line::Absent,
        };
        for (name, value) in map {
            let line = match name.as_str() {
                "mcp-protocol-version" => &mut head.version,
                "mcp-method" => &mut head.method,
                "mcp-name" => &mut head.name,
                "mcp-session-id" => &mut head.session,
                "last-event-id" => &mut head.last_event,
                "host" => &mut head.host,
                "origin" => &mut head.origin,
                "content-type" => &mut head.content_type,
                "content-encoding" => &mut head.content_encoding,
                "transfer-encoding" => &mut head.transfer_encoding,
                "accept" => &mut head.accept,
                _ => continue,
            };
            *line = match line {
                Line::Absent => Line::Once(value.as_bytes()),
                Line::Once(_) | Line::Twice => Line::Twice,
            };
        }
        if let Some(authority) = target.authority()
            && head.host != Line::Twice
        {
            head.host = Line::Once(authority.as_str().as_bytes());
        }
        head
    }

    /// One header of any name.
    pub(crate) fn line(&self, name: &HeaderName) -> Line<'h> {
        let mut values = self.map.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Line::Absent,
            (Some(value), None) => Line::Once(value.as_bytes()),
            (Some(_), Some(_)) => Line::Twice,
        }
    }

    /// What mirrors the message, and the session that it presents.
    pub(crate) fn mirrors<'a>(
        &self,
        session: &'a Presented,
        param: &'a (dyn Fn(&Mirror) -> Line<'a> + Sync),
    ) -> Headers<'a>
    where
        'h: 'a,
    {
        Headers { version: self.version, method: self.method, name: self.name, session, param }
    }

    /// Whether the body says that it is JSON, by the parsed media type and nothing less.
    pub(crate) fn is_json(&self) -> bool {
        match self.content_type {
            Line::Once(b"application/json") => true,
            Line::Once(value) => {
                std::str::from_utf8(value).ok().and_then(|value| MediaType::parse(value).ok()).is_some_and(
                    |kind| kind.ty == "application" && kind.subty == "json" && kind.suffix.is_none(),
                )
            }
            Line::Absent | Line::Twice => false,
        }
    }

    /// Whether the body is sent as it is: nothing here decodes one.
    pub(crate) fn is_plain(&self) -> bool {
        let only = |line, coding: &[u8]| match line {
            Line::Absent => true,
            Line::Once(value) => trim(value).eq_ignore_ascii_case(coding),
            Line::Twice => false,
        };
        only(self.content_encoding, b"identity") && only(self.transfer_encoding, b"chunked")
    }

    /// What the client takes; anything, where it does not say, be it by an empty header.
    pub(crate) fn accepts(&self) -> Accepts {
        let both = Accepts { json: true, stream: true };
        match self.accept {
            Line::Absent | Line::Once(b"application/json, text/event-stream" | b"*/*") => both,
            Line::Once(value) => accepted([value]),
            Line::Twice => {
                accepted(self.map.get_all(http::header::ACCEPT).iter().map(http::HeaderValue::as_bytes))
            }
        }
    }
}

fn accepted<'v>(lines: impl IntoIterator<Item = &'v [u8]>) -> Accepts {
    let mut accepts = Accepts { json: false, stream: false };
    let mut lines = lines.into_iter().filter(|line| !line.trim_ascii().is_empty()).peekable();
    if lines.peek().is_none() {
        return Accepts { json: true, stream: true };
    }
    for line in lines {
        let Ok(line) = std::str::from_utf8(line) else { continue };
        for range in MediaTypeList::new(line).flatten() {
            let refused = range.params.iter().any(|(name, value)| {
                name.as_str().eq_ignore_ascii_case("q") && value.as_str().parse() == Ok(0.0)
            });
            if refused {
                continue;
            }
            accepts.json |= covers(&range, JSON);
            accepts.stream |= covers(&range, STREAM);
        }
    }
    accepts
}

/// Whether a media range covers a media type.
fn covers(range: &MediaType<'_>, kind: &str) -> bool {
    let (ty, subty) = kind.split_once('/').unwrap_or((kind, ""));
    (range.ty == "*" || range.ty == ty)
        && (range.subty == "*" || (range.subty == subty && range.suffix.is_none()))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in lines {
            map.append(*name, HeaderValue::from_static(value));
        }
        map
    }

    #[test]
    fn only_json_is_json() {
        for yes in [
            "application/json",
            "application/json; charset=utf-8",
            "APPLICATION/JSON",
            "application/json;charset=\"utf-8\"",
        ] {
            assert!(Head::read(&headers(&[("content-type", yes)]), &Uri::default()).is_json(), "{yes}");
        }
        for no in [
            "text/plain;application/json",
            "application/jsonp",
            "application/vnd.x+json",
            "text/plain; x=application/json",
            "",
        ] {
            assert!(!Head::read(&headers(&[("content-type", no)]), &Uri::default()).is_json(), "{no}");
        }
        assert!(!Head::read(&headers(&[]), &Uri::default()).is_json());
    }

    #[test]
    fn accept_is_read_as_a_list_of_ranges() {
        for (lines, json, stream) in [
            (vec![], true, true),
            (vec!["*/*"], true, true),
            (vec![""], true, true),
            (vec!["", " "], true, true),
            (vec!["", "application/json"], true, false),
            (vec![","], false, false),
            (vec!["application/*, text/*"], true, true),
            (vec!["application/json"], true, false),
            (vec!["text/event-stream"], false, true),
            (vec!["application/json;q=0.9, text/event-stream;charset=utf-8"], true, true),
            (vec!["Application/JSON", "TEXT/Event-Stream"], true, true),
            (vec!["text/html"], false, false),
            (vec!["application/json;q=0"], false, false),
        ] {
            let map = headers(&lines.iter().map(|line| ("accept", *line)).collect::<Vec<_>>());
            assert_eq!(Head::read(&map, &Uri::default()).accepts(), Accepts { json, stream }, "{lines:?}");
        }
    }
}
