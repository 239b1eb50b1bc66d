//! What the macros expand to, read like code. `cargo insta review` shows what a change does to it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::File;

use crate::derive::{Derive, derive};
use crate::expand::attribute;
use crate::kind::Kind;

/// The expansion as rustfmt would have it.
fn formatted(expansion: TokenStream) -> String {
    let file: File = syn::parse2(expansion).unwrap();
    prettyplease::unparse(&file)
}

fn expanded(kind: Kind, options: TokenStream, item: TokenStream) -> String {
    formatted(attribute(kind, options, item))
}

#[test]
fn tool() {
    insta::assert_snapshot!(expanded(
        Kind::Tool,
        quote!(title = "Execute SQL", read_only, destructive = false),
        quote! {
            /// Run a query.
            #[cfg(unix)]
            #[tracing::instrument]
            pub async fn execute_sql(
                /// The region.
                #[x_mcp_header("Region")]
                region: String,
                #[arg(default = 100, range = 1..=10_000)] limit: u32,
                mcp::State(db): mcp::State<Database>,
            ) -> Result<mcp::Json<Rows>, mcp::ToolError> {
                db.run(region, limit).await
            }
        },
    ));
}

#[test]
fn tool_without_anything() {
    insta::assert_snapshot!(expanded(
        Kind::Tool,
        quote!(),
        quote!(
            fn r#type() {}
        )
    ));
}

#[test]
fn tool_that_blocks() {
    insta::assert_snapshot!(expanded(
        Kind::Tool,
        quote!(
            name = "slow",
            blocking,
            open,
            group = "admin",
            order = -1,
            icons = [icon()],
            meta = json!({}),
            crate = my::runtime
        ),
        quote!(
            fn sleep(#[arg(name = "for", title = "Seconds", length = 1.., pattern = "s$")] time: String) {}
        ),
    ));
}

#[test]
fn tool_with_defaults() {
    insta::assert_snapshot!(expanded(
        Kind::Tool,
        quote!(),
        quote! {
            fn f(
                #[arg(default)] a: Mode,
                #[arg(default = "x")] b: String,
                #[arg(default = 5)] c: Option<u8>,
                #[arg(default = first())] d: u8,
            ) {
            }
        },
    ));
}

#[test]
fn tool_with_nested_arguments() {
    insta::assert_snapshot!(expanded(
        Kind::Tool,
        quote!(),
        quote! {
            async fn deploy(
                #[x_mcp_header] tenant_id: Id,
                list: Vec<String>,
                target: Option<Target>,
                #[arg(flatten)] page: Page,
            ) {
            }
        },
    ));
}

#[test]
fn tool_with_schemas_by_hand() {
    insta::assert_snapshot!(expanded(
        Kind::Tool,
        quote!(input_schema = schemas::input, output_schema = json!({"type": "object"})),
        quote!(
            async fn raw(arguments: Value, ctx: mcp::Context) -> mcp::CallToolResult {}
        ),
    ));
}

#[test]
fn prompt() {
    insta::assert_snapshot!(expanded(
        Kind::Prompt,
        quote!(),
        quote! {
            #[doc = include_str!("review.md")]
            async fn review(code: String) -> mcp::Prompt {}
        },
    ));
}

#[test]
fn resource() {
    insta::assert_snapshot!(expanded(
        Kind::Resource,
        quote!(
            "config://app",
            mime_type = "application/json",
            size = 2_048,
            annotations = important(),
            cache_ttl_ms = 60_000,
            cache_scope = "public"
        ),
        quote!(
            async fn config() -> mcp::Json<Settings> {}
        ),
    ));
}

#[test]
fn resource_template() {
    insta::assert_snapshot!(expanded(
        Kind::Resource,
        quote!("logs://{service}/{+path}.txt{?limit,after}", name = "log"),
        quote!(
            fn log(
                service: String,
                path: String,
                limit: Option<u8>,
                #[arg(default = "0")] after: String,
            ) -> String {
            }
        ),
    ));
}

#[test]
fn completion() {
    insta::assert_snapshot!(expanded(
        Kind::Completion,
        quote!(resource = "logs://{service}", argument = "service"),
        quote!(
            async fn services(prefix: String) -> Vec<String> {}
        ),
    ));
}

#[test]
fn method_and_notification() {
    let item = quote!(
        async fn reindex(#[arg(flatten)] what: What) -> Result<(), Failed> {}
    );
    insta::assert_snapshot!(expanded(Kind::Method, quote!("acme/reindex"), item));
    insta::assert_snapshot!(expanded(
        Kind::Notification,
        quote!("notifications/acme/ping"),
        quote!(
            fn ping() {}
        )
    ));
}

#[test]
fn mistakes() {
    insta::assert_snapshot!(expanded(
        Kind::Tool,
        quote!(read_onyl),
        quote!(
            async fn f(
                /** A. */
                #[arg(colour)]
                #[x_mcp_header("a b")]
                a: &str,
            ) {
            }
        ),
    ));
}

#[test]
fn args() {
    insta::assert_snapshot!(formatted(derive(
        Derive::Args,
        quote! {
            /// What to deploy.
            #[serde(rename_all = "camelCase", crate = "serde", default)]
            pub struct Target {
                /// Whose it is.
                #[x_mcp_header]
                tenant_id: String,
                #[arg(name = "count", title = "Count", default = 1, range = 0..=9)]
                pub count: u32,
                #[arg(length = 2, pattern = "x", description = "A code.")]
                code: String,
                children: Vec<Self>,
                inner: Option<Inner>,
                #[serde(flatten)]
                more: More,
            }
        },
    )));
}

#[test]
fn args_of_plain_fields() {
    insta::assert_snapshot!(formatted(derive(
        Derive::Args,
        quote! {
            #[serde(deny_unknown_fields)]
            struct Page {
                #[arg(default = 1)]
                number: u32,
                #[serde(rename = "of", default)]
                book: Book,
                lines: Vec<Line>,
            }
        },
    )));
}

#[test]
fn output_of_a_generic_type() {
    insta::assert_snapshot!(formatted(derive(
        Derive::Output,
        quote!(
            struct Page<'a, T: Clone = u8>(&'a [T])
            where
                T: Ord;
        ),
    )));
}

#[test]
fn data() {
    insta::assert_snapshot!(formatted(derive(
        Derive::Data,
        quote! {
            enum Unit {
                /// Degrees.
                Celsius,
                #[deprecated]
                Fahrenheit,
            }
        },
    )));
    insta::assert_snapshot!(formatted(derive(
        Derive::Data,
        quote!(
            #[mcp(crate = my::runtime)]
            struct Id<T>(T);
        )
    )));
}

#[test]
fn form() {
    insta::assert_snapshot!(formatted(derive(
        Derive::Form,
        quote!(
            struct Login {
                user: String,
                age: Option<u8>,
            }
        )
    )));
}

#[test]
fn tool_with_types_of_one_word() {
    insta::assert_snapshot!(expanded(
        Kind::Tool,
        quote!(),
        quote! {
            async fn search(
                target: Target,
                #[x_mcp_header("Id")] id: Id,
                #[arg(default)] mode: Mode,
                list: Vec<Item>,
                caller: mcp::Caller,
                attached: Option<mcp::Extension<Session>>,
            ) -> anyhow::Result<mcp::Json<Rows>> {
            }
        },
    ));
}

#[test]
fn tool_that_sleeps() {
    insta::assert_snapshot!(expanded(
        Kind::Tool,
        quote!(name = "nap"),
        quote! {
            #[cfg(unix)]
            fn doze() {
                std::thread::sleep(TIME);
            }
        },
    ));
}

#[test]
fn prompt_with_everything() {
    insta::assert_snapshot!(expanded(
        Kind::Prompt,
        quote!(
            name = "review-code",
            title = "Review",
            description = "Reviews.",
            icons = icons(),
            meta = json!({"a/b": 1}),
            group = "code",
            order = 3,
            blocking
        ),
        quote!(
            fn review(
                #[arg(name = "code", title = "Code", description = "The code.")] text: String,
                language: Option<Language>,
            ) -> mcp::Prompt {
            }
        ),
    ));
}

#[test]
fn completion_of_a_prompt() {
    insta::assert_snapshot!(expanded(
        Kind::Completion,
        quote!(prompt = "review", argument = "language", blocking),
        quote!(
            fn languages(prefix: String, code: Option<String>) -> anyhow::Result<Vec<String>> {}
        ),
    ));
}

#[test]
fn mistakes_in_a_resource() {
    insta::assert_snapshot!(expanded(
        Kind::Resource,
        quote!("logs://{service}/{date", size = "big", urii = 5),
        quote!(
            const unsafe fn log<T>(self, service: &str, (a, b): (T, T)) -> impl Display {}
        ),
    ));
}

#[test]
fn mistakes_in_a_type() {
    insta::assert_snapshot!(formatted(derive(
        Derive::Args,
        quote! {
            #[arg(name = "x")]
            struct Target<'a> {
                #[x_mcp_header("a b")]
                name: &'a str,
                #[arg(range = 5..=1)]
                count: u8,
                state: mcp::State<Db>,
            }
        },
    )));
}

#[test]
fn args_of_variants() {
    insta::assert_snapshot!(formatted(derive(
        Derive::Args,
        quote! {
            #[serde(tag = "kind", rename_all = "snake_case")]
            enum Shape {
                /// Round.
                Circle {
                    #[arg(range = 0.0..)]
                    radius: f64,
                },
                Polygon(Polygon),
                #[serde(skip)]
                Unknown,
            }
        },
    )));
}

#[test]
fn args_without_names() {
    insta::assert_snapshot!(formatted(derive(
        Derive::Args,
        quote!(
            pub(crate) struct Id(#[arg(length = 1..=9)] String);
        )
    )));
    insta::assert_snapshot!(formatted(derive(
        Derive::Args,
        quote!(
            struct Nothing;
        )
    )));
}

#[test]
fn output_of_variants() {
    insta::assert_snapshot!(formatted(derive(
        Derive::Output,
        quote! {
            #[serde(untagged)]
            enum Answer {
                One(Row),
                Many { rows: Vec<Row>, #[serde(skip_serializing_if = "Option::is_none")] next: Option<u64> },
            }
        },
    )));
}

/// What is half typed has to come back, and nothing may panic.
#[test]
fn any_tokens_are_survived() {
    let kinds =
        [Kind::Tool, Kind::Prompt, Kind::Resource, Kind::Completion, Kind::Method, Kind::Notification];
    let options = [
        "",
        ",",
        "=",
        "name",
        "name =",
        "name = ,",
        "name = \"x\" title",
        "\"",
        "\"a:{\"",
        "\"a:{}{}\", 5",
        "5",
        "prompt = 5, resource",
        "crate",
        "icons = [",
        "range = ..",
        "#![x]",
        "name(\"x\"), open()",
        "a.b.c",
        "-",
        "order = 99999999999999999999",
        "cache_ttl_ms = -1",
        "input_schema",
        "meta = json!()",
    ];
    let items = [
        "",
        "fn",
        "fn f",
        "fn f(",
        "fn f()",
        "fn f() {",
        "fn f();",
        "fn f(a: ) {}",
        "fn f(a) {}",
        "fn f(a: u8,, b) {}",
        "async",
        "pub",
        "pub async fn",
        "struct",
        "struct S;",
        "impl",
        "const",
        "const X: u8 = 5;",
        "|x| x",
        "let x;",
        "unsafe extern \"C\" fn f(...) -> ! {}",
        "fn f(&mut self, #[arg] a: u8, #[x_mcp_header()] b: u8) {}",
        "fn f() { let x = ; }",
        "fn f(a: impl) {}",
        "fn f<T>() where {}",
        "#[mcp::tool] fn f(#[cfg(x)] a: u8) {}",
        "fn f(#[arg(range = 1..=170141183460469231731687303715884105728)] a: u8) {}",
        "fn f(#[arg(default = -170141183460469231731687303715884105728)] a: u8) {}",
        "fn größe(größe: u8) {}",
        "fn f((): (), [a]: [u8; 1], A { a }: A, &a: &u8, ref a: u8, a @ _: u8) {}",
        "enum E { A(#[arg] u8), }",
        "enum E {}",
        "struct S<'a, const N: usize, T: ?Sized>(&'a [T; N]);",
        "union U { a: u8 }",
        "struct S { #[arg(default = 5, length = 0..0)] #[x_mcp_header = 5] a: u8 }",
        "#[mcp] #[arg] struct S {}",
        "#[serde] #[schemars = 5] #[serde(rename, bound = 5, default = )] struct S<T> { #[serde(,,)] a: T::A }",
    ];
    let tokens = |text: &str| text.parse::<TokenStream>().ok();
    for item in items.into_iter().filter_map(tokens) {
        for options in options.into_iter().filter_map(tokens) {
            for kind in kinds {
                let expansion = attribute(kind, options.clone(), item.clone()).to_string();
                assert!(item.is_empty() || !expansion.is_empty());
            }
        }
        for kind in [Derive::Args, Derive::Output, Derive::Data, Derive::Form] {
            derive(kind, item.clone());
        }
    }
}
