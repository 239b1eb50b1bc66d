//! The wire, row by row: what a client sends, right or wrong, and exactly what it gets.

mod fixture;
mod http_rows;
mod line_rows;
mod request;
mod resource_rows;
mod row;
mod streams;

use crate::row::check_all;

#[test]
fn http_edge() {
    check_all(http_rows::edge());
}

#[test]
fn http_routing() {
    check_all(http_rows::routing());
}

#[test]
fn http_modern() {
    check_all(http_rows::modern_era());
}

#[test]
fn http_completion_params() {
    check_all(http_rows::completion_params());
}

#[test]
fn http_standard_headers() {
    check_all(http_rows::standard_headers());
}

#[test]
fn http_mirrored_arguments() {
    check_all(http_rows::mirrored());
}

#[test]
fn http_handshake() {
    check_all(http_rows::handshake());
}

#[test]
fn http_one_era() {
    check_all(http_rows::one_era());
}

#[test]
fn resources_that_share_uris() {
    check_all(resource_rows::shared());
}

#[test]
fn paths_in_uris() {
    check_all(resource_rows::paths());
}

#[test]
fn by_lines() {
    line_rows::check_all(line_rows::rows());
}
