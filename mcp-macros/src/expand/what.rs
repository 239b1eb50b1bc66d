//! What each kind of entry has beside the common part.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::call::{call, call_with};
use super::entry::{option, schema};
use super::parameters::describe;
use crate::kind::Kind;
use crate::model::Handler;
use crate::parse::options::Sharing;
use crate::template::{Part, Template};

/// The `What` of the entry.
pub fn what(handler: &Handler) -> TokenStream {
    match handler.kind {
        Kind::Tool => tool(handler),
        Kind::Prompt => plain(handler, ["Prompt", "PromptEntry", "IntoPromptResult", "into_prompt_result"]),
        Kind::Resource => resource(handler),
        Kind::Completion => completion(handler),
        Kind::Method => plain(handler, ["Method", "MethodEntry", "IntoMethodResult", "into_method_result"]),
        Kind::Notification => plain(
            handler,
            ["Notification", "NotificationEntry", "IntoNotificationResult", "into_notification_result"],
        ),
    }
}

fn tool(handler: &Handler) -> TokenStream {
    let Handler { root, output: ty, options, .. } = handler;
    let read_only = option(options.read_only);
    let destructive = option(options.destructive);
    let idempotent = option(options.idempotent);
    let open_world = option(options.open_world);
    let open = options.open.unwrap_or(false);
    let input_schema = option(options.input_schema.as_ref().map(|(key, written)| {
        let needs = quote_spanned!(key.span()=> hand_written_schemas_need_the_feature_validation);
        let written = schema(written);
        quote!({
            let () = #root::__private::#needs;
            #written
        })
    }));
    let output_schema = option(options.output_schema.as_ref().map(schema));
    let describe = describe(handler);
    let output = Ident::new("output", Span::mixed_site());
    let call =
        call(handler, |result| quote!(<#ty as #root::__private::IntoToolResult>::into_tool_result(#result)));
    quote! {
        #root::__private::What::Tool(#root::__private::ToolEntry {
            read_only: #read_only,
            destructive: #destructive,
            idempotent: #idempotent,
            open_world: #open_world,
            open: #open,
            input_schema: #input_schema,
            output_schema: #output_schema,
            describe: #describe,
            output: |#output| <#ty as #root::__private::IntoToolResult>::describe(#output),
            call: #call,
        })
    }
}

/// A kind that has nothing but its function: the names of the variant, its entry, the trait of its result and the
/// conversion.
fn plain(handler: &Handler, names: [&str; 4]) -> TokenStream {
    let Handler { root, output: ty, .. } = handler;
    let [what, entry, result, convert] = names.map(|name| Ident::new(name, Span::call_site()));
    let describe = describe(handler);
    let call = call(handler, |value| quote!(<#ty as #root::__private::#result>::#convert(#value)));
    quote! {
        #root::__private::What::#what(#root::__private::#entry { describe: #describe, call: #call })
    }
}

fn resource(handler: &Handler) -> TokenStream {
    let Handler { root, output: ty, options, .. } = handler;
    let uri = &options.target;
    let parts = handler.template.as_ref().map(|template| parts(root, template));
    let mime_type = option(options.mime_type.as_ref());
    let size = option(options.size.as_ref().and_then(|size| size.base10_parse::<u64>().ok()));
    let annotations = option(options.annotations.as_ref().map(|annotations| quote!(|| #annotations)));
    let cache = cache(handler);
    let describe = describe(handler);
    let at = Ident::new("uri", Span::mixed_site());
    let call = call_with(handler, &at, |result| {
        quote! {
            <#ty as #root::__private::IntoResourceResult>::into_resource_result(
                #result,
                #root::__private::ReadAt { uri: &#at, mime_type: #mime_type },
            )
        }
    });
    quote! {
        #root::__private::What::Resource(#root::__private::ResourceEntry {
            uri: #uri,
            template: &[#parts],
            mime_type: #mime_type,
            size: #size,
            annotations: #annotations,
            cache: #cache,
            describe: #describe,
            call: #call,
        })
    }
}

/// The parts of a template; none for a fixed URI.
fn parts(root: &TokenStream, template: &Template) -> TokenStream {
    if template.is_fixed() {
        return TokenStream::new();
    }
    let parts = template.parts.iter().map(|part| match part {
        Part::Literal(text) => quote!(#root::__private::Part::Literal(#text)),
        Part::Simple(name) => quote!(#root::__private::Part::Simple(#name)),
        Part::Reserved(name) => quote!(#root::__private::Part::Reserved(#name)),
        Part::Query(names) => quote!(#root::__private::Part::Query(&[#(#names),*])),
    });
    quote!(#(#parts),*)
}

fn cache(handler: &Handler) -> TokenStream {
    let Handler { root, options, .. } = handler;
    if options.cache_ttl_ms.is_none() && options.cache_scope.is_none() {
        return option(None::<TokenStream>);
    }
    let ttl_ms = options.cache_ttl_ms.as_ref().and_then(|ms| ms.base10_parse::<u64>().ok()).unwrap_or(0);
    let scope = match options.cache_scope {
        Some(Sharing::Public) => quote!(Public),
        Some(Sharing::Private) | None => quote!(Private),
    };
    option(Some(quote! {
        #root::__private::Cache { ttl_ms: #ttl_ms, scope: #root::__private::CacheScope::#scope }
    }))
}

fn completion(handler: &Handler) -> TokenStream {
    let Handler { root, output: ty, options, .. } = handler;
    let of = match (&options.prompt, &options.resource) {
        (Some(prompt), _) => quote!(Prompt(#prompt)),
        (None, resource) => quote!(Resource(#resource)),
    };
    let argument = &options.argument;
    let describe = describe(handler);
    let call =
        call(handler, |result| quote!(<#ty as #root::__private::IntoCompletion>::into_completion(#result)));
    quote! {
        #root::__private::What::Completion(#root::__private::CompletionEntry {
            of: #root::__private::CompletionOf::#of,
            argument: #argument,
            describe: #describe,
            call: #call,
        })
    }
}
