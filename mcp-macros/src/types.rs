//! What a type plainly is, as far as its tokens tell. A name can stand for anything, so this only ever sharpens a
//! message or saves work; the traits of the runtime decide.

use quote::quote;
use syn::visit::{self, Visit};
use syn::{GenericArgument, Ident, PathArguments, PathSegment, Type, TypeFnPtr, TypeReference};

/// What a type plainly is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain<'t> {
    /// `String`
    Text,
    /// An integer.
    Integer,
    /// `bool`
    Bool,
    /// `char`
    Char,
    /// `f32`, `f64`
    Float,
    /// A list: `Vec`, an array, a slice, a tuple, a set.
    List,
    /// `HashMap`, `BTreeMap`
    Map,
    /// `Option` of a type.
    Optional(&'t Type),
    /// Something else.
    Other,
}

/// What the type plainly is.
pub fn plain(ty: &Type) -> Plain<'_> {
    match bare(ty) {
        Type::Array(_) | Type::Slice(_) => Plain::List,
        Type::Tuple(tuple) if !tuple.elems.is_empty() => Plain::List,
        other => last_segment(other).map_or(Plain::Other, of_segment),
    }
}

fn of_segment(segment: &PathSegment) -> Plain<'_> {
    match segment.ident.to_string().as_str() {
        "String" => Plain::Text,
        "bool" => Plain::Bool,
        "char" => Plain::Char,
        "f32" | "f64" => Plain::Float,
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => Plain::Integer,
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => Plain::Integer,
        "Vec" | "VecDeque" | "HashSet" | "BTreeSet" => Plain::List,
        "HashMap" | "BTreeMap" => Plain::Map,
        "Option" => only_argument(segment).map_or(Plain::Other, Plain::Optional),
        _ => Plain::Other,
    }
}

/// What the type or what it is an `Option` of plainly is.
pub fn required(ty: &Type) -> Plain<'_> {
    match plain(ty) {
        Plain::Optional(inner) => plain(inner),
        other => other,
    }
}

/// The type, or what it is an `Option` of.
pub fn inside_option(ty: &Type) -> &Type {
    match plain(ty) {
        Plain::Optional(inner) => inner,
        _ => ty,
    }
}

/// The least and the greatest number of what is plainly an integer, or an `Option` of one. Of the numbers that an author
/// can write, `u128` holds all that are not negative.
pub fn limits(ty: &Type) -> Option<(i128, i128)> {
    Some(match last_segment(inside_option(ty))?.ident.to_string().as_str() {
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" | "isize" => (i64::MIN.into(), i64::MAX.into()),
        "i128" => (i128::MIN, i128::MAX),
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" | "usize" => (0, u64::MAX.into()),
        "u128" => (0, i128::MAX),
        _ => return None,
    })
}

/// Whether the type is plainly an argument that is one text, number or boolean.
pub fn is_scalar(ty: &Type) -> bool {
    matches!(required(ty), Plain::Text | Plain::Integer | Plain::Bool | Plain::Char | Plain::Float)
}

/// Whether the type plainly has no members that a header could mirror.
pub fn has_no_members(ty: &Type) -> bool {
    is_scalar(ty) || matches!(required(ty), Plain::List | Plain::Map) || matches!(bare(ty), Type::Tuple(_))
}

/// Whether the type plainly is what the server gives, `mcp::State<T>`, or an `Option` of it.
pub fn is_given(ty: &Type) -> bool {
    may_be_given(ty) && module(inside_option(ty)).is_some()
}

/// Whether the type is called like what the server gives, of no module or of `mcp`.
pub fn may_be_given(ty: &Type) -> bool {
    let ty = inside_option(ty);
    let names = ["State", "Context", "Caller", "Headers", "Extension", "Handle"];
    last_segment(ty).is_some_and(|last| names.iter().any(|name| last.ident == name))
        && module(ty).is_none_or(|module| module == "mcp")
}

/// The type that is plainly wrapped as a result, in `mcp::Json`.
pub fn inside_json(ty: &Type) -> Option<&Type> {
    let last = last_segment(ty).filter(|last| last.ident == "Json")?;
    module(ty).filter(|module| *module == "mcp").and_then(|_| only_argument(last))
}

/// The module that the path of the type names last.
fn module(ty: &Type) -> Option<&Ident> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.iter().rev().nth(1).map(|segment| &segment.ident),
        _ => None,
    }
}

/// The last segment of the path that the type is.
pub fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// The type as an author would write it.
pub fn shown(ty: &Type) -> String {
    let spaced = quote!(#ty).to_string();
    [(" :: ", "::"), (" <", "<"), ("< ", "<"), (" >", ">"), (" ,", ",")]
        .into_iter()
        .fold(spaced, |text, (spaced, close)| text.replace(spaced, close))
}

/// The type without the invisible or written parentheses round it.
pub fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        other => other,
    }
}

/// The one word that a type is.
pub fn word(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// The types between the angle brackets of a segment.
pub fn arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let written = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    written.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The word of what guards a value that several tasks share, where the type holds such.
pub fn guard(ty: &Type) -> Option<&Ident> {
    struct Guards<'t>(Option<&'t Ident>);
    impl<'t> Visit<'t> for Guards<'t> {
        fn visit_path_segment(&mut self, segment: &'t PathSegment) {
            if ["Mutex", "RwLock", "RefCell"].iter().any(|guard| segment.ident == guard) {
                self.0.get_or_insert(&segment.ident);
            }
            visit::visit_path_segment(self, segment);
        }
    }
    let mut found = Guards(None);
    found.visit_type(ty);
    found.0
}

/// What owns what a type without a size borrows, as an author would write it.
pub fn owned(ty: &Type) -> Option<String> {
    let ty = bare(ty);
    if let Type::Slice(slice) = ty {
        return Some(format!("Vec<{}>", shown(&slice.elem)));
    }
    Some(match last_segment(ty)?.ident.to_string().as_str() {
        "str" => "String".to_owned(),
        "Path" => "std::path::PathBuf".to_owned(),
        "OsStr" => "std::ffi::OsString".to_owned(),
        _ => return None,
    })
}

/// The first reference in the type, but for those that functions take.
pub fn reference(ty: &Type) -> Option<&TypeReference> {
    struct References<'t>(Option<&'t TypeReference>);
    impl<'t> Visit<'t> for References<'t> {
        fn visit_type_reference(&mut self, reference: &'t TypeReference) {
            self.0.get_or_insert(reference);
        }

        fn visit_type_fn_ptr(&mut self, _: &'t TypeFnPtr) {}
    }
    let mut found = References(None);
    found.visit_type(ty);
    found.0
}

fn only_argument(segment: &PathSegment) -> Option<&Type> {
    let mut arguments = arguments(segment);
    arguments.next().filter(|_| arguments.next().is_none())
}

/// Whether the type names one of the parameters.
pub fn mentions(ty: &Type, parameters: &[&Ident]) -> bool {
    struct Mentions<'p> {
        parameters: &'p [&'p Ident],
        found: bool,
    }
    impl<'t> Visit<'t> for Mentions<'_> {
        fn visit_ident(&mut self, ident: &'t Ident) {
            self.found |= self.parameters.contains(&ident);
        }

        fn visit_path_segment(&mut self, segment: &'t PathSegment) {
            visit::visit_path_segment(self, segment);
        }
    }
    let mut search = Mentions { parameters, found: false };
    search.visit_type(ty);
    search.found
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn tokens_tell_the_plain_types() {
        for (ty, scalar, memberless) in [
            (parse_quote!(String), true, true),
            (parse_quote!(std::string::String), true, true),
            (parse_quote!(Option<u8>), true, true),
            (parse_quote!(Vec<u8>), false, true),
            (parse_quote!((u8, String)), false, true),
            (parse_quote!(()), false, true),
            (parse_quote!(Target), false, false),
            (parse_quote!(Option<Target>), false, false),
            (parse_quote!(mcp::State<String>), false, false),
        ] {
            assert_eq!((is_scalar(&ty), has_no_members(&ty)), (scalar, memberless), "{ty:?}");
        }
    }

    #[test]
    fn what_the_server_gives_is_known_by_its_path() {
        for (ty, given, maybe) in [
            (parse_quote!(mcp::State<Db>), true, true),
            (parse_quote!(Option<mcp_runtime::mcp::Context>), true, true),
            (parse_quote!(Context), false, true),
            (parse_quote!(tracing::Context), false, false),
            (parse_quote!(mcp::Json<Db>), false, false),
        ] {
            assert_eq!((is_given(&ty), may_be_given(&ty)), (given, maybe), "{ty:?}");
        }
        assert!(inside_json(&parse_quote!(mcp::Json<Db>)).is_some());
        assert!(inside_json(&parse_quote!(axum::Json<Db>)).is_none());
    }

    #[test]
    fn integers_have_limits() {
        assert_eq!(limits(&parse_quote!(Option<u8>)), Some((0, 255)));
        assert_eq!(limits(&parse_quote!(i8)), Some((-128, 127)));
        assert_eq!(limits(&parse_quote!(f64)), None);
        assert_eq!(limits(&parse_quote!(Vec<u8>)), None);
    }

    #[test]
    fn a_parameter_is_found_inside() {
        let t: Ident = parse_quote!(T);
        assert!(mentions(&parse_quote!(Vec<Option<T>>), &[&t]));
        assert!(!mentions(&parse_quote!(Vec<Tree>), &[&t]));
    }
}
