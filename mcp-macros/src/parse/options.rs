//! The options of an attribute.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, LitInt, LitStr, Path};

use super::list::{List, Value, Written};
use crate::bounds::Number;
use crate::diagnostics::{self, Errors};
use crate::kind::Kind;

/// The options of an attribute; each attribute has some of them.
#[derive(Debug, Default)]
pub struct Options {
    /// The URI or name that stands before the options.
    pub target: Option<LitStr>,
    /// Whether what stands before the options was meant to be one of them.
    pub is_misread: bool,
    /// The keys that are written, well or not.
    pub keys: Vec<Ident>,
    /// `name`
    pub name: Option<LitStr>,
    /// `title`
    pub title: Option<LitStr>,
    /// `description`
    pub description: Option<LitStr>,
    /// `group`
    pub group: Option<LitStr>,
    /// `order`
    pub order: Option<i32>,
    /// `icons`
    pub icons: Option<Expr>,
    /// `meta`
    pub meta: Option<Expr>,
    /// `read_only`
    pub read_only: Option<bool>,
    /// `destructive`
    pub destructive: Option<bool>,
    /// `idempotent`
    pub idempotent: Option<bool>,
    /// `open_world`
    pub open_world: Option<bool>,
    /// `open`
    pub open: Option<bool>,
    /// `blocking`, where it is on.
    pub blocking: Option<Ident>,
    /// `input_schema`, with its key.
    pub input_schema: Option<(Ident, Expr)>,
    /// `output_schema`
    pub output_schema: Option<Expr>,
    /// `mime_type`
    pub mime_type: Option<LitStr>,
    /// `size`
    pub size: Option<LitInt>,
    /// `annotations`
    pub annotations: Option<Expr>,
    /// `cache_ttl_ms`
    pub cache_ttl_ms: Option<LitInt>,
    /// `cache_scope`
    pub cache_scope: Option<Sharing>,
    /// `prompt`
    pub prompt: Option<LitStr>,
    /// `resource`
    pub resource: Option<LitStr>,
    /// `argument`
    pub argument: Option<LitStr>,
    /// `crate`
    pub root: Option<Path>,
}

/// Who may share a cached result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// `"public"`
    Public,
    /// `"private"`
    Private,
}

impl Options {
    /// Reads the options of an attribute.
    pub fn parse(kind: Kind, tokens: TokenStream, errors: &mut Errors) -> Self {
        let list = List::parse(tokens, errors);
        if kind.target().is_some() || list.target.is_none() {
            list.refuse_texts(errors);
        }
        let List { target, mut written, .. } = list;
        let mut options = Self::default();
        match (kind.target(), target) {
            (Some(_), Some(text)) => options.target = Some(text),
            (Some(example), None) => match written.iter().position(|one| is_target(kind, one)) {
                Some(at) => {
                    let one = written.remove(at);
                    options.target = one.text(errors);
                    errors.push(diagnostics::target_as_option(kind, &one.key, example));
                }
                None => errors.push(diagnostics::no_target(kind, example)),
            },
            (None, Some(text)) => {
                errors.push(diagnostics::unexpected_target(kind, &text));
                options.is_misread = true;
            }
            (None, None) => {}
        }
        for one in written {
            if !kind.options().contains(&one.key.to_string().as_str()) {
                let owner = format!("#[mcp::{}]", kind.noun());
                errors.push(diagnostics::unknown_option(&one.key, &owner, kind.options()));
            } else if options.keys.contains(&one.key) {
                errors.push(diagnostics::option_twice(&one.key));
            } else {
                options.set(&one, errors);
                options.keys.push(one.key);
            }
        }
        options
    }

    /// Whether the key is written, well or not.
    pub fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|written| written == key)
    }

    fn set(&mut self, one: &Written, errors: &mut Errors) {
        match one.key.to_string().as_str() {
            "name" => self.name = one.text(errors),
            "title" => self.title = one.text(errors),
            "description" => self.description = one.text(errors),
            "group" => self.group = one.text(errors),
            "mime_type" => self.mime_type = one.text(errors),
            "prompt" => self.prompt = one.text(errors),
            "resource" => self.resource = one.text(errors),
            "argument" => self.argument = one.text(errors),
            "read_only" => self.read_only = one.flag(errors),
            "destructive" => self.destructive = one.flag(errors),
            "idempotent" => self.idempotent = one.flag(errors),
            "open_world" => self.open_world = one.flag(errors),
            "open" => self.open = one.flag(errors),
            "blocking" => {
                self.blocking = one.flag(errors).and_then(|on| on.then(|| one.key.clone()));
            }
            "size" => self.size = one.count(errors),
            "annotations" => {
                let example =
                    "`annotations = mcp::Annotations { priority: Some(0.5), ..Default::default() }`";
                self.annotations = one.expr("`mcp::Annotations`", example, errors);
            }
            "cache_ttl_ms" => self.cache_ttl_ms = one.count(errors),
            "cache_scope" => self.cache_scope = sharing(one, errors),
            "order" => self.order = order(one, errors),
            "crate" => self.root = root(one, errors),
            "icons" => self.icons = icons(one, errors),
            "meta" => {
                self.meta = one.expr("an object", "`meta = json!({\"acme/owner\": \"search\"})`", errors);
            }
            "input_schema" => {
                self.input_schema = one
                    .expr("a `fn() -> Value`", "`input_schema = arguments_schema`", errors)
                    .map(|schema| (one.key.clone(), schema));
            }
            "output_schema" => {
                self.output_schema = one.expr("a `fn() -> Value`", "`output_schema = result_schema`", errors);
            }
            _ => {}
        }
    }
}

/// Whether it was meant to be the text before the options.
fn is_target(kind: Kind, one: &Written) -> bool {
    let key = one.key.to_string();
    let words = ["uri", "uri_template", "template", "url", "name", "method"];
    words.contains(&key.as_str()) && !kind.options().contains(&key.as_str())
}

fn icons(one: &Written, errors: &mut Errors) -> Option<Expr> {
    let (takes, example) = ("an icon or a list of them", "`icons = mcp::Icon::new(\"https://…\")`");
    let icons = one.expr(takes, example, errors)?;
    if matches!(icons, Expr::Lit(_)) {
        return one.wrong(takes, example, errors);
    }
    Some(icons)
}

fn sharing(one: &Written, errors: &mut Errors) -> Option<Sharing> {
    match one.text(&mut Errors::default()).map(|text| text.value()).as_deref() {
        Some("public") => Some(Sharing::Public),
        Some("private") => Some(Sharing::Private),
        _ => one.wrong("\"public\" or \"private\"", "`cache_scope = \"private\"`", errors),
    }
}

fn order(one: &Written, errors: &mut Errors) -> Option<i32> {
    if let Value::Expr(value) = &one.value
        && let Some(Number::Integer(number)) = Number::of(value)
        && let Ok(number) = number.try_into()
    {
        return Some(number);
    }
    one.wrong("a whole number of 32 bits", "`order = -1`: lower comes first, 0 is the default", errors)
}

/// `crate = path`, in an attribute or in `#[mcp(…)]`.
pub fn root(one: &Written, errors: &mut Errors) -> Option<Path> {
    if let Value::Expr(value) = &one.value
        && let Expr::Path(path) = &**value
    {
        return Some(path.path.clone());
    }
    one.wrong("the path of the runtime", "`crate = ::my_framework::mcp_runtime`", errors)
}
