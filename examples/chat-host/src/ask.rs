//! What a server asks the person.

use mcp_runtime::client::{Context, Form, Page};
use mcp_runtime::mcp::Answer;
use serde_json::{Map, Value};

use crate::terminal::Terminal;

/// The next line; none where the question is taken back, or the input ends.
async fn line(terminal: &Terminal, context: &Context, prompt: &str) -> Option<String> {
    tokio::select! {
        line = terminal.line(prompt) => line,
        () = context.cancelled().cancelled() => None,
    }
}

/// Has a form filled in, field by field: an empty line leaves the default, `!` declines.
pub async fn form(terminal: &Terminal, form: &Form, context: &Context) -> Answer<Value> {
    terminal.say(&format!("? {} (an empty line leaves a field out, `!` declines)", form.message));
    let required: Vec<&str> =
        form.schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut filled = Map::new();
    for (name, field) in form.schema["properties"].as_object().into_iter().flatten() {
        loop {
            let Some(typed) = line(terminal, context, &prompt(name, field)).await else {
                return Answer::Cancel;
            };
            let typed = typed.trim();
            if typed == "!" {
                return Answer::Decline;
            }
            if typed.is_empty() {
                match field.get("default") {
                    Some(default) => drop(filled.insert(name.clone(), default.clone())),
                    None if required.contains(&name.as_str()) => {
                        terminal.say(&format!("`{name}` has to be given"));
                        continue;
                    }
                    None => {}
                }
                break;
            }
            match read(field, typed) {
                Ok(value) => {
                    filled.insert(name.clone(), value);
                    break;
                }
                Err(why) => terminal.say(&why),
            }
        }
    }
    Answer::Accept(filled.into())
}

/// Shows where a page is, and asks whether the person goes there.
pub async fn page(terminal: &Terminal, page: &Page, context: &Context) -> Answer<()> {
    terminal.say(&format!("? {}\n  {}", page.message, page.url));
    match line(terminal, context, "Did you open it? [y/n] ").await.as_deref().map(str::trim) {
        Some("y" | "yes") => Answer::Accept(()),
        Some(_) => Answer::Decline,
        None => Answer::Cancel,
    }
}

fn prompt(name: &str, field: &Value) -> String {
    let mut prompt = field["title"].as_str().unwrap_or(name).to_owned();
    if let Some(text) = field["description"].as_str() {
        prompt.push_str(&format!(" ({text})"));
    }
    if let Some(values) = choices(field) {
        prompt.push_str(&format!(" [{}]", values.join("/")));
    }
    if let Some(default) = field.get("default") {
        prompt.push_str(&format!(" = {default}"));
    }
    prompt.push_str(": ");
    prompt
}

/// What a field can be, where it is one of several.
fn choices(field: &Value) -> Option<Vec<String>> {
    let items = field.get("items").unwrap_or(field);
    let constants = items.get("oneOf").or_else(|| items.get("anyOf")).and_then(Value::as_array);
    let values: Vec<&Value> = match (items["enum"].as_array(), constants) {
        (Some(values), _) => values.iter().collect(),
        (None, Some(all)) => all.iter().filter_map(|one| one.get("const")).collect(),
        (None, None) => return None,
    };
    Some(values.into_iter().filter_map(|value| value.as_str().map(str::to_owned)).collect())
}

/// What was typed, as the field wants it.
fn read(field: &Value, typed: &str) -> Result<Value, String> {
    let fits = |one: &str| choices(field).is_none_or(|all| all.iter().any(|known| known == one));
    match field["type"].as_str() {
        Some("boolean") => match typed {
            "y" | "yes" | "true" => Ok(true.into()),
            "n" | "no" | "false" => Ok(false.into()),
            _ => Err("type y or n".to_owned()),
        },
        Some("integer") => {
            typed.parse::<i64>().map(Value::from).map_err(|_| "type a whole number".to_owned())
        }
        Some("number") => typed.parse::<f64>().map(Value::from).map_err(|_| "type a number".to_owned()),
        Some("array") => {
            let all: Vec<&str> = typed.split(',').map(str::trim).collect();
            match all.iter().find(|one| !fits(one)) {
                Some(bad) => Err(format!("`{bad}` is none of them; separate several by commas")),
                None => Ok(all.into()),
            }
        }
        _ if fits(typed) => Ok(typed.into()),
        _ => Err(format!("`{typed}` is none of them")),
    }
}
