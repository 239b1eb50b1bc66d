//! macros
use proc_macro::TokenStream;
/// x
#[proc_macro_attribute]
pub fn tool(_: TokenStream, i: TokenStream) -> TokenStream {
    i
}
/// x
#[proc_macro_attribute]
pub fn prompt(_: TokenStream, i: TokenStream) -> TokenStream {
    i
}
/// x
#[proc_macro_attribute]
pub fn resource(_: TokenStream, i: TokenStream) -> TokenStream {
    i
}
/// x
#[proc_macro_attribute]
pub fn completion(_: TokenStream, i: TokenStream) -> TokenStream {
    i
}
/// x
#[proc_macro_attribute]
pub fn method(_: TokenStream, i: TokenStream) -> TokenStream {
    i
}
/// x
#[proc_macro_attribute]
pub fn notification(_: TokenStream, i: TokenStream) -> TokenStream {
    i
}
/// x
#[proc_macro_derive(Args)]
pub fn args(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
/// x
#[proc_macro_derive(Data)]
pub fn data(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
/// x
#[proc_macro_derive(Form)]
pub fn form(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
/// x
#[proc_macro_derive(Output)]
pub fn output(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
