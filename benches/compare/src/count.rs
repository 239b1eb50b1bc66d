//! Instructions of one request in user space. Whatever else the machine does, they stay the same.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use crate::http::{drive, requests, scenes, start};
use crate::paired::Turns;
use crate::server::Server;
use crate::stdio::{Connected, ERAS};

/// How many requests are counted.
const COUNTED: usize = 1000;

fn callgrind(profile: &Path, more: &[&str]) -> Vec<String> {
    let mut command = vec!["valgrind".to_owned(), "--tool=callgrind".to_owned()];
    command.extend(more.iter().map(|&option| option.to_owned()));
    command.push(format!("--callgrind-out-file={}", profile.display()));
    command
}

fn run(server: &Server, profile: &Path, more: &[&str]) -> Command {
    let mut command = server.command(&callgrind(profile, more));
    command.env("TOKIO_WORKER_THREADS", "1");
    command
}

fn control(option: &str, value: Option<&str>, process: u32) -> anyhow::Result<()> {
    let mut command = Command::new("callgrind_control");
    command.arg(option).args(value).arg(process.to_string()).stdout(Stdio::null()).stderr(Stdio::null());
    ensure!(command.status().context("callgrind_control")?.success(), "callgrind_control {option} failed");
    Ok(())
}

/// The instructions that a profile has counted.
fn counted(profile: &Path) -> anyhow::Result<u64> {
    let text =
        String::from_utf8_lossy(&std::fs::read(profile).with_context(|| profile.display().to_string())?)
            .into_owned();
    let line = text.lines().rev().find_map(|line| line.strip_prefix("totals: ")).context("no totals")?;
    Ok(line.split(' ').next().unwrap_or_default().parse()?)
}

fn file_name(scene: &str, server: &Server) -> String {
    let text = format!("{scene} {}", server.name);
    text.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect()
}

pub fn compare(
    turns: &Turns,
    scene: Option<&str>,
    connections: usize,
    keep: Option<&Path>,
) -> anyhow::Result<()> {
    let own = tempfile::tempdir()?;
    let folder = keep.unwrap_or(own.path());
    std::fs::create_dir_all(folder)?;
    println!("\n| | server | instructions/request | |\n| --- | --- | --- | --- |");
    if scene != Some("stdio") {
        for scene in scenes(scene)? {
            let profile = |server: &Server| folder.join(file_name(scene.name, server));
            let options = ["--instr-atstart=no"];
            let servers = start(scene, turns, |server| run(server, &profile(server), &options))?;
            let mut base = None;
            for (server, listening) in &servers {
                if server.slowness >= 20 {
                    continue;
                }
                drive(listening, requests(scene, listening.address, connections)?, 300 / server.slowness)?;
                let many = COUNTED / server.slowness;
                let asked = requests(scene, listening.address, connections)?;
                control("-i", Some("on"), listening.id())?;
                // Two on each connection come before those that the driver measures.
                drive(listening, asked, many - 2 * connections)?;
                control("-d", None, listening.id())?;
                let mut dumped = profile(server).into_os_string();
                dumped.push(".1");
                print(scene.name, server, counted(Path::new(&dumped))? as f64 / many as f64, &mut base);
            }
        }
    }
    if scene.is_none_or(|name| name == "stdio") {
        for (era, servers) in ERAS {
            for window in [1, 64] {
                let mut base = None;
                for server in turns.of(servers)?.iter().filter(|server| server.slowness < 20) {
                    let name = format!("stdio, {}, window {window}", era.name());
                    let counts = [640, 2560].map(|many| {
                        let profile = folder.join(format!("{}-{many}", file_name(&name, server)));
                        let mut open = Connected::open(run(server, &profile, &[]), era)?;
                        open.exchange(era, window, many)?;
                        open.end()?;
                        counted(&profile)
                    });
                    let [few, many] = counts;
                    print(&name, server, (many? - few?) as f64 / 1920.0, &mut base);
                }
            }
        }
    }
    Ok(())
}

fn print(scene: &str, server: &Server, each: f64, base: &mut Option<f64>) {
    let base = *base.get_or_insert(each);
    println!("| {scene} | {} | {each:.0} | {:.3} |", server.name, each / base);
}
