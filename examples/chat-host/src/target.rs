//! What the command line says: whom to connect to, and as whom.

use mcp_runtime::client::reqwest::header::{HeaderName, HeaderValue};
use mcp_runtime::client::{Connecting, connect};
use mcp_runtime::mcp::Era;

pub const USAGE: &str = "\
chat-host [--era modern|handshake] [--header 'NAME: VALUE']… URL
chat-host [--era modern|handshake] PROGRAM [ARGUMENT…]

Without an era it speaks the newest that the server does. A header, such as 'Authorization: Bearer …', goes with every
request over HTTP.";

/// Understands the command line, or says what to write.
pub fn target(mut arguments: impl Iterator<Item = String>) -> Result<Connecting, String> {
    let (mut headers, mut era) = (Vec::new(), None);
    let first = loop {
        let Some(argument) = arguments.next() else { return Err(USAGE.to_owned()) };
        match argument.as_str() {
            "-h" | "--help" => return Err(USAGE.to_owned()),
            "--era" => {
                era = Some(match arguments.next().as_deref() {
                    Some("modern") => Era::Modern,
                    Some("handshake") => Era::Handshake,
                    _ => return Err(format!("`--era` is `modern` or `handshake`\n\n{USAGE}")),
                });
            }
            "--header" => headers.push(header(&arguments.next().unwrap_or_default())?),
            option if option.starts_with('-') => {
                return Err(format!("there is no option `{option}`\n\n{USAGE}"));
            }
            _ => break argument,
        }
    };
    if first.contains("://") {
        let connecting = of_era(connect(first), era);
        return Ok(headers.into_iter().fold(connecting, |all, (name, value)| all.header(name, value)));
    }
    if !headers.is_empty() {
        return Err(format!("`{first}` is a program, and headers are for URLs\n\n{USAGE}"));
    }
    let mut program = tokio::process::Command::new(first);
    program.args(arguments);
    // Ctrl-C is for what is called, not for who is.
    #[cfg(unix)]
    program.process_group(0);
    Ok(of_era(connect(program), era))
}

fn of_era(connecting: Connecting, era: Option<Era>) -> Connecting {
    match era {
        Some(era) => connecting.era(era),
        None => connecting,
    }
}

fn header(text: &str) -> Result<(HeaderName, HeaderValue), String> {
    let (name, value) = text.split_once(':').unwrap_or((text, ""));
    let name = HeaderName::from_bytes(name.trim().as_bytes());
    match (name, HeaderValue::from_str(value.trim())) {
        (Ok(name), Ok(mut value)) if !value.is_empty() => {
            value.set_sensitive(true);
            Ok((name, value))
        }
        // It may hold a secret, and is not shown.
        _ => Err(format!("`--header` takes 'NAME: VALUE'\n\n{USAGE}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_with_the_usage() {
        let told = |line: &str| target(line.split(' ').map(str::to_owned)).err().unwrap_or_default();
        assert_eq!(told("--help"), USAGE);
        assert!(told("--verbose x").starts_with("there is no option `--verbose`"));
        assert!(told("--era old x").starts_with("`--era` is `modern` or `handshake`"));
        assert_eq!(told("--era handshake weather"), "");
        assert!(told("--header nothing http://127.0.0.1:1/").starts_with("`--header` takes"));
        assert!(told("--header a:b true").contains("headers are for URLs"));
        assert_eq!(told("--header a:b http://127.0.0.1:1/"), "");
        assert_eq!(told("weather --flag"), "");
    }
}
