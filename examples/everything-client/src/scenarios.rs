//! The conversations of the suite.

use std::error::Error;

use mcp_runtime::client::{Client, Connecting, connect};
use mcp_runtime::mcp::{Answer, Era, Revision, Root, SamplingResult};
use serde_json::{Map, Value, json};

type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

/// What the suite tells a client.
pub struct Given {
    pub url: String,
    pub revision: String,
    pub context: Value,
}

impl Given {
    /// A client of the era that the scenario is run for: its server knows no other.
    fn client(&self) -> Connecting {
        let modern = Revision::parse(&self.revision).is_none_or(|revision| revision.era() == Era::Modern);
        connect(&self.url).client_info("everything-client", env!("CARGO_PKG_VERSION")).era(if modern {
            Era::Modern
        } else {
            Era::Handshake
        })
    }
}

/// Has the conversation of a scenario.
pub async fn run(scenario: &str, given: &Given) -> Result {
    match scenario {
        "tools_call" => tools_call(&given.client().await?).await,
        "elicitation-sep1034-client-defaults" => defaults(given).await,
        "sse-retry" => call_each(&given.client().await?, ["test_reconnection"]).await,
        "sep-2322-client-request-state" => {
            let tools = [
                "test_mrtr_echo_state",
                "test_mrtr_no_state",
                "test_mrtr_unrelated",
                "test_mrtr_no_result_type",
            ];
            call_each(&confirming(given).await?, tools).await
        }
        "http-standard-headers" => standard_headers(&given.client().await?).await,
        "http-custom-headers" => custom_headers(&given.client().await?, &given.context).await,
        "http-invalid-tool-headers" => invalid_headers(&given.client().await?).await,
        "json-schema-2020-12-preservation" => schema(&given.client().await?).await,
        // What is left is met by any client that lists the tools and calls those that take nothing.
        _ => whatever_there_is(&given.client().await?).await,
    }
}

async fn tools_call(client: &Client) -> Result {
    client.list_tools().await?;
    let result = client.call_tool("add_numbers", json!({ "a": 5, "b": 3 })).await?;
    if result.is_error { Err(format!("{result:?}").into()) } else { Ok(()) }
}

async fn defaults(given: &Given) -> Result {
    let client = given
        .client()
        .on_form(|form, _| async move { Ok::<_, std::io::Error>(Answer::Accept(form.defaults())) })
        .await?;
    call_each(&client, ["test_client_elicitation_defaults"]).await
}

/// A client that says yes to everything.
async fn confirming(given: &Given) -> Result<Client> {
    let client = given
        .client()
        .on_form(|form, _| async move {
            let fields = form.schema["properties"].as_object().cloned().unwrap_or_default();
            let yes: Map<String, Value> = fields.into_iter().map(|(name, _)| (name, true.into())).collect();
            Ok::<_, std::io::Error>(Answer::Accept(yes.into()))
        })
        .on_sampling(|_, _| async move { Ok::<_, std::io::Error>(SamplingResult::of("none", "yes")) })
        .roots([Root::new("file:///work")])
        .await?;
    Ok(client)
}

async fn call_each<const N: usize>(client: &Client, tools: [&str; N]) -> Result {
    client.list_tools().await?;
    for tool in tools {
        client.call_tool(tool, json!({})).await?;
    }
    client.close().await;
    Ok(())
}

async fn standard_headers(client: &Client) -> Result {
    for tool in client.list_tools().await? {
        client.call_tool(tool.name, json!({})).await?;
    }
    for resource in client.list_resources().await? {
        client.read_resource(resource.uri).await?;
    }
    for prompt in client.list_prompts().await? {
        client.prompt(prompt.name, ()).await?;
    }
    Ok(())
}

async fn custom_headers(client: &Client, context: &Value) -> Result {
    client.list_tools().await?;
    for call in context["toolCalls"].as_array().into_iter().flatten() {
        let name = call["name"].as_str().unwrap_or_default();
        client.call_tool(name, call["arguments"].clone()).await?;
    }
    Ok(())
}

async fn invalid_headers(client: &Client) -> Result {
    let tools = client.list_tools().await?;
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    if names != ["valid_tool"] {
        return Err(format!("the tools that are left are {names:?}").into());
    }
    client.call_tool("valid_tool", json!({ "region": "us-west1" })).await?;
    Ok(())
}

async fn schema(client: &Client) -> Result {
    let tools = client.list_tools().await?;
    let tool = tools.into_iter().find(|tool| tool.name == "json_schema_2020_12_tool");
    let schema = tool.ok_or("the tool is not there")?.input_schema;
    client.call_tool("json_schema_echo", json!({ "schema": schema })).await?;
    Ok(())
}

async fn whatever_there_is(client: &Client) -> Result {
    for tool in client.list_tools().await? {
        if tool.name == "test-tool" {
            client.call_tool(tool.name, json!({})).await?;
        }
    }
    Ok(())
}
