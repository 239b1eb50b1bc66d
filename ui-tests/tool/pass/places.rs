//! Tools in modules, in functions, made by macros, and with attributes of others.

#![deny(warnings)]

use mcp_runtime::prelude::*;

mod inner {
    pub mod deep {
        use mcp_runtime::mcp;

        /// Deep.
        #[mcp::tool]
        pub(in crate::inner) async fn deep(/** A number. */ number: u8) -> u8 {
            number
        }
    }

    pub async fn run() -> u8 {
        deep::deep(1).await
    }
}

macro_rules! tool {
    ($name:ident, $text:literal, $argument:ident: $ty:ty = $default:expr) => {
        #[doc = $text]
        #[mcp::tool(title = $text)]
        async fn $name(#[arg(default = $default, title = $text)] $argument: $ty) -> String {
            format!("{:?}", $argument)
        }
    };
}

tool!(made, "Made by a macro.", count: Option<u32> = 5);

macro_rules! data {
    ($name:ident) => {
        #[derive(mcp::Data)]
        struct $name {
            part: $crate::Part,
            #[arg(default = $crate::seven())]
            list: Vec<$crate::Part>,
        }
    };
}

#[derive(mcp::Data)]
struct Part(u8);

fn seven() -> Vec<Part> {
    vec![Part(7)]
}

data!(Made);

/// Takes what a macro made.
#[mcp::tool]
async fn takes(made: Made) -> mcp::Json<Vec<Part>> {
    let _ = made.part.0;
    mcp::Json(made.list)
}

/// Left out.
#[mcp::tool]
#[cfg(any())]
async fn left_out(text: Missing) {}

/// Kept.
#[cfg(all())]
#[mcp::tool]
#[allow(clippy::unused_async)]
#[cfg_attr(all(), doc = "Really.")]
#[must_use]
async fn kept() -> u8 {
    5
}

/// Modules that see the names of the one around them, and have such names themselves.
mod same_names {
    use super::*;

    #[derive(mcp::Args)]
    struct Part(u16);

    /// Kept too.
    #[mcp::tool(name = "kept_too")]
    async fn kept(part: Part, parts: Vec<super::Part>) -> usize {
        usize::from(part.0) + parts.len()
    }
}

fn main() {
    /// Inside a function.
    #[mcp::tool]
    async fn inside(target: Local) -> String {
        target.name
    }

    #[derive(mcp::Args)]
    struct Local {
        #[arg(default = "x")]
        name: String,
    }

    fn other() {
        #[derive(mcp::Args)]
        struct Local {
            count: u8,
        }

        /// Inside another.
        #[mcp::tool]
        async fn inside_another(target: Local) -> u8 {
            target.count
        }
    }

    other();
    mcp_runtime_ui_tests::boots(mcp_runtime::server());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert_eq!(runtime.block_on(inner::run()), 1);
    assert_eq!(runtime.block_on(kept()), 5);
    assert_eq!(runtime.block_on(made(Some(2))), "Some(2)");
}
