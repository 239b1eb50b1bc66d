//! A server as a process: how it is started and ended, what it has used so far.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

/// The processor of the servers, and that of the driver.
const SERVERS: usize = 0;
const DRIVER: usize = 1;

fn run_on(processor: usize) -> anyhow::Result<()> {
    let mut set = CpuSet::new();
    set.set(processor)?;
    sched_setaffinity(Pid::from_raw(0), &set).with_context(|| format!("processor {processor}"))
}

/// Starts a process on the servers' processor, and goes on on the driver's. A child has its parent's processors.
pub fn spawn(command: &mut Command) -> anyhow::Result<Child> {
    run_on(SERVERS)?;
    let child = command.spawn();
    run_on(DRIVER)?;
    child.with_context(|| format!("{command:?}"))
}

/// The processor time that a process has used.
pub fn cpu_time(process: u32) -> anyhow::Result<Duration> {
    let clock = clock_getcpuclockid(Pid::from_raw(process as i32))?;
    Ok(clock_gettime(clock)?.into())
}

/// How much of its memory is resident, in KiB.
pub fn resident(process: u32) -> anyhow::Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// A server that listens; ended when dropped.
pub struct Listening {
    child: Child,
    pub address: SocketAddr,
}

impl Listening {
    /// Starts a server over HTTP, and waits until it listens.
    pub fn start(mut command: Command) -> anyhow::Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        command
            .env("PORT", address.port().to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut listening = Self { child: spawn(&mut command)?, address };
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            if let Some(status) = listening.child.try_wait()? {
                bail!("{command:?} has ended: {status}");
            }
            if start.elapsed() > Duration::from_secs(60) {
                bail!("{command:?} does not listen");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(listening)
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
