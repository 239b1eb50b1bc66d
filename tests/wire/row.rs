//! One row: what is sent to a configuration of the server, on which levels, and everything that is expected.

use serde_json::Value;

use crate::fixture::Config;
use crate::request::{Body, Request};

/// Where a row is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A posted message, given to the protocol without HTTP, a runtime or axum.
    Engine,
    /// A request to the router that is mounted in another.
    Router,
    /// Bytes on a socket of the accept loop.
    Socket,
    /// A line, given to the protocol without input and output.
    EngineByLines,
    /// A connection by lines.
    Stdio,
}

/// What came of one exchange, on any level.
#[derive(Debug, Default)]
pub struct Said {
    /// The HTTP status, where there is HTTP.
    pub status: Option<u16>,
    pub headers: Vec<(String, String)>,
    pub messages: Vec<Value>,
    /// The messages as they were written.
    pub text: String,
}

impl Said {
    /// The answer to the request: the last message.
    pub fn answer(&self) -> Value {
        self.messages.last().cloned().unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

type Check = Box<dyn Fn(&Said) -> Result<(), String>>;

/// One request, and what is expected of its answer.
pub struct Exchange {
    pub request: Request,
    pub status: u16,
    /// Nothing is answered: HTTP has a status alone, and a connection by lines is silent.
    pub silent: bool,
    /// An error is expected, whatever its HTTP status.
    refused: bool,
    checks: Vec<Check>,
}

/// One row: one or more exchanges, in their order.
pub struct Row {
    /// Ids of the decision table, with commas between them, and what the case is about.
    pub id: &'static str,
    pub config: Config,
    pub levels: Vec<Level>,
    pub exchanges: Vec<Exchange>,
    /// How often handlers run, where that is told.
    runs: Option<usize>,
}

/// A row about a posted message.
pub fn row(id: &'static str, request: Request) -> Row {
    Row::on(&[Level::Engine, Level::Router, Level::Socket], id, request)
}

/// A row about HTTP itself: the engine knows nothing of it.
pub fn edge(id: &'static str, request: Request) -> Row {
    Row::on(&[Level::Router, Level::Socket], id, request)
}

/// A row about bytes that only a socket carries.
pub fn socket(id: &'static str, request: Request) -> Row {
    Row::on(&[Level::Socket], id, request)
}

/// A row about lines; what HTTP would have beside the body is not sent.
pub fn line(id: &'static str, request: Request) -> Row {
    Row::on(&[Level::EngineByLines, Level::Stdio], id, request)
}

impl Row {
    fn on(levels: &[Level], id: &'static str, request: Request) -> Self {
        let exchanges = vec![Exchange::of(request)];
        Self { id, config: Config::Default, levels: levels.to_vec(), exchanges, runs: None }
    }

    /// The server is configured like this.
    pub fn to(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// It goes by lines too, where nothing but the HTTP status differs.
    pub fn and_lines(mut self) -> Self {
        self.levels.extend([Level::EngineByLines, Level::Stdio]);
        self
    }

    /// It is about input and output, which this level does not have.
    pub fn not_on(mut self, level: Level) -> Self {
        self.levels.retain(|known| *known != level);
        self
    }

    /// Another exchange follows.
    pub fn then(mut self, request: Request) -> Self {
        self.exchanges.push(Exchange::of(request));
        self
    }

    /// How often handlers run. Where every answer is a refusal, none does.
    pub fn runs(mut self, times: usize) -> Self {
        self.runs = Some(times);
        self
    }

    fn exchange(&mut self) -> &mut Exchange {
        self.exchanges.last_mut().expect("a row has an exchange")
    }

    /// The HTTP status.
    pub fn status(mut self, status: u16) -> Self {
        self.exchange().status = status;
        self
    }

    fn check(mut self, check: impl Fn(&Said) -> Result<(), String> + 'static) -> Self {
        self.exchange().checks.push(Box::new(check));
        self
    }

    /// An error of that status and code, for the id of the request, which is 1 unless it says otherwise.
    pub fn error(self, status: u16, code: i64) -> Self {
        self.error_for(status, code, Some(Value::from(1)))
    }

    /// An error without an id.
    pub fn error_without_id(self, status: u16, code: i64) -> Self {
        self.error_for(status, code, None)
    }

    /// An error for that id, or for none.
    pub fn error_for(mut self, status: u16, code: i64, id: Option<Value>) -> Self {
        self.exchange().refused = true;
        self.status(status).check(move |said| {
            let answer = said.answer();
            if answer["error"]["code"] != code {
                return Err(format!("the code is not {code}"));
            }
            if answer.get("id") != id.as_ref() {
                return Err(format!("the id is not {id:?}"));
            }
            Ok(())
        })
    }

    /// The error's message says this.
    pub fn says(self, text: &'static str) -> Self {
        self.check(move |said| {
            let answer = said.answer();
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            if message.contains(text) { Ok(()) } else { Err(format!("{text:?} is not said")) }
        })
    }

    /// The value at a pointer into the answer.
    pub fn at(self, pointer: &'static str, expected: impl Into<Value>) -> Self {
        let expected = expected.into();
        self.check(move |said| match said.answer().pointer(pointer) {
            Some(value) if *value == expected => Ok(()),
            other => Err(format!("{pointer} is {other:?}, not {expected}")),
        })
    }

    /// Something is at a pointer into the answer.
    pub fn something_at(self, pointer: &'static str) -> Self {
        self.check(move |said| match said.answer().pointer(pointer) {
            Some(_) => Ok(()),
            None => Err(format!("nothing is at {pointer}")),
        })
    }

    /// Nothing is at a pointer into the answer.
    pub fn nothing_at(self, pointer: &'static str) -> Self {
        self.check(move |said| match said.answer().pointer(pointer) {
            None => Ok(()),
            Some(value) => Err(format!("{pointer} is {value}")),
        })
    }

    /// What the messages before the answer have at a pointer.
    pub fn told(self, pointer: &'static str, expected: Value) -> Self {
        self.check(move |said| {
            let before = &said.messages[..said.messages.len().saturating_sub(1)];
            let told: Value =
                before.iter().map(|message| message.pointer(pointer).cloned().unwrap_or_default()).collect();
            if told == expected { Ok(()) } else { Err(format!("before it came {told}, not {expected}")) }
        })
    }

    /// The answer has no body, and no type of one.
    pub fn empty(mut self) -> Self {
        self.exchange().silent = true;
        self.check(|said| {
            if !said.text.is_empty() || said.header("content-type").is_some() {
                return Err("there is a body".to_owned());
            }
            Ok(())
        })
    }

    /// The answer has a header of that value.
    pub fn has(self, name: &'static str, value: &'static str) -> Self {
        self.check(move |said| match said.header(name) {
            Some(sent) if sent == value => Ok(()),
            other => Err(format!("{name} is {other:?}, not {value}")),
        })
    }

    /// The answer names a session that nobody guesses.
    pub fn opens_a_session(self) -> Self {
        self.check(|said| match said.header("mcp-session-id") {
            Some(id) if id.len() >= 22 && id.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(()),
            other => Err(format!("no session is opened: {other:?}")),
        })
    }

    /// The answer has a header that contains this.
    pub fn lists(self, name: &'static str, value: &'static str) -> Self {
        self.check(move |said| match said.header(name) {
            Some(sent) if sent.split(", ").any(|one| one == value) => Ok(()),
            other => Err(format!("{name} is {other:?}, without {value}")),
        })
    }

    /// The answer does not contain this anywhere.
    pub fn without(self, text: &'static str) -> Self {
        self.check(move |said| {
            let headers = format!("{:?}", said.headers);
            if said.text.contains(text) || headers.contains(text) {
                Err(format!("it contains {text}"))
            } else {
                Ok(())
            }
        })
    }

    /// The answer contains this as it is written.
    pub fn contains(self, text: &'static str) -> Self {
        self.check(
            move |said| if said.text.contains(text) { Ok(()) } else { Err(format!("{text} is not there")) },
        )
    }

    /// The body is exactly this.
    pub fn body(self, text: &'static str) -> Self {
        self.check(
            move |said| if said.text == text { Ok(()) } else { Err(format!("the body is not {text}")) },
        )
    }

    /// What is wrong with what came, one text per fault.
    pub fn judge(&self, level: Level, came: &[Said], ran: usize) -> Vec<String> {
        let mut wrong: Vec<String> = (self.exchanges.iter().zip(came).enumerate())
            .filter_map(|(at, (exchange, said))| {
                let faults = exchange.judge(said);
                let what = format!(
                    "{}\n    {:?} {:?}\n    {}",
                    faults.join("; "),
                    said.status,
                    said.headers,
                    said.text
                );
                (!faults.is_empty()).then(|| format!("{} ({level:?}, {at}): {what}", self.id))
            })
            .collect();
        let refused = self.exchanges.iter().all(|exchange| exchange.status >= 400);
        if let Some(times) = self.runs.or(refused.then_some(0))
            && times != ran
        {
            wrong.push(format!("{} ({level:?}): handlers ran {ran} times, not {times}", self.id));
        }
        wrong
    }
}

impl Exchange {
    fn of(request: Request) -> Self {
        Self { request, status: 200, silent: false, refused: false, checks: Vec::new() }
    }

    fn judge(&self, said: &Said) -> Vec<String> {
        let mut wrong: Vec<String> = self.checks.iter().filter_map(|check| check(said).err()).collect();
        if said.status.is_some_and(|status| status != self.status) {
            wrong.push(format!("the status is not {}", self.status));
        }
        if self.status == 200 && !self.silent && !self.refused {
            let answer = said.answer();
            if answer.get("result").is_none() {
                wrong.push("there is no result".to_owned());
            }
            if let Body::Message(message) = &self.request.body
                && answer.get("id") != message.get("id")
            {
                wrong.push("the id is another".to_owned());
            }
        }
        wrong
    }
}
