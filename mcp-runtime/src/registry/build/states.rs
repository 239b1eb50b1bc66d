//! The states that a server is given, and those that handlers take and nobody gave: what to write.

use std::panic::Location;

/// A type of which a value is or will be given.
#[derive(Clone, Copy)]
pub(crate) struct GivenState {
    pub(crate) name: &'static str,
    /// Where it is given.
    pub(crate) at: &'static Location<'static>,
}

/// What to do about a state of the type `name`, where those of `given` are there.
pub(super) fn cure(name: &str, given: &[&str]) -> String {
    let shared = |inner: &str| format!("alloc::sync::Arc<{inner}>");
    let inside = name.strip_prefix("alloc::sync::Arc<").and_then(|inner| inner.strip_suffix('>'));
    let of_object = name.contains("dyn ").then(|| {
        format!(
            "a value is given as the type that it has: write `let value: {name} = …;` and `.state(value)`"
        )
    });
    if given.contains(&shared(name).as_str()) {
        return format!("take `State<{}>`", shared(name));
    }
    match inside {
        Some(inner) if given.contains(&inner) => {
            format!("take `State<{inner}>`, or give it by `.state(Arc::new(…))`")
        }
        _ => of_object.unwrap_or_else(|| "add `.state(…)`".to_owned()),
    }
}

/// The types that were given.
pub(super) fn listed(given: &[&str]) -> String {
    if given.is_empty() {
        return "none".to_owned();
    }
    given.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cure_is_what_there_is_to_write() {
        let arc = "alloc::sync::Arc<app::Db>";
        for (name, given, expected) in [
            ("app::Db", &[][..], "add `.state(…)`"),
            ("app::Db", &["app::Cache"], "add `.state(…)`"),
            ("app::Db", &[arc], "take `State<alloc::sync::Arc<app::Db>>`"),
            (arc, &["app::Db"], "take `State<app::Db>`, or give it by `.state(Arc::new(…))`"),
            (
                "alloc::sync::Arc<dyn app::Store>",
                &[arc],
                "a value is given as the type that it has: write `let value: alloc::sync::Arc<dyn app::Store> = …;` and \
                 `.state(value)`",
            ),
        ] {
            assert_eq!(cure(name, given), expected, "{name}");
        }
    }
}
