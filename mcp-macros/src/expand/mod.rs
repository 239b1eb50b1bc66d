//! What an attribute makes of a function: the function as it is written, and its registration beside it.

mod call;
mod entry;
mod mirrors;
mod parameters;
mod what;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{ReturnType, Visibility};

pub use mirrors::{Member, header_value, nodes};
pub use parameters::default_value;

use crate::blocks;
use crate::diagnostics::Errors;
use crate::kind::Kind;
use crate::model::Handler;
use crate::parse::function::Function;
use crate::parse::options::Options;
use crate::validate;

/// Expands an attribute.
pub fn attribute(kind: Kind, written: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let options = Options::parse(kind, written, &mut errors);
    let mut function = match Function::parse(kind, item, &mut errors) {
        Ok(function) => function,
        Err(item) => return quote!(#errors #item),
    };
    validate::function(kind, &function, &mut errors);
    let handler = Handler::of(kind, &mut function, options, &mut errors);
    validate::handler(&handler, &mut errors);
    // Handlers own their arguments, whether they need to or not.
    let owns = (!handler.is_async).then(|| quote!(#[allow(clippy::needless_pass_by_value)]));
    // Clients read the doc comment, and of an error they read what it says itself.
    let may_fail = matches!(function.sig.output, ReturnType::Type(..));
    let is_public = !matches!(function.vis, Visibility::Inherited);
    let fails = (may_fail && is_public).then(|| quote!(#[allow(clippy::missing_errors_doc)]));
    refuse_receiver(&handler, &mut function);
    let beside = if function.receiver().is_some() {
        errors.to_token_stream()
    } else if errors.is_empty() {
        let registration = entry::registration(&handler);
        let warning = blocks::warning(&handler, &function.body);
        quote!(#registration #warning)
    } else {
        errors.to_token_stream()
    };
    quote!(#owns #fails #function #beside)
}

/// Has the compiler refuse `self` in the words of the runtime, by its type: outside of an `impl` block it has none, and
/// the compiler refuses it there itself.
fn refuse_receiver(handler: &Handler, function: &mut Function) {
    let (Some(receiver), Some(TokenTree::Group(body))) =
        (function.receiver(), function.body.clone().into_iter().next())
    else {
        return;
    };
    let (root, itself, statements) = (&handler.root, &receiver.self_token, body.stream());
    let refused = quote_spanned!(itself.span=> #root::__private::NoReceiver::refuse(&#itself););
    let mut refusing = Group::new(body.delimiter(), quote!(#refused #statements));
    refusing.set_span(body.span());
    function.body = refusing.into_token_stream();
}
