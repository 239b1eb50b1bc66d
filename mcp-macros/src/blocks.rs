//! What plainly blocks the thread of a handler: seen in its tokens, told as a warning.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::diagnostics;
use crate::model::Handler;

/// A warning where the body sleeps on a thread that serves others too.
pub fn warning(handler: &Handler, body: &TokenStream) -> Option<TokenStream> {
    if handler.options.blocking.is_some() {
        return None;
    }
    let sleep = sleeping(body)?;
    let cfgs = &handler.cfgs;
    let text = diagnostics::sleeping(handler.kind, handler.is_async);
    // Macros have no warnings of their own; using what is deprecated is one.
    let warned = quote_spanned!(sleep.span()=> this_blocks);
    Some(quote! {
        #(#cfgs)*
        const _: () = {
            #[deprecated(note = #text)]
            #[allow(non_upper_case_globals)]
            const this_blocks: () = ();
            #warned
        };
    })
}

/// The `sleep` of the first `thread::sleep(…)` that does not stand in what another thread runs.
fn sleeping(body: &TokenStream) -> Option<Ident> {
    let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let before =
            |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at)).map(ToString::to_string);
        match token {
            TokenTree::Ident(word) if *word == "sleep" => {
                let is_of_thread = before(3).is_some_and(|module| module == "thread")
                    && before(1).is_some_and(|colon| colon == ":");
                if is_of_thread && is_call(tokens.get(at + 1)) {
                    return Some(word.clone());
                }
            }
            TokenTree::Group(group) => {
                let runs_elsewhere = before(1).is_some_and(|word| word.starts_with("spawn"))
                    || before(1).is_some_and(|word| word == "block_in_place");
                if !runs_elsewhere && let Some(sleep) = sleeping(&group.stream()) {
                    return Some(sleep);
                }
            }
            _ => {}
        }
    }
    None
}

fn is_call(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_blocks_this_thread_is_seen() {
        for (body, blocks) in [
            (quote!({ std::thread::sleep(time) }), true),
            (
                quote!({
                    if x {
                        thread::sleep(time);
                    }
                }),
                true,
            ),
            (quote!({ tokio::time::sleep(time).await }), false),
            (quote!({ spawn_blocking(move || std::thread::sleep(time)).await }), false),
            (quote!({ std::thread::spawn(|| thread::sleep(time)) }), false),
            (
                quote!({
                    let sleep = thread::sleep;
                }),
                false,
            ),
        ] {
            assert_eq!(sleeping(&body).is_some(), blocks, "{body}");
        }
    }
}
