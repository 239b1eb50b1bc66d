//! One registration, five views: what clients of each revision get, judged by the published schemas, by types that
//! others wrote, and row by row.

mod asked;
mod fixture;
mod kind;
mod published;
mod seen;

use crate::published::Schema;

/// The revisions of the handshake era, oldest first.
pub const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The revision of the modern era.
pub const MODERN: &str = "2026-07-28";

#[test]
fn messages_fit_the_published_schemas() {
    let Some(folder) = published::folder() else { return };
    let mut faults = Vec::new();
    for revision in HANDSHAKE.into_iter().chain([MODERN]) {
        let mut schema = Schema::read(&folder, revision);
        let messages: Vec<_> = seen::all().iter().filter(|seen| seen.revision == revision).collect();
        eprintln!("{revision}: {} messages", messages.len());
        for seen in messages {
            faults.extend(schema.faults(seen).iter().map(|fault| format!("{}: {fault}", seen.place())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
