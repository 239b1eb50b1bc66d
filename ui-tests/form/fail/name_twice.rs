// mistakes: 2
use mcp_runtime::prelude::*;

#[derive(mcp::Form)]
struct Person {
    #[arg(name = "age")]
    years: u8,
    age: u8,
}

#[derive(mcp::Args)]
enum Target {
    Place {
        #[serde(rename = "at")]
        x: u8,
        at: u8,
    },
}

#[mcp::tool]
async fn ask(target: Target, ctx: mcp::Context) -> Result<u8, mcp::AskError> {
    let Target::Place { x, at } = target;
    let person: Person = ctx.elicit("Who are you?").await?;
    Ok(person.years + person.age + x + at)
}

fn main() {}
