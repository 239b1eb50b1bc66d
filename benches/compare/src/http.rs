//! Requests over HTTP: so many connections, each with one request in flight.

mod answer;
mod driver;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, ensure};

pub use answer::Answer;
pub use driver::{Slice, drive};

use crate::message::{INITIALIZE, INITIALIZED, Message};
use crate::paired::{Turns, load, median, ratio, shuffled};
use crate::process::Listening;
use crate::scene::{SCENES, Scene};
use crate::server::{OURS_500, Server};

/// One request on a connection of its own, and its whole answer.
pub fn ask(socket: &mut TcpStream, request: &[u8]) -> anyhow::Result<Vec<u8>> {
    socket.set_read_timeout(Some(Duration::from_secs(10)))?;
    socket.write_all(request)?;
    let mut bytes = Vec::new();
    let mut part = vec![0; 1 << 16];
    loop {
        let length = socket.read(&mut part)?;
        ensure!(length > 0, "the connection ends: {}", String::from_utf8_lossy(&bytes));
        bytes.extend_from_slice(&part[..length]);
        if Answer::read(&bytes).is_some_and(|answer| answer.length == bytes.len()) {
            return Ok(bytes);
        }
    }
}

/// Opens a session, and gives its id.
pub fn open_session(address: SocketAddr) -> anyhow::Result<String> {
    let mut socket = TcpStream::connect(address)?;
    let answer = ask(&mut socket, &Message::plain(INITIALIZE).request(address))?;
    let text = String::from_utf8_lossy(&answer);
    let line = text.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("mcp-session-id").then(|| value.to_owned())
    });
    let session = line.with_context(|| format!("no session: {text}"))?;
    ask(&mut socket, &Message::plain(INITIALIZED).within(&session).request(address))?;
    Ok(session)
}

/// The requests of a scene, one for each connection.
pub fn requests(scene: &Scene, address: SocketAddr, connections: usize) -> anyhow::Result<Vec<Vec<u8>>> {
    if !scene.sessions {
        return Ok(vec![Message::new(scene.era, scene.ask, 7).request(address); connections]);
    }
    let session = open_session(address)?;
    // What is in flight in one session needs ids of its own.
    let message =
        |number| Message::new(scene.era, scene.ask, 1000 + number).within(&session).request(address);
    Ok((0..connections).map(message).collect())
}

/// The servers of a scene, listening.
pub fn start(
    scene: &Scene,
    turns: &Turns,
    run: impl Fn(&Server) -> std::process::Command,
) -> anyhow::Result<Vec<(Server, Listening)>> {
    let servers = turns.of(scene.servers)?;
    let mut list = tempfile::NamedTempFile::new()?;
    if scene.prepared {
        let lists = Listening::start(OURS_500.command(&[]))?;
        let mut socket = TcpStream::connect(lists.address)?;
        let answer = ask(&mut socket, &Message::new(scene.era, scene.ask, 7).request(lists.address))?;
        let body = Answer::read(&answer).context("the list")?.body(&answer).to_vec();
        list.write_all(&body)?;
    }
    let start = |server: &Server| {
        let mut command = run(server);
        if scene.prepared {
            command.env("LIST", list.path());
        }
        Ok((*server, Listening::start(command).with_context(|| server.name)?))
    };
    servers.iter().map(start).collect()
}

/// The scenes of that name; all of them without one.
pub fn scenes(name: Option<&str>) -> anyhow::Result<Vec<&'static Scene>> {
    let scenes: Vec<&Scene> =
        SCENES.iter().filter(|scene| name.is_none_or(|name| name == scene.name)).collect();
    let names = || SCENES.iter().map(|scene| scene.name).collect::<Vec<_>>().join(", ");
    ensure!(!scenes.is_empty(), "there is no such scene; there are {}", names());
    Ok(scenes)
}

pub fn compare(turns: &Turns, scene: Option<&str>, connections: &[usize]) -> anyhow::Result<()> {
    for scene in scenes(scene)? {
        let servers = start(scene, turns, |server| server.command(&[]))?;
        for (server, listening) in &servers {
            let warm = requests(scene, listening.address, 16)?;
            let slice = drive(listening, warm, turns.messages(server))?;
            eprintln!("{}, {}: {}", scene.name, server.name, slice.sample);
        }
        for many in connections {
            let mut slices: Vec<Vec<Slice>> = servers.iter().map(|_| Vec::new()).collect();
            let before = load();
            for _ in 0..turns.rounds {
                for place in shuffled(servers.len()) {
                    let (server, listening) = &servers[place];
                    let requests = requests(scene, listening.address, *many)?;
                    slices[place].push(drive(listening, requests, turns.messages(server))?);
                }
            }
            print(scene, *many, &servers, &slices, &before);
        }
    }
    Ok(())
}

fn print(scene: &Scene, many: usize, servers: &[(Server, Listening)], slices: &[Vec<Slice>], before: &str) {
    println!("\n{}, {many} connections (load {before} to {})\n", scene.name, load());
    println!("| server | CPU | µs CPU/request | requests/s | p50 µs | p99 µs | RSS MB |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let cpu = |slices: &[Slice]| slices.iter().map(|slice| slice.cpu).collect::<Vec<f64>>();
    for ((server, _), own) in servers.iter().zip(slices) {
        let middle = |value: fn(&Slice) -> f64| median(own.iter().map(value));
        println!(
            "| {} | {} | {:.1} | {:.0} | {:.0} | {:.0} | {:.1} |",
            server.name,
            ratio(&cpu(own), &cpu(&slices[0])),
            middle(|slice| slice.cpu),
            middle(|slice| slice.rate),
            middle(|slice| slice.p50),
            middle(|slice| slice.p99),
            own.last().map_or(0.0, |slice| slice.resident as f64 / 1024.0),
        );
    }
}
