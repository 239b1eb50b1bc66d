//! The checks of the suite that may fail, and why.

/// A check that may fail.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    pub revision: &'static str,
    pub scenario: &'static str,
    pub check: &'static str,
    pub reason: &'static str,
}

/// The list as it is committed: reasons in brackets, and below each of them a line for every check.
pub fn failures() -> Vec<Expected> {
    let mut reason = "";
    let mut all = Vec::new();
    for line in include_str!("expected-failures.txt").lines().filter(|line| !line.starts_with('#')) {
        if let Some(bracketed) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            reason = bracketed;
            continue;
        }
        match *line.split_whitespace().collect::<Vec<_>>() {
            [] => {}
            [revision, scenario, check] if !reason.is_empty() => {
                all.push(Expected { revision, scenario, check, reason });
            }
            _ => panic!("this is no revision, scenario and check below a reason: {line}"),
        }
    }
    all
}
