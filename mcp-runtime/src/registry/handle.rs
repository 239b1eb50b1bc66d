//! Changing what a server offers while it runs.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;

use super::definition::Definitions;
use super::problem::{Problem, Problems};
use super::surface::Surface;
use super::tool::Tool;
use crate::handler::{Param, ParamFault, ParamSpec, ProtocolError, Scope};

/// What a server offers, and the changes to it.
#[derive(Default)]
pub(crate) struct Live {
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
        self.surface.store(Arc::new(Surface::of(&registered.definitions, &registered.disabled)));
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

    /// Offers one more tool.
    ///
    /// # Errors
    /// The tool's name is taken, or its definition cannot be served.
    pub fn register(&self, tool: Tool) -> Result<(), Problems> {
        let tool = tool.define().map_err(Problems)?;
        self.0.change(|registered| {
            let name = &tool.definition.name;
            if registered.definitions.tools.iter().any(|known| known.definition.name == *name) {
                return Err(Problems(vec![Problem::new(format!("second tool named `{name}`"))]));
            }
            registered.definitions.add(tool);
            registered.definitions.sort();
            Ok(())
        })
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
