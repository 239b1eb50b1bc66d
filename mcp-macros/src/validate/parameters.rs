//! Whether the parameters of a function can be filled.

use crate::diagnostics::{self, Errors};
use crate::kind::Kind;
use crate::mirror;
use crate::model::{Handler, Parameter, Place};
use crate::types;

use super::argument;

/// Notes parameters that cannot be filled, each and beside the others.
pub fn check(handler: &Handler, errors: &mut Errors) {
    for parameter in &handler.parameters {
        one(handler.kind, parameter, errors);
    }
    twins(handler, errors);
    whole(handler, errors);
    let mirrored =
        handler.parameters.iter().filter_map(|one| Some((one.name.as_str(), one.mirror.as_ref()?)));
    mirror::refuse_twins(mirrored, errors);
}

fn one(kind: Kind, parameter: &Parameter, errors: &mut Errors) {
    let said = &parameter.said;
    if types::is_given(&parameter.ty) {
        given(parameter, errors);
        return;
    }
    guarded(parameter, errors);
    if kind != Kind::Tool {
        if let Some(header) = &said.header {
            errors.push(diagnostics::header_misplaced(
                &header.attribute,
                "`#[x_mcp_header]` is for the arguments of tools",
                "remove it: the protocol mirrors no other arguments into headers",
            ));
        }
        if let Some((on, constraint)) = argument::constraint(said) {
            errors.push(diagnostics::unchecked_constraint(on, constraint, kind));
            return;
        }
    }
    match &said.flatten {
        Some(key) if !kind.takes_json() => errors.push(diagnostics::flattened_texts(key, kind)),
        Some(_) if types::has_no_members(&parameter.ty) => {
            errors.push(diagnostics::flattened_scalar(&parameter.ty));
        }
        Some(_) => {
            if let Some((on, option)) = argument::on_flattened(said) {
                errors.push(diagnostics::flattened_with(on, option));
            }
            if let Some(header) = &said.header {
                errors.push(diagnostics::header_misplaced(
                    &header.attribute,
                    "a flattened struct is no argument itself, so no header mirrors it",
                    "write `#[x_mcp_header]` on fields of the struct",
                ));
            }
        }
        None => argument::check(said, &parameter.ty, errors),
    }
}

/// What the server gives is no argument, of which something could be said.
fn given(parameter: &Parameter, errors: &mut Errors) {
    let Parameter { said, ty, .. } = parameter;
    if let Some((on, option)) = argument::anything(said) {
        errors.push(diagnostics::said_of_given(on, option, ty));
    }
    if let Some(header) = &said.header {
        errors.push(diagnostics::header_misplaced(
            &header.attribute,
            "what the server gives is no argument, so no header mirrors it",
            "remove it, or write it on an argument",
        ));
    }
}

/// What guards a value for several tasks is the server's to give, and as an argument it would be the client's.
fn guarded(parameter: &Parameter, errors: &mut Errors) {
    if let Some(word) = types::guard(&parameter.ty)
        && !types::may_be_given(&parameter.ty)
    {
        errors.push(diagnostics::guarded_parameter(&parameter.ty, word));
    }
}

/// Two arguments of one name. Where the bindings are equal too, the compiler says so itself.
fn twins(handler: &Handler, errors: &mut Errors) {
    let named: Vec<&Parameter> = handler.parameters.iter().filter(|one| one.place == Place::Named).collect();
    for (at, one) in named.iter().enumerate() {
        let first = named[..at].iter().find(|other| other.name == one.name);
        if first.is_some_and(|first| first.binding != one.binding) {
            match &one.said.name {
                Some(name) => errors.push(diagnostics::argument_twice(name, &one.name)),
                None => errors.push(diagnostics::argument_twice(&one.binding, &one.name)),
            }
        }
    }
}

/// With a schema written by hand, one parameter takes all arguments.
fn whole(handler: &Handler, errors: &mut Errors) {
    let Some((key, _)) = &handler.options.input_schema else { return };
    let mut takers = handler.parameters.iter().filter(|one| one.place == Place::Whole);
    if takers.next().is_none() {
        errors.push(diagnostics::no_whole_parameter(key));
    }
    for second in takers {
        errors.push(diagnostics::two_whole_parameters(&second.binding));
    }
    for beside in &handler.parameters {
        if beside.place != Place::Whole && (types::is_scalar(&beside.ty) || beside.said.flatten.is_some()) {
            errors.push(diagnostics::argument_beside_whole(&beside.binding, &beside.name));
        }
    }
}
