//! What is wrong with what is registered: told all at once, with file and line.

use std::fmt;
use std::panic::Location;

use super::entry::Site;

/// One thing that cannot be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    place: Option<Place>,
    text: String,
}

/// A place in the source: file, line and column.
type Place = (&'static str, u32, u32);

impl Problem {
    /// One of an annotated function.
    pub(crate) fn at(site: Site, text: impl Into<String>) -> Self {
        Self { place: Some((site.file, site.line, site.column)), text: text.into() }
    }

    /// One of a call that set up the server.
    pub(crate) fn by(caller: &'static Location<'static>, text: impl Into<String>) -> Self {
        Self { place: Some((caller.file(), caller.line(), caller.column())), text: text.into() }
    }

    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { place: None, text: text.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line, column)) = self.place {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        f.write_str(&self.text)
    }
}

/// Everything that cannot be served. At boot it keeps the server from starting.
#[derive(Clone, PartialEq, Eq)]
pub struct Problems(pub(crate) Vec<Problem>);

impl Problems {
    /// The problems, in the order of their places.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.0.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none, which is never so.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'p> IntoIterator for &'p Problems {
    type Item = &'p Problem;
    type IntoIter = std::slice::Iter<'p, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Problems {
    /// The list under a heading that ends with `consequence`.
    pub(crate) fn write(&self, f: &mut fmt::Formatter<'_>, consequence: &str) -> fmt::Result {
        match self.0.len() {
            1 => write!(f, "1 problem found{consequence}")?,
            many => write!(f, "{many} problems found{consequence}")?,
        }
        for problem in &self.0 {
            for (at, line) in problem.to_string().lines().enumerate() {
                write!(f, "\n  {}{line}", if at == 0 { "" } else { "  " })?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "")
    }
}

impl fmt::Debug for Problems {
    /// The list as people read it: `main` prints errors by `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Problems {}
