//! Which scenarios the suite has for the servers, or the clients, of a revision.

/// One scenario, at the wire of one revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    pub revision: &'static str,
    pub name: String,
}

/// The scenarios of a requirement set for one side, `server` or `client`: those that are scored, and those that are run
/// for information.
///
/// The file has a list of names under each side, and under `not_scored:` a list of maps whose `scenario` comes
/// before their `leg`.
pub fn scenarios(revision: &'static str, yaml: &str, side: &str) -> Vec<Scenario> {
    let mut section = "";
    let mut named = None;
    let mut names = Vec::new();
    for line in yaml.lines().filter(|line| !line.starts_with('#')) {
        let item = line.trim_start().trim_start_matches("- ");
        if !line.is_empty() && !line.starts_with(' ') {
            section = line.trim_end().trim_end_matches(':');
        } else if section == side && line.trim_start().starts_with("- ") {
            names.push(item);
        } else if section == "not_scored" {
            match item.split_once(": ") {
                Some(("scenario", name)) => named = Some(name),
                Some(("leg", leg)) if leg == side => names.extend(named.take()),
                _ => {}
            }
        }
    }
    names.into_iter().map(|name| Scenario { revision, name: name.trim().to_owned() }).collect()
}
