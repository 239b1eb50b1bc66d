//! What a tool may return.

use std::borrow::Cow;
use std::sync::Arc;

use super::Outcome;
use super::args::Output;
use super::blob::Blob;
use super::describe::OutputDescription;
use super::json::Json;
use super::tool_error::IntoToolError;
use crate::protocol::{CallToolResult, ContentBlock, ResourceContents, ResourceLink};

/// What a tool may return: text, numbers, booleans, `()`, [`Json`], [`Blob`], content blocks and lists of them, a
/// whole [`CallToolResult`], and a `Result` of any of these.
#[diagnostic::on_unimplemented(
    message = "MCP093: a tool cannot return `{Self}`",
    label = "not a result of a tool",
    note = "return data in `mcp::Json<…>`: a type with `#[derive(mcp::Output)]`, a list of such, or a `serde_json::Value`",
    note = "in place of an `Option` return a `Result` that says why nothing is there, or `mcp::Json<Option<…>>` of data",
    note = "text, numbers, `()`, `mcp::Blob`, `mcp::ContentBlock`, `Vec<mcp::ContentBlock>` and `mcp::CallToolResult` \
            work as they are, and so does a `Result` of any of them"
)]
pub trait IntoToolResult {
    /// Says at boot what the structured output is; nothing by default.
    fn describe(output: &mut OutputDescription) {
        let _ = output;
    }

    /// What the client gets.
    fn into_tool_result(self) -> Outcome<CallToolResult>;
}

impl<T: IntoToolResult, E: IntoToolError> IntoToolResult for Result<T, E> {
    fn describe(output: &mut OutputDescription) {
        T::describe(output);
    }

    fn into_tool_result(self) -> Outcome<CallToolResult> {
        match self {
            Ok(value) => value.into_tool_result(),
            Err(error) => error.into_tool_error(),
        }
    }
}

impl<T: Output> IntoToolResult for Json<T> {
    fn describe(output: &mut OutputDescription) {
        output.structured::<T>();
    }

    fn into_tool_result(self) -> Outcome<CallToolResult> {
        let value = self.value()?;
        Ok(CallToolResult::text(value.to_string()).structured(value))
    }
}

impl IntoToolResult for CallToolResult {
    fn into_tool_result(self) -> Outcome<CallToolResult> {
        Ok(self)
    }
}

impl IntoToolResult for () {
    fn into_tool_result(self) -> Outcome<CallToolResult> {
        Ok(CallToolResult::default())
    }
}

impl IntoToolResult for String {
    fn into_tool_result(self) -> Outcome<CallToolResult> {
        Ok(CallToolResult::text(self))
    }
}

macro_rules! texts {
    ($($text:ty)*) => {$(
        impl IntoToolResult for $text {
            fn into_tool_result(self) -> Outcome<CallToolResult> {
                Ok(CallToolResult::text(self.to_string()))
            }
        }
    )*};
}

texts!(&'static str Cow<'static, str> Arc<str> Box<str> char bool);
texts!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

impl IntoToolResult for ContentBlock {
    fn into_tool_result(self) -> Outcome<CallToolResult> {
        Ok(CallToolResult::new([self]))
    }
}

impl IntoToolResult for Vec<ContentBlock> {
    fn into_tool_result(self) -> Outcome<CallToolResult> {
        Ok(CallToolResult::new(self))
    }
}

impl<const N: usize> IntoToolResult for [ContentBlock; N] {
    fn into_tool_result(self) -> Outcome<CallToolResult> {
        Ok(CallToolResult::new(self))
    }
}

impl IntoToolResult for ResourceLink {
    fn into_tool_result(self) -> Outcome<CallToolResult> {
        Ok(CallToolResult::new([self.into()]))
    }
}

impl IntoToolResult for ResourceContents {
    fn into_tool_result(self) -> Outcome<CallToolResult> {
        Ok(CallToolResult::new([ContentBlock::resource(self)]))
    }
}

impl IntoToolResult for Blob {
    fn into_tool_result(self) -> Outcome<CallToolResult> {
        let Self { bytes, mime_type } = self;
        Ok(CallToolResult::new([match mime_type.split('/').next() {
            Some("image") => ContentBlock::image(bytes, mime_type),
            Some("audio") => ContentBlock::audio(bytes, mime_type),
            // An embedded resource needs a URI; these bytes live nowhere else.
            _ => ContentBlock::resource(ResourceContents::blob("blob:result", bytes).mime_type(mime_type)),
        }]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(result: impl IntoToolResult) -> String {
        serde_json::to_string(&result.into_tool_result().unwrap()).unwrap()
    }

    #[test]
    fn plain_values_are_shown_as_text() {
        assert_eq!(shown(42_i64), r#"{"content":[{"type":"text","text":"42"}]}"#);
        assert_eq!(shown("a"), r#"{"content":[{"type":"text","text":"a"}]}"#);
        assert_eq!(shown(()), r#"{"content":[]}"#);
        assert_eq!(shown(Err::<(), _>("no")), r#"{"content":[{"type":"text","text":"no"}],"isError":true}"#);
    }

    #[test]
    fn data_is_shown_twice() {
        let result = Json(vec![1, 2]).into_tool_result().unwrap();
        assert_eq!(result.structured_content, Some(serde_json::json!([1, 2])));
        assert_eq!(result.content, [ContentBlock::text("[1,2]")]);
    }

    #[test]
    fn bytes_are_shown_by_their_media_type() {
        assert!(shown(Blob::new(*b"x", "image/png")).contains(r#""type":"image","data":"eA==""#));
        assert!(shown(Blob::new(*b"x", "audio/wav")).contains(r#""type":"audio""#));
        assert!(shown(Blob::new(*b"x", "application/zip")).contains(r#""blob":"eA==""#));
    }
}
