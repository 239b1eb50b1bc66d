//! What becomes of a trial whose judge is not there.

use libtest_mimic::Trial;

/// A trial that cannot be run: ignored, or failed where the judges are required.
pub fn trial(name: String, why: &str) -> Trial {
    let required =
        std::env::var("MCP_REQUIRE_OUTSIDE").is_ok_and(|value| !matches!(value.as_str(), "" | "0"));
    if !required {
        let lines: Vec<_> = why.lines().take(2).collect();
        eprintln!("{name} is ignored: {}", lines.join(" "));
    }
    let why = why.to_owned();
    Trial::test(name, move || Err(why.into())).with_ignored_flag(!required)
}
