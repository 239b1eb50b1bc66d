//! What differs between two surfaces, and what of it breaks clients.

use serde_json::{Map, Value};

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    /// Clients of these see it.
    pub(super) revisions: Vec<String>,
    pub(super) what: String,
    /// Whether a client that was right before may be wrong now.
    pub(super) breaks: bool,
}

/// Everything that differs; what differs alike for several revisions is told once.
pub(super) fn differences(before: &Value, now: &Value) -> Vec<Difference> {
    let mut all: Vec<Difference> = Vec::new();
    for (revision, _) in members(before) {
        if now.get(revision).is_none() {
            note(&mut all, revision, "the revision is not served any more".to_owned(), true);
        }
    }
    for (revision, seen) in members(now) {
        match before.get(revision) {
            None => note(&mut all, revision, "the revision is served now".to_owned(), false),
            Some(known) => {
                of_revision(known, seen, &mut |what, breaks| note(&mut all, revision, what, breaks));
            }
        }
    }
    all
}

fn note(all: &mut Vec<Difference>, revision: &str, what: String, breaks: bool) {
    match all.iter_mut().find(|known| known.what == what && known.breaks == breaks) {
        Some(known) => known.revisions.push(revision.to_owned()),
        None => all.push(Difference { revisions: vec![revision.to_owned()], what, breaks }),
    }
}

type Note<'n> = dyn FnMut(String, bool) + 'n;

const LISTS: [(&str, &str, &str, &str); 4] = [
    ("tools/list", "tools", "name", "tool"),
    ("prompts/list", "prompts", "name", "prompt"),
    ("resources/list", "resources", "uri", "resource"),
    ("resources/templates/list", "resourceTemplates", "uriTemplate", "resource template"),
];

fn of_revision(before: &Value, now: &Value, note: &mut Note<'_>) {
    for (method, member, key, kind) in LISTS {
        let list =
            |seen: &Value| -> Vec<Value> { seen[method][member].as_array().cloned().unwrap_or_default() };
        let (before, now) = (list(before), list(now));
        let named = |list: &[Value], name: &Value| list.iter().find(|one| one[key] == *name).cloned();
        for one in &before {
            let name = text(&one[key]);
            match named(&now, &one[key]) {
                None => note(format!("the {kind} {name} is gone"), true),
                Some(other) if other != *one => of_entry(&format!("the {kind} {name}"), one, &other, note),
                Some(_) => {}
            }
        }
        for one in now.iter().filter(|one| named(&before, &one[key]).is_none()) {
            note(format!("the {kind} {} is new", text(&one[key])), false);
        }
    }
    for greeting in ["initialize", "server/discover"] {
        let (before, now) = (&before[greeting], &now[greeting]);
        for (capability, _) in members(&before["capabilities"]) {
            if now["capabilities"].get(capability).is_none() {
                note(format!("the capability `{capability}` is gone"), true);
            }
        }
        if let (Some(before), Some(now)) = (before.as_object(), now.as_object()) {
            for member in changed(before, now) {
                let told = was_and_is(member, before.get(member), now.get(member));
                note(format!("the answer to `{greeting}`: {told}"), false);
            }
        }
    }
}

fn of_entry(entry: &str, before: &Value, now: &Value, note: &mut Note<'_>) {
    for (member, value) in members(now) {
        let known = before.get(member).unwrap_or(&Value::Null);
        if known == value {
            continue;
        }
        match member.as_str() {
            "inputSchema" => of_schema(&format!("{entry}: argument"), known, value, Side::Input, note),
            "outputSchema" if known.is_null() => note(format!("{entry}: it has an output schema now"), false),
            "outputSchema" => of_schema(&format!("{entry}: output"), known, value, Side::Output, note),
            "arguments" => of_arguments(entry, known, value, note),
            _ => note(format!("{entry}: `{member}` was {} and is {}", text(known), text(value)), false),
        }
    }
    for (member, _) in members(before) {
        if now.get(member).is_none() {
            let breaks = matches!(member.as_str(), "outputSchema");
            note(format!("{entry}: `{member}` is gone"), breaks);
        }
    }
}

/// The arguments of a prompt.
fn of_arguments(entry: &str, before: &Value, now: &Value, note: &mut Note<'_>) {
    let list = |arguments: &Value| arguments.as_array().cloned().unwrap_or_default();
    let (before, now) = (list(before), list(now));
    let named = |list: &[Value], name: &Value| list.iter().find(|one| one["name"] == *name).cloned();
    for one in &before {
        let name = text(&one["name"]);
        match named(&now, &one["name"]) {
            None => note(format!("{entry}: argument {name} is gone"), true),
            Some(other) if other["required"] == true && one["required"] != true => {
                note(format!("{entry}: argument {name} has to be given now"), true);
            }
            Some(other) if other != *one => note(format!("{entry}: argument {name} has changed"), false),
            Some(_) => {}
        }
    }
    for one in now.iter().filter(|one| named(&before, &one["name"]).is_none()) {
        let required = one["required"] == true;
        let how = if required { "is new and has to be given" } else { "is new" };
        note(format!("{entry}: argument {} {how}", text(&one["name"])), required);
    }
}

/// Who writes what a schema describes.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// The client: what is asked of it must not grow.
    Input,
    /// The server: what it promises must not shrink.
    Output,
}

fn of_schema(place: &str, before: &Value, now: &Value, side: Side, note: &mut Note<'_>) {
    let required = |schema: &Value, name: &str| {
        schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name))
    };
    let mut told = false;
    let mut tell = |what: String, breaks: bool| {
        told = true;
        note(what, breaks);
    };
    for (name, schema) in members(&before["properties"]) {
        let path = format!("{place} `{name}`");
        let Some(other) = now["properties"].get(name) else {
            tell(format!("{path} is gone"), true);
            continue;
        };
        match (required(before, name), required(now, name)) {
            (false, true) => tell(format!("{path} has to be given now"), side == Side::Input),
            (true, false) => tell(format!("{path} may be left out now"), side == Side::Output),
            _ => {}
        }
        if schema == other {
            continue;
        }
        of_value(&path, schema, other, side, &mut tell);
    }
    for (name, _) in members(&now["properties"]) {
        if before["properties"].get(name).is_none() {
            let must = required(now, name);
            let how = match (must, side) {
                (true, Side::Input) => "is new and has to be given",
                (true, Side::Output) => "is new and always given",
                (false, _) => "is new",
            };
            tell(format!("{place} `{name}` {how}"), must && side == Side::Input);
        }
    }
    let rest = |schema: &Value| {
        let mut rest = schema.as_object().cloned().unwrap_or_default();
        rest.remove("properties");
        rest.remove("required");
        rest
    };
    let (before, now) = (rest(before), rest(now));
    if before != now {
        let changed = changed(&before, &now);
        let breaks = changed.iter().any(|keyword| *keyword == "type" || *keyword == "additionalProperties");
        tell(format!("{place}: {} of the schema changed", changed.join(", ")), breaks);
    }
}

/// The schema of one member.
fn of_value(path: &str, before: &Value, now: &Value, side: Side, note: &mut Note<'_>) {
    if before["type"] != now["type"] {
        return note(format!("{path} was {} and is {}", text(&before["type"]), text(&now["type"])), true);
    }
    if members(&before["properties"]).next().is_some() || members(&now["properties"]).next().is_some() {
        return of_schema(path, before, now, side, note);
    }
    let values = |schema: &Value| schema["enum"].as_array().cloned().unwrap_or_default();
    let (known, given) = (values(before), values(now));
    let gone: Vec<_> = known.iter().filter(|one| !given.contains(one)).map(text).collect();
    let new: Vec<_> = given.iter().filter(|one| !known.contains(one)).map(text).collect();
    if !gone.is_empty() {
        note(format!("{path} can be {} no more", gone.join(", ")), side == Side::Input);
    }
    if !new.is_empty() {
        note(format!("{path} can be {} now", new.join(", ")), side == Side::Output || known.is_empty());
    }
    let none = Map::new();
    let (before, now) = (before.as_object().unwrap_or(&none), now.as_object().unwrap_or(&none));
    let told = |keyword: &&str| *keyword != "enum";
    for keyword in changed(before, now).into_iter().filter(told) {
        // What narrows is not told from what widens: a person has to look.
        let breaks = !matches!(keyword, "title" | "description" | "default" | "examples");
        note(format!("{path}: {}", was_and_is(keyword, before.get(keyword), now.get(keyword))), breaks);
    }
}

/// How a member has changed.
fn was_and_is(member: &str, before: Option<&Value>, now: Option<&Value>) -> String {
    let shown = |value: Option<&Value>| text(value.unwrap_or(&Value::Null));
    format!("`{member}` was {} and is {}", shown(before), shown(now))
}

/// The members that differ.
fn changed<'v>(before: &'v Map<String, Value>, now: &'v Map<String, Value>) -> Vec<&'v str> {
    let mut all: Vec<&str> = before.keys().chain(now.keys()).map(String::as_str).collect();
    all.sort_unstable();
    all.dedup();
    all.retain(|name| before.get(*name) != now.get(*name));
    all
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{text}`"),
        Value::Null => "absent".to_owned(),
        other => format!("`{other}`"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(before: Value, now: Value) -> Vec<(String, bool)> {
        let surface = |tool: Value| json!({ "2026-07-28": { "tools/list": { "tools": [tool] } } });
        let found = differences(&surface(before), &surface(now));
        found.into_iter().map(|one| (one.what, one.breaks)).collect()
    }

    fn tool(input: Value) -> Value {
        json!({ "name": "t", "inputSchema": input })
    }

    #[test]
    fn what_asks_more_of_clients_breaks_them() {
        let before = tool(json!({"type": "object", "properties": {
            "a": {"type": "string", "enum": ["x", "y"]}, "b": {"type": "integer"}, "c": {"type": "integer"}}}));
        let now = tool(json!({"type": "object", "required": ["c", "d"], "properties": {
            "a": {"type": "string", "enum": ["x", "z"]}, "c": {"type": "string"}, "d": {"type": "string"}}}));
        assert_eq!(
            told(before, now),
            [
                ("the tool `t`: argument `a` can be `y` no more".to_owned(), true),
                ("the tool `t`: argument `a` can be `z` now".to_owned(), false),
                ("the tool `t`: argument `b` is gone".to_owned(), true),
                ("the tool `t`: argument `c` has to be given now".to_owned(), true),
                ("the tool `t`: argument `c` was `integer` and is `string`".to_owned(), true),
                ("the tool `t`: argument `d` is new and has to be given".to_owned(), true),
            ]
        );
    }

    #[test]
    fn what_offers_more_breaks_nobody() {
        let before =
            tool(json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}));
        let mut now = tool(json!({"type": "object", "properties": {
            "a": {"type": "string", "description": "The first."}, "b": {"type": "string"}}}));
        now["title"] = "T".into();
        assert!(told(before.clone(), now).iter().all(|(_, breaks)| !breaks));
        let gone = differences(
            &json!({"2026-07-28": {"tools/list": {"tools": [before]}}}),
            &json!({"2026-07-28": {"tools/list": {"tools": []}}}),
        );
        assert_eq!((gone[0].what.as_str(), gone[0].breaks), ("the tool `t` is gone", true));
    }
}
