//! The pages under `docs/errors`: made of the diagnostics, of the words of the runtime's traits and of what the compiler
//! says of the cases in `ui-tests`, so that they say what people read. `MCP_WRITE_PAGES=1 cargo test -p mcp-runtime-macros pages` writes them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprCall, ExprLit, Item, ItemFn, ItemTrait, Lit, Meta, MetaNameValue, Token};

/// The most examples on a page.
const EXAMPLES: usize = 4;

/// What is known of a code.
#[derive(Default)]
struct Page {
    /// What its constructors say of themselves.
    about: Vec<String>,
    /// A case and what the compiler says of it.
    examples: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(files(&entry, extension));
        } else if entry.extension().is_some_and(|is| is == extension) {
            found.push(entry);
        }
    }
    found.sort();
    found
}

/// The codes that each constructor uses, with what it says of itself.
fn constructors() -> BTreeMap<u16, Page> {
    struct Constructors {
        pages: BTreeMap<u16, Page>,
        about: String,
    }
    impl<'a> Visit<'a> for Constructors {
        fn visit_item_fn(&mut self, function: &'a ItemFn) {
            self.about = function.attrs.iter().filter_map(line).collect::<Vec<_>>().join("\n");
            visit::visit_item_fn(self, function);
        }

        fn visit_expr_call(&mut self, call: &'a ExprCall) {
            let code = match &*call.func {
                Expr::Path(path) if path.path.is_ident("message") => call.args.iter().nth(1),
                Expr::Path(path) if path.path.is_ident("text") => call.args.first(),
                _ => None,
            };
            if let Some(Expr::Lit(ExprLit { lit: Lit::Int(code), .. })) = code {
                let about = &mut self.pages.entry(code.base10_parse().unwrap()).or_default().about;
                if !about.contains(&self.about) {
                    about.push(self.about.clone());
                }
            }
            visit::visit_expr_call(self, call);
        }

        /// What a trait has the compiler say of types without it.
        fn visit_item_trait(&mut self, item: &'a ItemTrait) {
            for attr in item.attrs.iter().filter(|attr| is_unimplemented(attr)) {
                let words = attr.parse_args_with(Punctuated::<MetaNameValue, Token![,]>::parse_terminated);
                let words: Vec<(String, String)> = words.unwrap().iter().filter_map(word).collect();
                let message = words.iter().find(|(key, _)| key == "message").map(|(_, text)| text.as_str());
                let Some((code, says)) =
                    message.and_then(|message| message.strip_prefix("MCP")?.split_once(": "))
                else {
                    panic!("`{}` has a code", item.ident);
                };
                let about = &mut self.pages.entry(code.parse().unwrap()).or_default().about;
                let says = says.replace("{Self}", "T");
                let says = format!("{}{}.", says[..1].to_uppercase(), &says[1..]);
                if !about.contains(&says) {
                    about.push(says);
                }
            }
        }
    }
    let mut found = Constructors { pages: BTreeMap::new(), about: String::new() };
    for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/diagnostics"), "rs") {
        found.visit_file(&syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap());
    }
    // What only a feature has, the cases do not show.
    let client = root().join("mcp-runtime/src/client");
    for file in files(&root().join("mcp-runtime/src"), "rs") {
        if file.starts_with(&client) {
            continue;
        }
        for item in syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap().items {
            if let Item::Trait(item) = item {
                found.visit_item_trait(&item);
            }
        }
    }
    found.pages
}

fn is_unimplemented(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|last| last.ident == "on_unimplemented")
}

/// A key and the text that it has.
fn word(pair: &MetaNameValue) -> Option<(String, String)> {
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return None };
    Some((pair.path.get_ident()?.to_string(), text.value()))
}

/// A line of a doc comment.
fn line(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attr.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return None };
    pair.path.is_ident("doc").then(|| text.value().trim().to_owned())
}

/// What the compiler says of the cases, by code.
fn examples(pages: &mut BTreeMap<u16, Page>) {
    for file in files(&root().join("ui-tests"), "stderr") {
        let output = fs::read_to_string(file).unwrap();
        for error in output.split("\n\n").filter(|error| error.starts_with("error")) {
            let Some((_, rest)) = error.split_once("MCP") else { continue };
            let Some(code) = rest.get(..3).and_then(|digits| digits.parse().ok()) else { continue };
            let page = pages.entry(code).or_default();
            let says = |text: &str| text.lines().next().unwrap_or_default().to_owned();
            if page.examples.len() < EXAMPLES && !page.examples.iter().any(|known| says(known) == says(error))
            {
                page.examples.push(error.trim_end().to_owned());
            }
        }
    }
}

fn written(code: u16, page: &Page) -> String {
    let mut text = format!("# MCP{code:03}\n");
    for about in &page.about {
        text.push_str(&format!("\n{about}\n"));
    }
    for example in &page.examples {
        text.push_str(&format!("\n```text\n{example}\n```\n"));
    }
    text
}

fn index(pages: &BTreeMap<u16, Page>) -> String {
    let mut text = "# Errors\n\nWhat the macros and the compiler refuse, by the code in the message. Each page shows what the compiler says.\n\n\
                    | code | what is wrong |\n| --- | --- |\n"
        .to_owned();
    for (code, page) in pages {
        // What several codes say of themselves tells none of them: there the first example speaks.
        let is_shared = pages.iter().any(|(other, known)| other != code && known.about == page.about);
        let said = page
            .examples
            .first()
            .and_then(|example| example.lines().next()?.split_once(&format!("MCP{code:03}: ")));
        let about = match said.filter(|_| is_shared) {
            Some((_, said)) => format!("{}{}.", said[..1].to_uppercase(), &said[1..]),
            None => page.about.join(" ").replace('\n', " "),
        };
        text.push_str(&format!("| [MCP{code:03}](MCP{code:03}.md) | {about} |\n"));
    }
    text
}

#[test]
fn pages_say_what_the_diagnostics_say() {
    let mut pages = constructors();
    examples(&mut pages);
    let shown: BTreeSet<u16> =
        pages.iter().filter(|(_, page)| !page.examples.is_empty()).map(|(code, _)| *code).collect();
    let told: BTreeSet<u16> =
        pages.iter().filter(|(_, page)| !page.about.is_empty()).map(|(code, _)| *code).collect();
    assert_eq!(shown, told, "every code has a constructor, and a case in `ui-tests` that it is shown by");

    let folder = root().join("docs/errors");
    let mut expected: BTreeMap<PathBuf, String> = pages
        .iter()
        .map(|(code, page)| (folder.join(format!("MCP{code:03}.md")), written(*code, page)))
        .collect();
    expected.insert(folder.join("README.md"), index(&pages));
    if std::env::var_os("MCP_WRITE_PAGES").is_some() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (path, text) in &expected {
            fs::write(path, text).unwrap();
        }
    }
    let cure = "run `MCP_WRITE_PAGES=1 cargo test -p mcp-runtime-macros pages`";
    for (path, text) in &expected {
        let there = fs::read_to_string(path).unwrap_or_default();
        assert_eq!(there, *text, "{} differs: {cure}", path.display());
    }
    for path in files(&folder, "md") {
        assert!(expected.contains_key(&path), "{} is of no diagnostic: {cure}", path.display());
    }
}
