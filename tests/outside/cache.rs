//! Folders of installed packages, kept between runs and shared by processes that run at once.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The folder of that name, filled by `install` unless it was filled from the same recipe before.
///
/// One process at a time is in here. The folder is filled under another name: what is left of an install that was
/// interrupted is never taken for a whole one.
pub fn folder(
    name: &str,
    recipe: &str,
    install: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    let told = |error: io::Error| format!("the folder `{}` cannot be prepared: {error}", root.display());
    fs::create_dir_all(&root).map_err(told)?;
    // The system unlocks it when the file is closed, also for a process that was killed.
    let lock = File::create(root.join(format!("{name}.lock"))).map_err(told)?;
    lock.lock().map_err(told)?;

    let folder = root.join(name);
    let stamp = "installed-from.txt";
    if fs::read_to_string(folder.join(stamp)).is_ok_and(|installed| installed == recipe) {
        return Ok(folder);
    }
    let fresh = tempfile::tempdir_in(&root).map_err(told)?;
    install(fresh.path())?;
    fs::write(fresh.path().join(stamp), recipe).map_err(told)?;
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(told)?;
    }
    fs::rename(fresh.keep(), &folder).map_err(told)?;
    Ok(folder)
}
