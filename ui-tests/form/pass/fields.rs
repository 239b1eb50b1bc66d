//! Forms and what their fields can be.

#![deny(warnings)]

use mcp_runtime::prelude::*;

/// Sign in.
#[derive(mcp::Form)]
pub struct Login {
    /// Your user name.
    #[arg(length = 1..=80, title = "User")]
    pub user: String,
    /// How old you are.
    #[arg(range = 0..=150)]
    pub age: Option<u8>,
    /// Whether to remember you.
    #[arg(default = true)]
    pub remember: bool,
    /// Where you are.
    pub place: Place,
    /// What you are called.
    pub nickname: Nickname,
}

/// A place.
#[derive(mcp::Args)]
pub enum Place {
    /// At home.
    Home,
    /// At work.
    Work,
}

/// A nickname.
#[derive(mcp::Data)]
pub struct Nickname(pub String);

fn is_form<T: mcp::Form>() {}

fn main() {
    is_form::<Login>();
    let login: Login = serde_json::from_value(serde_json::json!({"user": "a", "place": "Home", "nickname": "b"})).unwrap();
    assert!(login.remember);
}
