//! Everything that is wrong with a value, in words a model can act on.
//!
//! Structure is walked here and each schema is asked of each value once, so that recursive unions cost no more than
//! plain ones. What a schema says of one value alone (bounds, patterns, formats) is asked of the validator.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::faults::{ArgumentFault, MOST, Segment, listed, path_of, shown, unknown};
use super::forms::{forms, keyed, near};
use super::leaf::{Leaf, expected};
use super::walk::only_value;

/// How many pairs of a schema and a value are looked at before the rest is taken to fit.
const STEPS: usize = 200_000;

/// What is wrong with `value`, as far as this can tell: at most [`MOST`] faults and a word that there are more.
pub(super) fn explain(root: &Value, value: &Value) -> Vec<ArgumentFault> {
    let mut explainer = Explainer {
        root,
        path: Vec::new(),
        faults: Vec::new(),
        fits: HashMap::new(),
        leaves: HashMap::new(),
        names: HashMap::new(),
        steps: STEPS,
    };
    explainer.tell(root, value);
    let mut faults = explainer.faults;
    if faults.len() > MOST {
        faults.truncate(MOST);
        faults.push(ArgumentFault::new("", "and more"));
    }
    faults
}

struct Explainer<'s> {
    root: &'s Value,
    path: Vec<Segment<'s>>,
    faults: Vec<ArgumentFault>,
    /// What was asked already, by the places of schema and value.
    fits: HashMap<(usize, usize), bool>,
    leaves: HashMap<usize, Option<Leaf>>,
    /// What names have to match, by the place of the schema of their values.
    names: HashMap<usize, Option<Leaf>>,
    steps: usize,
}

fn place(value: &Value) -> usize {
    std::ptr::from_ref(value) as usize
}

impl<'s> Explainer<'s> {
    /// Notes what is wrong with the value.
    fn tell(&mut self, schema: &'s Value, value: &'s Value) {
        if self.faults.len() > MOST || !self.step() {
            return;
        }
        let Some(node) = schema.as_object() else {
            if *schema == Value::Bool(false) {
                self.fault("nothing is taken here".to_owned());
            }
            return;
        };
        if let Some(text) = self.leaf(schema, node).and_then(|leaf| leaf.misfit(value)) {
            self.fault(text);
            return;
        }
        if let Some(target) = self.target(node) {
            self.tell(target, value);
        }
        for part in list(node, "allOf") {
            self.tell(part, value);
        }
        for union in ["oneOf", "anyOf"] {
            self.tell_union(list(node, union), value);
        }
        match value {
            Value::Object(members) => self.tell_members(node, members),
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    let Some(schema) = item_schema(node, at) else { continue };
                    if !self.fits(schema, item) {
                        self.path.push(Segment::Index(at));
                        self.tell(schema, item);
                        self.path.pop();
                    }
                }
            }
            _ => {}
        }
    }

    fn tell_union(&mut self, branches: &'s [Value], value: &'s Value) {
        if branches.is_empty() || branches.iter().any(|branch| self.fits(branch, value)) {
            return;
        }
        if let Some(meant) = self.meant(branches, value) {
            return self.tell(meant, value);
        }
        let came = shown(value);
        self.fault(match forms(branches) {
            Some(forms) => {
                format!("expected one of {}, got {came}{}", listed(forms.iter()), near(&forms, value))
            }
            None => format!("fits none of the {} forms it may have, got {came}", branches.len()),
        });
    }

    /// The branch that a value means: by its key, by its tag, or the only one of its type.
    fn meant(&mut self, branches: &'s [Value], value: &'s Value) -> Option<&'s Value> {
        if let Some(at) = keyed(branches, value) {
            return branches.get(at);
        }
        let members = value.as_object();
        let contradicts = |branch: &Value| {
            let tags = branch.get("properties").and_then(Value::as_object).into_iter().flatten();
            let tagged = tags.filter_map(|(name, tag)| Some((name, only_value(tag)?)));
            match members {
                Some(members) => tagged.into_iter().any(|(name, tag)| members.get(name) != Some(tag)),
                None => true,
            }
        };
        let mut open = branches.iter().filter(|branch| {
            !contradicts(branch)
                && branch.get("type").is_none_or(|kind| *kind == "object")
                && !branch.is_boolean()
        });
        let only = open.next().filter(|_| open.next().is_none())?;
        (branches.len() > 1).then_some(only)
    }

    fn tell_members(&mut self, node: &'s Map<String, Value>, members: &'s Map<String, Value>) {
        let properties = node.get("properties").and_then(Value::as_object);
        let known = || properties.into_iter().flat_map(|known| known.keys().map(String::as_str));
        for name in list(node, "required").iter().filter_map(Value::as_str) {
            if !members.contains_key(name) {
                let expected = properties.and_then(|known| expected(known.get(name)?));
                let text = expected
                    .map_or_else(|| "missing".to_owned(), |expected| format!("missing; expected {expected}"));
                self.within(name, |this| this.fault(text));
            }
        }
        for (name, value) in members {
            if self.faults.len() > MOST {
                return;
            }
            let Some(schema) = self.member_schema(node, name) else { continue };
            if *schema == Value::Bool(false) {
                let text = if node.contains_key("patternProperties") {
                    "a name of another form is expected".to_owned()
                } else {
                    unknown(name, known())
                };
                self.within(name, |this| this.fault(text));
            } else if !self.fits(schema, value) {
                self.within(name, |this| this.tell(schema, value));
            }
        }
    }

    /// Whether the value fits, as far as this can tell.
    fn fits(&mut self, schema: &'s Value, value: &'s Value) -> bool {
        let key = (place(schema), place(value));
        if let Some(fits) = self.fits.get(&key) {
            return *fits;
        }
        if !self.step() {
            return true;
        }
        let fits = self.look(schema, value);
        self.fits.insert(key, fits);
        fits
    }

    fn look(&mut self, schema: &'s Value, value: &'s Value) -> bool {
        let Some(node) = schema.as_object() else { return *schema != Value::Bool(false) };
        if self.leaf(schema, node).is_some_and(|leaf| leaf.misfit(value).is_some()) {
            return false;
        }
        if self.target(node).is_some_and(|target| !self.fits(target, value)) {
            return false;
        }
        if list(node, "allOf").iter().any(|part| !self.fits(part, value)) {
            return false;
        }
        for union in ["oneOf", "anyOf"] {
            let branches = list(node, union);
            if !branches.is_empty() && !branches.iter().any(|branch| self.fits(branch, value)) {
                return false;
            }
        }
        match value {
            Value::Object(members) => {
                let mut needed = list(node, "required").iter().filter_map(Value::as_str);
                needed.all(|name| members.contains_key(name))
                    && members.iter().all(|(name, value)| {
                        self.member_schema(node, name).is_none_or(|schema| self.fits(schema, value))
                    })
            }
            Value::Array(items) => items
                .iter()
                .enumerate()
                .all(|(at, item)| item_schema(node, at).is_none_or(|schema| self.fits(schema, item))),
            _ => true,
        }
    }

    /// What a member of that name has to fit.
    fn member_schema(&mut self, node: &'s Map<String, Value>, name: &str) -> Option<&'s Value> {
        if let Some(schema) = node.get("properties").and_then(|known| known.get(name)) {
            return Some(schema);
        }
        if let Some(patterns) = node.get("patternProperties").and_then(Value::as_object) {
            let name = Value::String(name.to_owned());
            for (pattern, schema) in patterns {
                let leaf = self.names.entry(place(schema)).or_insert_with(|| Leaf::pattern(pattern));
                if leaf.as_ref().is_some_and(|leaf| leaf.misfit(&name).is_none()) {
                    return Some(schema);
                }
            }
        }
        node.get("additionalProperties")
    }

    fn leaf(&mut self, schema: &'s Value, node: &'s Map<String, Value>) -> Option<&Leaf> {
        self.leaves.entry(place(schema)).or_insert_with(|| Leaf::of(node)).as_ref()
    }

    fn target(&self, node: &Map<String, Value>) -> Option<&'s Value> {
        self.root.pointer(node.get("$ref")?.as_str()?.strip_prefix('#')?)
    }

    fn within(&mut self, name: &'s str, tell: impl FnOnce(&mut Self)) {
        self.path.push(Segment::Name(name.into()));
        tell(self);
        self.path.pop();
    }

    fn fault(&mut self, text: String) {
        self.faults.push(ArgumentFault::new(path_of(self.path.iter().cloned()), text));
    }

    fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }
}

fn list<'n>(node: &'n Map<String, Value>, keyword: &str) -> &'n [Value] {
    node.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn item_schema(node: &Map<String, Value>, at: usize) -> Option<&Value> {
    list(node, "prefixItems").get(at).or_else(|| node.get("items"))
}
