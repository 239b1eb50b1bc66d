//! Which revision is spoken: modern first, by `server/discover`; `initialize` where the server is not modern
//! (2026-07-28, "Versioning and Compatibility").

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::core::{Connection, Core, lock};
use super::error::{Error, Late, TimeLimit};
use super::message::{Outcome, Outgoing};
use super::options::Pin;
use crate::protocol::project::Project as _;
use crate::protocol::{Era, Implementation, Revision, ServerCapabilities};

/// What client and server agreed on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Agreed {
    /// What both speak.
    pub revision: Revision,
    /// Who the server says that it is.
    pub server: Implementation,
    /// What it can do.
    pub capabilities: ServerCapabilities,
    /// The same, as it says it, with what this client does not know.
    pub declared: Value,
    /// How to use it, for the model.
    pub instructions: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Greeting {
    #[serde(default)]
    protocol_version: Option<String>,
    #[serde(default)]
    supported_versions: Option<Vec<String>>,
    #[serde(default)]
    capabilities: Value,
    #[serde(default)]
    server_info: Option<Implementation>,
    #[serde(default)]
    instructions: Option<String>,
    #[serde(rename = "_meta", default)]
    meta: Value,
}

impl Greeting {
    fn read(method: &str, result: Map<String, Value>) -> Result<Self, Error> {
        serde_json::from_value(Value::Object(result)).map_err(|error| Error::malformed(method, error))
    }

    fn agreed(self, revision: Revision) -> Agreed {
        let said = || serde_json::from_value(self.meta["io.modelcontextprotocol/serverInfo"].clone()).ok();
        Agreed {
            revision,
            server: self.server_info.or_else(said).unwrap_or_default(),
            capabilities: serde_json::from_value(self.capabilities.clone()).unwrap_or_default(),
            declared: self.capabilities,
            instructions: self.instructions,
        }
    }
}

/// The codes by which a server shows that it is modern.
pub(crate) const HEADER_MISMATCH: i64 = -32020;
pub(crate) const MISSING_CAPABILITY: i64 = -32021;
pub(crate) const UNSUPPORTED_VERSION: i64 = -32022;

const MODERN: Revision = Revision::V2026_07_28;
const NEWEST_HANDSHAKE: Revision = Revision::V2025_11_25;

/// The newest revision of an era that is among those that a server lists.
fn newest(listed: &[String], era: Era) -> Option<Revision> {
    listed.iter().filter_map(|name| Revision::parse(name)).filter(|known| known.era() == era).max()
}

/// The revisions that an error lists.
pub(crate) fn supported(data: Option<&Value>) -> Vec<String> {
    let listed = data.and_then(|data| data["supported"].as_array());
    listed.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// What the first question shows.
enum Shown {
    Modern(Box<Agreed>),
    /// With the revision to propose, where the server said one.
    Handshake(Option<Revision>),
}

impl Core {
    pub(crate) async fn negotiate(self: &Arc<Self>, connection: &Arc<Connection>) -> Result<Agreed, Error> {
        let known = *lock(&self.era);
        match self.options.pin {
            Some(pin) if pin.era() == Era::Handshake => {
                let revision = match pin {
                    Pin::Revision(revision) => Some(revision),
                    Pin::Era(_) => None,
                };
                self.initialize(connection, revision).await
            }
            Some(_) => match self.discover(connection, MODERN).await? {
                Shown::Modern(agreed) => Ok(*agreed),
                Shown::Handshake(_) => Err(Error::Unsupported(
                    "the server does not speak the modern era, and the client is pinned to it: leave `.era(…)` out".to_owned(),
                )),
            },
            // What is known of a server holds until it shows otherwise.
            None if known == Some(Era::Handshake) => match self.initialize(connection, None).await {
                Err(Error::Refused { .. }) => self.ask_first(connection).await,
                agreed => agreed,
            },
            None => self.ask_first(connection).await,
        }
    }

    /// The first question, and the greeting where its answer shows the handshake era.
    async fn ask_first(self: &Arc<Self>, connection: &Arc<Connection>) -> Result<Agreed, Error> {
        match self.discover(connection, MODERN).await? {
            Shown::Modern(agreed) => Ok(*agreed),
            Shown::Handshake(revision) => self.initialize(connection, revision).await,
        }
    }

    /// Asks the first question, again where the server wants another revision, or the same once more.
    async fn discover(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        first: Revision,
    ) -> Result<Shown, Error> {
        const METHOD: &str = "server/discover";
        let mut version = first;
        for last in [false, true] {
            let asked = self.ask(connection, METHOD, Map::new(), version);
            let asked = match timeout(self.options.probe, asked).await {
                Ok(asked) => asked,
                // Silence is how some servers of the handshake era say that they do not know it.
                Err(_) if connection.link.is_lines() => return Ok(Shown::Handshake(None)),
                Err(_) => {
                    let late = Late { after: self.options.probe, limit: TimeLimit::FirstAnswer };
                    return Err(late.of(METHOD));
                }
            };
            let listed = match asked {
                Ok(Ok(result)) => {
                    if !result.get("supportedVersions").is_some_and(Value::is_array) {
                        return Ok(Shown::Handshake(None));
                    }
                    let greeting = Greeting::read(METHOD, result)?;
                    let listed = greeting.supported_versions.clone().unwrap_or_default();
                    match newest(&listed, Era::Modern) {
                        Some(revision) => return Ok(Shown::Modern(Box::new(greeting.agreed(revision)))),
                        None => listed,
                    }
                }
                Ok(Err(refused)) if refused.code == UNSUPPORTED_VERSION => {
                    let listed = supported(refused.data.as_ref());
                    match newest(&listed, Era::Modern) {
                        Some(revision) if !last => {
                            version = revision;
                            continue;
                        }
                        Some(_) => return Err(refused.of(METHOD)),
                        None => listed,
                    }
                }
                Ok(Err(refused)) if [HEADER_MISMATCH, MISSING_CAPABILITY].contains(&refused.code) => {
                    return Err(refused.of(METHOD));
                }
                Ok(Err(_)) => return Ok(Shown::Handshake(None)),
                // What the caller has to see to is not cured by another question.
                Err(Error::Http { status, .. })
                    if !matches!(status, 401 | 403 | 407 | 429 | 502 | 503 | 504) =>
                {
                    return Ok(Shown::Handshake(None));
                }
                Err(Error::Malformed { .. }) => return Ok(Shown::Handshake(None)),
                Err(error) => return Err(error),
            };
            return match newest(&listed, Era::Handshake) {
                Some(revision) => Ok(Shown::Handshake(Some(revision))),
                None => Err(Error::Unsupported(format!(
                    "client and server have no revision in common: the server speaks {}, and the client {}",
                    if listed.is_empty() { "none that it names".to_owned() } else { listed.join(", ") },
                    Revision::ALL.map(Revision::as_str).join(", "),
                ))),
            };
        }
        Err(Error::malformed(METHOD, "it refuses every revision that it names"))
    }

    /// The handshake. A server that turns out to be modern is asked as such.
    pub(crate) async fn initialize(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        revision: Option<Revision>,
    ) -> Result<Agreed, Error> {
        const METHOD: &str = "initialize";
        let proposed = revision.unwrap_or(NEWEST_HANDSHAKE);
        let mut info = self.options.info.clone();
        info.project(proposed);
        let params = json!({
            "protocolVersion": proposed,
            "capabilities": self.handlers.capabilities(proposed),
            "clientInfo": info,
        });
        let Value::Object(params) = params else { return Err(Error::Closed) };
        let result = match self.ask(connection, METHOD, params, proposed).await? {
            Ok(result) => result,
            Err(refused) if refused.code == UNSUPPORTED_VERSION && self.options.pin.is_none() => {
                // It was slow to answer the first question, or has become another server since it was known.
                let listed = supported(refused.data.as_ref());
                let Some(version) = newest(&listed, Era::Modern) else { return Err(refused.of(METHOD)) };
                return match self.discover(connection, version).await? {
                    Shown::Modern(agreed) => Ok(*agreed),
                    Shown::Handshake(_) => Err(refused.of(METHOD)),
                };
            }
            Err(refused) => return Err(refused.of(METHOD)),
        };
        let greeting = Greeting::read(METHOD, result)?;
        let version = greeting.protocol_version.clone().unwrap_or_default();
        let Some(agreed) = Revision::parse(&version).filter(|known| known.era() == Era::Handshake) else {
            return Err(Error::Unsupported(format!(
                "the server wants to speak `{version}`, which this client does not"
            )));
        };
        if let Some(Pin::Revision(pinned)) = self.options.pin
            && pinned != agreed
        {
            return Err(Error::Unsupported(format!(
                "the server wants to speak {agreed}, and the client is pinned to {pinned}: leave `.revision(…)` out"
            )));
        }
        let agreed = greeting.agreed(agreed);
        // What follows names what was agreed on.
        connection.link.speaks(agreed.revision);
        self.notify(connection, "notifications/initialized", Map::new()).await?;
        if let Some(level) = self.options.log_level
            && agreed.capabilities.logging.is_some()
        {
            let params = Map::from_iter([("level".to_owned(), json!(level))]);
            // A server that keeps its own counsel is none the worse for it.
            let _ = self.ask(connection, "logging/setLevel", params, agreed.revision).await?;
        }
        Ok(agreed)
    }

    /// One request before anything is agreed on.
    async fn ask(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        method: &str,
        mut params: Map<String, Value>,
        revision: Revision,
    ) -> Result<Outcome, Error> {
        connection.link.speaks(revision);
        self.stamp(&mut params, revision);
        let message = Outgoing::request(connection.pending.id(), method, params);
        let answer = self.leave(connection, self.sending(message)).await?;
        answer.ok_or(Error::Closed)
    }

    /// What every request of the modern era says of its client.
    pub(crate) fn stamp(&self, params: &mut Map<String, Value>, revision: Revision) {
        if revision.era() != Era::Modern {
            return;
        }
        let meta = params.entry("_meta").or_insert_with(|| json!({}));
        let Some(meta) = meta.as_object_mut() else { return };
        let own = [
            ("protocolVersion", json!(revision)),
            ("clientInfo", json!(self.options.info)),
            ("clientCapabilities", self.handlers.capabilities(revision)),
        ];
        for (name, value) in own {
            meta.insert(format!("io.modelcontextprotocol/{name}"), value);
        }
        if let Some(level) = self.options.level_of_requests() {
            meta.entry("io.modelcontextprotocol/logLevel").or_insert_with(|| json!(level));
        }
    }
}
