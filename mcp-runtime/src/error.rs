//! Why a server could not start, or stopped.

use std::fmt;
use std::io;

use crate::registry::{Problem, Problems};

/// What a program's `main` returns: `Result<(), Error>` by default.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// Why a server could not start, or stopped. Printed by `main` as people read it.
pub struct Error(Kind);

enum Kind {
    Problems(Problems),
    Usage(String),
    Io(String, io::Error),
}

impl Error {
    pub(crate) fn io(what: impl Into<String>, error: io::Error) -> Self {
        Self(Kind::Io(what.into(), error))
    }

    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self(Kind::Usage(text.into()))
    }

    /// What is wrong with what is registered, where that is why.
    pub fn problems(&self) -> Option<&Problems> {
        match &self.0 {
            Kind::Problems(problems) => Some(problems),
            Kind::Usage(_) | Kind::Io(..) => None,
        }
    }
}

impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        Self(Kind::Problems(problems))
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Problems(vec![problem]).into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Problems(problems) => problems.write(f, ", nothing is served"),
            Kind::Usage(text) => f.write_str(text),
            Kind::Io(what, error) => write!(f, "{what}: {error}"),
        }
    }
}

impl fmt::Debug for Error {
    /// As `Display`: `main` prints errors by `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Kind::Problems(_) | Kind::Usage(_) => None,
            Kind::Io(_, error) => Some(error),
        }
    }
}
