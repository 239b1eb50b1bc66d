//! rmcp's shortest form, with fifty tools, which its macro wants written out.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

use crate::Add;

#[derive(Clone)]
pub struct Fifty;

#[tool_router(server_handler)]
impl Fifty {
    #[tool(description = "Adds two numbers")]
    async fn add(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_001(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_002(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_003(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_004(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_005(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_006(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_007(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_008(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_009(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_010(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_011(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_012(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_013(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_014(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_015(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_016(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_017(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_018(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_019(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_020(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_021(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_022(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_023(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_024(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_025(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_026(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_027(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_028(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_029(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_030(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_031(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_032(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_033(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_034(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_035(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_036(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_037(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_038(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_039(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_040(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_041(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_042(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_043(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_044(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_045(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_046(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_047(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_048(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }

    #[tool(description = "Adds two numbers")]
    async fn tool_049(&self, Parameters(add): Parameters<Add>) -> String {
        (add.a + add.b).to_string()
    }
}
