// mistakes: 2
use mcp_runtime::prelude::*;

struct Index {
    texts: Vec<String>,
}

impl Index {
    #[mcp::tool]
    async fn search(&self, text: String) -> String {
        text
    }

    #[mcp::prompt]
    fn find(mut self) -> String {
        self.texts.pop().unwrap_or_default()
    }
}

fn search(index: Index) -> String {
    index.find()
}

fn main() {}
