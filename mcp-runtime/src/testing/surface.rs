//! What the clients of each revision see, in a file that is committed: what changes it shows in review.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::compare::{Difference, differences};
use super::named;
use crate::boot;
use crate::server::{Server, server};

/// Set to anything but nothing and 0, it has the file written anew.
const UPDATE: &str = "MCP_UPDATE_SURFACE";

/// Compares what clients see of everything registered with the file of that path, from the folder of the package on. A
/// file that is not there is written.
///
/// What has changed is told, and what of it breaks clients: a tool that is gone, an argument that has to be given now.
/// `MCP_UPDATE_SURFACE=1` writes the file anew.
///
/// # Panics
/// The file and what is registered differ, or the file cannot be read or written.
#[track_caller]
pub fn surface(path: impl AsRef<Path>) {
    surface_of(server(), path);
}

/// The same of a server of your own.
///
/// # Panics
/// As [`surface`].
#[track_caller]
pub fn surface_of<M>(server: Server<M>, path: impl AsRef<Path>) {
    let path = placed(path.as_ref());
    let now = seen(server);
    let text = format!("{now:#}\n");
    let wanted = std::env::var(UPDATE).is_ok_and(|value| !matches!(value.as_str(), "" | "0"));
    let before = match std::fs::read_to_string(&path) {
        Ok(before) if !wanted => before,
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            panic!("`{}` cannot be read: {error}", path.display())
        }
        // Where nobody commits what is written, a file that is missing is a fault.
        Err(_) if !wanted && std::env::var_os("CI").is_some() => {
            panic!("`{}` is missing: run the test once on your machine, and commit the file", path.display())
        }
        _ => return write(&path, &text),
    };
    let before: Value = serde_json::from_str(&before)
        .unwrap_or_else(|error| panic!("`{}` is no JSON: {error}", path.display()));
    if before == now {
        return;
    }
    let found = differences(&before, &now);
    let told: Vec<String> = found.iter().map(ToString::to_string).collect();
    let breaks = found.iter().filter(|one| one.breaks).count();
    panic!(
        "what clients see differs from `{}`:\n{}\n{}\n{UPDATE}=1 writes the file anew; review it, and commit it.",
        path.display(),
        told.join("\n"),
        match breaks {
            0 => "Nothing of it breaks clients.".to_owned(),
            1 => "One of these breaks clients.".to_owned(),
            many => format!("{many} of these break clients."),
        }
    );
}

/// A path from the folder of the package on, whose tests may be run from elsewhere.
fn placed(path: &Path) -> PathBuf {
    match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(folder) => Path::new(&folder).join(path),
        None => path.to_owned(),
    }
}

#[track_caller]
fn write(path: &Path, text: &str) {
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    if let Err(error) = folder.and_then(|()| std::fs::write(path, text)) {
        panic!("`{}` cannot be written: {error}", path.display());
    }
}

/// What the clients of each revision see, but for what changes with each release.
#[track_caller]
fn seen<M>(server: Server<M>) -> Value {
    let checked = match boot::check(named(server).options) {
        Ok(checked) => checked,
        Err(problems) => panic!("{problems}"),
    };
    let booted = checked.start(crate::call::States::default());
    let mut seen = booted.dispatcher.engine.surface_by_revision();
    for result in seen.as_object_mut().into_iter().flatten().flat_map(|(_, all)| results(all)) {
        for member in ["_meta", "serverInfo", "resultType", "ttlMs", "cacheScope"] {
            result.remove(member);
        }
    }
    seen
}

fn results(all: &mut Value) -> impl Iterator<Item = &mut Map<String, Value>> {
    all.as_object_mut().into_iter().flatten().filter_map(|(_, result)| result.as_object_mut())
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = if self.breaks { "breaks" } else { "changes" };
        write!(f, "  {kind} {}: {}", self.revisions.join(", "), self.what)
    }
}
