//! Which functions can be called for a client.

use syn::visit::{self, Visit};
use syn::{
    GenericArgument, GenericParam, Lifetime, PathArguments, ReturnType, Safety, Signature, Type,
    TypeImplTrait, TypeNever, TypeParamBound, TypeReference,
};

use crate::diagnostics::{self, Errors};
use crate::kind::Kind;
use crate::parse::function::{Function, Parameter};
use crate::types::{self, shown};

/// Notes everything that keeps a function from being called.
pub fn check(kind: Kind, function: &Function, errors: &mut Errors) {
    let sig = &function.sig;
    modifiers(kind, sig, errors);
    generics(kind, sig, errors);
    if !function.has_body() {
        errors.push(match function.receiver() {
            Some(receiver) => diagnostics::receiver(kind, &receiver.self_token),
            None => diagnostics::no_body(kind, &sig.ident),
        });
    }
    for parameter in &function.parameters {
        check_parameter(kind, parameter, errors);
    }
    if let ReturnType::Type(_, ty) = &sig.output {
        check_output(kind, ty, errors);
    }
}

fn modifiers(kind: Kind, sig: &Signature, errors: &mut Errors) {
    if let Some(word) = &sig.constness {
        errors.push(diagnostics::special_function(kind, word, "const"));
    }
    if let Safety::Unsafe(word) = &sig.safety {
        errors.push(diagnostics::special_function(kind, word, "unsafe"));
    }
    if let Some(abi) = &sig.abi {
        errors.push(diagnostics::special_function(kind, abi, "extern"));
    }
    if let Some(variadic) = &sig.variadic {
        errors.push(diagnostics::variadic(kind, &variadic.dots));
    }
}

fn generics(kind: Kind, sig: &Signature, errors: &mut Errors) {
    let generics = &sig.generics;
    if let Some(first) = generics.params.first() {
        let name = match first {
            GenericParam::Type(param) => param.ident.to_string(),
            GenericParam::Const(param) => param.ident.to_string(),
            GenericParam::Lifetime(param) => param.lifetime.to_string(),
        };
        errors.push(diagnostics::generic(kind, &generics.params, &name));
    } else if let Some(clause) = &generics.where_clause {
        errors.push(diagnostics::where_clause(kind, clause));
    }
}

fn check_parameter(kind: Kind, parameter: &Parameter, errors: &mut Errors) {
    if let Some(cfg) = &parameter.cfg {
        errors.push(diagnostics::conditional_parameter(kind, cfg));
    }
    if parameter.binding.is_none() {
        errors.push(diagnostics::nameless_parameter(&parameter.pattern));
    }
    let mut search = Search::default();
    search.visit_type(&parameter.ty);
    if let Some(ty) = search.impl_trait {
        errors.push(diagnostics::impl_parameter(kind, &ty));
    } else if let Some(reference) = search.reference.or_else(|| borrowed_for_ever(&parameter.ty).cloned()) {
        let instead = owned(&reference);
        errors.push(diagnostics::borrowed_parameter(kind, &reference, &instead));
    } else if let Some(lifetime) = search.lifetime {
        let instead = "a type without a lifetime, such as `String`";
        errors.push(diagnostics::borrowed_parameter(kind, &lifetime, instead));
    }
}

fn check_output(kind: Kind, ty: &Type, errors: &mut Errors) {
    let mut search = Search::default();
    search.visit_type(ty);
    if let Some(ty) = search.impl_trait {
        errors.push(diagnostics::impl_return(kind, &ty));
    }
    if let Some(never) = search.never
        && matches!(types::bare(ty), Type::Never(_))
    {
        errors.push(diagnostics::never_returns(kind, &never));
    }
    if let Some(error) = confined_error(ty) {
        errors.push(diagnostics::confined_error(error));
    }
}

/// The `Box<dyn Error>` of a `Result`, where it does not say that the error can leave its thread.
fn confined_error(ty: &Type) -> Option<&Type> {
    let result = types::last_segment(ty).filter(|last| last.ident == "Result")?;
    let error = types::arguments(result).nth(1)?;
    let boxed = types::last_segment(error).filter(|last| last.ident == "Box")?;
    let Type::TraitObject(object) = types::bare(types::arguments(boxed).next()?) else { return None };
    let has = |name: &str| {
        object.bounds.iter().any(|bound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| last.ident == name),
            _ => false,
        })
    };
    (has("Error") && !(has("Send") && has("Sync"))).then_some(error)
}

/// The reference for the whole time of the program that a parameter is, or perhaps is, or is a list of. The server may give
/// such; arguments are none.
fn borrowed_for_ever(ty: &Type) -> Option<&TypeReference> {
    let inner = types::bare(types::inside_option(ty));
    let item = types::last_segment(inner)
        .filter(|last| last.ident == "Vec")
        .and_then(|vec| types::arguments(vec).next());
    match item.map_or(inner, types::bare) {
        Type::Reference(reference) => Some(reference),
        _ => None,
    }
}

/// What to take in place of a reference.
fn owned(reference: &TypeReference) -> String {
    if let Some(owned) = types::owned(&reference.elem) {
        return format!("`{owned}`");
    }
    match types::bare(&reference.elem) {
        object @ Type::TraitObject(_) => {
            format!("`mcp::State<std::sync::Arc<{}>>`, which the server gives", shown(object))
        }
        other => {
            let shown = shown(types::inside_json(other).unwrap_or(other));
            if types::is_scalar(other) || types::may_be_given(other) {
                format!("`{shown}`")
            } else {
                format!("`{shown}`, or `mcp::State<{shown}>` if the server gives it")
            }
        }
    }
}

/// The first of each kind of type that a signature cannot have.
#[derive(Default)]
struct Search {
    impl_trait: Option<TypeImplTrait>,
    reference: Option<TypeReference>,
    lifetime: Option<Lifetime>,
    never: Option<TypeNever>,
}

impl<'t> Visit<'t> for Search {
    fn visit_type_impl_trait(&mut self, ty: &'t TypeImplTrait) {
        self.impl_trait.get_or_insert_with(|| ty.clone());
    }

    fn visit_type_reference(&mut self, ty: &'t TypeReference) {
        if !ty.lifetime.as_ref().is_some_and(is_static) {
            self.reference.get_or_insert_with(|| ty.clone());
        }
        visit::visit_type(self, &ty.elem);
    }

    fn visit_type_never(&mut self, ty: &'t TypeNever) {
        self.never.get_or_insert_with(|| ty.clone());
    }

    fn visit_path_arguments(&mut self, arguments: &'t PathArguments) {
        if let PathArguments::AngleBracketed(arguments) = arguments {
            for argument in &arguments.args {
                if let GenericArgument::Lifetime(lifetime) = argument
                    && !is_static(lifetime)
                {
                    self.lifetime.get_or_insert_with(|| lifetime.clone());
                }
            }
        }
        visit::visit_path_arguments(self, arguments);
    }

    // Functions that are passed as values borrow for their own calls.
    fn visit_type_fn_ptr(&mut self, _: &'t syn::TypeFnPtr) {}
}

fn is_static(lifetime: &Lifetime) -> bool {
    lifetime.ident == "static"
}
