//! What a client can connect to.

use super::link::Opener;
use crate::server::Server;

/// A server that a client can connect to: a program, a URL, or one within this process.
#[diagnostic::on_unimplemented(
    message = "a client cannot connect to `{Self}`",
    label = "no program, no URL and no server",
    note = "give a `tokio::process::Command`, a URL such as \"http://127.0.0.1:8000/mcp\", or `mcp_runtime::server()`"
)]
pub trait Target: Sealed {}

mod sealed {
    pub trait Sealed {
        #[doc(hidden)]
        fn opener(self) -> super::Opened;
    }
}

pub(crate) use sealed::Sealed;

/// How a target is opened; nothing that a user names.
#[derive(Debug)]
pub struct Opened(Opener);

impl Opened {
    pub(crate) fn into_opener(self) -> Opener {
        self.0
    }
}

impl std::fmt::Debug for Opener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl Target for tokio::process::Command {}

impl Sealed for tokio::process::Command {
    fn opener(self) -> Opened {
        Opened(Opener::Child(Box::new(self)))
    }
}

impl Target for std::process::Command {}

impl Sealed for std::process::Command {
    fn opener(self) -> Opened {
        tokio::process::Command::from(self).opener()
    }
}

impl Target for &str {}

impl Sealed for &str {
    fn opener(self) -> Opened {
        Opened(match reqwest::Url::parse(self) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Opener::Url(url),
            _ => Opener::Nowhere(format!(
                "`{self}` is no URL such as http://127.0.0.1:8000/mcp; a program is given as a \
                 `tokio::process::Command`"
            )),
        })
    }
}

impl Target for String {}

impl Sealed for String {
    fn opener(self) -> Opened {
        self.as_str().opener()
    }
}

impl Target for &String {}

impl Sealed for &String {
    fn opener(self) -> Opened {
        self.as_str().opener()
    }
}

impl<M> Target for Server<M> {}

impl<M> Sealed for Server<M> {
    fn opener(self) -> Opened {
        Opened(Opener::Within(Some(Box::new(self.options))))
    }
}
