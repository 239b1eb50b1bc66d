//! The known name that another was meant to be: one that is misspelt, or what other libraries call it.

/// The nearest of the known names, where one is near enough to be meant.
pub fn near<'k>(written: &str, known: &[&'k str]) -> Option<&'k str> {
    let most = (written.chars().count() / 3).max(1);
    known
        .iter()
        .map(|name| (distance(written, name), *name))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// What other libraries call an option, by the option's own name, with what to write.
const ELSEWHERE: [(&str, &str, &[&str]); 12] = [
    (
        "range",
        "`range = 1..=100`",
        &["min", "max", "minimum", "maximum", "exclusive_minimum", "exclusive_maximum"],
    ),
    (
        "length",
        "`length = 1..=80`",
        &["min_length", "max_length", "min_len", "max_len", "len", "min_items", "max_items"],
    ),
    ("pattern", "`pattern = \"^[a-z]+$\"`", &["regex", "regexp"]),
    ("description", "a doc comment, or `description = \"…\"`", &["desc", "doc", "docs", "help", "about"]),
    ("name", "`name = \"…\"`", &["rename"]),
    ("title", "`title = \"…\"`", &["label", "display_name"]),
    ("default", "`default = 100`", &["default_value"]),
    ("read_only", "`read_only`", &["read_only_hint"]),
    ("destructive", "`destructive`", &["destructive_hint"]),
    ("idempotent", "`idempotent`", &["idempotent_hint"]),
    ("open_world", "`open_world`", &["open_world_hint"]),
    ("mime_type", "`mime_type = \"text/plain\"`", &["mime", "content_type", "media_type"]),
];

/// What to write for an option that other libraries call by that name.
pub fn elsewhere(written: &str, known: &[&str]) -> Option<&'static str> {
    let mut snake = String::new();
    for letter in written.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    let mut options = ELSEWHERE.iter().filter(|(option, _, _)| known.contains(option));
    options.find(|(_, _, names)| names.contains(&snake.as_str())).map(|(_, instead, _)| *instead)
}

/// How many letters are to be added, dropped, changed or swapped with their neighbour.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut rows = vec![vec![0; right.len() + 1]; left.len() + 1];
    for (at, row) in rows.iter_mut().enumerate() {
        row[0] = at;
    }
    for (at, cell) in rows[0].iter_mut().enumerate() {
        *cell = at;
    }
    for l in 1..=left.len() {
        for r in 1..=right.len() {
            let change = usize::from(left[l - 1] != right[r - 1]);
            let mut least = (rows[l - 1][r] + 1).min(rows[l][r - 1] + 1).min(rows[l - 1][r - 1] + change);
            if l > 1 && r > 1 && left[l - 1] == right[r - 2] && left[l - 2] == right[r - 1] {
                least = least.min(rows[l - 2][r - 2] + 1);
            }
            rows[l][r] = least;
        }
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_fingers_is_understood() {
        let known = ["read_only", "destructive", "title", "name"];
        assert_eq!(near("read_onyl", &known), Some("read_only"));
        assert_eq!(near("readonly", &known), Some("read_only"));
        assert_eq!(near("titel", &known), Some("title"));
        assert_eq!(near("nam", &known), Some("name"));
    }

    #[test]
    fn words_of_other_libraries_are_known() {
        let known = ["range", "length", "read_only"];
        assert_eq!(elsewhere("max", &known), Some("`range = 1..=100`"));
        assert_eq!(elsewhere("maxLength", &known), Some("`length = 1..=80`"));
        assert_eq!(elsewhere("readOnlyHint", &known), Some("`read_only`"));
        assert_eq!(elsewhere("regex", &known), None);
    }

    #[test]
    fn other_words_are_not() {
        assert_eq!(near("colour", &["title", "name"]), None);
        assert_eq!(near("x", &[]), None);
    }
}
