//! Field cases: faults that other servers and clients shipped, replayed against this one. Each `FC-nn` is a case; where
//! it comes from stands beside its test. What this server does about it is what the decision table says.

mod client;
mod list;

mod arguments;
mod dialects;
mod framing;
mod http;
mod ids;
mod panics;
mod resources;
mod results;
mod schemas;
mod sessions;
mod streams;
