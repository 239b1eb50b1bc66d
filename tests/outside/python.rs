//! Python, with the packages that `python/requirements.txt` names.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::{cache, process};

const PACKAGES: &str = include_str!("python/requirements.txt");
const INTERPRETER: &str = if cfg!(windows) { "python" } else { "python3" };

/// Fails where something is missing; says which interpreter this is, for a copy of it ends with the original.
const PROBE: &str = "
import sys, ensurepip, venv
assert sys.version_info >= (3, 10), f'python is {sys.version}, and 3.10 is the oldest that will do'
print(sys.executable, sys.version)
";

/// Python with its packages installed.
#[derive(Clone)]
pub struct Python {
    packages: PathBuf,
}

impl Python {
    /// Installs the packages if they are not there yet, or says what is missing.
    pub fn prepare() -> Result<Self, String> {
        let mut command = Command::new(INTERPRETER);
        command.args(["-c", PROBE]);
        let interpreter =
            process::run(command, Duration::from_secs(30))?.successful("the probe of python")?;
        let recipe = format!("{interpreter}{PACKAGES}");
        Ok(Self { packages: cache::folder("python", &recipe, install)? })
    }

    /// A program of the folder `python`, which finds the installed packages.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(interpreter(&self.packages));
        command.arg("-B").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("outside/python").join(name));
        command
    }
}

fn interpreter(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn install(folder: &Path) -> Result<(), String> {
    let mut command = Command::new(INTERPRETER);
    command.args(["-m", "venv"]).arg(folder);
    process::run(command, Duration::from_secs(120))?.successful("`python -m venv`")?;

    let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("outside/python/requirements.txt");
    let mut command = Command::new(interpreter(folder));
    command
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--retries=1"])
        .arg("--requirement")
        .arg(requirements);
    process::run(command, Duration::from_secs(300))?.successful("`pip install`").map(drop)
}
