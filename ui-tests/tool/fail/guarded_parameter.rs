// mistakes: 2
use mcp_runtime::prelude::*;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

#[mcp::tool]
fn count(words: Arc<Mutex<HashMap<String, u32>>>) -> usize {
    words.lock().map_or(0, |words| words.len())
}

#[mcp::tool]
fn read(words: RwLock<Vec<String>>) -> usize {
    words.read().map_or(0, |words| words.len())
}

fn main() {}
