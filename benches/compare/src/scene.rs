//! What is compared over HTTP: a request, and the servers that answer it. The first is the one that the others are
//! compared to.

use crate::message::{Ask, Era};
use crate::server::*;

pub struct Scene {
    pub name: &'static str,
    pub era: Era,
    pub ask: Ask,
    pub sessions: bool,
    /// The first server writes what the second has listed.
    pub prepared: bool,
    pub servers: &'static [Server],
}

const CALL: Scene = Scene {
    name: "modern",
    era: Era::Modern,
    ask: Ask::Add,
    sessions: false,
    prepared: false,
    servers: &[BARE_AXUM, BARE_HYPER, OURS, OURS_ROUTER, RMCP_SHARED, RMCP, TURBOMCP, TYPESCRIPT, PYTHON],
};

pub const SCENES: &[Scene] = &[
    CALL,
    Scene {
        name: "handshake",
        era: Era::Handshake,
        servers: &[
            BARE_AXUM_HANDSHAKE,
            BARE_HYPER_HANDSHAKE,
            OURS,
            OURS_ROUTER,
            RMCP_SHARED,
            RMCP,
            TYPESCRIPT,
            PYTHON,
        ],
        ..CALL
    },
    Scene { name: "many", servers: &[OURS_1, OURS_50, OURS_500, RMCP_50], ..CALL },
    Scene { name: "middleware", servers: &[OURS, OURS_RECEIVE, OURS_BOTH], ..CALL },
    Scene { name: "mirrors", ask: Ask::Place, servers: &[OURS_PLAIN, OURS_MIRRORED], ..CALL },
    Scene { name: "list", ask: Ask::List, prepared: true, servers: &[BARE_AXUM, OURS_500, RMCP_500], ..CALL },
    Scene {
        name: "sessions",
        era: Era::Handshake,
        ask: Ask::AddTold,
        sessions: true,
        servers: &[RMCP_SESSIONS, OURS_SESSIONS, OURS_TOLD, RMCP_NAGLE],
        ..CALL
    },
];
