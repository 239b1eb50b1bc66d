//! The words of one era that the other never sends.

use serde_json::Value;

use crate::MODERN;
use crate::seen::Seen;

/// Names of members that the handshake era does not have, anywhere.
const OF_2026: &[&str] = &[
    "resultType",
    "ttlMs",
    "cacheScope",
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/subscriptionId",
    "inputRequests",
    "inputResponses",
    "requestState",
    "supportedVersions",
    "extensions",
];

/// Names of members that the modern era no longer has, anywhere.
const OF_THE_PAST: &[&str] =
    &["protocolVersion", "serverInfo", "execution", "tasks", "task", "elicitationId"];

/// Error codes of the modern era, and of the one before it.
const CODES_OF_2026: &[i64] = &[-32020, -32021];
const CODES_OF_THE_PAST: &[i64] = &[-32002, -32042];

/// What a message says that its era does not know.
pub fn faults(seen: &Seen) -> Vec<String> {
    let (words, codes) = match seen.revision {
        MODERN => (OF_THE_PAST, CODES_OF_THE_PAST),
        _ => (OF_2026, CODES_OF_2026),
    };
    let mut names = Vec::new();
    member_names(&seen.message, &mut names);
    let mut faults: Vec<String> =
        words.iter().filter(|word| names.contains(word)).map(|word| format!("it says `{word}`")).collect();
    let code = seen.message["error"]["code"].as_i64();
    faults.extend(code.filter(|code| codes.contains(code)).map(|code| format!("its code is {code}")));
    faults
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
