//! The known name that a misspelt one was meant to be.

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
    fn other_words_are_not() {
        assert_eq!(near("colour", &["title", "name"]), None);
        assert_eq!(near("x", &[]), None);
    }
}
