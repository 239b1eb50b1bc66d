//! One thread that keeps one request in flight on each connection.

use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use super::Answer;
use crate::process::{Listening, cpu_time, resident};

/// What a slice of requests has cost the server.
pub struct Slice {
    /// Microseconds of processor time for each request.
    pub cpu: f64,
    /// Requests in a second.
    pub rate: f64,
    /// Microseconds from a request to its whole answer.
    pub p50: f64,
    pub p99: f64,
    /// KiB.
    pub resident: u64,
    /// One of the answers.
    pub sample: String,
}

struct Connection {
    socket: TcpStream,
    request: Vec<u8>,
    written: usize,
    read: Vec<u8>,
    since: Instant,
}

impl Connection {
    fn write(&mut self) -> std::io::Result<()> {
        while self.written < self.request.len() {
            match self.socket.write(&self.request[self.written..]) {
                Ok(length) => self.written += length,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn begin(&mut self) -> std::io::Result<()> {
        (self.written, self.since) = (0, Instant::now());
        self.write()
    }

    /// Reads all that there is.
    fn read(&mut self, room: &mut [u8]) -> anyhow::Result<()> {
        loop {
            match self.socket.read(room) {
                Ok(0) => bail!("the server closes: {}", String::from_utf8_lossy(&self.read)),
                Ok(length) => {
                    self.read.extend_from_slice(&room[..length]);
                    if length < room.len() {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Sends so many requests, after two on each connection that are not counted.
pub fn drive(server: &Listening, requests: Vec<Vec<u8>>, many: usize) -> anyhow::Result<Slice> {
    let mut poll = Poll::new()?;
    let mut events = Events::with_capacity(256);
    let mut connections = Vec::with_capacity(requests.len());
    for request in requests {
        let socket = std::net::TcpStream::connect(server.address)?;
        socket.set_nodelay(true)?;
        socket.set_nonblocking(true)?;
        let mut socket = TcpStream::from_std(socket);
        let token = Token(connections.len());
        poll.registry().register(&mut socket, token, Interest::READABLE | Interest::WRITABLE)?;
        connections.push(Connection { socket, request, written: 0, read: Vec::new(), since: Instant::now() });
    }
    let warm = 2 * connections.len();
    let mut times: Vec<Duration> = Vec::with_capacity(many);
    let mut room = vec![0; 1 << 18];
    let (mut begun, mut done) = (0, 0);
    let mut sample = String::new();
    let (mut start, mut cpu) = (Instant::now(), cpu_time(server.id())?);
    for connection in &mut connections {
        connection.begin()?;
        begun += 1;
    }
    while done < warm + many {
        poll.poll(&mut events, Some(Duration::from_secs(60)))?;
        ensure!(!events.is_empty(), "nothing comes after {done} answers");
        for event in &events {
            let connection = &mut connections[event.token().0];
            if connection.written < connection.request.len() {
                connection.write()?;
            }
            if !event.is_readable() {
                continue;
            }
            connection.read(&mut room)?;
            let Some(answer) = Answer::read(&connection.read) else { continue };
            ensure!(
                answer.status == 200 && answer.length == connection.read.len(),
                "an answer that was not expected: {}",
                String::from_utf8_lossy(&connection.read)
            );
            if sample.is_empty() {
                let body = answer.body(&connection.read);
                sample = String::from_utf8_lossy(&body[..body.len().min(300)]).into_owned();
            }
            connection.read.clear();
            done += 1;
            if done > warm {
                times.push(connection.since.elapsed());
            } else if done == warm {
                (start, cpu) = (Instant::now(), cpu_time(server.id())?);
            }
            if begun < warm + many {
                begun += 1;
                connection.begin()?;
            }
        }
    }
    let (took, used) = (start.elapsed(), cpu_time(server.id())? - cpu);
    times.sort();
    let at = |part: f64| times[((many - 1) as f64 * part) as usize].as_nanos() as f64 / 1e3;
    Ok(Slice {
        cpu: used.as_nanos() as f64 / 1e3 / many as f64,
        rate: many as f64 / took.as_secs_f64(),
        p50: at(0.5),
        p99: at(0.99),
        resident: resident(server.id())?,
        sample,
    })
}
