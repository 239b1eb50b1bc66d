//! What the person can say.

use std::sync::Arc;

use mcp_runtime::client::{Client, Error};
use serde_json::{Map, Value};

use crate::show;
use crate::terminal::Terminal;

const HELP: &str = "\
tools                      what can be called
call NAME [KEY=VALUE…]     calls a tool; a value is JSON, or else text; or {\"one\": \"object\"}
resources                  what can be read
read URI                   reads it
prompts                    what can be asked for
prompt NAME [KEY=VALUE…]   asks for it
ping                       whether the server is there
quit                       ends; Ctrl-C takes back what runs";

/// One line of the person's, understood.
#[derive(Debug, PartialEq)]
pub enum Command {
    Help,
    Tools,
    Call(String, Map<String, Value>),
    Resources,
    Read(String),
    Prompts,
    Prompt(String, Map<String, Value>),
    Ping,
    Quit,
}

impl Command {
    /// Understands a line; none where it is blank.
    pub fn parse(line: &str) -> Result<Option<Self>, String> {
        let line = line.trim();
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let (name, given) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        Ok(Some(match (verb, name) {
            ("", _) => return Ok(None),
            ("help" | "?", _) => Self::Help,
            ("tools", _) => Self::Tools,
            ("resources", _) => Self::Resources,
            ("prompts", _) => Self::Prompts,
            ("ping", _) => Self::Ping,
            ("quit" | "exit", _) => Self::Quit,
            ("call" | "read" | "prompt", "") => return Err(format!("{verb} what? `help` says how")),
            ("call", name) => Self::Call(name.to_owned(), arguments(given)?),
            ("prompt", name) => Self::Prompt(name.to_owned(), arguments(given)?),
            ("read", _) => Self::Read(rest.to_owned()),
            (other, _) => {
                return Err(format!("`{other}` is none of the commands; `help` says which there are"));
            }
        }))
    }

    /// Does it; what comes of it, for the person.
    pub async fn run(self, client: &Client, terminal: &Arc<Terminal>) -> Result<String, Error> {
        match self {
            Self::Help => Ok(HELP.to_owned()),
            Self::Quit => Ok(String::new()),
            Self::Ping => client.ping().await.map(|()| "it is there".to_owned()),
            Self::Tools => {
                let tools = client.list_tools().await?;
                let lines = tools.into_iter().map(|tool| {
                    let taken = show::taken(&tool.input_schema).join(", ");
                    entry(&format!("{}({taken})", tool.name), tool.description)
                });
                Ok(listed(lines))
            }
            Self::Resources => {
                let fixed = client.list_resources().await?.into_iter();
                let templates = client.list_resource_templates().await?.into_iter();
                let fixed = fixed.map(|one| entry(&one.uri, one.description));
                Ok(listed(fixed.chain(templates.map(|one| entry(&one.uri_template, one.description)))))
            }
            Self::Prompts => {
                let prompts = client.list_prompts().await?.into_iter();
                Ok(listed(prompts.map(|prompt| {
                    let names = prompt.arguments.iter().map(|argument| {
                        format!("{}{}", argument.name, if argument.required { "" } else { "?" })
                    });
                    let names = names.collect::<Vec<_>>().join(", ");
                    entry(&format!("{}({names})", prompt.name), prompt.description)
                })))
            }
            Self::Call(tool, mut arguments) => {
                let tools = client.list_tools().await?;
                let known = tools.into_iter().find(|known| known.name == tool);
                for (name, value) in &mut arguments {
                    // What looks like a number may be meant as a text.
                    let wanted = known.as_ref().map(|known| &known.input_schema["properties"][name]["type"]);
                    if wanted.is_some_and(|wanted| wanted == "string") {
                        *value = show::plain(value).into();
                    }
                }
                let shown = Arc::clone(terminal);
                let call = client.call_tool(tool, arguments);
                let call = call.on_progress(move |progress| shown.bar(Some(&show::bar(&progress))));
                Ok(show::result(&call.await?))
            }
            Self::Read(uri) => {
                let read = client.read_resource(uri).await?;
                Ok(read.contents.iter().map(show::contents).collect::<Vec<_>>().join("\n"))
            }
            Self::Prompt(name, arguments) => {
                // The arguments of prompts are texts.
                let texts: Map<String, Value> =
                    arguments.into_iter().map(|(name, value)| (name, show::plain(&value).into())).collect();
                let prompt = client.prompt(name, texts).await?;
                let lines = prompt.messages.iter();
                Ok(lines
                    .map(|message| format!("{:?}: {}", message.role, show::block(&message.content)))
                    .collect::<Vec<_>>()
                    .join("\n"))
            }
        }
    }
}

fn entry(name: &str, description: Option<String>) -> String {
    let first = description.as_deref().and_then(|text| text.lines().next()).unwrap_or_default();
    format!("{name}  {first}").trim_end().to_owned()
}

fn listed(lines: impl Iterator<Item = String>) -> String {
    let text = lines.collect::<Vec<_>>().join("\n");
    if text.is_empty() { "there are none".to_owned() } else { text }
}

/// `key=value` pairs, or one JSON object. A value is JSON, in which blanks may stand, or else a text without any.
fn arguments(given: &str) -> Result<Map<String, Value>, String> {
    let given = given.trim();
    if given.starts_with('{') {
        return serde_json::from_str(given).map_err(|error| format!("this is no JSON object: {error}"));
    }
    let mut all = Map::new();
    let mut rest = given;
    while !rest.is_empty() {
        let (name, behind) = rest.split_once('=').ok_or_else(|| format!("`{rest}` is no KEY=VALUE"))?;
        let (value, next) = if behind.starts_with(['"', '{', '[']) {
            let mut values = serde_json::Deserializer::from_str(behind).into_iter::<Value>();
            let value = values.next().and_then(Result::ok).ok_or_else(|| format!("`{behind}` is no JSON"))?;
            (value, &behind[values.byte_offset()..])
        } else {
            let (text, next) = behind.split_once(char::is_whitespace).unwrap_or((behind, ""));
            (serde_json::from_str(text).unwrap_or_else(|_| text.into()), next)
        };
        all.insert(name.trim().to_owned(), value);
        rest = next.trim_start();
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_json_or_else_text() {
        let read = |given: &str| arguments(given).map(Value::from);
        assert_eq!(
            read(r#"a=1 b=two c="three four" d=[5, 6] e={"f": "g h"}"#),
            Ok(json!({"a": 1, "b": "two", "c": "three four", "d": [5, 6], "e": {"f": "g h"}}))
        );
        assert_eq!(read(r#"{"a": {"b": 1}}"#), Ok(json!({"a": {"b": 1}})));
        assert_eq!(read(""), Ok(json!({})));
        assert!(read("a").is_err() && read("a=\"b").is_err() && read("a=[1").is_err() && read("{").is_err());
    }

    #[test]
    fn what_is_not_understood_is_named() {
        assert_eq!(Command::parse("  "), Ok(None));
        assert_eq!(Command::parse("read a://b c"), Ok(Some(Command::Read("a://b c".to_owned()))));
        assert!(Command::parse("call").unwrap_err().contains("call what?"));
        assert!(Command::parse("cal x").unwrap_err().contains("`cal`"));
    }
}
