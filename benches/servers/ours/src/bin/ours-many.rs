//! The server under test with as many tools as `TOOLS` says: 1, 50 or 500.

include!(concat!(env!("OUT_DIR"), "/tools.rs"));

fn main() {
    ours::serve(&std::env::var("TOOLS").unwrap_or_else(|_| "1".to_owned()));
}
