//! The tools and the prompt of the suite that ask their client.

use mcp_runtime::prelude::*;
use serde_json::json;

/// What came of an ask, as a text.
fn told<T>(answer: mcp::Answer<T>, content: impl FnOnce(T) -> Value) -> String {
    match answer {
        mcp::Answer::Accept(answer) => format!("accept: {}", content(answer)),
        mcp::Answer::Decline => "decline".to_owned(),
        mcp::Answer::Cancel => "cancel".to_owned(),
    }
}

/// Asks the client's model.
#[mcp::tool]
async fn test_sampling(prompt: String, ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let answer = ctx.sample(mcp::SamplingRequest::text(prompt).max_tokens(100)).await?;
    Ok(format!("LLM response: {}", answer.text()))
}

#[derive(mcp::Form)]
struct Account {
    username: String,
    email: String,
}

/// Asks the person behind the client.
#[mcp::tool]
async fn test_elicitation(message: String, ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let answer = ctx.elicit::<Account>(message).answer().await?;
    Ok(told(answer, |account| json!({ "username": account.username, "email": account.email })))
}

#[derive(mcp::Data)]
#[serde(rename_all = "lowercase")]
enum Status {
    Active,
    Inactive,
    Pending,
}

#[derive(mcp::Form)]
struct Defaults {
    #[arg(default = "John Doe")]
    name: String,
    #[arg(default = 30)]
    age: i64,
    #[arg(default = 95.5)]
    score: f64,
    #[arg(default = Status::Active)]
    status: Status,
    #[arg(default = true)]
    verified: bool,
}

/// Asks by a form with defaults.
#[mcp::tool]
async fn test_elicitation_sep1034_defaults(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let answer = ctx.elicit::<Defaults>("Look over these defaults").answer().await?;
    Ok(told(answer, |all| json!([all.name, all.age, all.score, all.status, all.verified])))
}

#[derive(mcp::Data)]
#[serde(rename_all = "lowercase")]
enum Plain {
    Option1,
    Option2,
    Option3,
}

#[derive(mcp::Data)]
#[serde(rename_all = "lowercase")]
enum Titled {
    /// First Option
    Value1,
    /// Second Option
    Value2,
    /// Third Option
    Value3,
}

#[derive(mcp::Data)]
#[serde(rename_all = "lowercase")]
enum Old {
    Opt1,
    Opt2,
    Opt3,
}

#[derive(mcp::Form)]
#[serde(rename_all = "camelCase")]
struct Choices {
    untitled_single: Plain,
    titled_single: Titled,
    #[schemars(extend("enumNames" = ["Option One", "Option Two", "Option Three"]))]
    legacy_enum: Old,
    untitled_multi: Vec<Plain>,
    titled_multi: Vec<Titled>,
}

/// Asks by a form with every kind of choice.
#[mcp::tool]
async fn test_elicitation_sep1330_enums(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let answer = ctx.elicit::<Choices>("Choose").answer().await?;
    Ok(told(answer, |all| {
        json!({
            "untitledSingle": all.untitled_single, "titledSingle": all.titled_single,
            "legacyEnum": all.legacy_enum, "untitledMulti": all.untitled_multi, "titledMulti": all.titled_multi,
        })
    }))
}

#[derive(mcp::Form)]
struct Name {
    name: String,
}

#[derive(mcp::Form)]
struct Color {
    color: String,
}

#[derive(mcp::Form)]
struct Confirmation {
    ok: bool,
}

#[derive(mcp::Form)]
struct Background {
    context: String,
}

/// Needs the client's model.
#[mcp::tool]
async fn test_missing_capability(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    Ok(ctx.sample(mcp::SamplingRequest::text("Are you there?")).await?.text())
}

/// Asks, whatever the transport.
#[mcp::tool]
async fn test_streaming_elicitation(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    Ok(ctx.elicit::<Name>("What is your name?").await?.name)
}

/// Asks for a name.
#[mcp::tool]
async fn test_input_required_result_elicitation(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let Name { name } = ctx.elicit("What is your name?").key("user_name").await?;
    Ok(format!("Hello, {name}!"))
}

/// Asks the client's model for a capital.
#[mcp::tool]
async fn test_input_required_result_sampling(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let question = mcp::SamplingRequest::text("What is the capital of France?").max_tokens(100);
    Ok(ctx.sample(question).key("capital_question").await?.text())
}

/// Asks for the client's folders.
#[mcp::tool]
async fn test_input_required_result_list_roots(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let roots = ctx.list_roots().key("client_roots").await?;
    Ok(roots.into_iter().map(|root| root.uri).collect::<Vec<_>>().join(", "))
}

/// Asks for a confirmation.
#[mcp::tool]
async fn test_input_required_result_request_state(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let Confirmation { ok } = ctx.elicit("Shall I go on?").key("confirm").await?;
    Ok(format!("state-ok: {ok}"))
}

/// The same, for states that are tampered with.
#[mcp::tool]
async fn test_input_required_result_tampered_state(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let Confirmation { ok } = ctx.elicit("Shall I go on?").key("confirm").await?;
    Ok(format!("state-ok: {ok}"))
}

/// Asks three things at once.
#[mcp::tool]
async fn test_input_required_result_multiple_inputs(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let (name, greeting, roots) = tokio::join!(
        ctx.elicit::<Name>("What is your name?").key("user_name"),
        ctx.sample(mcp::SamplingRequest::text("Write a greeting").max_tokens(50)).key("greeting"),
        ctx.list_roots().key("client_roots"),
    );
    Ok(format!("{}, {} ({} roots)", greeting?.text(), name?.name, roots?.len()))
}

/// Asks one thing after the other.
#[mcp::tool]
async fn test_input_required_result_multi_round(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let Name { name } = ctx.elicit("What is your name?").key("step1").await?;
    let Color { color } = ctx.elicit(format!("Which colour do you like, {name}?")).key("step2").await?;
    Ok(format!("{name} likes {color}"))
}

/// Asks what the client can be asked.
#[mcp::tool]
async fn test_input_required_result_capabilities(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    if ctx.client_capabilities()["elicitation"].is_object() {
        return Ok(ctx.elicit::<Name>("What is your name?").key("user_name").await?.name);
    }
    Ok(ctx.sample(mcp::SamplingRequest::text("What is the capital of France?")).await?.text())
}

/// A prompt that asks for its background.
#[mcp::prompt]
async fn test_input_required_result_prompt(ctx: mcp::Context) -> Result<String, mcp::ProtocolError> {
    let asked = ctx.elicit("What is this about?").key("user_context").await;
    let Background { context } = asked.map_err(|error| mcp::ProtocolError::new(-1, error.to_string()))?;
    Ok(format!("The background is: {context}"))
}
