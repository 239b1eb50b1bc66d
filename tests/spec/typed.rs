//! The types of `rust-mcp-schema` for the handshake revisions: every message is one of its type, and written again it
//! is what was sent. What its type does not know is lost on the way.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::seen::Seen;

/// Everything that is wrong with a message of a handshake revision.
pub fn faults(seen: &Seen) -> Vec<String> {
    let again = match seen.revision {
        "2024-11-05" => v2024_11_05,
        "2025-03-26" => v2025_03_26,
        "2025-06-18" => v2025_06_18,
        "2025-11-25" => v2025_11_25,
        other => panic!("there are no types of {other}"),
    };
    let mut faults = Vec::new();
    let whole = [(seen.envelope(), &seen.message)];
    for (definition, value) in whole.into_iter().chain(seen.result()) {
        match again(definition, value) {
            Ok(again) => lost(value, &again, definition, &mut faults),
            Err(error) => faults.push(format!("{definition}: {error}")),
        }
    }
    faults.retain(|fault| !is_known(seen, fault));
    faults
}

/// Reads the value as the type, and writes it.
fn again<T: DeserializeOwned + Serialize>(value: &Value) -> serde_json::Result<Value> {
    serde_json::to_value(T::deserialize(value)?)
}

/// The types that every revision has, by the names of their definitions; the envelopes have names of their own.
macro_rules! types {
    ($revision:ident, $types:path, response: $response:ident, error: $error:ident) => {
        fn $revision(definition: &str, value: &Value) -> serde_json::Result<Value> {
            use $types as types;
            match definition {
                "JSONRPCResponse" | "JSONRPCResultResponse" => again::<types::$response>(value),
                "JSONRPCError" | "JSONRPCErrorResponse" => again::<types::$error>(value),
                "ProgressNotification" => again::<types::ProgressNotification>(value),
                "LoggingMessageNotification" => again::<types::LoggingMessageNotification>(value),
                "InitializeResult" => again::<types::InitializeResult>(value),
                "ListToolsResult" => again::<types::ListToolsResult>(value),
                "CallToolResult" => again::<types::CallToolResult>(value),
                "ListPromptsResult" => again::<types::ListPromptsResult>(value),
                "GetPromptResult" => again::<types::GetPromptResult>(value),
                "ListResourcesResult" => again::<types::ListResourcesResult>(value),
                "ListResourceTemplatesResult" => again::<types::ListResourceTemplatesResult>(value),
                "ReadResourceResult" => again::<types::ReadResourceResult>(value),
                "CompleteResult" => again::<types::CompleteResult>(value),
                "EmptyResult" => again::<types::EmptyResult>(value),
                "Result" => again::<types::Result>(value),
                other => panic!("which type is {other}?"),
            }
        }
    };
}

types!(v2024_11_05, rust_mcp_schema_2024_11_05::mcp_2024_11_05, response: JsonrpcResponse, error: JsonrpcError);
types!(v2025_03_26, rust_mcp_schema_2025_03_26::mcp_2025_03_26, response: JsonrpcResponse, error: JsonrpcError);
types!(v2025_06_18, rust_mcp_schema_2025_06_18::mcp_2025_06_18, response: JsonrpcResponse, error: JsonrpcError);
types!(
    v2025_11_25,
    rust_mcp_schema_2025_11_25::mcp_2025_11_25,
    response: JsonrpcResultResponse,
    error: JsonrpcErrorResponse
);

/// What was sent and is not there again.
fn lost(sent: &Value, again: &Value, place: &str, faults: &mut Vec<String>) {
    match (sent, again) {
        (Value::Object(sent), Value::Object(again)) => {
            for (name, value) in sent {
                let place = format!("{place}/{name}");
                match again.get(name) {
                    Some(again) => lost(value, again, &place, faults),
                    None => faults.push(format!("{place}: the type does not know it")),
                }
            }
        }
        (Value::Array(sent), Value::Array(again)) if sent.len() == again.len() => {
            for (at, (sent, again)) in sent.iter().zip(again).enumerate() {
                lost(sent, again, &format!("{place}/{at}"), faults);
            }
        }
        // Every number of theirs is a float.
        (Value::Number(sent), Value::Number(again)) if sent.as_f64() == again.as_f64() => {}
        (sent, again) if sent == again => {}
        (sent, again) => faults.push(format!("{place}: {sent} became {again}")),
    }
}

/// What the types leave out of what their revision has.
fn is_known(seen: &Seen, fault: &str) -> bool {
    if seen.revision < "2025-11-25" && seen.method.is_empty() && fault == "JSONRPCError: missing field `id`" {
        return true;
    }
    let Some(place) = fault.strip_suffix(": the type does not know it") else { return false };
    // As in the published schemas, notifications of older revisions have no `jsonrpc`.
    if place.ends_with("Notification/jsonrpc") && seen.revision < "2025-11-25" {
        return true;
    }
    // Of a JSON Schema they keep `type`, `properties` and `required` alone, and no empty list; the published schemas are
    // open there.
    let keyword = place.rsplit_once('/').map(|(object, keyword)| (object.rsplit('/').next(), keyword));
    matches!(
        keyword,
        Some((Some("inputSchema" | "outputSchema"), keyword)) if !["type", "properties"].contains(&keyword)
    )
}
