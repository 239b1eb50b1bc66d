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
    let listed = listed(include_str!("expected-failures.txt")).into_iter();
    listed
        .map(|(words, reason)| match *words {
            [revision, scenario, check] => Expected { revision, scenario, check, reason },
            _ => panic!("this is no revision, scenario and check: {words:?}"),
        })
        .collect()
}

/// The scenarios for clients that are expected to fail as a whole: revision, scenario and reason.
pub fn client_failures() -> Vec<(&'static str, &'static str, &'static str)> {
    let listed = listed(include_str!("expected-client-failures.txt")).into_iter();
    listed
        .map(|(words, reason)| match *words {
            [revision, scenario] => (revision, scenario, reason),
            _ => panic!("this is no revision and scenario: {words:?}"),
        })
        .collect()
}

/// The words of every line, and the reason above it.
fn listed(text: &'static str) -> Vec<(Vec<&'static str>, &'static str)> {
    let mut reason = "";
    let mut all = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(bracketed) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            reason = bracketed;
            continue;
        }
        let words: Vec<_> = line.split_whitespace().collect();
        assert!(words.is_empty() || !reason.is_empty(), "a line without a reason above it: {line}");
        if !words.is_empty() {
            all.push((words, reason));
        }
    }
    all
}
