//! The command line and the environment: a flag goes before a variable, and a variable before the default.

use std::ffi::OsString;

#[cfg(feature = "cli")]
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::{Error, Result};

/// What a command line says about how to serve. Flatten it into a command line of your own:
///
/// ```
/// # #[cfg(feature = "cli")] {
/// use clap::Parser;
///
/// #[derive(Parser)]
/// struct Options {
///     /// Where the books are.
///     #[arg(long, default_value = "books.db")]
///     database: String,
///     #[command(flatten)]
///     mcp: mcp_runtime::Cli,
/// }
///
/// let options = Options::parse_from(["library", "--database", "my.db", "--http", "8080"]);
/// let server = mcp_runtime::serve().state(options.database).cli(options.mcp);
/// # let _ = server;
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cli {
    stdio: bool,
    http: Option<Option<String>>,
    allow_hosts: Vec<String>,
    allow_origins: Vec<String>,
    list: bool,
    json: bool,
    version: bool,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Version,
    List,
    ListJson,
    Stdio,
    #[cfg(feature = "http")]
    Http {
        address: String,
        allow_hosts: Vec<String>,
        allow_origins: Vec<String>,
    },
}

/// Why nothing is to be done.
pub(crate) enum Ended {
    /// This was asked for, and is printed.
    #[cfg(feature = "cli")]
    Help(String),
    /// This is wrong.
    Wrong(String),
}

impl Ended {
    pub(crate) fn end(self) -> Result {
        match self {
            #[cfg(feature = "cli")]
            Self::Help(text) => {
                use std::io::Write as _;
                let _ = std::io::stdout().write_all(text.as_bytes());
                Ok(())
            }
            Self::Wrong(text) => Err(Error::usage(text)),
        }
    }
}

/// Where HTTP is served unless something says otherwise.
#[cfg(feature = "http")]
const ADDRESS: &str = "127.0.0.1:8000";

impl Cli {
    /// Reads a command line: that of the process, or the one given.
    #[cfg(feature = "cli")]
    pub(crate) fn read(args: Option<Vec<OsString>>) -> Result<Wish, Ended> {
        use clap::error::ErrorKind;
        use clap::{Args as _, FromArgMatches as _};

        let args = args.unwrap_or_else(|| std::env::args_os().collect());
        let name = args
            .first()
            .and_then(|path| std::path::Path::new(path).file_stem())
            .map_or_else(|| "server".to_owned(), |name| name.to_string_lossy().into_owned());
        let command = Self::augment_args(Command::new("server").bin_name(name))
            .about("A Model Context Protocol server: over stdio, unless --http says otherwise.");
        let parsed = command.try_get_matches_from(args).and_then(|matches| Self::from_arg_matches(&matches));
        match parsed {
            Ok(cli) => cli.wish(),
            Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
                Err(Ended::Help(error.to_string()))
            }
            Err(error) => {
                Err(Ended::Wrong(error.to_string().trim_start_matches("error: ").trim_end().to_owned()))
            }
        }
    }

    /// Without the feature `cli` the environment decides alone; what only a command line can say is refused.
    #[cfg(not(feature = "cli"))]
    pub(crate) fn read(args: Option<Vec<OsString>>) -> Result<Wish, Ended> {
        const FLAGS: [&str; 8] = [
            "--stdio",
            "--http",
            "--allow-host",
            "--allow-origin",
            "--list",
            "--json",
            "--version",
            "--help",
        ];
        let args = args.unwrap_or_else(|| std::env::args_os().collect());
        let ours = |arg: &String| FLAGS.contains(&arg.split('=').next().unwrap_or_default());
        match args.into_iter().skip(1).map(|arg| arg.to_string_lossy().into_owned()).find(ours) {
            None => Self::default().wish(),
            Some(flag) => Err(Ended::Wrong(format!(
                "`{flag}` is not read: this server was built without the feature `cli` of mcp-runtime; add it, or set \
                 MCP_TRANSPORT and MCP_HTTP_ADDR. A program with a command line of its own says `.args([\"\"])`"
            ))),
        }
    }

    /// What the command line and the environment ask for together.
    pub(crate) fn wish(self) -> Result<Wish, Ended> {
        self.wish_in(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn wish_in(self, variable: impl Fn(&str) -> Option<String>) -> Result<Wish, Ended> {
        if self.version {
            return Ok(Wish::Version);
        }
        if self.list {
            return Ok(if self.json { Wish::ListJson } else { Wish::List });
        }
        let http = match (&self.http, self.stdio, variable("MCP_TRANSPORT").as_deref()) {
            (Some(_), _, _) => true,
            (None, true, _) => false,
            (None, false, None | Some("stdio")) => false,
            (None, false, Some("http")) => true,
            (None, false, Some(other)) => {
                return Err(Ended::Wrong(format!("MCP_TRANSPORT is `{other}`: it is `stdio` or `http`")));
            }
        };
        if http { self.http_wish(variable) } else { Ok(Wish::Stdio) }
    }

    #[cfg(feature = "http")]
    fn http_wish(self, variable: impl Fn(&str) -> Option<String>) -> Result<Wish, Ended> {
        let address =
            self.http.flatten().or_else(|| variable("MCP_HTTP_ADDR")).unwrap_or_else(|| ADDRESS.to_owned());
        let list = |flags: Vec<String>, name: &str| {
            let more = variable(name).unwrap_or_default();
            let more = more.split(',').map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned);
            flags.into_iter().chain(more).collect()
        };
        Ok(Wish::Http {
            address: full_address(&address)?,
            allow_hosts: list(self.allow_hosts, "MCP_ALLOWED_HOSTS"),
            allow_origins: list(self.allow_origins, "MCP_ALLOWED_ORIGINS"),
        })
    }

    #[cfg(not(feature = "http"))]
    fn http_wish(self, _: impl Fn(&str) -> Option<String>) -> Result<Wish, Ended> {
        Err(Ended::Wrong(
            "this server was built without HTTP: add the feature `http` of mcp-runtime".to_owned(),
        ))
    }
}

/// `8000` and `:8000` are ports of this machine alone.
#[cfg(feature = "http")]
fn full_address(address: &str) -> Result<String, Ended> {
    let port = address.strip_prefix(':').unwrap_or(address);
    if port.parse::<u16>().is_ok() {
        return Ok(format!("127.0.0.1:{port}"));
    }
    match address.rsplit_once(':') {
        Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => Ok(address.to_owned()),
        _ => Err(Ended::Wrong(format!(
            "`{address}` is no address: write a port, or HOST:PORT such as {ADDRESS}"
        ))),
    }
}

#[cfg(feature = "cli")]
impl clap::Args for Cli {
    fn augment_args(command: Command) -> Command {
        let flag = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
        };
        let command = command
            .disable_version_flag(true)
            .arg(flag("list", "Show what is registered, and end"))
            .arg(flag("json", "With --list: what the clients of each revision get, as JSON").requires("list"))
            .arg(flag("version", "Show the name and version of the server, and end").short('V'));
        #[cfg(feature = "http")]
        let command = http_args(command);
        command.arg(flag("stdio", "Serve standard input and output (the default)"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// What only a server with HTTP can be told.
#[cfg(all(feature = "cli", feature = "http"))]
fn http_args(command: Command) -> Command {
    let several = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).action(ArgAction::Append).help(help)
    };
    command
        .arg(
            Arg::new("http")
                .long("http")
                .value_name("ADDR")
                .num_args(0..=1)
                .conflicts_with("stdio")
                .help(format!(
                    "Serve Streamable HTTP: a port, or HOST:PORT [default: {ADDRESS}] [env: MCP_TRANSPORT=http, \
                     MCP_HTTP_ADDR]"
                )),
        )
        .arg(several(
            "allow-host",
            "HOST",
            "Answer requests for this host too (again for more) [env: MCP_ALLOWED_HOSTS, with commas between]",
        ))
        .arg(several(
            "allow-origin",
            "ORIGIN",
            "Answer pages of this origin too (again for more) [env: MCP_ALLOWED_ORIGINS, with commas between]",
        ))
}

#[cfg(feature = "cli")]
impl clap::FromArgMatches for Cli {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        // Where an argument is not defined, it is not given.
        let many = |name: &str| match matches.try_get_many(name) {
            Ok(values) => values.into_iter().flatten().cloned().collect(),
            Err(_) => Vec::new(),
        };
        let http = matches.try_contains_id("http").unwrap_or(false);
        Ok(Self {
            stdio: matches.get_flag("stdio"),
            http: http.then(|| matches.get_one::<String>("http").cloned()),
            allow_hosts: many("allow-host"),
            allow_origins: many("allow-origin"),
            list: matches.get_flag("list"),
            json: matches.get_flag("json"),
            version: matches.get_flag("version"),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(all(test, feature = "cli", feature = "http"))]
mod tests {
    use clap::{Args as _, FromArgMatches as _};

    use super::*;

    #[track_caller]
    fn wish(args: &[&str], variables: &[(&str, &str)]) -> Result<Wish, String> {
        let args = std::iter::once("server").chain(args.iter().copied());
        let matches = Cli::augment_args(Command::new("server"))
            .try_get_matches_from(args)
            .map_err(|e| e.to_string())?;
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        Cli::from_arg_matches(&matches).unwrap().wish_in(variable).map_err(|ended| match ended {
            Ended::Help(text) | Ended::Wrong(text) => text,
        })
    }

    fn http(address: &str) -> Result<Wish, String> {
        Ok(Wish::Http { address: address.to_owned(), allow_hosts: vec![], allow_origins: vec![] })
    }

    #[test]
    fn a_flag_goes_before_a_variable_and_that_before_the_default() {
        assert_eq!(wish(&[], &[]), Ok(Wish::Stdio));
        assert_eq!(wish(&["--http"], &[]), http("127.0.0.1:8000"));
        assert_eq!(wish(&["--http"], &[("MCP_HTTP_ADDR", ":9000")]), http("127.0.0.1:9000"));
        assert_eq!(wish(&["--http", "7"], &[("MCP_HTTP_ADDR", ":9000")]), http("127.0.0.1:7"));
        assert_eq!(wish(&[], &[("MCP_TRANSPORT", "http")]), http("127.0.0.1:8000"));
        assert_eq!(wish(&["--stdio"], &[("MCP_TRANSPORT", "http")]), Ok(Wish::Stdio));
        assert_eq!(wish(&["--http", "[::1]:80"], &[]), http("[::1]:80"));
        assert_eq!(wish(&["--list", "--json"], &[]), Ok(Wish::ListJson));
    }

    #[test]
    fn names_are_gathered() {
        let wish =
            wish(&["--http", "--allow-host", "a", "--allow-host", "b"], &[("MCP_ALLOWED_HOSTS", "c, d")]);
        let Ok(Wish::Http { allow_hosts, .. }) = wish else { panic!("{wish:?}") };
        assert_eq!(allow_hosts, ["a", "b", "c", "d"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(wish(&[], &[("MCP_TRANSPORT", "sse")]).unwrap_err().contains("MCP_TRANSPORT is `sse`"));
        assert!(wish(&["--http", "nowhere"], &[]).unwrap_err().contains("`nowhere` is no address"));
        assert!(wish(&["--json"], &[]).unwrap_err().contains("--list"));
        assert!(wish(&["--lst"], &[]).unwrap_err().contains("--list"));
    }
}
