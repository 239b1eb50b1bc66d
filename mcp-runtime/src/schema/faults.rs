//! What is wrong with arguments, in words a model can act on.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// One thing that is wrong with the arguments of a call, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentFault {
    /// Such as `filter.tags[1]`; empty for the arguments as a whole.
    pub path: String,
    /// What was expected and what came.
    pub text: String,
}

impl ArgumentFault {
    /// The argument at `path` is wrong in the way that `text` says.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

impl fmt::Display for ArgumentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.text)
        } else {
            write!(f, "`{}`: {}", self.path, self.text)
        }
    }
}

/// Every fault, as one text that names what they are of: `tool `add``.
pub(crate) fn told(of: &str, faults: &[ArgumentFault]) -> String {
    let mut text = format!("Invalid arguments for {of}:");
    for fault in faults {
        let _ = write!(text, "\n- {fault}");
    }
    text
}

/// A path as people write it, from the segments of a JSON pointer.
pub(crate) fn path_of<'s>(segments: impl Iterator<Item = Segment<'s>>) -> String {
    let mut path = String::new();
    for segment in segments {
        match segment {
            Segment::Name(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&name);
            }
            Segment::Index(index) => {
                let _ = write!(path, "[{index}]");
            }
        }
    }
    path
}

/// One step into a value.
#[derive(Clone, Debug)]
pub(crate) enum Segment<'s> {
    Name(Cow<'s, str>),
    Index(usize),
}

/// A value as it came, cut to a readable length.
#[cfg(any(feature = "validation", test))]
pub(crate) fn shown(value: &serde_json::Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    if text.len() <= MOST {
        return text;
    }
    let end = (0..=MOST).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}…", &text[..end])
}

/// What to say of an unknown argument.
pub(crate) fn unknown<'k>(name: &str, known: impl Iterator<Item = &'k str> + Clone) -> String {
    format!("unknown argument; {}", instead(name, known))
}

/// What to write in place of an unknown name: the nearest known one, else all of them.
pub(crate) fn instead<'k>(name: &str, known: impl Iterator<Item = &'k str> + Clone) -> String {
    if let Some(near) = nearest(name, known.clone()) {
        return format!("did you mean `{near}`?");
    }
    let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    if known.is_empty() { "there are none".to_owned() } else { format!("known are {}", known.join(", ")) }
}

/// The known name that was most likely meant.
pub(crate) fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    known
        .map(|known| (strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase()), known))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_get_the_nearest_known_one() {
        let known = ["query", "limit"];
        assert_eq!(unknown("querry", known.into_iter()), "unknown argument; did you mean `query`?");
        assert_eq!(unknown("Limit", known.into_iter()), "unknown argument; did you mean `limit`?");
        assert_eq!(unknown("zzz", known.into_iter()), "unknown argument; known are `query`, `limit`");
        assert_eq!(unknown("zzz", [].into_iter()), "unknown argument; there are none");
    }

    #[test]
    fn long_values_are_cut_at_a_character() {
        let text = shown(&serde_json::Value::String("é".repeat(100)));
        assert!(text.ends_with('…') && text.len() < 70);
    }
}
