//! Writes the tools of `ours-many`: a group of 1, one of 50 and one of 500.

use std::fmt::Write as _;

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut out = String::from("use mcp_runtime::prelude::*;\n");
    for many in [1, 50, 500] {
        for number in 0..many {
            let name = if number == 0 { "add".to_owned() } else { format!("tool_{number:03}") };
            let _ = writeln!(
                out,
                "/// Adds two numbers.\n#[mcp::tool(group = \"{many}\", name = \"{name}\")]\nasync fn {name}_of_{many}(a: i64, b: i64) -> i64 {{ a + b }}"
            );
        }
    }
    let folder = std::env::var("OUT_DIR").map_err(std::io::Error::other)?;
    std::fs::write(format!("{folder}/tools.rs"), out)
}
