//! Our own client: one body for each way to a server and each era.

mod asking;
mod bounds;
mod calls;
mod ending;
mod host;
mod negotiation;
mod over_http;
mod panics;
mod scripted;
mod served;
mod stacks;
mod testing;
mod ways;
mod whose;
