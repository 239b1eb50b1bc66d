//! Every id of the decision table, and that each is shown.

use std::collections::BTreeSet;

use crate::row::Row;
use crate::{
    asking, definitions, edge, handshake, listening, mirrored, modern, notifications, observed, offered,
    one_era, over_time, requirements, resource_rows, routing, sessions, standard_headers, stdio,
};

/// The ids of the table, by section: first and last number, and what stands between.
const SECTIONS: &[(&str, u32, u32, &[&str])] = &[
    ("H", 1, 22, &[]),
    ("C", 1, 30, &[]),
    ("M", 1, 46, &["M-44a", "M-44b", "M-44c"]),
    ("N", 1, 7, &[]),
    ("SH", 1, 19, &[]),
    ("MP", 1, 42, &[]),
    ("XD", 1, 24, &[]),
    ("L", 1, 46, &[]),
    ("E", 1, 18, &[]),
    ("S", 1, 42, &[]),
    ("R", 1, 7, &[]),
    ("R", 10, 19, &[]),
    ("R", 20, 26, &[]),
    ("R", 30, 38, &[]),
    ("R", 40, 42, &[]),
    ("R", 50, 54, &[]),
];

/// The ids that a case names: `"S-39, S-40 then more"` names two.
pub fn named(case: &str) -> impl Iterator<Item = &str> {
    case.split(',').filter_map(|part| part.split_whitespace().next()).filter(|word| is_id(word))
}

fn is_id(word: &str) -> bool {
    let Some((section, number)) = word.split_once('-') else { return false };
    (1..=2).contains(&section.len())
        && section.bytes().all(|byte| byte.is_ascii_uppercase())
        && number.starts_with(|first: char| first.is_ascii_digit())
}

/// Every row of every section.
pub fn rows() -> Vec<Row> {
    let sections = [
        edge::rows(),
        routing::rows(),
        modern::rows(),
        notifications::rows(),
        standard_headers::rows(),
        mirrored::rows(),
        asking::rows(),
        listening::rows(),
        handshake::rows(),
        sessions::rows(),
        one_era::rows(),
        stdio::rows(),
        offered::rows(),
        offered::completion_params(),
        resource_rows::shared(),
        resource_rows::paths(),
        requirements::rows(),
    ];
    sections.into_iter().flatten().collect()
}

/// What each case names, and on how many levels it is replayed.
fn cases() -> Vec<(&'static str, usize)> {
    let rows = rows().into_iter().map(|row| (row.id, row.levels.len()));
    let definitions = definitions::definitions().into_iter().map(|definition| (definition.id, 2));
    let tests = [
        asking::SHOWN,
        listening::SHOWN,
        observed::SHOWN,
        definitions::SHOWN,
        edge::SHOWN,
        over_time::SHOWN,
        requirements::SHOWN,
        sessions::SHOWN,
    ]
    .into_iter()
    .flatten();
    rows.chain(definitions).chain(tests.map(|(id, _)| (*id, 1))).collect()
}

#[test]
fn every_id_is_shown() {
    let mut known = BTreeSet::new();
    for (section, first, last, more) in SECTIONS {
        known.extend((*first..=*last).map(|number| format!("{section}-{number}")));
        known.extend(more.iter().map(|id| (*id).to_owned()));
    }
    let cases = cases();
    let shown: BTreeSet<&str> = cases.iter().flat_map(|(case, _)| named(case)).collect();
    let strangers: Vec<_> = shown.iter().filter(|id| !known.contains(**id)).collect();
    assert!(strangers.is_empty(), "no ids of the table: {strangers:?}");
    let missing: Vec<_> = known.iter().filter(|id| !shown.contains(id.as_str())).collect();
    assert!(missing.is_empty(), "not shown: {missing:?}");
    let replays: usize = cases.iter().map(|(_, levels)| levels).sum();
    println!("{} ids, {} shown by {} cases ({replays} replays)", known.len(), shown.len(), cases.len());
}
