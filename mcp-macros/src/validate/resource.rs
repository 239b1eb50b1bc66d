//! Whether the variables of a resource and its parameters are the same, and its options are those of a template.

use crate::diagnostics::{self, Errors};
use crate::model::{Handler, Parameter};
use crate::near::near;
use crate::types::{self, Plain};

/// Notes what is wrong with the URI, variables without a parameter, parameters without a variable and a size of many.
pub fn check(handler: &Handler, errors: &mut Errors) {
    let (Some(template), Some(uri)) = (&handler.template, &handler.options.target) else { return };
    for fault in &template.faults {
        errors.push(diagnostics::template(uri, fault));
    }
    if !template.faults.is_empty() {
        // Which variables there are is not known, then.
        return;
    }
    if let Some(size) = &handler.options.size
        && !template.is_fixed()
    {
        errors.push(diagnostics::size_of_template(size));
    }
    let variables: Vec<&str> = template.variables().collect();
    // What is no plain argument may be given by the server.
    let mut strangers: Vec<&Parameter> = handler
        .parameters
        .iter()
        .filter(|one| types::is_scalar(&one.ty) && !variables.contains(&one.name.as_str()))
        .collect();
    for variable in &variables {
        match handler.parameters.iter().find(|one| one.name == *variable) {
            None => {
                let names: Vec<&str> = strangers.iter().map(|one| one.name.as_str()).collect();
                // A variable and a parameter that miss each other by a slip of the fingers are one mistake.
                match near(variable, &names).and_then(|name| names.iter().position(|one| *one == name)) {
                    Some(at) => {
                        let one = strangers.remove(at);
                        errors.push(diagnostics::parameter_misses_variable(
                            &one.binding,
                            &one.name,
                            variable,
                        ));
                    }
                    None => errors.push(diagnostics::variable_without_parameter(
                        uri,
                        variable,
                        template.is_query(variable),
                    )),
                }
            }
            Some(one) if template.is_query(variable) && !can_be_left_out(one) => {
                errors.push(diagnostics::query_not_optional(&one.ty, &one.name));
            }
            Some(_) => {}
        }
    }
    for one in strangers {
        errors.push(diagnostics::parameter_without_variable(&one.binding, &one.name, &variables));
    }
}

/// Whether the parameter has a value without the variable, or may have one.
fn can_be_left_out(one: &Parameter) -> bool {
    one.said.default.is_some()
        || !types::is_scalar(&one.ty)
        || matches!(types::plain(&one.ty), Plain::Optional(_))
}
