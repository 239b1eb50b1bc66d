//! URI templates (RFC 6570), matched: which values a URI gives the variables of its template.
//!
//! The macro has split the template into parts. Matching reads the URI in its encoded form, takes linear time, and
//! decodes each value once.

use std::cmp::Reverse;

use percent_encoding::percent_decode_str;

/// One part of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text that stands as it is, in canonical spelling.
    Literal(&'static str),
    /// `{name}`: one segment, without `/`, `?` and `#`.
    Simple(&'static str),
    /// `{+name}`: anything, slashes too.
    Reserved(&'static str),
    /// `{?a,b}`: the query; every variable can be left out.
    Query(&'static [&'static str]),
}

/// What two templates share where every URI that fits one fits the other.
pub(crate) fn form(parts: &[Part]) -> String {
    parts
        .iter()
        .map(|part| match part {
            Part::Literal(text) => (*text).to_owned(),
            Part::Simple(_) => "{}".to_owned(),
            Part::Reserved(_) => "{+}".to_owned(),
            Part::Query(names) => {
                let mut names = names.to_vec();
                names.sort_unstable();
                format!("{{?{}}}", names.join(","))
            }
        })
        .collect()
}

/// How closely a template describes its URIs: of several that a URI fits, the least of these is read. Fewer variables
/// that take slashes come first, then more literal characters, then fewer variables.
pub(crate) fn specificity(parts: &[Part]) -> (usize, Reverse<usize>, usize) {
    let (mut reserved, mut literal, mut variables) = (0, 0, 0);
    for part in parts {
        match part {
            Part::Literal(text) => literal += text.chars().count(),
            Part::Simple(_) => variables += 1,
            Part::Reserved(_) => (reserved, variables) = (reserved + 1, variables + 1),
            Part::Query(names) => variables += names.len(),
        }
    }
    (reserved, Reverse(literal), variables)
}

/// Why a URI that has the form of a template gives no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadUri(pub(crate) String);

/// The values that a URI in canonical spelling gives the variables; `None` where it has another form.
pub(crate) fn matched(parts: &[Part], uri: &str) -> Result<Option<Vec<(String, String)>>, BadUri> {
    let Some(raw) = split(parts, uri) else { return Ok(None) };
    raw.into_iter()
        .map(|(name, value)| decode(value).map(|value| (name.to_owned(), value)))
        .collect::<Result<_, _>>()
        .map(Some)
}

fn split<'u>(parts: &[Part], uri: &'u str) -> Option<Vec<(&'static str, &'u str)>> {
    let mut values = Vec::new();
    let mut rest = uri;
    let mut parts = parts;
    while let Some((part, following)) = parts.split_first() {
        parts = following;
        match *part {
            Part::Literal(text) => rest = rest.strip_prefix(text)?,
            Part::Query(names) => {
                if !rest.is_empty() {
                    query(rest.strip_prefix('?')?, names, &mut values)?;
                    rest = "";
                }
            }
            Part::Simple(name) | Part::Reserved(name) => {
                let end = end_of_value(rest, following, matches!(part, Part::Reserved(_)))?;
                values.push((name, &rest[..end]));
                rest = &rest[end..];
            }
        }
    }
    rest.is_empty().then_some(values)
}

/// Where the value of a variable ends, by what follows it.
fn end_of_value(rest: &str, following: &[Part], reserved: bool) -> Option<usize> {
    let within = if reserved {
        rest.find('#').unwrap_or(rest.len())
    } else {
        rest.find(['/', '?', '#']).unwrap_or(rest.len())
    };
    let end = match following {
        [] => within,
        // The last literal is the end of the URI, so that `{+path}.txt` takes `a.txt` of `a.txt.txt`.
        [Part::Literal(text)] => rest.strip_suffix(text)?.len(),
        [Part::Literal(text), Part::Query(_)] => {
            let path = &rest[..rest.find('?').unwrap_or(rest.len())];
            path.strip_suffix(text)?.len()
        }
        [Part::Literal(text), ..] => rest.find(text)?,
        [Part::Query(_), ..] => rest.find('?').unwrap_or(rest.len()),
        // The macro refuses two variables side by side.
        [Part::Simple(_) | Part::Reserved(_), ..] => return None,
    };
    (0 < end && end <= within).then_some(end)
}

fn query<'u>(
    query: &'u str,
    names: &[&'static str],
    values: &mut Vec<(&'static str, &'u str)>,
) -> Option<()> {
    let mut seen = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = names.iter().find(|known| **known == name)?;
        if seen.contains(name) {
            return None;
        }
        seen.push(*name);
        values.push((name, value));
    }
    Some(())
}

fn decode(value: &str) -> Result<String, BadUri> {
    let bytes = value.as_bytes();
    let complete = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'%').all(|(at, _)| {
        bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    });
    if !complete {
        return Err(BadUri(format!("`{value}` holds a `%` that two hexadecimal digits do not follow")));
    }
    let text = percent_decode_str(value)
        .decode_utf8()
        .map_err(|_| BadUri(format!("`{value}` does not decode to UTF-8 text")))?;
    if text.contains('\0') {
        return Err(BadUri(format!("`{value}` holds a NUL")));
    }
    Ok(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::Part::{Literal, Query, Reserved, Simple};
    use super::*;

    #[track_caller]
    fn check(parts: &[Part], uri: &str, expected: Option<&[(&str, &str)]>) {
        let found = matched(parts, uri).unwrap();
        let found: Option<Vec<_>> =
            found.as_ref().map(|values| values.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect());
        assert_eq!(found.as_deref(), expected, "{uri}");
    }

    #[test]
    fn a_simple_variable_is_one_segment() {
        let parts = [Literal("logs://"), Simple("service"), Literal("/"), Simple("date")];
        check(&parts, "logs://api/2026-01-02", Some(&[("service", "api"), ("date", "2026-01-02")]));
        for other in
            ["logs://api", "logs:///x", "logs://api/", "logs://api/a/b", "log://api/x", "logs://api/x?y=1"]
        {
            check(&parts, other, None);
        }
    }

    #[test]
    fn values_are_decoded_once() {
        let parts = [Literal("book://shelf/"), Simple("title")];
        for (uri, title) in [
            ("book://shelf/A%20Tale", "A Tale"),
            ("book://shelf/caf%C3%A9", "café"),
            ("book://shelf/a+b", "a+b"),
            ("book://shelf/%2520", "%20"),
            ("book://shelf/a%2Fb", "a/b"),
            ("book://shelf/raw space", "raw space"),
        ] {
            check(&parts, uri, Some(&[("title", title)]));
        }
        for bad in ["book://shelf/%E0%A4", "book://shelf/%", "book://shelf/%zz", "book://shelf/%00"] {
            assert!(matched(&parts, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_reserved_variable_takes_slashes_and_leaves_the_last_literal() {
        let parts = [Literal("file:///"), Reserved("path"), Literal(".txt")];
        check(&parts, "file:///a/b.txt.txt", Some(&[("path", "a/b.txt")]));
        check(&parts, "file:///.txt", None);
        check(&parts, "file:///a/b.md", None);
    }

    #[test]
    fn queries_come_in_any_order_and_can_be_left_out() {
        let parts = [Literal("db://"), Simple("table"), Query(&["limit", "after"])];
        check(&parts, "db://users", Some(&[("table", "users")]));
        check(
            &parts,
            "db://users?after=b&limit=2",
            Some(&[("table", "users"), ("after", "b"), ("limit", "2")]),
        );
        for other in ["db://users?other=1", "db://users?limit=1&limit=2"] {
            check(&parts, other, None);
        }
    }

    #[test]
    fn matching_long_uris_takes_linear_time() {
        let parts = [Literal("a:"), Reserved("x"), Literal(","), Reserved("y")];
        let long = format!("a:{}", "b".repeat(1_000_000));
        let start = std::time::Instant::now();
        check(&parts, &long, None);
        assert!(start.elapsed().as_secs() < 2);
    }
}
