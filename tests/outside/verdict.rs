//! What the suite found in one scenario, read from the results that it leaves.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The findings of one scenario.
#[derive(Default)]
pub struct Verdict {
    /// How many checks succeeded.
    pub succeeded: usize,
    /// The checks that failed or were warned about, with what was said.
    pub faults: BTreeMap<String, Vec<String>>,
    /// Why checks were not made.
    pub notes: Vec<String>,
}

impl Verdict {
    /// Reads the only `checks.json` in a folder of results.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let runs = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let found: Vec<_> =
            runs.map(|run| run.path().join("checks.json")).filter(|path| path.is_file()).collect();
        let [path] = found.as_slice() else {
            return Err(format!("the suite left {} results in place of one", found.len()));
        };
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let checks: Vec<Value> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        Ok(Self::of(&checks))
    }

    fn of(checks: &[Value]) -> Self {
        let mut verdict = Self::default();
        for check in checks {
            let text = |member: &str| check[member].as_str().unwrap_or_default();
            let said = [text("errorMessage"), text("description")].into_iter().find(|said| !said.is_empty());
            let said = format!("{}: {}", text("status"), said.unwrap_or_default());
            match text("status") {
                "SUCCESS" => verdict.succeeded += 1,
                "INFO" | "SKIPPED" => verdict.notes.push(said),
                _ => verdict.faults.entry(text("id").to_owned()).or_default().push(said),
            }
        }
        verdict
    }
}
