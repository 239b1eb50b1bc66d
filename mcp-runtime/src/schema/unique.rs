//! Headers that two arguments of one tool would share, found at compile time.
//!
//! Generated code builds a tree of [`Node`]s and has [`check`] walk it in a constant. What a tree cannot show (type
//! parameters, what lies behind a `Box`) is found at boot, where the assembled schema is at hand.

use std::marker::PhantomData;

use crate::handler::Args;

/// Where the arguments of a tool, or the members of an `Args` type, are mirrored to headers.
#[derive(Debug)]
pub enum Node {
    /// The member is mirrored.
    Header {
        /// The member.
        field: &'static str,
        /// The header, without `Mcp-Param-`.
        header: &'static str,
        /// Where that is written: `file:line:column`.
        at: &'static str,
    },
    /// The member is an `Args` type, whose members may be mirrored.
    Nested {
        /// The member.
        field: &'static str,
        /// Its members.
        of: &'static [Node],
    },
}

/// Finds the nodes of a type that may or may not be `Args`: the inherent constant wins where it is.
#[derive(Debug)]
pub struct Probe<T: ?Sized>(PhantomData<T>);

impl<T: Args> Probe<T> {
    /// The nodes of an `Args` type.
    pub const MIRRORS: &'static [Node] = T::MIRRORS;
}

/// The nodes of any other type: none.
pub trait NoMirrors {
    /// None.
    const MIRRORS: &'static [Node] = &[];
}

impl<T: ?Sized> NoMirrors for Probe<T> {}

/// Fails to evaluate where two members are mirrored to one header, case ignored. `owner` is such as ``tool `run` ``.
#[track_caller]
pub const fn check(owner: &'static str, nodes: &'static [Node]) {
    let mut first = 0;
    while let Some((_, one, _)) = leaf(nodes, first) {
        let mut second = first + 1;
        while let Some((_, other, _)) = leaf(nodes, second) {
            if one.eq_ignore_ascii_case(other) {
                let mut text = Text { bytes: [b' '; 1024], len: 0 };
                text.push("\nMCP013: two arguments of ");
                text.push(owner);
                text.push(" are mirrored to one header (case is ignored)");
                text.place(nodes, first);
                text.place(nodes, second);
                text.push("\n  give one of them another name");
                panic!("{}", text.as_str());
            }
            second += 1;
        }
        first += 1;
    }
}

/// The leaf at a place in reading order, or how many leaves there are.
const fn leaf(nodes: &'static [Node], at: usize) -> Option<(&'static str, &'static str, &'static str)> {
    let mut left = at;
    let mut index = 0;
    while index < nodes.len() {
        match &nodes[index] {
            Node::Header { field, header, at } => {
                if left == 0 {
                    return Some((field, header, at));
                }
                left -= 1;
            }
            Node::Nested { of, .. } => {
                let inside = count(of);
                if left < inside {
                    return leaf(of, left);
                }
                left -= inside;
            }
        }
        index += 1;
    }
    None
}

const fn count(nodes: &'static [Node]) -> usize {
    let mut total = 0;
    let mut index = 0;
    while index < nodes.len() {
        total += match &nodes[index] {
            Node::Header { .. } => 1,
            Node::Nested { of, .. } => count(of),
        };
        index += 1;
    }
    total
}

/// A text built in a constant; what does not fit is cut.
struct Text {
    bytes: [u8; 1024],
    len: usize,
}

impl Text {
    const fn push(&mut self, text: &str) {
        let text = text.as_bytes();
        let mut at = 0;
        while at < text.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = text[at];
            self.len += 1;
            at += 1;
        }
    }

    const fn place(&mut self, nodes: &'static [Node], at: usize) {
        let Some((_, header, site)) = leaf(nodes, at) else { return };
        self.push("\n  `");
        self.path(nodes, at);
        self.push("` -> \"");
        self.push(header);
        self.push("\"  ");
        self.push(site);
    }

    const fn path(&mut self, nodes: &'static [Node], at: usize) {
        let mut left = at;
        let mut index = 0;
        while index < nodes.len() {
            match &nodes[index] {
                Node::Header { field, .. } => {
                    if left == 0 {
                        self.push(field);
                        return;
                    }
                    left -= 1;
                }
                Node::Nested { field, of } => {
                    let inside = count(of);
                    if left < inside {
                        if !field.is_empty() {
                            self.push(field);
                            self.push(".");
                        }
                        self.path(of, left);
                        return;
                    }
                    left -= inside;
                }
            }
            index += 1;
        }
    }

    const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.len);
        match std::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "two arguments are mirrored to one header (case is ignored)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INNER: &[Node] = &[Node::Header { field: "zone", header: "REGION", at: "b.rs:2:51" }];

    #[test]
    fn different_names_pass() {
        check(
            "tool `run`",
            &[Node::Header { field: "a", header: "A", at: "" }, Node::Nested { field: "b", of: INNER }],
        );
    }

    #[test]
    #[should_panic(expected = "`mid.zone` -> \"REGION\"  b.rs:2:51")]
    fn the_clash_names_both_places() {
        check(
            "tool `run`",
            &[
                Node::Header { field: "region", header: "Region", at: "a.rs:1:1" },
                Node::Nested { field: "mid", of: INNER },
            ],
        );
    }
}
