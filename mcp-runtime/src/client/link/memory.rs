//! A server within this process: the same lines, without a pipe.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::lines::{Lines, MOST_WAITING};
use super::{Incoming, Link, Opened};
use crate::client::error::Error;
use crate::server::Options;
use crate::transport::memory;

/// Starts the server as a task.
pub(super) async fn connect(options: Options, closing: CancellationToken) -> Result<Opened, Error> {
    let failed = |source: crate::Error| Error::Unreachable {
        what: "the server within this process cannot start".to_owned(),
        source: Some(Arc::new(source)),
    };
    let booted = crate::boot::boot(options).await.map_err(failed)?;
    let (settings, stop) = (booted.stdio_settings(), booted.stop.clone());
    let (outgoing, requests) = mpsc::channel(MOST_WAITING);
    let (answers, lines) = mpsc::channel(MOST_WAITING);
    let (told, why) = oneshot::channel();
    tokio::spawn(async move {
        memory::serve(booted.dispatcher, requests, answers, settings, stop, closing).await;
        let _ = told.send("the server within this process has ended".to_owned());
    });
    let incoming = Incoming { lines, why, deaf: CancellationToken::new() };
    Ok(Opened { link: Link::Lines(Lines(outgoing)), lines: Some(incoming) })
}
