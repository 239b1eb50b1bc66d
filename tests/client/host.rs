//! The example `chat-host`, as a person types into it.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use mcp_runtime_tests::example;

/// The host, connected to the program of these tests; ended when dropped.
struct Host {
    child: Child,
    keys: Option<ChildStdin>,
    screen: Lines<BufReader<ChildStdout>>,
}

impl Host {
    fn start() -> Self {
        let mut child = Command::new(example::path("chat-host"))
            .arg(env!("CARGO_BIN_EXE_served"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let screen = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        Self { keys: child.stdin.take(), child, screen }
    }

    fn types(&mut self, line: &str) {
        let keys = self.keys.as_mut().expect("the keys are there");
        writeln!(keys, "{line}").expect("it reads");
    }

    /// Reads up to the line that has this part.
    fn shows(&mut self, part: &str) {
        let mut before = Vec::new();
        for line in self.screen.by_ref() {
            let line = line.expect("it is text");
            if line.contains(part) {
                return;
            }
            before.push(line);
        }
        panic!("there was no {part:?} in {before:#?}");
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_person_calls_answers_and_leaves() {
    let mut host = Host::start();
    host.shows("served 1.0.0, by 2026-07-28");
    host.shows("For tests.");
    for (typed, shown) in [
        ("tools", "add(a: integer, b: integer)  Adds two numbers."),
        ("call add a=1 b=2", "3"),
        ("call add a=1", "failed: "),
        ("call nothing", "Unknown tool"),
        ("read test://fixed", "fixed"),
        ("prompt review code=x", "User: Review x"),
        ("resources", "test://hang/{name}"),
        ("ping", "it is there"),
        ("cal", "`cal` is none of the commands"),
    ] {
        host.types(typed);
        host.shows(shown);
    }
    host.types("call greet");
    host.shows("? Who are you?");
    // An empty line leaves the default.
    host.types("");
    host.shows("? How old are you, Ali?");
    host.types("old");
    host.shows("type a whole number");
    host.types("7");
    host.shows("Ali, 7");
    host.types("call crash");
    host.shows("(the next command connects again)");
    host.types("call add a=2 b=2");
    host.shows("4");
    host.types("quit");
    assert!(host.child.wait().expect("it ends").success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_takes_back_what_runs_and_then_ends_the_program() {
    use rustix::process::{Pid, Signal, kill_process};

    let mut host = Host::start();
    let pid = Pid::from_raw(i32::try_from(host.child.id()).expect("it fits")).expect("it is not 0");
    host.types("call hang name=x");
    host.shows("[info] it hangs");
    kill_process(pid, Signal::INT).expect("it is there");
    host.shows("taken back");
    host.types("ping");
    host.shows("it is there");
    kill_process(pid, Signal::INT).expect("it is there");
    assert!(host.child.wait().expect("it ends").success());
}
