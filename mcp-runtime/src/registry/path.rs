//! Variables of templates that are paths: what of a URI never reaches the file system.
//!
//! A path is every variable of a `file:` template, and every one whose parameter is a `PathBuf`.

use std::path::{Component, Path};

use super::template::Part;

/// A variable that is a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathVariable {
    name: &'static str,
    /// It is one segment.
    segment: bool,
    /// It begins the path of a `file:` URI, so that it may be absolute.
    whole: bool,
}

/// The variables of a template that are paths, of which `typed` are so by their type.
pub(crate) fn paths(parts: &[Part], typed: &[String]) -> Vec<PathVariable> {
    let before = match parts.first() {
        Some(Part::Literal(text)) => text.to_ascii_lowercase(),
        _ => String::new(),
    };
    let files = before.starts_with("file:");
    let whole = before == "file:" || before == "file://";
    let mut paths = Vec::new();
    let mut add = |name: &'static str, segment, whole| {
        if files || typed.iter().any(|typed| typed == name) {
            paths.push(PathVariable { name, segment, whole });
        }
    };
    for (at, part) in parts.iter().enumerate() {
        match *part {
            Part::Literal(_) => {}
            Part::Simple(name) => add(name, true, false),
            Part::Reserved(name) => add(name, false, whole && at == 1),
            Part::Query(names) => names.iter().for_each(|name| add(name, false, false)),
        }
    }
    paths
}

impl PathVariable {
    /// Why the values give the variable one that leads elsewhere.
    pub(crate) fn misfit(&self, values: &[(String, String)]) -> Option<String> {
        let (_, value) = values.iter().find(|(name, _)| name == self.name)?;
        let mut segments = value.split(['/', '\\']);
        let wrong = if segments.clone().any(|segment| segment == "..") {
            "holds a `..` segment"
        } else if self.segment && segments.nth(1).is_some() {
            "holds a slash, and is one segment"
        } else if !self.whole && is_absolute(value) {
            "is an absolute path, and stands for a relative one"
        } else {
            return None;
        };
        Some(format!("`{}` {wrong}", self.name))
    }
}

/// Whether joined to a path it would take its place, here or on another platform.
fn is_absolute(value: &str) -> bool {
    value.starts_with(['/', '\\'])
        || matches!(Path::new(value).components().next(), Some(Component::Prefix(_)))
}

#[cfg(test)]
mod tests {
    use super::Part::{Literal, Query, Reserved, Simple};
    use super::*;

    #[track_caller]
    fn check(parts: &[Part], typed: &[&str], value: &str, says: Option<&str>) {
        let typed: Vec<String> = typed.iter().map(|name| (*name).to_owned()).collect();
        let values = [("x".to_owned(), value.to_owned())];
        let told = paths(parts, &typed).iter().find_map(|path| path.misfit(&values));
        match (says, told) {
            (None, None) => {}
            (Some(says), Some(told)) if told.contains(says) => {}
            (_, told) => panic!("{value}: {told:?}"),
        }
    }

    #[test]
    fn what_leads_elsewhere_is_told() {
        let below = [Literal("file:///"), Reserved("x")];
        for (value, says) in [
            ("a/b.txt", None),
            ("a/..b/c..", None),
            ("a/../../b", Some("`x` holds a `..`")),
            ("..", Some("`..`")),
            ("a\\..\\b", Some("`..`")),
            ("/etc/passwd", Some("absolute")),
            ("\\\\host\\share", Some("absolute")),
        ] {
            check(&below, &[], value, says);
            check(&[Literal("note://"), Reserved("x")], &["x"], value, says);
            check(&[Literal("note://"), Reserved("x")], &["y"], value, None);
            check(&[Literal("note://all"), Query(&["x"])], &["x"], value, says);
        }
    }

    #[test]
    fn a_segment_holds_no_slash() {
        for parts in [[Literal("FILE:///logs/"), Simple("x")], [Literal("file://"), Simple("x")]] {
            check(&parts, &[], "a.log", None);
            check(&parts, &[], "a/b", Some("slash"));
            check(&parts, &[], "/etc", Some("slash"));
            check(&parts, &[], "..", Some("`..`"));
        }
    }

    #[test]
    fn the_whole_path_of_a_file_is_absolute() {
        for scheme in ["file://", "file:"] {
            let whole = [Literal(scheme), Reserved("x")];
            check(&whole, &[], "/etc/hosts", None);
            check(&whole, &[], "/srv/../etc", Some("`..`"));
        }
        check(&[Literal("file:///"), Reserved("x")], &[], "/etc/hosts", Some("absolute"));
        check(&[Literal("files://"), Reserved("x")], &["x"], "/etc/hosts", Some("absolute"));
    }
}
