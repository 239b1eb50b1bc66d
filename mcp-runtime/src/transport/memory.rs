//! A connection by lines within one process: no pipe, no thread.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::stdio::{Block, Settings, converse, write_to};
use crate::dispatch::Dispatcher;

/// Serves a connection whose lines are handed over, until the client closes it or the server is told to stop.
pub(crate) async fn serve(
    dispatcher: Arc<Dispatcher>,
    mut requests: mpsc::Receiver<Bytes>,
    answers: mpsc::Sender<Bytes>,
    settings: Settings,
    stop: CancellationToken,
    closing: CancellationToken,
) {
    let (blocks, taken) = mpsc::channel(1);
    let (writer, writing) = write_to(answers);
    let reading = async move {
        loop {
            let line = tokio::select! {
                biased;
                line = requests.recv() => line,
                () = closing.cancelled() => requests.try_recv().ok(),
            };
            let Some(line) = line else { return };
            if blocks.send(Block::Lines(line)).await.is_err() {
                return;
            }
        }
    };
    let conversing = converse(dispatcher, taken, writer, settings, stop);
    // The writer ends when all that it was handed is written, which is after the conversation.
    tokio::join!(reading, conversing, writing);
}
