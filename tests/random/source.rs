//! The source of a program with annotated functions at random: their types, documentation and options.

use std::fmt::Write as _;

use crate::generate::Random;

/// A program of so many functions, which knows the runtime by that name. Equal seeds give equal programs.
pub fn program(runtime: &str, seed: u64, functions: usize) -> String {
    let mut writer = Writer { random: Random::new(seed), types: String::new(), count: 0 };
    let mut text = String::from("#![deny(warnings)]\n#![allow(dead_code, clippy::all)]\n\n");
    let _ = write!(text, "use {runtime}::prelude::*;\n\n");
    for at in 0..functions {
        let function = match writer.random.below(10) {
            0 => writer.prompt(at),
            1 => writer.resource(at),
            _ => writer.tool(at),
        };
        text.push_str(&function);
    }
    text.push_str(&writer.types);
    let _ = write!(
        text,
        "#[tokio::main]\nasync fn main() -> {runtime}::Result {{\n    \
         {runtime}::serve().server_info(\"random\", \"1\").await\n}}\n",
    );
    text
}

struct Writer {
    random: Random,
    /// The types that the functions take.
    types: String,
    count: usize,
}

/// Documentation as people write it, and as they should not.
const DOCS: [&str; 8] = [
    "Does it.",
    "Does \"it\" with {braces}, `code` and a \\\\ backslash.",
    "Lists:\n\n* one\n* two\n  * three",
    "Shows code:\n\n```rust\nlet a = 5; // {}\n```\n\nAnd more.",
    "Ünïcode, 日本語, and a tab\there.",
    "A very long line. A very long line. A very long line. A very long line. A very long line. A very long line.",
    "# Heading\n\n| a | b |\n| - | - |\n| 1 | 2 |",
    "<b>markup</b> & entities; --dashes-- and 'quotes'",
];

const SCALARS: [&str; 14] =
    ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f64", "f32", "bool", "char", "String", "usize"];

const WORDS: [&str; 12] = [
    "query", "limit", "r#type", "call", "args", "scope", "r#fn", "value", "größe", "self_", "describe", "p0",
];

impl Writer {
    fn chance(&mut self, of: usize) -> bool {
        self.random.below(of) == 0
    }

    fn pick<'l>(&mut self, list: &[&'l str]) -> &'l str {
        list[self.random.below(list.len())]
    }

    fn docs(&mut self, indent: &str) -> String {
        let text = self.pick(&DOCS);
        text.lines().fold(String::new(), |mut docs, line| {
            let _ = writeln!(docs, "{indent}/// {line}");
            docs
        })
    }

    fn name(&mut self, word: &str) -> String {
        self.count += 1;
        format!("{word}{}", self.count)
    }

    /// A type that arguments can have.
    fn ty(&mut self, depth: usize) -> String {
        let simple = depth > 2;
        match self.random.below(if simple { 6 } else { 18 }) {
            0..=5 => self.pick(&SCALARS).to_owned(),
            6 | 7 => format!("Option<{}>", self.ty(depth + 1)),
            8 | 9 => format!("Vec<{}>", self.ty(depth + 1)),
            10 => format!("[{}; {}]", self.ty(depth + 1), 1 + self.random.below(3)),
            11 => format!("({}, {})", self.ty(depth + 1), self.ty(depth + 1)),
            12 => format!("std::collections::BTreeMap<String, {}>", self.ty(depth + 1)),
            13 => format!("Box<{}>", self.ty(depth + 1)),
            14 => "Value".to_owned(),
            15 | 16 => self.a_struct(depth + 1),
            _ => self.an_enum(depth + 1),
        }
    }

    fn a_struct(&mut self, depth: usize) -> String {
        let name = self.name("Struct");
        let attribute =
            self.pick(&["", "", "#[serde(rename_all = \"camelCase\")]\n", "#[serde(deny_unknown_fields)]\n"]);
        let mut text = format!("#[derive(mcp::Args)]\n{attribute}struct {name} {{\n");
        for at in 0..1 + self.random.below(4) {
            let ty = self.ty(depth);
            if self.chance(2) {
                text.push_str(&self.docs("    "));
            }
            let attribute = self.argument_attribute(&ty);
            let _ = writeln!(text, "    {attribute}field_{at}: {ty},");
        }
        if depth < 3 && self.chance(6) {
            let _ = writeln!(text, "    next: Option<Box<{name}>>,");
        }
        text.push_str("}\n\n");
        if self.chance(2) {
            let docs = self.docs("");
            text.insert_str(0, &docs);
        }
        self.types.push_str(&text);
        name
    }

    fn an_enum(&mut self, depth: usize) -> String {
        let name = self.name("Enum");
        let plain = self.chance(2);
        let attribute = if plain {
            self.pick(&["", "#[serde(rename_all = \"kebab-case\")]\n"])
        } else {
            self.pick(&["", "#[serde(tag = \"kind\")]\n", "#[serde(tag = \"t\", content = \"c\")]\n"])
        };
        let mut text = format!("#[derive(mcp::Args)]\n{attribute}enum {name} {{\n");
        for at in 0..2 + self.random.below(3) {
            if self.chance(3) {
                text.push_str(&self.docs("    "));
            }
            let data = if plain || self.chance(3) {
                String::new()
            } else {
                format!(" {{ field: {} }}", self.ty(depth))
            };
            let _ = writeln!(text, "    Variant{at}{data},");
        }
        text.push_str("}\n\n");
        self.types.push_str(&text);
        name
    }

    /// `#[arg(…)]` that fits the type.
    fn argument_attribute(&mut self, ty: &str) -> String {
        let mut said = Vec::new();
        match ty {
            "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" if self.chance(3) => {
                said.push("range = 1..=100".to_owned());
                if self.chance(2) {
                    said.push(format!("default = {}", 1 + self.random.below(100)));
                }
            }
            "f64" if self.chance(3) => said.push("range = 0.0..=100.0".to_owned()),
            "bool" if self.chance(3) => said.push("default = true".to_owned()),
            "String" if self.chance(3) => {
                said.push("length = ..=80, default = \"some \\\"text\\\"\"".to_owned());
            }
            _ => {}
        }
        if self.chance(6) {
            said.push("title = \"A title\"".to_owned());
        }
        if self.chance(8) {
            said.push("description = \"What {it} is.\"".to_owned());
        }
        if said.is_empty() { String::new() } else { format!("#[arg({})] ", said.join(", ")) }
    }

    /// Parameters, and the names that the body uses.
    fn parameters(&mut self, of: &mut dyn FnMut(&mut Self) -> String, most: usize) -> (String, Vec<String>) {
        let (mut text, mut names) = (String::new(), Vec::new());
        for at in 0..self.random.below(most + 1) {
            let word = self.pick(&WORDS);
            // Each name once: the first as it is, the others numbered.
            let name = if names.iter().any(|known| known == word) || at > 2 {
                format!("{}_{at}", word.trim_start_matches("r#").trim_end_matches('_'))
            } else {
                word.to_owned()
            };
            let ty = of(self);
            if self.chance(2) {
                text.push_str(&self.docs("    "));
            }
            let attribute = self.argument_attribute(&ty);
            let _ = writeln!(text, "    {attribute}{name}: {ty},");
            names.push(name);
        }
        (text, names)
    }

    fn tool(&mut self, at: usize) -> String {
        let (mut parameters, mut names) = self.parameters(&mut |this| this.ty(0), 5);
        if self.chance(4) {
            let name = format!("mirrored_{at}");
            let ty = self.pick(&["String", "u32", "bool", "Option<String>"]);
            let _ = writeln!(parameters, "    #[x_mcp_header] {name}: {ty},");
            names.push(name);
        }
        if self.chance(4) {
            parameters.push_str("    context: mcp::Context,\n");
            names.push("context".to_owned());
        }
        let is_async = self.chance(2);
        let mut options = Vec::new();
        for option in [
            "read_only",
            "destructive = false",
            "idempotent",
            "open_world = false",
            "open",
            "title = \"A \\\"title\\\"\"",
            "group = \"some\"",
            "order = -3",
        ] {
            if self.chance(6) {
                options.push(option.to_owned());
            }
        }
        if self.chance(5) {
            options.push(format!("name = \"tool.{at}-{}\"", self.random.below(1000)));
        }
        if !is_async && self.chance(4) {
            options.push("blocking".to_owned());
        }
        let (output, value) = [
            ("String", "\"done\".to_owned()"),
            ("anyhow::Result<u64>", "Ok(5)"),
            ("()", "()"),
            ("mcp::Json<Vec<String>>", "mcp::Json(Vec::new())"),
        ][self.random.below(4)];
        self.function("tool", &format!("tool_{at}"), &options, is_async, &parameters, &names, output, value)
    }

    fn prompt(&mut self, at: usize) -> String {
        let texts = ["String", "Option<String>", "u32", "Option<bool>", "char"];
        let (parameters, names) = self.parameters(&mut |this| this.pick(&texts).to_owned(), 3);
        let parameters = parameters
            .replace("range = 1..=100, ", "")
            .replace("range = 1..=100", "")
            .replace("length = ..=80, ", "")
            .replace("#[arg()] ", "")
            .replace("#[arg(, ", "#[arg(");
        let is_async = self.chance(2);
        self.function(
            "prompt",
            &format!("prompt_{at}"),
            &[],
            is_async,
            &parameters,
            &names,
            "String",
            "String::new()",
        )
    }

    fn resource(&mut self, at: usize) -> String {
        let is_async = self.chance(2);
        let (uri, parameters, names): (String, &str, Vec<String>) = if self.chance(2) {
            (format!("\"random://{at}/here\""), "", Vec::new())
        } else {
            let parameters = "    name: String,\n    count: Option<u32>,\n";
            (format!("\"random://{at}/{{name}}{{?count}}\""), parameters, vec!["name".into(), "count".into()])
        };
        let options = [uri, "mime_type = \"text/plain\"".to_owned()];
        self.function(
            "resource",
            &format!("resource_{at}"),
            &options,
            is_async,
            parameters,
            &names,
            "String",
            "String::new()",
        )
    }

    #[allow(clippy::too_many_arguments)]
    fn function(
        &mut self,
        kind: &str,
        name: &str,
        options: &[String],
        is_async: bool,
        parameters: &str,
        names: &[String],
        output: &str,
        value: &str,
    ) -> String {
        let docs = self.docs("");
        let options = if options.is_empty() { String::new() } else { format!("({})", options.join(", ")) };
        let word = if is_async { "async " } else { "" };
        let used = names.iter().fold(String::new(), |used, name| format!("{used}    let _ = &{name};\n"));
        format!(
            "{docs}#[mcp::{kind}{options}]\n{word}fn {name}(\n{parameters}) -> {output} {{\n{used}    {value}\n}}\n\n"
        )
    }
}
