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

/// How many of anything are named before the rest is only counted: a text is for reading, and no longer than what
/// it answers.
pub(crate) const MOST: usize = 20;

/// The faults as one text that names what they are of: `tool `add``.
pub(crate) fn told(of: &str, faults: &[ArgumentFault]) -> String {
    let mut text = format!("Invalid arguments for {of}:");
    // One more may say that there are more.
    for fault in faults.iter().take(MOST + 1) {
        let _ = write!(text, "\n- {fault}");
    }
    if faults.len() > MOST + 1 {
        let _ = write!(text, "\n- and {} more", faults.len() - MOST - 1);
    }
    text
}

/// The first of many, with commas between.
pub(crate) fn listed<T: fmt::Display>(all: impl ExactSizeIterator<Item = T>) -> String {
    let count = all.len();
    let mut first: Vec<String> = all.take(MOST).map(|one| one.to_string()).collect();
    if count > MOST {
        first.push(format!("… ({count} in all)"));
    }
    first.join(", ")
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
                match &*name {
                    "" => path.push_str("\"\""),
                    name => path.push_str(&cut(name)),
                }
            }
            Segment::Index(index) => {
                let _ = write!(path, "[{index}]");
            }
        }
    }
    path
}

/// A name as it came, cut to a readable length.
pub(crate) fn cut(name: &str) -> Cow<'_, str> {
    const MOST: usize = 128;
    match name.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &name[..end]).into(),
        None => name.into(),
    }
}

/// One step into a value.
#[derive(Clone, Debug)]
pub(crate) enum Segment<'s> {
    Name(Cow<'s, str>),
    Index(usize),
}

/// A value as it came, cut to a readable length.
pub(crate) fn shown(value: &impl serde::Serialize) -> String {
    let mut text = Short(Vec::new());
    let whole = serde_json::to_writer(&mut text, value).is_ok();
    let shown = String::from_utf8_lossy(&text.0);
    // What was cut within a character shows as one that stands for none.
    if whole {
        shown.into_owned()
    } else {
        format!("{}…", shown.trim_end_matches(char::REPLACEMENT_CHARACTER))
    }
}

/// Takes the beginning of a text, and refuses the rest.
struct Short(Vec<u8>);

impl std::io::Write for Short {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        const MOST: usize = 60;
        let room = (MOST - self.0.len()).min(bytes.len());
        self.0.extend_from_slice(&bytes[..room]);
        if room < bytes.len() { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(room) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
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
    if known.is_empty() { "there are none".to_owned() } else { format!("known are {}", listed(known.iter())) }
}

/// The known name that was most likely meant.
pub(crate) fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    // What is that long is no slip, and to compare it takes long.
    if name.len() > 128 {
        return None;
    }
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
