//! The wire, row by row: what a client sends, right or wrong, and exactly what it gets.
//!
//! Ids such as H-1 are those of the decision table that this server follows. Each of its sections is a file.

mod asking;
mod definitions;
mod edge;
mod fixture;
mod handshake;
mod ids;
mod listening;
mod mirrored;
mod modern;
mod notifications;
mod observed;
mod offered;
mod one_era;
mod over_time;
mod replay;
mod request;
mod requirements;
mod resource_rows;
mod routing;
mod row;
mod sessions;
mod standard_headers;
mod stdio;

use crate::replay::{Around, check_all, check_around};

#[test]
fn rows_of_the_edge() {
    check_all(edge::rows());
}

#[test]
fn rows_of_routing() {
    check_all(routing::rows());
}

#[test]
fn rows_of_the_modern_era() {
    check_all(modern::rows());
}

#[test]
fn rows_of_notifications() {
    check_all(notifications::rows());
}

#[test]
fn rows_of_standard_headers() {
    check_all(standard_headers::rows());
}

#[test]
fn rows_of_mirrored_arguments() {
    check_all(mirrored::rows());
}

#[test]
fn rows_of_the_handshake_era() {
    check_all(handshake::rows());
}

#[test]
fn rows_of_sessions() {
    check_all(sessions::rows());
}

#[test]
fn rows_of_subscriptions() {
    check_all(listening::rows());
}

#[test]
fn rows_of_asks() {
    check_all(asking::rows());
}

#[test]
fn rows_of_one_era() {
    check_all(one_era::rows());
}

#[test]
fn rows_by_lines() {
    check_all(stdio::rows());
}

#[test]
fn rows_of_what_is_offered() {
    check_all(offered::rows());
}

#[test]
fn rows_of_completion_params() {
    check_all(offered::completion_params());
}

#[test]
fn rows_of_requirements() {
    check_all(requirements::rows());
}

#[test]
fn rows_of_resources_that_share_uris() {
    check_all(resource_rows::shared());
}

#[test]
fn rows_of_paths_in_uris() {
    check_all(resource_rows::paths());
}

/// Middleware that lets everything pass changes nothing, for whatever message.
#[test]
fn rows_within_stacks_that_let_everything_pass() {
    check_around(Around::Stacks, ids::rows());
}
