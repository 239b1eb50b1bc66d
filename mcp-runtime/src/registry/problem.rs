//! What is wrong with what is registered: told all at once, with file and line.

use std::fmt;

use super::entry::Site;

/// One thing that cannot be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    site: Option<Site>,
    text: String,
}

impl Problem {
    pub(crate) fn at(site: Option<Site>, text: impl Into<String>) -> Self {
        Self { site, text: text.into() }
    }

    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { site: None, text: text.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(site) = self.site {
            write!(f, "{}:{}:{}: ", site.file, site.line, site.column)?;
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
