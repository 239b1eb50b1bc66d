//! Each case is a program: those under `pass` are built and run, those under `fail` are compared with what the
//! compiler says of them.

use std::fs;
use std::path::{Path, PathBuf};

const ITEMS: [&str; 11] = [
    "tool",
    "prompt",
    "resource",
    "completion",
    "method",
    "notification",
    "args",
    "output",
    "data",
    "form",
    "middleware",
];

#[test]
fn cases() {
    let cases = trybuild::TestCases::new();
    for item in ITEMS {
        if !files(item, "pass", "rs").is_empty() {
            cases.pass(format!("{item}/pass/*.rs"));
        }
        if !files(item, "fail", "rs").is_empty() {
            cases.compile_fail(format!("{item}/fail/*.rs"));
        }
    }
}

/// A case says how many mistakes it makes, `// mistakes: 3`; one where it says nothing.
#[test]
fn one_mistake_is_one_error() {
    for item in ITEMS {
        for case in files(item, "fail", "rs") {
            let source = fs::read_to_string(&case).unwrap();
            let said = source.lines().find_map(|line| line.strip_prefix("// mistakes: "));
            let mistakes: usize = said.map_or(1, |number| number.parse().unwrap());
            let output = fs::read_to_string(case.with_extension("stderr")).unwrap();
            let errors = output.lines().filter(|line| line.starts_with("error")).count();
            assert_eq!(errors, mistakes, "{}:\n{output}", case.display());
        }
    }
}

fn files(item: &str, folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(item).join(folder);
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}
