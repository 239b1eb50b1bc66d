//! Which revision knows which member, row by row, and what stands in the place of what it does not know.

use serde_json::{Value, json};

/// One member: where it is, and which revisions know it, oldest first.
pub struct Member {
    /// The object and its member, as the schemas call them.
    pub name: &'static str,
    /// What is asked for.
    pub what: &'static str,
    /// Where the member is among the messages that come: a JSON pointer, which finds what is in a list by its name too.
    pub at: &'static str,
    /// `+` for a revision that knows it, `-` for one that does not.
    pub known: &'static str,
}

const fn row(known: &'static str, name: &'static str, what: &'static str, at: &'static str) -> Member {
    Member { name, what, at, known }
}

/// The members that every revision or some know.
pub const MEMBERS: &[Member] = &[
    row("+++++", "Tool.name", "tools", "/0/result/tools/everything/name"),
    row("+++++", "Tool.description", "tools", "/0/result/tools/everything/description"),
    row("+++++", "Tool.inputSchema", "tools", "/0/result/tools/everything/inputSchema"),
    row("-++++", "Tool.annotations", "tools", "/0/result/tools/everything/annotations"),
    row(
        "-++++",
        "ToolAnnotations.readOnlyHint",
        "tools",
        "/0/result/tools/everything/annotations/readOnlyHint",
    ),
    row(
        "-++++",
        "ToolAnnotations.destructiveHint",
        "tools",
        "/0/result/tools/everything/annotations/destructiveHint",
    ),
    row(
        "-++++",
        "ToolAnnotations.idempotentHint",
        "tools",
        "/0/result/tools/everything/annotations/idempotentHint",
    ),
    row(
        "-++++",
        "ToolAnnotations.openWorldHint",
        "tools",
        "/0/result/tools/everything/annotations/openWorldHint",
    ),
    row("--+++", "Tool.title", "tools", "/0/result/tools/everything/title"),
    row("--+++", "Tool._meta", "tools", "/0/result/tools/everything/_meta"),
    row("--+++", "Tool.outputSchema", "tools", "/0/result/tools/object/outputSchema"),
    row("---++", "Tool.icons", "tools", "/0/result/tools/everything/icons"),
    row("---++", "Icon.src", "tools", "/0/result/tools/everything/icons/0/src"),
    row("---++", "Icon.mimeType", "tools", "/0/result/tools/everything/icons/0/mimeType"),
    row("---++", "Icon.sizes", "tools", "/0/result/tools/everything/icons/0/sizes/0"),
    row("---++", "Icon.theme", "tools", "/0/result/tools/everything/icons/0/theme"),
    row("+++++", "CallToolResult.content", "everything", "/0/result/content"),
    row("+++++", "CallToolResult._meta", "everything", "/0/result/_meta/acme~1fact"),
    row("+++++", "CallToolResult.isError", "fails", "/0/result/isError"),
    row("--+++", "CallToolResult.structuredContent", "object", "/0/result/structuredContent"),
    row("--+++", "TextContent._meta", "everything", "/0/result/content/0/_meta"),
    row("--+++", "ImageContent._meta", "everything", "/0/result/content/1/_meta"),
    row("--+++", "AudioContent._meta", "everything", "/0/result/content/2/_meta"),
    row("--+++", "ResourceLink._meta", "everything", "/0/result/content/3/_meta"),
    row("--+++", "EmbeddedResource._meta", "everything", "/0/result/content/4/_meta"),
    row("--+++", "TextResourceContents._meta", "everything", "/0/result/content/4/resource/_meta"),
    row("--+++", "BlobResourceContents._meta", "everything", "/0/result/content/5/resource/_meta"),
    row("+++++", "TextResourceContents.mimeType", "everything", "/0/result/content/4/resource/mimeType"),
    row(
        "+++++",
        "TextContent.annotations.audience",
        "everything",
        "/0/result/content/0/annotations/audience",
    ),
    row(
        "+++++",
        "TextContent.annotations.priority",
        "everything",
        "/0/result/content/0/annotations/priority",
    ),
    row(
        "--+++",
        "TextContent.annotations.lastModified",
        "everything",
        "/0/result/content/0/annotations/lastModified",
    ),
    row(
        "--+++",
        "ImageContent.annotations.lastModified",
        "everything",
        "/0/result/content/1/annotations/lastModified",
    ),
    row(
        "+++++",
        "AudioContent.annotations.audience",
        "everything",
        "/0/result/content/2/annotations/audience",
    ),
    row(
        "--+++",
        "AudioContent.annotations.lastModified",
        "everything",
        "/0/result/content/2/annotations/lastModified",
    ),
    row(
        "+++++",
        "ResourceLink.annotations.audience",
        "everything",
        "/0/result/content/3/annotations/audience",
    ),
    row(
        "--+++",
        "ResourceLink.annotations.lastModified",
        "everything",
        "/0/result/content/3/annotations/lastModified",
    ),
    row(
        "--+++",
        "EmbeddedResource.annotations.lastModified",
        "everything",
        "/0/result/content/4/annotations/lastModified",
    ),
    row("--+++", "ResourceLink.title", "everything", "/0/result/content/3/title"),
    row("--+++", "ResourceLink.size", "everything", "/0/result/content/3/size"),
    row("---++", "ResourceLink.icons", "everything", "/0/result/content/3/icons"),
    row("+++++", "Resource.mimeType", "resources", "/0/result/resources/text/mimeType"),
    row("--+++", "Resource.title", "resources", "/0/result/resources/text/title"),
    row("--+++", "Resource._meta", "resources", "/0/result/resources/text/_meta"),
    row("---++", "Resource.icons", "resources", "/0/result/resources/text/icons"),
    row("--+++", "ResourceTemplate.title", "templates", "/0/result/resourceTemplates/items/title"),
    row("--+++", "ResourceTemplate._meta", "templates", "/0/result/resourceTemplates/items/_meta"),
    row("---++", "ResourceTemplate.icons", "templates", "/0/result/resourceTemplates/items/icons"),
    row("+++++", "ReadResourceResult._meta", "text", "/0/result/_meta/acme~1fact"),
    row("--+++", "ResourceContents._meta", "text", "/0/result/contents/0/_meta"),
    row(
        "+++++",
        "PromptArgument.description",
        "prompts",
        "/0/result/prompts/talk/arguments/topic/description",
    ),
    row("--+++", "PromptArgument.title", "prompts", "/0/result/prompts/talk/arguments/topic/title"),
    row("--+++", "Prompt.title", "prompts", "/0/result/prompts/talk/title"),
    row("--+++", "Prompt._meta", "prompts", "/0/result/prompts/talk/_meta"),
    row("---++", "Prompt.icons", "prompts", "/0/result/prompts/talk/icons"),
    row("+++++", "GetPromptResult._meta", "talk", "/0/result/_meta/acme~1fact"),
    row("--+++", "PromptMessage.content._meta", "talk", "/0/result/messages/0/content/_meta"),
    row(
        "--+++",
        "PromptMessage.content.annotations.lastModified",
        "talk",
        "/0/result/messages/0/content/annotations/lastModified",
    ),
    row("+++++", "Completion.hasMore", "topics", "/0/result/completion/hasMore"),
    row("++++-", "InitializeResult.protocolVersion", "initialize", "/0/result/protocolVersion"),
    row("++++-", "InitializeResult.instructions", "initialize", "/0/result/instructions"),
    row("++++-", "InitializeResult.serverInfo.name", "initialize", "/0/result/serverInfo/name"),
    row("--++-", "InitializeResult.serverInfo.title", "initialize", "/0/result/serverInfo/title"),
    row("---+-", "InitializeResult.serverInfo.description", "initialize", "/0/result/serverInfo/description"),
    row("---+-", "InitializeResult.serverInfo.icons", "initialize", "/0/result/serverInfo/icons"),
    row("---+-", "InitializeResult.serverInfo.websiteUrl", "initialize", "/0/result/serverInfo/websiteUrl"),
    row("++++-", "InitializeResult.capabilities.tools", "initialize", "/0/result/capabilities/tools"),
    row("++++-", "InitializeResult.capabilities.logging", "initialize", "/0/result/capabilities/logging"),
    row(
        "-+++-",
        "InitializeResult.capabilities.completions",
        "initialize",
        "/0/result/capabilities/completions",
    ),
    row("----+", "DiscoverResult.supportedVersions", "discover", "/0/result/supportedVersions"),
    row("----+", "DiscoverResult.instructions", "discover", "/0/result/instructions"),
    row("----+", "DiscoverResult.capabilities.logging", "discover", "/0/result/capabilities/logging"),
    row("----+", "DiscoverResult.capabilities.completions", "discover", "/0/result/capabilities/completions"),
    row("----+", "CacheableResult.ttlMs", "tools", "/0/result/ttlMs"),
    row("----+", "CacheableResult.cacheScope", "tools", "/0/result/cacheScope"),
    row("----+", "Result.resultType", "everything", "/0/result/resultType"),
    row("----+", "Result._meta serverInfo", "object", "/0/result/_meta/io.modelcontextprotocol~1serverInfo"),
    row(
        "----+",
        "Result._meta serverInfo.title",
        "object",
        "/0/result/_meta/io.modelcontextprotocol~1serverInfo/title",
    ),
    row(
        "----+",
        "Result._meta serverInfo.icons",
        "object",
        "/0/result/_meta/io.modelcontextprotocol~1serverInfo/icons",
    ),
    row("+++++", "ProgressNotification.params.total", "tells", "/1/params/total"),
    row("-++++", "ProgressNotification.params.message", "tells", "/1/params/message"),
    row("+++++", "LoggingMessageNotification.params.logger", "tells", "/3/params/logger"),
    row("++++-", "ping", "ping", "/0/result"),
];

/// What is at a place.
pub fn find<'v>(value: &'v Value, at: &str) -> Option<&'v Value> {
    at.split('/').skip(1).try_fold(value, |value, part| match (value, part.parse::<usize>()) {
        (Value::Array(items), Ok(at)) => items.get(at),
        (Value::Array(items), Err(_)) => items.iter().find(|item| item["name"] == part),
        (value, _) => value.get(part.replace("~1", "/")),
    })
}

/// One value that looks different to different revisions, oldest first.
pub struct Converted {
    pub name: &'static str,
    pub what: &'static str,
    pub at: &'static str,
    /// What each revision gets; `null` for nothing.
    pub seen: [Value; 5],
}

fn converted(name: &'static str, what: &'static str, at: &'static str, seen: [Value; 5]) -> Converted {
    Converted { name, what, at, seen }
}

/// The first value for the first revisions, and so on.
fn steps<const N: usize>(steps: [(usize, Value); N]) -> [Value; 5] {
    let all: Vec<Value> = steps.into_iter().flat_map(|(many, value)| vec![value; many]).collect();
    all.try_into().expect("there are five revisions")
}

/// What stands in the place of what a revision does not know.
pub fn conversions() -> Vec<Converted> {
    let wrapped =
        |inner: Value| json!({"type": "object", "required": ["result"], "properties": {"result": inner}});
    let mut all = Vec::new();
    for what in ["everything", "talk"] {
        // The same block, in the result of a tool and in a message of a prompt.
        let block = |at: usize, member: &str| -> &'static str {
            let text = match what {
                "everything" => format!("/0/result/content/{at}/{member}"),
                _ => format!("/0/result/messages/{at}/content/{member}"),
            };
            text.leak()
        };
        all.extend([
            converted("a text", what, block(0, "type"), steps([(5, json!("text"))])),
            converted("a picture", what, block(1, "type"), steps([(5, json!("image"))])),
            converted("a sound", what, block(2, "type"), steps([(1, json!("text")), (4, json!("audio"))])),
            converted(
                "a sound's text",
                what,
                block(2, "text"),
                steps([(1, json!("[audio, audio/wav]")), (4, Value::Null)]),
            ),
            converted(
                "a link",
                what,
                block(3, "type"),
                steps([(2, json!("text")), (3, json!("resource_link"))]),
            ),
            converted(
                "a link's text",
                what,
                block(3, "text"),
                steps([(2, json!("linked: spec://linked")), (3, Value::Null)]),
            ),
            converted("a resource", what, block(4, "type"), steps([(5, json!("resource"))])),
        ]);
    }
    let list = json!({"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}});
    let any = json!({"any": 1});
    all.extend([
        converted(
            "a list",
            "list",
            "/0/result/structuredContent",
            steps([(2, Value::Null), (2, json!({"result": [1, 2]})), (1, json!([1, 2]))]),
        ),
        converted(
            "a list's schema",
            "tools",
            "/0/result/tools/list/outputSchema",
            steps([(2, Value::Null), (2, wrapped(list.clone())), (1, list)]),
        ),
        converted("a list as text", "list", "/0/result/content/0/text", steps([(5, json!("[1,2]"))])),
        converted(
            "a number",
            "number",
            "/0/result/structuredContent",
            steps([(2, Value::Null), (2, json!({"result": 1.5})), (1, json!(1.5))]),
        ),
        converted(
            "data alone",
            "data_alone",
            "/0/result/structuredContent",
            steps([(2, Value::Null), (2, json!({"result": [1, null]})), (1, json!([1, null]))]),
        ),
        converted(
            "data alone, as text",
            "data_alone",
            "/0/result/content/0/text",
            steps([(5, json!("[1,null]"))]),
        ),
        converted(
            "an object",
            "undeclared",
            "/0/result/structuredContent",
            steps([(2, Value::Null), (3, any.clone())]),
        ),
        converted(
            "an object of an open schema",
            "says_nothing",
            "/0/result/structuredContent",
            steps([(2, Value::Null), (2, json!({"result": any})), (1, any)]),
        ),
        converted(
            "the schema of anything",
            "tools",
            "/0/result/tools/says_nothing/outputSchema",
            steps([(2, Value::Null), (2, wrapped(json!({}))), (1, json!({}))]),
        ),
        converted(
            "a member of any value",
            "tools",
            "/0/result/tools/loose/inputSchema/properties/any",
            steps([(4, json!({})), (1, json!(true))]),
        ),
        converted(
            "a member of no value",
            "tools",
            "/0/result/tools/loose/inputSchema/properties/never",
            steps([(4, json!({"not": {}})), (1, json!(false))]),
        ),
        converted(
            "an unknown resource",
            "unknown resource",
            "/0/error/code",
            steps([(4, json!(-32002)), (1, json!(-32602))]),
        ),
        converted(
            "a resource that is gone",
            "gone",
            "/0/error/code",
            steps([(4, json!(-32002)), (1, json!(-32602))]),
        ),
        converted("its URI", "gone", "/0/error/data/uri", steps([(5, json!("spec://gone"))])),
        converted(
            "a reserved code",
            "refuses by a reserved code",
            "/0/error/code",
            steps([(5, json!(-32603))]),
        ),
        converted("an author's code", "refuses", "/0/error/code", steps([(5, json!(7))])),
        converted("an unknown method", "unknown method", "/0/error/code", steps([(5, json!(-32601))])),
        converted(
            "an old opening",
            "initialize",
            "/0/error/code",
            steps([(4, Value::Null), (1, json!(-32601))]),
        ),
        converted(
            "a new opening",
            "discover",
            "/0/error/code",
            steps([(4, json!(-32601)), (1, Value::Null)]),
        ),
    ]);
    all
}

/// Names of members that the handshake era does not have, anywhere.
pub const OF_2026: &[&str] = &[
    "resultType",
    "ttlMs",
    "cacheScope",
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/subscriptionId",
    "inputRequests",
    "inputResponses",
    "requestState",
    "supportedVersions",
    "extensions",
];

/// Names of members that the modern era no longer has, anywhere.
pub const OF_THE_PAST: &[&str] =
    &["protocolVersion", "serverInfo", "execution", "tasks", "task", "elicitationId"];

/// Error codes of the modern era, and of the one before it.
pub const CODES_OF_2026: &[i64] = &[-32020, -32021];
pub const CODES_OF_THE_PAST: &[i64] = &[-32002, -32042];
