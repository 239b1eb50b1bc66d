//! Everything that a server is told, and what holds where it is told nothing.

use std::any::TypeId;
use std::collections::HashMap;
use std::error::Error as StdError;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::call::States;
use crate::dispatch::Limits;
use crate::engine::{Amend, Instructions};
use crate::handler::{Running, Scope};
use crate::middleware::Stack;
use crate::protocol::{Cache, Implementation, Meta};
use crate::registry::{GivenState, Live, MethodDef, Problem, Selection, Tool};
use crate::schema::lenient::Reading;

pub(super) type BoxError = Box<dyn StdError + Send + Sync>;

/// Puts a value among the states.
pub(crate) type Put = Box<dyn FnOnce(&mut States) + Send>;

/// Makes a state.
pub(super) type Making = Pin<Box<dyn Future<Output = Result<Put, BoxError>> + Send>>;

/// A state that is given, or made before the server starts.
pub(crate) enum StateSource {
    Given(Put),
    Made(&'static str, Box<dyn FnOnce() -> Making + Send>),
}

/// Which revisions of an era are served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Versions {
    #[default]
    All,
    None,
    Only(Vec<String>),
}

/// Everything that a server is told.
pub(crate) struct Options {
    pub(crate) info: Option<Implementation>,
    pub(crate) instructions: Instructions,
    pub(crate) selection: Selection,
    pub(crate) allow_empty: bool,
    pub(crate) open_arguments: bool,
    pub(crate) lenient_arguments: Reading,
    pub(crate) modern: Versions,
    pub(crate) handshake: Versions,
    pub(crate) cache: Cache,
    pub(crate) discover: Option<Arc<dyn Fn(Scope) -> Running<Meta> + Send + Sync>>,
    pub(crate) tools: Vec<Tool>,
    pub(crate) methods: Vec<MethodDef>,
    pub(crate) states: Vec<StateSource>,
    pub(crate) state_types: HashMap<TypeId, GivenState>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) live: Arc<Live>,
    pub(crate) page_size: Option<usize>,
    pub(crate) max_subscriptions: usize,
    pub(crate) subscription_lifetime: Option<Duration>,
    pub(crate) state_keys: Vec<String>,
    pub(crate) state_ttl: Duration,
    pub(crate) limits: Limits,
    pub(crate) receive: Stack,
    pub(crate) send: Stack,
    pub(crate) amend: Option<Amend>,
    pub(crate) max_body: usize,
    pub(crate) stdio_concurrency: usize,
    pub(crate) grace: Duration,
    pub(crate) stop: CancellationToken,
    #[cfg(feature = "http")]
    pub(crate) http: crate::http::Options,
}

/// The longest message that is taken unless a server says otherwise: 4 MiB.
const MAX_BODY: usize = 4 * 1024 * 1024;

impl Default for Options {
    fn default() -> Self {
        Self {
            info: None,
            instructions: Instructions::default(),
            selection: Selection::default(),
            allow_empty: false,
            open_arguments: false,
            lenient_arguments: Reading::Strict,
            modern: Versions::All,
            handshake: Versions::All,
            cache: Cache::default(),
            discover: None,
            tools: Vec::new(),
            methods: Vec::new(),
            states: Vec::new(),
            state_types: HashMap::new(),
            problems: Vec::new(),
            live: Arc::default(),
            page_size: None,
            max_subscriptions: 1024,
            subscription_lifetime: None,
            state_keys: Vec::new(),
            state_ttl: Duration::from_secs(15 * 60),
            receive: Stack::default(),
            send: Stack::default(),
            amend: None,
            limits: Limits { handler_timeout: None, max_in_flight: 4096 },
            max_body: MAX_BODY,
            stdio_concurrency: 128,
            grace: Duration::from_secs(5),
            stop: CancellationToken::new(),
            #[cfg(feature = "http")]
            http: crate::http::Options::default(),
        }
    }
}
