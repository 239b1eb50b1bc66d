//! What a type plainly is, as far as its tokens tell. A name can stand for anything, so this only ever sharpens a
//! message or saves work; the traits of the runtime decide.

use syn::visit::{self, Visit};
use syn::{GenericArgument, Ident, PathArguments, PathSegment, Type};

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

/// Whether the type is plainly an argument that is one text, number or boolean.
pub fn is_scalar(ty: &Type) -> bool {
    matches!(required(ty), Plain::Text | Plain::Integer | Plain::Bool | Plain::Char | Plain::Float)
}

/// Whether the type plainly has no members that a header could mirror.
pub fn has_no_members(ty: &Type) -> bool {
    is_scalar(ty) || matches!(required(ty), Plain::List | Plain::Map) || matches!(bare(ty), Type::Tuple(_))
}

/// The last segment of the path that the type is.
pub fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// The type without the invisible or written parentheses round it.
pub fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        other => other,
    }
}

fn only_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(ty)) if arguments.args.len() == 1 => Some(ty),
        _ => None,
    }
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
    fn a_parameter_is_found_inside() {
        let t: Ident = parse_quote!(T);
        assert!(mentions(&parse_quote!(Vec<Option<T>>), &[&t]));
        assert!(!mentions(&parse_quote!(Vec<Tree>), &[&t]));
    }
}
