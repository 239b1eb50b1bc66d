//! A host in the terminal: connects to a server of either era, lists what it has, calls it with a bar of its progress,
//! and has the person answer what it asks.
//!
//! chat-host [--era ERA] [--header 'NAME: VALUE']… URL | chat-host [--era ERA] PROGRAM [ARGUMENT…]

mod ask;
mod command;
mod interrupts;
mod show;
mod target;
mod terminal;

use std::process::ExitCode;
use std::sync::Arc;

use mcp_runtime::client::{Client, Connecting, Error, Retry};
use mcp_runtime::mcp::{Change, LogLevel, Root};

use crate::command::Command;
use crate::interrupts::Interrupts;
use crate::terminal::Terminal;

#[tokio::main]
async fn main() -> ExitCode {
    let connecting = match target::target(std::env::args().skip(1)) {
        Ok(connecting) => connecting,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    let terminal = Terminal::start();
    let mut interrupts = match Interrupts::new() {
        Ok(interrupts) => interrupts,
        Err(error) => {
            terminal.say(&format!("chat-host: Ctrl-C cannot be waited for: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let connected = tokio::select! {
        connected = told(connecting, &terminal).into_future() => connected,
        () = interrupts.next() => return ExitCode::FAILURE,
    };
    let client = match connected {
        Ok(client) => client,
        Err(error) => {
            terminal.say(&format!("chat-host: {error}"));
            return ExitCode::FAILURE;
        }
    };
    terminal.say(&show::greeting(&client));
    listen(&client, &terminal);
    converse(&client, &terminal, &mut interrupts).await;
    client.close().await;
    ExitCode::SUCCESS
}

/// Tells the client who answers for the person, and who tells them.
fn told(connecting: Connecting, terminal: &Arc<Terminal>) -> Connecting {
    let (form, page, log) = (Arc::clone(terminal), Arc::clone(terminal), Arc::clone(terminal));
    connecting
        .client_info("chat-host", env!("CARGO_PKG_VERSION"))
        .send_middleware(Retry::times(2))
        .log_level(LogLevel::Info)
        .on_log(move |message| {
            let log = Arc::clone(&log);
            async move { log.say(&format!("[{}] {}", message.level.as_str(), show::plain(&message.data))) }
        })
        .on_form(move |asked, context| {
            let terminal = Arc::clone(&form);
            async move { ask::form(&terminal, &asked, &context).await }
        })
        .on_page(move |asked, context| {
            let terminal = Arc::clone(&page);
            async move { ask::page(&terminal, &asked, &context).await }
        })
        .roots(std::env::current_dir().ok().map(|folder| Root::new(format!("file://{}", folder.display()))))
}

/// Tells the person when lists change. The stream goes on when the connection has been lost and found.
fn listen(client: &Client, terminal: &Arc<Terminal>) {
    let (client, terminal) = (client.clone(), Arc::clone(terminal));
    tokio::spawn(async move {
        let of = [Change::Tools, Change::Prompts, Change::Resources];
        // A server that tells of no changes is asked for its lists all the same.
        let Ok(mut changes) = client.changes(of).await else { return };
        drop(client);
        while let Some(change) = changes.next().await {
            terminal.say(&format!("(the server's {} may have changed)", show::changed(&change)));
        }
    });
}

/// Takes commands until the input ends. Ctrl-C takes back what runs; where nothing does, it ends the program.
async fn converse(client: &Client, terminal: &Arc<Terminal>, interrupts: &mut Interrupts) {
    loop {
        let line = tokio::select! {
            line = terminal.line("> ") => line,
            () = interrupts.next() => None,
        };
        let Some(line) = line else { return };
        let command = match Command::parse(&line) {
            Ok(Some(Command::Quit)) => return,
            Ok(Some(command)) => command,
            Ok(None) => continue,
            Err(why) => {
                terminal.say(&why);
                continue;
            }
        };
        // What is dropped is taken back, and the server told.
        let answer = tokio::select! {
            answer = command.run(client, terminal) => answer,
            () = interrupts.next() => Ok("taken back".to_owned()),
        };
        terminal.bar(None);
        match answer {
            Ok(text) => terminal.say(&text),
            Err(error @ Error::Disconnected { .. }) => {
                terminal.say(&format!("{error}\n(the next command connects again)"));
            }
            Err(error) => terminal.say(&error.to_string()),
        }
    }
}
