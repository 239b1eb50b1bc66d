//! URIs and URI templates: the part of RFC 6570 that can be matched, `{x}`, `{+x}` and `{?x,y}`.

use crate::spelling::canonical;

/// One part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text that stands as it is, in canonical spelling.
    Literal(String),
    /// `{name}`
    Simple(String),
    /// `{+name}`
    Reserved(String),
    /// `{?a,b}`
    Query(Vec<String>),
}

/// What is wrong with a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It does not begin with `scheme:`.
    NoScheme,
    /// It holds a character that no URI has.
    Character(char),
    /// It has a fragment.
    Fragment,
    /// A brace is opened and not closed; what follows it.
    Unclosed(String),
    /// A brace is closed that was not opened.
    Stray,
    /// An expression of RFC 6570 that is not supported, and what it is called.
    Unsupported(String, &'static str),
    /// What stands between the braces is no name.
    BadName(String),
    /// A variable stands twice.
    Twice(String),
    /// Nothing tells where the first variable ends and the second begins.
    SideBySide(String, String),
    /// A query that is not the end.
    QueryNotLast(String),
}

/// A URI or template, taken apart. Where there are faults, the parts are those that could be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    /// Its parts in order.
    pub parts: Vec<Part>,
    /// Everything that is wrong with it.
    pub faults: Vec<Fault>,
}

impl Template {
    /// Takes a text apart.
    pub fn parse(text: &str) -> Self {
        let mut template = Self::default();
        template.scheme(text);
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            template.literal(&rest[..at]);
            if rest[at..].starts_with('}') {
                template.faults.push(Fault::Stray);
                rest = &rest[at + 1..];
                continue;
            }
            let inside = &rest[at + 1..];
            match inside.find(['{', '}']) {
                Some(end) if inside[end..].starts_with('}') => {
                    template.expression(&inside[..end]);
                    rest = &inside[end + 1..];
                }
                other => {
                    let end = other.unwrap_or(inside.len());
                    template.faults.push(Fault::Unclosed(inside[..end].to_owned()));
                    rest = &inside[end..];
                }
            }
        }
        template.literal(rest);
        template.check_order();
        template
    }

    /// The variables, in order.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts
            .iter()
            .flat_map(|part| match part {
                Part::Literal(_) => [].as_slice(),
                Part::Simple(name) | Part::Reserved(name) => std::slice::from_ref(name),
                Part::Query(names) => names,
            })
            .map(String::as_str)
    }

    /// Whether the variable can be left out.
    pub fn is_query(&self, variable: &str) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Query(names) if names.iter().any(|n| n == variable)))
    }

    /// Whether it is one URI and no family of them.
    pub fn is_fixed(&self) -> bool {
        self.variables().next().is_none()
    }

    fn scheme(&mut self, text: &str) {
        let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
        let begins = scheme.starts_with(|letter: char| letter.is_ascii_alphabetic());
        let rest = scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
        if !(begins && rest) {
            self.faults.push(Fault::NoScheme);
        }
    }

    fn literal(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let foreign = |letter: &char| !letter.is_ascii_graphic() || "\"<>\\^`|".contains(*letter);
        if let Some(letter) = text.chars().find(foreign) {
            self.faults.push(Fault::Character(letter));
        }
        if text.contains('#') {
            self.faults.push(Fault::Fragment);
        }
        let mut spelled = canonical(text);
        if let (true, Some(scheme)) = (self.parts.is_empty(), spelled.find(':')) {
            spelled[..scheme].make_ascii_lowercase();
        }
        if let Some(Part::Literal(last)) = self.parts.last_mut() {
            last.push_str(&spelled);
        } else {
            self.parts.push(Part::Literal(spelled));
        }
    }

    fn expression(&mut self, inside: &str) {
        let called = match inside.chars().next() {
            Some('#') => Some("a fragment"),
            Some('/') => Some("a list of path segments"),
            Some('.') => Some("a label"),
            Some(';') => Some("path parameters"),
            Some('&') => Some("the rest of a query"),
            Some('=' | ',' | '!' | '@' | '|' | '$') => Some("reserved by RFC 6570"),
            _ if inside.ends_with('*') => Some("an exploded list"),
            _ if inside.contains(':') => Some("the first characters of a value"),
            _ if !inside.starts_with('?') && inside.contains(',') => Some("several variables in one"),
            _ => None,
        };
        if let Some(called) = called {
            self.faults.push(Fault::Unsupported(format!("{{{inside}}}"), called));
            return;
        }
        let part = if let Some(names) = inside.strip_prefix('?') {
            let names: Vec<String> = names.split(',').filter_map(|name| self.name(name)).collect();
            Some(Part::Query(names))
        } else if let Some(name) = inside.strip_prefix('+') {
            self.name(name).map(Part::Reserved)
        } else {
            self.name(inside).map(Part::Simple)
        };
        self.parts.extend(part);
    }

    fn name(&mut self, name: &str) -> Option<String> {
        let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
        if !begins || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            self.faults.push(Fault::BadName(name.to_owned()));
            return None;
        }
        if self.variables().any(|known| known == name) {
            self.faults.push(Fault::Twice(name.to_owned()));
            return None;
        }
        Some(name.to_owned())
    }

    fn check_order(&mut self) {
        for pair in self.parts.windows(2) {
            match pair {
                [Part::Simple(one) | Part::Reserved(one), Part::Simple(other) | Part::Reserved(other)] => {
                    self.faults.push(Fault::SideBySide(one.clone(), other.clone()));
                }
                [Part::Query(names), _] => self.faults.push(Fault::QueryNotLast(names.join(","))),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<Part> {
        let template = Template::parse(text);
        assert_eq!(template.faults, [], "{text}");
        template.parts
    }

    #[track_caller]
    fn fault(text: &str, expected: &Fault) {
        assert_eq!(Template::parse(text).faults, std::slice::from_ref(expected), "{text}");
    }

    fn literal(text: &str) -> Part {
        Part::Literal(text.to_owned())
    }

    #[test]
    fn the_supported_forms_are_taken_apart() {
        assert_eq!(parts("config://app"), [literal("config://app")]);
        assert_eq!(
            parts("logs://{service}/{+path}.txt"),
            [
                literal("logs://"),
                Part::Simple("service".to_owned()),
                literal("/"),
                Part::Reserved("path".to_owned()),
                literal(".txt"),
            ]
        );
        assert_eq!(
            parts("db://{table}{?limit,after}"),
            [
                literal("db://"),
                Part::Simple("table".to_owned()),
                Part::Query(vec!["limit".to_owned(), "after".to_owned()]),
            ]
        );
        assert!(Template::parse("x:{?a}").is_query("a"));
        assert!(Template::parse("x:y").is_fixed());
    }

    #[test]
    fn what_is_no_uri_is_told() {
        for text in ["config/app", "{scheme}://x", "", "1x:y", "a b:c"] {
            assert!(Template::parse(text).faults.contains(&Fault::NoScheme), "{text}");
        }
        fault("a:b c", &Fault::Character(' '));
        fault("a:b\n", &Fault::Character('\n'));
        fault("a:caf\u{e9}", &Fault::Character('\u{e9}'));
        fault("a:b#c", &Fault::Fragment);
    }

    #[test]
    fn what_rfc_6570_has_beyond_is_told_by_name() {
        for text in ["{#x}", "{/x}", "{.x}", "{;x}", "{&x}", "{x*}", "{x:3}", "{x,y}", "{?x*}"] {
            let faults = Template::parse(&format!("a:{text}")).faults;
            assert!(
                matches!(&faults[..], [Fault::Unsupported(form, _)] if form == text),
                "{text}: {faults:?}"
            );
        }
    }

    #[test]
    fn braces_names_and_order_are_checked() {
        fault("a:{x", &Fault::Unclosed("x".to_owned()));
        fault("a:{x/{y}", &Fault::Unclosed("x/".to_owned()));
        fault("a:x}", &Fault::Stray);
        fault("a:{}", &Fault::BadName(String::new()));
        fault("a:{my var}", &Fault::BadName("my var".to_owned()));
        fault("a:{x}/{x}", &Fault::Twice("x".to_owned()));
        fault("a:{x}{y}", &Fault::SideBySide("x".to_owned(), "y".to_owned()));
        fault("a:{?x}/b", &Fault::QueryNotLast("x".to_owned()));
    }
}
