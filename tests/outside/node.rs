//! Node, with the packages that `node/package.json` names.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::{cache, process};

const PACKAGES: &str = include_str!("node/package.json");
const OLDEST: u32 = 20;

/// Node with its packages installed.
#[derive(Clone)]
pub struct Node {
    packages: PathBuf,
}

impl Node {
    /// Installs the packages if they are not there yet, or says what is missing.
    pub fn prepare() -> Result<Self, String> {
        let mut command = Command::new("node");
        command.arg("--version");
        let version = process::run(command, Duration::from_secs(30))?.successful("`node --version`")?;
        let major =
            version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
        if major.is_none_or(|major: u32| major < OLDEST) {
            return Err(format!("node is {}, and {OLDEST} is the oldest that will do", version.trim()));
        }
        Ok(Self { packages: cache::folder("node", PACKAGES, install)? })
    }

    /// A program of the folder `node`, which finds the installed packages.
    pub fn program(&self, name: &str) -> Command {
        self.command(&programs().join(name))
    }

    /// The reference server of the handshake era.
    pub fn everything(&self) -> Command {
        self.command(
            &self.packages.join("node_modules/@modelcontextprotocol/server-everything/dist/index.js"),
        )
    }

    /// The command line of the conformance suite.
    pub fn suite(&self) -> Command {
        self.command(&self.suite_folder().join("dist/index.js"))
    }

    /// What the suite requires of a revision, as it is published.
    pub fn requirements(&self, revision: &str) -> Result<String, String> {
        let path = self.suite_folder().join(format!("requirements/{revision}.yaml"));
        std::fs::read_to_string(&path)
            .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))
    }

    fn suite_folder(&self) -> PathBuf {
        self.packages.join("node_modules/@modelcontextprotocol/conformance")
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("node");
        command.arg("--import").arg(programs().join("preload.mjs")).arg(program);
        command.env("OUTSIDE_PACKAGES", &self.packages);
        command
    }
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("outside/node")
}

fn install(folder: &Path) -> Result<(), String> {
    std::fs::write(folder.join("package.json"), PACKAGES).map_err(|error| error.to_string())?;
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command
        .args([
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--loglevel=error",
        ])
        .arg("--fetch-retries=1")
        .current_dir(folder);
    process::run(command, Duration::from_secs(300))?.successful("`npm install`").map(drop)
}
