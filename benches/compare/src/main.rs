//! Compares servers: all of them up at once, short slices in turn, what each costs against one of them in the same
//! turn.

mod cold;
mod count;
mod http;
mod memory;
mod message;
mod paired;
mod process;
mod scene;
mod server;
mod soak;
mod stdio;

use clap::{Parser, Subcommand};

/// Compares Model Context Protocol servers.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    what: What,
    /// How many turns each server gets.
    #[arg(long, default_value_t = 7, global = true)]
    rounds: usize,
    /// How many messages a turn has.
    #[arg(long, default_value_t = 6000, global = true)]
    messages: usize,
    /// Only servers of these names, beside the one that the others are compared to.
    #[arg(long, value_delimiter = ',', global = true)]
    only: Vec<String>,
}

#[derive(Subcommand)]
enum What {
    /// Requests over HTTP: CPU time of the server, requests a second, latencies, memory.
    Http {
        /// One scene, or all of them.
        scene: Option<String>,
        /// How many connections ask at once.
        #[arg(long, value_delimiter = ',', default_values_t = [1, 16, 64])]
        connections: Vec<usize>,
    },
    /// Messages over stdio, so many in flight at once.
    Stdio {
        #[arg(long, value_delimiter = ',', default_values_t = [1, 64])]
        windows: Vec<usize>,
    },
    /// From the start of the process to its first answer.
    Cold,
    /// What is kept for connections, sessions and listeners that do nothing.
    Memory {
        #[arg(long, default_value_t = 1000)]
        many: usize,
    },
    /// Memory after 10 000 and after 1 000 000 calls.
    Soak,
    /// Instructions of one request in user space, by callgrind.
    Count {
        /// One scene, `stdio`, or all of them.
        scene: Option<String>,
        /// How many connections ask at once: with one, the server goes to sleep after each request.
        #[arg(long, default_value_t = 16)]
        connections: usize,
        /// Keeps the profiles in this folder.
        #[arg(long)]
        keep: Option<std::path::PathBuf>,
    },
}

fn main() -> anyhow::Result<()> {
    let Arguments { what, rounds, messages, only } = Arguments::parse();
    let turns = paired::Turns { rounds, messages, only };
    match what {
        What::Http { scene, connections } => http::compare(&turns, scene.as_deref(), &connections),
        What::Stdio { windows } => stdio::compare(&turns, &windows),
        What::Cold => cold::compare(&turns),
        What::Memory { many } => memory::compare(&turns, many),
        What::Soak => soak::compare(&turns),
        What::Count { scene, connections, keep } => {
            count::compare(&turns, scene.as_deref(), connections, keep.as_deref())
        }
    }
}
