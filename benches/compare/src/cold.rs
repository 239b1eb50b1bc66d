//! From the start of a process to its first answer: `initialize` and `server/discover` over stdio.

use std::time::Instant;

use anyhow::Context as _;

use crate::paired::{Turns, load, median, ratio, shuffled};
use crate::process::cpu_time;
use crate::stdio::{Connected, ERAS};

pub fn compare(turns: &Turns) -> anyhow::Result<()> {
    for (era, servers) in ERAS {
        let servers = turns.of(servers)?;
        let mut walls: Vec<Vec<f64>> = servers.iter().map(|_| Vec::new()).collect();
        let mut cpus = walls.clone();
        let before = load();
        for _ in 0..turns.rounds {
            for place in shuffled(servers.len()) {
                let server = &servers[place];
                let (mut wall, mut cpu) = (Vec::new(), Vec::new());
                for _ in 0..(15 / server.slowness).max(1) {
                    let start = Instant::now();
                    let open = Connected::open(server.command(&[]), era).with_context(|| server.name)?;
                    wall.push(start.elapsed().as_secs_f64() * 1e3);
                    cpu.push(cpu_time(open.id())?.as_secs_f64() * 1e3);
                    open.end()?;
                }
                walls[place].push(median(wall));
                cpus[place].push(median(cpu));
            }
        }
        println!("\ncold start over stdio, {} (load {before} to {})\n", era.name(), load());
        println!("| server | wall | ms | CPU | ms CPU |\n| --- | --- | --- | --- | --- |");
        for (place, server) in servers.iter().enumerate() {
            println!(
                "| {} | {} | {:.2} | {} | {:.2} |",
                server.name,
                ratio(&walls[place], &walls[0]),
                median(walls[place].iter().copied()),
                ratio(&cpus[place], &cpus[0]),
                median(cpus[place].iter().copied()),
            );
        }
    }
    Ok(())
}
