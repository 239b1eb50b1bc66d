//! A server that is a process of its own: started, spoken to by its standard streams, and ended
//! (2026-07-28, "stdio", "Shutdown").

use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::lines::{Lines, MOST_WAITING};
use super::{Incoming, Link, Opened};
use crate::client::error::Error;
use crate::client::options::Options;
use crate::transport::stdio::{Block, Cutter, Line, lines};

/// How much is read at once.
const READ: usize = 64 * 1024;

/// How long the status of a process is waited for that has closed its output.
const LAST_MOMENT: Duration = Duration::from_millis(200);

/// How long a process is listened to that reads no more, from what it said last.
const DEAF: Duration = Duration::from_secs(30);

/// Starts the process. It ends when the token is cancelled: by the end of its input, or else by signals.
pub(super) fn spawn(
    command: &mut Command,
    options: &Options,
    closing: CancellationToken,
) -> Result<Opened, Error> {
    let program = command.as_std().get_program().to_string_lossy().into_owned();
    let failed = |error: std::io::Error| Error::Unreachable {
        what: format!("the program `{program}` cannot be started"),
        source: Some(Arc::new(error)),
    };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().map_err(failed)?;
    let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(failed(std::io::Error::other("its standard streams cannot be had")));
    };
    if let Some(mut stderr) = child.stderr.take() {
        // Whoever has it piped cannot get at it, and a process whose pipe is full would wait for ever.
        tokio::spawn(async move { tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await });
    }
    let (outgoing, waiting) = mpsc::channel(MOST_WAITING);
    let (incoming, lines) = mpsc::channel(MOST_WAITING);
    let (told, why) = oneshot::channel();
    let deaf = CancellationToken::new();
    let is_deaf = deaf.clone();
    let writing = write(stdin, waiting, closing.clone());
    tokio::spawn({
        let deaf = deaf.clone();
        async move {
            if writing.await.is_err() {
                deaf.cancel();
            }
        }
    });
    let (max_line, grace) = (options.max_message, options.grace);
    tokio::spawn(async move {
        // Its output may be held open by a process that it has started; and one that reads no more has still to answer.
        let exited = CancellationToken::new();
        let silence = Silence { exited: exited.clone(), deaf: deaf.clone() };
        let by_itself = tokio::select! {
            biased;
            () = read(stdout, incoming, max_line, &silence) => true,
            () = gone(&mut child, &exited) => true,
            () = closing.cancelled() => false,
        };
        closing.cancel();
        let status = |ended: ExitStatus| format!("`{program}` has ended ({ended})");
        if by_itself {
            // Whoever waits for answers does not wait for the process too.
            let ended = timeout(LAST_MOMENT, child.wait()).await;
            let _ = told.send(match ended {
                Ok(Ok(ended)) => status(ended),
                _ if deaf.is_cancelled() => format!("`{program}` reads no more"),
                _ => format!("`{program}` has closed its output"),
            });
            end(&mut child, grace).await;
        } else {
            let ended = end(&mut child, grace).await;
            let _ = told.send(ended.map_or_else(|| format!("`{program}` was ended"), status));
        }
    });
    let incoming = Incoming { lines, why, deaf: is_deaf };
    Ok(Opened { link: Link::Lines(Lines(outgoing)), lines: Some(incoming) })
}

/// Writes what waits, and closes the input at the end.
///
/// # Errors
/// The process reads no more.
async fn write(
    mut stdin: ChildStdin,
    mut waiting: mpsc::Receiver<Bytes>,
    closing: CancellationToken,
) -> std::io::Result<()> {
    loop {
        let line = tokio::select! {
            biased;
            line = waiting.recv() => line,
            () = closing.cancelled() => waiting.try_recv().ok(),
        };
        let Some(line) = line else { return Ok(()) };
        stdin.write_all(&line).await?;
        stdin.write_all(b"\n").await?;
        stdin.flush().await?;
    }
}

/// Tells that the process has ended. Whoever reads its output sees to the rest.
async fn gone(child: &mut Child, exited: &CancellationToken) {
    // One whose status cannot be had is not waited for either.
    let _ = child.wait().await;
    exited.cancel();
    std::future::pending::<()>().await;
}

/// What makes it that silence is the end.
struct Silence {
    exited: CancellationToken,
    deaf: CancellationToken,
}

impl Silence {
    /// It has lasted for so long that nothing more is to be expected.
    async fn lasts(&self) {
        tokio::select! {
            () = cancelled_for(&self.exited, LAST_MOMENT) => {}
            () = cancelled_for(&self.deaf, DEAF) => {}
        }
    }
}

async fn cancelled_for(token: &CancellationToken, time: Duration) {
    token.cancelled().await;
    sleep(time).await;
}

/// Hands over every line until the output ends, or has been silent for so long that nothing more is to be expected.
async fn read(mut stdout: ChildStdout, incoming: mpsc::Sender<Bytes>, max_line: usize, silence: &Silence) {
    let mut cutter = Cutter::new(max_line);
    let mut bytes = vec![0; READ];
    loop {
        let read = tokio::select! {
            biased;
            read = stdout.read(&mut bytes) => read.unwrap_or(0),
            () = silence.lasts() => 0,
        };
        let mut blocks = Vec::new();
        let ended = read == 0;
        if !ended {
            cutter.push(&bytes[..read], |block| blocks.push(block));
        } else if let Some(last) = std::mem::replace(&mut cutter, Cutter::new(max_line)).end() {
            blocks.push(last);
        }
        for block in blocks {
            let Block::Lines(block) = block else {
                crate::log::warn(&too_long(max_line));
                continue;
            };
            for line in lines(block, max_line) {
                match line {
                    Line::Message(line) => {
                        if incoming.send(line).await.is_err() {
                            return;
                        }
                    }
                    Line::TooLong => crate::log::warn(&too_long(max_line)),
                }
            }
        }
        if ended {
            return;
        }
    }
}

fn too_long(max_line: usize) -> String {
    format!(
        "the server wrote a line of more than {max_line} bytes, which is skipped; `.max_message_bytes(…)` allows more"
    )
}

/// Waits for the process to end, whose input is closed; then tells it to, and then ends it.
async fn end(child: &mut Child, grace: Duration) -> Option<ExitStatus> {
    if let Ok(ended) = timeout(grace, child.wait()).await {
        return ended.ok();
    }
    #[cfg(unix)]
    if let Some(id) =
        child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw)
    {
        // One that has ended in this moment needs no signal.
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        if let Ok(ended) = timeout(grace, child.wait()).await {
            return ended.ok();
        }
    }
    let _ = child.kill().await;
    None
}
