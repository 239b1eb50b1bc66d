//! One registration, five views: what clients of each revision get, judged by the published schemas, by types that
//! others wrote, and row by row.

mod asked;
mod fixture;
mod kind;
mod published;
mod rows;
mod seen;
mod typed;

use serde_json::Value;

use crate::published::Schema;
use crate::rows::find;
use crate::seen::LINES;

/// The revisions of the handshake era, oldest first.
pub const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The revision of the modern era.
pub const MODERN: &str = "2026-07-28";

fn revisions() -> impl Iterator<Item = &'static str> {
    HANDSHAKE.into_iter().chain([MODERN])
}

#[test]
fn messages_fit_the_published_schemas() {
    let Some(folder) = published::folder() else { return };
    let mut faults = Vec::new();
    for revision in revisions() {
        let mut schema = Schema::read(&folder, revision);
        let messages: Vec<_> = seen::all().iter().filter(|seen| seen.revision == revision).collect();
        eprintln!("{revision}: {} messages", messages.len());
        for seen in messages {
            faults.extend(schema.faults(seen).iter().map(|fault| format!("{}: {fault}", seen.place())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn handshake_messages_are_of_the_types_of_rust_mcp_schema() {
    let handshake = seen::all().iter().filter(|seen| seen.revision != MODERN);
    let faults: Vec<String> = handshake
        .flat_map(|seen| {
            typed::faults(seen).into_iter().map(move |fault| format!("{}: {fault}", seen.place()))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn members_are_where_they_are_known() {
    let mut faults = Vec::new();
    for row in rows::MEMBERS {
        for (revision, known) in revisions().zip(row.known.chars()) {
            let messages = seen::messages(revision, LINES, row.what);
            if find(&messages, row.at).is_some() != (known == '+') {
                faults.push(format!("{} in {revision}: {known} is wrong in {messages}", row.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_is_not_known_is_converted() {
    let mut faults = Vec::new();
    for row in rows::conversions() {
        for (revision, expected) in revisions().zip(&row.seen) {
            let messages = seen::messages(revision, LINES, row.what);
            let got = find(&messages, row.at).unwrap_or(&Value::Null);
            if got != expected {
                faults.push(format!("{} of {} in {revision}: {got} is not {expected}", row.name, row.what));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_era_has_words_of_the_other() {
    for seen in seen::all() {
        let (words, codes) = match seen.revision {
            MODERN => (rows::OF_THE_PAST, rows::CODES_OF_THE_PAST),
            _ => (rows::OF_2026, rows::CODES_OF_2026),
        };
        let mut names = Vec::new();
        member_names(&seen.message, &mut names);
        for word in words {
            assert!(!names.contains(word), "{}: `{word}` in {}", seen.place(), seen.message);
        }
        let code = seen.message["error"]["code"].as_i64();
        assert!(code.is_none_or(|code| !codes.contains(&code)), "{}: {}", seen.place(), seen.message);
    }
}

fn member_names<'v>(value: &'v Value, names: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            names.push(name);
            member_names(member, names);
        }),
        Value::Array(items) => items.iter().for_each(|item| member_names(item, names)),
        _ => {}
    }
}

#[test]
fn every_way_gives_the_same_view() {
    for seen in seen::all().iter().filter(|seen| seen.way == LINES && seen.what != "discover, by hand") {
        let ways = if seen.revision == MODERN { &[seen::HTTP][..] } else { &[seen::HTTP, seen::SESSION] };
        for way in ways {
            let [by_lines, other] = [LINES, *way].map(|way| {
                let mut messages = seen::messages(seen.revision, way, seen.what);
                messages.as_array_mut().into_iter().flatten().for_each(forget_what_is_of_the_call);
                messages
            });
            assert_eq!(by_lines, other, "{} {way} `{}`", seen.revision, seen.what);
        }
    }
}

/// Takes away what two calls differ in: ids, tokens, and the id of an error in the log.
fn forget_what_is_of_the_call(message: &mut Value) {
    for (object, member) in [("", "id"), ("/params", "progressToken")] {
        if let Some(Value::Object(members)) = message.pointer_mut(object) {
            members.remove(member);
        }
    }
    if let Some(Value::String(text)) = message.pointer_mut("/error/message")
        && text.starts_with("Internal error")
    {
        *text = "Internal error".to_owned();
    }
}
