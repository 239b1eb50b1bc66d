//! What is kept for connections, sessions and listeners that do nothing.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::http::{ask, open_session};
use crate::message::{Ask, Era, Message};
use crate::paired::Turns;
use crate::process::{Listening, resident};
use crate::server::*;

/// Lets time pass in which the server puts away what it has done.
fn settle() {
    std::thread::sleep(Duration::from_millis(500));
}

/// KiB for each of so many, of which a few have been there before.
fn each<T>(server: &Listening, many: usize, one: impl Fn() -> anyhow::Result<T>) -> anyhow::Result<f64> {
    let mut kept = Vec::with_capacity(many + 100);
    for _ in 0..100 {
        kept.push(one()?);
    }
    settle();
    let before = resident(server.id())?;
    for _ in 0..many {
        kept.push(one()?);
    }
    settle();
    let more = resident(server.id())?.saturating_sub(before);
    Ok(more as f64 / many as f64)
}

fn connection(server: &Listening) -> anyhow::Result<TcpStream> {
    let mut socket = TcpStream::connect(server.address)?;
    ask(&mut socket, &Message::new(Era::Modern, Ask::Add, 7).request(server.address))?;
    Ok(socket)
}

fn listener(server: &Listening) -> anyhow::Result<TcpStream> {
    let mut socket = TcpStream::connect(server.address)?;
    socket.set_read_timeout(Some(Duration::from_secs(10)))?;
    socket.write_all(&Message::new(Era::Modern, Ask::Listen, 7).request(server.address))?;
    let mut part = [0; 4096];
    let length = socket.read(&mut part)?;
    let text = String::from_utf8_lossy(&part[..length]);
    ensure!(text.starts_with("HTTP/1.1 200"), "no stream: {text}");
    Ok(socket)
}

pub fn compare(turns: &Turns, many: usize) -> anyhow::Result<()> {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, most, most)?;
    println!("\nKiB for each of {many} that do nothing\n");
    println!("| server | connection | session | listener |\n| --- | --- | --- | --- |");
    for (plain, sessions) in
        [(BARE_AXUM, None), (OURS, Some(OURS_SESSIONS)), (RMCP_SHARED, Some(RMCP_SESSIONS))]
    {
        if turns.of(&[plain]).is_err() {
            continue;
        }
        let start = |server: &Server| Listening::start(server.command(&[])).with_context(|| server.name);
        let server = start(&plain)?;
        let connections = each(&server, many, || connection(&server))?;
        print!("| {} | {connections:.1} |", plain.name);
        if let Some(sessions) = sessions {
            let server = start(&sessions)?;
            let opened = each(&server, many, || open_session(server.address))?;
            let server = start(&plain)?;
            let listeners = each(&server, many, || listener(&server))?;
            print!(" {opened:.1} | {listeners:.1} |");
        } else {
            print!(" | |");
        }
        println!();
    }
    Ok(())
}
