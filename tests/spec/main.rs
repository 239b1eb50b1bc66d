//! One registration, five views: what clients of each revision get, judged by the published schemas, by types that
//! others wrote, and row by row.

mod asked;
mod conversions;
mod fixture;
mod kind;
mod members;
mod published;
mod seen;
mod typed;
mod words;

use serde_json::Value;

use crate::published::Schema;
use crate::seen::{LINES, Seen, find};

/// The revisions of the handshake era, oldest first.
pub const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The revision of the modern era.
pub const MODERN: &str = "2026-07-28";

fn revisions() -> impl Iterator<Item = &'static str> {
    HANDSHAKE.into_iter().chain([MODERN])
}

/// Fails with everything that is wrong with some of the messages.
fn check(messages: impl Iterator<Item = &'static Seen>, mut faults: impl FnMut(&Seen) -> Vec<String>) {
    let mut messages = messages.peekable();
    assert!(messages.peek().is_some(), "nothing was said");
    let all: Vec<String> = messages
        .flat_map(|seen| faults(seen).into_iter().map(|fault| format!("{}: {fault}", seen.place())))
        .collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn messages_fit_the_published_schemas() {
    let Some(folder) = published::folder() else { return };
    for revision in revisions() {
        let mut schema = Schema::read(&folder, revision);
        let messages = seen::all().iter().filter(|seen| seen.revision == revision);
        eprintln!("{revision}: {} messages", messages.clone().count());
        check(messages, |seen| schema.faults(seen));
    }
}

#[test]
fn handshake_messages_are_of_the_types_of_rust_mcp_schema() {
    check(seen::all().iter().filter(|seen| seen.revision != MODERN), typed::faults);
}

#[test]
fn no_era_has_words_of_the_other() {
    check(seen::all().iter(), words::faults);
}

#[test]
fn members_are_where_they_are_known() {
    let mut faults = Vec::new();
    for row in members::MEMBERS {
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
    for row in conversions::conversions() {
        for (revision, expected) in revisions().zip(&row.seen) {
            let messages = seen::messages(revision, LINES, row.what);
            let got = find(&messages, &row.at).unwrap_or(&Value::Null);
            if got != expected {
                faults.push(format!("{} of {} in {revision}: {got} is not {expected}", row.name, row.what));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_way_gives_the_same_view() {
    for seen in seen::all()
        .iter()
        .filter(|seen| seen.way == LINES && !["discover, by hand", "what is no message"].contains(&seen.what))
    {
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

/// Takes away what two calls differ in: ids, tokens, the id of an error in the log, and that a client of no session
/// cannot be told what changes.
fn forget_what_is_of_the_call(message: &mut Value) {
    for (object, member) in [("", "id"), ("/params", "progressToken")] {
        if let Some(Value::Object(members)) = message.pointer_mut(object) {
            members.remove(member);
        }
    }
    for list in ["tools", "prompts", "resources"] {
        if let Some(Value::Object(flags)) = message.pointer_mut(&format!("/result/capabilities/{list}")) {
            flags.retain(|name, _| !["listChanged", "subscribe"].contains(&name.as_str()));
        }
    }
    if let Some(Value::String(text)) = message.pointer_mut("/error/message")
        && text.starts_with("Internal error")
    {
        *text = "Internal error".to_owned();
    }
}
