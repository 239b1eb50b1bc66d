//! A loop that reads what there is, parses each line without owning any of it, and writes all answers at once.

use std::io::{Read, Write};

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: &'a str,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Call<'a> {
    name: &'a str,
    arguments: Add,
}

#[derive(Deserialize)]
struct Add {
    a: i64,
    b: i64,
}

const INITIALIZED: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bare","version":"0"}}"#;

/// Writes the answer to one line; a notification has none.
fn answer(line: &[u8], stamp: &str, out: &mut Vec<u8>) -> Option<()> {
    let message: Message<'_> = serde_json::from_slice(line).ok()?;
    let id = message.id?.get();
    match message.method {
        "tools/call" => {
            let call: Call<'_> = serde_json::from_str(message.params?.get()).ok()?;
            let sum = if call.name == "add" { call.arguments.a + call.arguments.b } else { return None };
            write!(out, r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{sum}"}}]{stamp}}}}}"#)
        }
        "initialize" => write!(out, r#"{{"jsonrpc":"2.0","id":{id},"result":{INITIALIZED}}}"#),
        _ => write!(out, r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#),
    }
    .ok()?;
    out.push(b'\n');
    Some(())
}

fn main() -> std::io::Result<()> {
    let stamp = bare::stamp();
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut read = vec![0; 64 * 1024];
    let (mut unread, mut answers) = (Vec::new(), Vec::new());
    loop {
        let length = input.read(&mut read)?;
        if length == 0 {
            return Ok(());
        }
        unread.extend_from_slice(&read[..length]);
        let mut start = 0;
        while let Some(length) = memchr::memchr(b'\n', &unread[start..]) {
            let _ = answer(&unread[start..start + length], stamp, &mut answers);
            start += length + 1;
        }
        unread.drain(..start);
        output.write_all(&answers)?;
        output.flush()?;
        answers.clear();
    }
}
