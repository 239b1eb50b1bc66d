//! `initialize` and `server/discover`: who the server is and what it can do.

use bytes::Bytes;

use super::Engine;
use super::jobs::Initialize;
use crate::call::Connected;
use crate::protocol::envelope::Params;
use crate::protocol::fault::Fault;
use crate::protocol::project::Project;
use crate::protocol::{DiscoverResult, Era, Flags, InitializeResult, Revision, ServerCapabilities};

/// How much a client may say of itself, in bytes: it is kept for as long as the connection or session lives.
const MOST_OF_CLIENT: usize = 64 * 1024;

impl Engine {
    /// Reads what a handshake offers, and agrees on a revision: the one asked for, else the newest.
    pub(super) fn initialize(&self, params: &Params<'_>) -> Result<Initialize, Fault> {
        let Some(asked) = params.protocol_version.text() else {
            return Err(Fault::invalid_params(
                "Invalid params: `params.protocolVersion` has to be a text such as \"2025-11-25\"",
            ));
        };
        let Some(capabilities) = params.capabilities.object() else {
            return Err(Fault::invalid_params("Invalid params: `params.capabilities` has to be an object"));
        };
        let Some(info) = params.client_info.object() else {
            return Err(Fault::invalid_params(
                "Invalid params: `params.clientInfo` has to be an object with `name` and `version`",
            ));
        };
        if info.len() + capabilities.len() > MOST_OF_CLIENT {
            return Err(Fault::invalid_params(format!(
                "Invalid params: `params.clientInfo` and `params.capabilities` are longer than {MOST_OF_CLIENT} bytes"
            )));
        }
        let served = self.revisions(Era::Handshake);
        let revision = Revision::parse(asked)
            .filter(|revision| served.contains(revision))
            .or(served.first().copied())
            .ok_or_else(|| Fault::unsupported_version(asked, self.revisions(Era::Modern)))?;
        // Kept for as long as the connection lives, which the message's own bytes need not.
        let client = Connected {
            info: Bytes::copy_from_slice(info.as_bytes()),
            capabilities: Bytes::copy_from_slice(capabilities.as_bytes()),
        };
        Ok(Initialize { is_told: true, revision, client })
    }

    pub(super) fn initialized(&self, revision: Revision, is_told: bool) -> InitializeResult {
        let mut server_info = self.settings.info.clone();
        server_info.project(revision);
        InitializeResult {
            protocol_version: revision,
            capabilities: self.capabilities(revision, is_told),
            server_info,
            instructions: self.settings.instructions.handshake.clone(),
        }
    }

    pub(super) fn discovered(&self) -> DiscoverResult {
        DiscoverResult {
            supported_versions: self.settings.modern.clone(),
            capabilities: self.capabilities(Revision::V2026_07_28, true),
            instructions: self.settings.instructions.modern.clone(),
            meta: None,
        }
    }

    /// What is registered is what the server can do.
    fn capabilities(&self, revision: Revision, is_told: bool) -> ServerCapabilities {
        let offers = self.surface().offers;
        let told = |offered: bool, subscribe: bool| {
            offered.then_some(Flags { list_changed: is_told, subscribe: is_told && subscribe })
        };
        let offered = |offered: bool| offered.then(Flags::default);
        let mut capabilities = ServerCapabilities {
            tools: told(offers.tools, false),
            prompts: told(offers.prompts, false),
            resources: told(offers.resources, true),
            completions: offered(offers.completions),
            logging: offered(offers.logging),
        };
        capabilities.project(revision);
        capabilities
    }
}
