//! Changing what a server offers while it runs.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;

use super::build::weak_points;
use super::definition::Definitions;
use super::problem::{Problem, Problems};
use super::surface::Surface;
use super::tool::Tool;
use crate::call::Context;
use crate::gauges::Gauges;
use crate::handler::{Param, ParamFault, ParamSpec, ProtocolError, Scope};
use crate::hub::{Change, Hub, Receipt};

/// What a server offers, and the changes to it.
#[derive(Default)]
pub(crate) struct Live {
    hub: Arc<Hub>,
    surface: ArcSwap<Surface>,
    registered: Mutex<Registered>,
}

#[derive(Default)]
struct Registered {
    definitions: Definitions,
    disabled: HashSet<String>,
    /// What is registered is known. Until then any name may be one.
    installed: bool,
}

impl Registered {
    fn knows(&self, name: &str) -> bool {
        let all = &self.definitions;
        all.tools.iter().any(|one| one.definition.name == name)
            || all.prompts.iter().any(|one| one.definition.name == name)
            || all.resources.iter().any(|one| one.definition.uri == name || one.definition.name == name)
            || all
                .templates
                .iter()
                .any(|one| one.definition.uri_template == name || one.definition.name == name)
    }
}

impl Live {
    /// What callers see now.
    pub(crate) fn surface(&self) -> arc_swap::Guard<Arc<Surface>> {
        self.surface.load()
    }

    /// Whoever listens to changes of it.
    pub(crate) fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// Offers these definitions.
    pub(crate) fn install(&self, definitions: Definitions) {
        self.change(|registered| {
            registered.definitions = definitions;
            registered.installed = true;
            for name in registered.disabled.iter().filter(|name| !registered.knows(name)) {
                crate::log::warn(&UnknownName(name.clone()).to_string());
            }
        });
    }

    fn change<R>(&self, change: impl FnOnce(&mut Registered) -> R) -> R {
        let mut registered = self.lock();
        let result = change(&mut registered);
        let now = Arc::new(Surface::of(&registered.definitions, &registered.disabled));
        let before = self.surface.swap(Arc::clone(&now));
        drop(registered);
        for change in now.changes(&before) {
            self.hub.tell(&change);
        }
        result
    }

    fn lock(&self) -> MutexGuard<'_, Registered> {
        // A change is either made or not: nothing that holds the lock panics in between.
        self.registered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Changes what a server offers while it runs: from the builder by `.handle()`, in a handler as a parameter.
#[derive(Clone)]
pub struct Handle(pub(crate) Arc<Live>);

/// Nothing of that name is registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName(pub String);

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no tool, prompt or resource is registered as `{}`", self.0)
    }
}

impl std::error::Error for UnknownName {}

impl Handle {
    /// Offers a tool, prompt or resource again. Resources go by URI, URI template or name.
    ///
    /// # Errors
    /// Nothing of that name is registered.
    pub fn enable(&self, name: &str) -> Result<(), UnknownName> {
        self.set(name, true)
    }

    /// Stops offering a tool, prompt or resource: it leaves the lists, and calls of it are refused as unknown.
    ///
    /// # Errors
    /// Nothing of that name is registered. Before the server has started any name is taken, and one that turns out to
    /// be unknown is logged.
    pub fn disable(&self, name: &str) -> Result<(), UnknownName> {
        self.set(name, false)
    }

    /// Offers one more tool. What could be better about it is logged, as at boot.
    ///
    /// # Errors
    /// The tool's name is taken, or its definition cannot be served.
    pub fn register(&self, tool: Tool) -> Result<(), Problems> {
        let at = tool.at();
        let tool = tool.define().map_err(Problems)?;
        let name = tool.definition.name.clone();
        let weak_points = weak_points(&tool.definition);
        self.0.change(|registered| {
            if registered.definitions.tools.iter().any(|known| known.definition.name == name) {
                return Err(Problems(vec![Problem::by(at, format!("second tool named `{name}`"))]));
            }
            registered.definitions.add(tool);
            registered.definitions.sort();
            Ok(())
        })?;
        for text in weak_points {
            crate::log::warn(&Problem::by(at, format!("tool `{name}`: {text}")).to_string());
        }
        Ok(())
    }

    /// Tells whoever listens that something has changed: a resource, or a list that is made anew each time. What this
    /// handle itself changes is told without it.
    pub fn notify(&self, change: Change) -> Receipt {
        self.0.hub.tell(&change)
    }

    /// How much the server has going on at this moment: for a page of its state, or a test.
    pub fn gauges(&self) -> Gauges {
        self.0.hub.meter.read()
    }

    fn set(&self, name: &str, enabled: bool) -> Result<(), UnknownName> {
        self.0.change(|registered| {
            if registered.installed && !registered.knows(name) {
                return Err(UnknownName(name.to_owned()));
            }
            if enabled {
                registered.disabled.remove(name);
            } else {
                registered.disabled.insert(name.to_owned());
            }
            Ok(())
        })
    }
}

/// What can still be told once a call has ended: that something has changed. See [`Context::detach`].
#[derive(Clone, Debug)]
pub struct Detached(Option<Handle>);

impl Detached {
    /// Tells whoever listens that something has changed.
    pub fn notify(&self, change: Change) -> Receipt {
        self.0.as_ref().map_or(Receipt::NoListener, |handle| handle.notify(change))
    }
}

impl Context {
    /// Tells whoever listens, this client or others, that something has changed: a resource, or a list. In the modern
    /// era that is who has sent `subscriptions/listen`, and before it every connection over stdio and every session.
    ///
    /// ```
    /// # use mcp_runtime::prelude::*;
    /// #[mcp::tool]
    /// async fn save(ctx: mcp::Context) -> &'static str {
    ///     ctx.notify(mcp::Change::resource("notes://today"));
    ///     "saved"
    /// }
    /// ```
    pub fn notify(&self, change: Change) -> Receipt {
        self.detach().notify(change)
    }

    /// What outlives the call, for work that goes on after it: a kept `Context` sends nothing any more.
    pub fn detach(&self) -> Detached {
        Detached(self.0.states.get::<Handle>().cloned())
    }
}

impl Param for Handle {
    fn take(scope: &Scope, _: &ParamSpec) -> Result<Self, ParamFault> {
        scope
            .state::<Self>()
            .cloned()
            .ok_or_else(|| ParamFault::Refused(ProtocolError::internal("the server has no handle")))
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").finish_non_exhaustive()
    }
}
