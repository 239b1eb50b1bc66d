//! Messages over stdio: so many in flight, each a line.

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

use crate::message::{Ask, Era, INITIALIZE, INITIALIZED, Message};
use crate::paired::{Turns, load, median, ratio, shuffled};
use crate::process::{cpu_time, resident, spawn};
use crate::server::*;

pub const SERVERS: &[Server] =
    &[BARE_STDIO, OURS, OURS_ONE_THREAD, RMCP_PIPES, RMCP_SHARED, RMCP, TURBOMCP, TYPESCRIPT, PYTHON];
pub const SERVERS_HANDSHAKE: &[Server] = &[
    BARE_STDIO_HANDSHAKE,
    OURS,
    OURS_ONE_THREAD,
    RMCP_PIPES,
    RMCP_SHARED,
    RMCP,
    TURBOMCP,
    TYPESCRIPT,
    PYTHON,
];

pub const ERAS: [(Era, &[Server]); 2] = [(Era::Modern, SERVERS), (Era::Handshake, SERVERS_HANDSHAKE)];

const DISCOVER: &str = r#"{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"compare","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#;

/// A server over stdio, with its connection open; ended when dropped.
pub struct Connected {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: usize,
    line: Vec<u8>,
}

impl Connected {
    /// Starts a server, and opens the connection as a client of that era does.
    pub fn open(mut command: Command, era: Era) -> anyhow::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = spawn(&mut command)?;
        let input = child.stdin.take().context("stdin")?;
        let output = BufReader::with_capacity(1 << 16, child.stdout.take().context("stdout")?);
        let mut connected = Self { child, input, output, next: 1, line: Vec::new() };
        let opening = if era == Era::Modern { DISCOVER } else { INITIALIZE };
        connected.input.write_all(format!("{opening}\n").as_bytes())?;
        connected.answers(b"\"result\"")?;
        if era == Era::Handshake {
            connected.input.write_all(format!("{INITIALIZED}\n").as_bytes())?;
        }
        Ok(connected)
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for at least one answer, and gives how many have come.
    fn answers(&mut self, holding: &[u8]) -> anyhow::Result<usize> {
        let mut part = [0; 1 << 16];
        loop {
            let length = self.output.read(&mut part)?;
            ensure!(length > 0, "the server ends its output: {}", String::from_utf8_lossy(&self.line));
            self.line.extend_from_slice(&part[..length]);
            let (mut whole, mut answers) = (0, 0);
            for end in memchr::memchr_iter(b'\n', &self.line) {
                let line = &self.line[whole..end];
                whole = end + 1;
                ensure!(
                    memchr::memmem::find(line, holding).is_some(),
                    "an answer that was not expected: {}",
                    String::from_utf8_lossy(line)
                );
                answers += 1;
            }
            self.line.drain(..whole);
            if answers > 0 {
                return Ok(answers);
            }
        }
    }

    /// Sends so many messages with at most `window` of them unanswered.
    pub fn exchange(&mut self, era: Era, window: usize, many: usize) -> anyhow::Result<Vec<Duration>> {
        let mut times = Vec::with_capacity(many);
        let (mut sent, mut answered) = (0, 0);
        let mut room = window;
        let mut lines = String::new();
        while answered < many {
            lines.clear();
            for _ in 0..room.min(many - sent) {
                lines.push_str(&Message::new(era, Ask::Add, self.next).body);
                lines.push('\n');
                self.next += 1;
                sent += 1;
            }
            let start = Instant::now();
            self.input.write_all(lines.as_bytes())?;
            room = self.answers(br#""text":"42""#)?;
            times.push(start.elapsed());
            answered += room;
        }
        Ok(times)
    }

    /// Ends the input, so that the server ends of its own accord.
    pub fn end(self) -> anyhow::Result<()> {
        let Self { mut child, input, output, .. } = self;
        drop((input, output));
        child.wait()?;
        Ok(())
    }
}

struct Slice {
    cpu: f64,
    rate: f64,
    p50: f64,
    p99: f64,
    resident: u64,
}

fn slice(connected: &mut Connected, era: Era, window: usize, many: usize) -> anyhow::Result<Slice> {
    connected.exchange(era, window, 2 * window)?;
    let (start, cpu) = (Instant::now(), cpu_time(connected.id())?);
    let mut times = connected.exchange(era, window, many)?;
    let (took, used) = (start.elapsed(), cpu_time(connected.id())? - cpu);
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_nanos() as f64 / 1e3;
    Ok(Slice {
        cpu: used.as_nanos() as f64 / 1e3 / many as f64,
        rate: many as f64 / took.as_secs_f64(),
        p50: at(0.5),
        p99: at(0.99),
        resident: resident(connected.id())?,
    })
}

pub fn compare(turns: &Turns, windows: &[usize]) -> anyhow::Result<()> {
    for (era, servers) in ERAS {
        let mut connected = Vec::new();
        for server in turns.of(servers)? {
            let mut open = Connected::open(server.command(&[]), era).with_context(|| server.name)?;
            open.exchange(era, 16, turns.messages(&server))?;
            connected.push((server, open));
        }
        for window in windows {
            let mut slices: Vec<Vec<Slice>> = connected.iter().map(|_| Vec::new()).collect();
            let before = load();
            for _ in 0..turns.rounds {
                for place in shuffled(connected.len()) {
                    let (server, open) = &mut connected[place];
                    // Messages of a full window are cheap: more of them say as much.
                    let many = turns.messages(server) * if *window > 1 { 5 } else { 1 };
                    slices[place].push(slice(open, era, *window, many)?);
                }
            }
            println!("\nstdio, {}, window {window} (load {before} to {})\n", era.name(), load());
            println!("| server | CPU | µs CPU/message | messages/s | p50 µs | p99 µs | RSS MB |");
            println!("| --- | --- | --- | --- | --- | --- | --- |");
            let cpu = |slices: &[Slice]| slices.iter().map(|slice| slice.cpu).collect::<Vec<f64>>();
            for ((server, _), own) in connected.iter().zip(&slices) {
                let middle = |value: fn(&Slice) -> f64| median(own.iter().map(value));
                println!(
                    "| {} | {} | {:.2} | {:.0} | {:.0} | {:.0} | {:.1} |",
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
        for (_, open) in connected {
            open.end()?;
        }
    }
    Ok(())
}
