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
    let mut fields: Vec<_> = form.schema["properties"].as_object().into_iter().flatten().collect();
    // Those that have to be given come first, in the server's order.
    fields.sort_by_key(|(name, _)| required.iter().position(|known| known == name).unwrap_or(usize::MAX));
    for (name, field) in fields {
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
    if let Some(all) = choices(field) {
        let titles: Vec<_> = all.into_iter().map(|(_, title)| title).collect();
        prompt.push_str(&format!(" [{}]", titles.join("/")));
    }
    if let Some(default) = field.get("default") {
        prompt.push_str(&format!(" = {default}"));
    }
    prompt.push_str(": ");
    prompt
}

/// What a field can be, where it is one of several, and what each is called.
fn choices(field: &Value) -> Option<Vec<(&str, &str)>> {
    let items = field.get("items").unwrap_or(field);
    let constants = items.get("oneOf").or_else(|| items.get("anyOf")).and_then(Value::as_array);
    match (items["enum"].as_array(), constants) {
        (Some(values), _) => {
            Some(values.iter().filter_map(|value| Some((value.as_str()?, value.as_str()?))).collect())
        }
        (None, Some(all)) => Some(all.iter().filter_map(named).collect()),
        (None, None) => None,
    }
}

fn named(one: &Value) -> Option<(&str, &str)> {
    let value = one["const"].as_str()?;
    Some((value, one["title"].as_str().unwrap_or(value)))
}

/// What was typed of a choice, by its value or by what it is called.
fn chosen<'t>(field: &'t Value, typed: &'t str) -> Result<&'t str, String> {
    let Some(all) = choices(field) else { return Ok(typed) };
    let is_meant = |(value, title): &&(&str, &str)| *value == typed || title.eq_ignore_ascii_case(typed);
    all.iter().find(is_meant).map(|(value, _)| *value).ok_or_else(|| format!("`{typed}` is none of them"))
}

/// What was typed, as the field wants it.
fn read(field: &Value, typed: &str) -> Result<Value, String> {
    let value = match field["type"].as_str() {
        Some("boolean") => match typed {
            "y" | "yes" | "true" => true.into(),
            "n" | "no" | "false" => false.into(),
            _ => return Err("type y or n".to_owned()),
        },
        Some("integer") => typed.parse::<i64>().map_err(|_| "type a whole number".to_owned())?.into(),
        Some("number") => typed.parse::<f64>().map_err(|_| "type a number".to_owned())?.into(),
        Some("array") => {
            let all = typed.split(',').map(|one| chosen(field, one.trim()));
            let all: Result<Vec<&str>, String> = all.collect();
            return all.map(Value::from).map_err(|why| format!("{why}; separate several by commas"));
        }
        _ => chosen(field, typed)?.into(),
    };
    within(field, &value).map(|()| value)
}

/// Whether a value is as long, or as large, as the field wants it.
fn within(field: &Value, value: &Value) -> Result<(), String> {
    let (what, least, most, is) = match value.as_str() {
        Some(text) => ("characters", "minLength", "maxLength", text.chars().count() as f64),
        None => ("", "minimum", "maximum", value.as_f64().unwrap_or_default()),
    };
    match (field[least].as_f64(), field[most].as_f64()) {
        (Some(bound), _) if is < bound && !value.is_boolean() => {
            Err(format!("at least {bound} {what}").trim_end().to_owned())
        }
        (_, Some(bound)) if is > bound && !value.is_boolean() => {
            Err(format!("at most {bound} {what}").trim_end().to_owned())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_typed_is_read_as_the_field_wants_it() {
        let size = json!({"oneOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]});
        assert_eq!(prompt("size", &size), "size [Small/Large]: ");
        assert_eq!((read(&size, "small"), read(&size, "l")), (Ok(json!("s")), Ok(json!("l"))));
        assert!(read(&size, "huge").is_err());
        let several = json!({"type": "array", "items": {"enum": ["a", "b"]}});
        assert_eq!(read(&several, "a, b"), Ok(json!(["a", "b"])));
        assert!(read(&several, "a, c").unwrap_err().contains("`c` is none of them"));
        let name = json!({"type": "string", "minLength": 2, "maxLength": 3});
        assert_eq!(read(&name, "é").unwrap_err(), "at least 2 characters");
        assert_eq!(read(&name, "abcd").unwrap_err(), "at most 3 characters");
        let age = json!({"type": "integer", "minimum": 18});
        assert_eq!((read(&age, "17"), read(&age, "18")), (Err("at least 18".to_owned()), Ok(json!(18))));
    }
}
