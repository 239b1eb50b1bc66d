//! The traits that a derive implements, by the derive that came first on the type: what that one implements already, the
//! other implements in name only, so that two derives on one type are told as one mistake.

/// Where `Args` came first.
pub mod args {
    pub use super::{beside_args as Output, beside_args as Data, beside_args as Form, real as Args};
}

/// Where `Output` came first.
pub mod output {
    pub use super::{beside_output as Args, beside_output as Data, beside_output as Form, real as Output};
}

/// Where `Data` came first.
pub mod data {
    pub use super::{beside_data as Args, beside_data as Output, beside_data as Form, real as Data};
}

/// Where `Form` came first.
pub mod form {
    pub use super::{beside_args as Args, beside_args as Output, beside_args as Data, real as Form};
}

pub use args as Args;
pub use data as Data;
pub use form as Form;
pub use output as Output;

/// The traits themselves.
pub mod real {
    pub use schemars::JsonSchema;
    pub use serde::{Deserialize, Serialize};

    pub use crate::handler::{Args, Choice, Fields, Form, FormField, HeaderValue};
}

/// Beside what goes in.
pub mod beside_args {
    pub use super::in_name::{Args, Choice, Deserialize, Fields, FormField, HeaderValue, JsonSchema};
    pub use super::real::{Form, Serialize};
}

/// Beside what comes out.
pub mod beside_output {
    pub use super::in_name::{JsonSchema, Serialize};
    pub use super::real::{Args, Choice, Deserialize, Fields, Form, FormField, HeaderValue};
}

/// Beside what does both.
pub mod beside_data {
    pub use super::in_name::{
        Args, Choice, Deserialize, Fields, FormField, HeaderValue, JsonSchema, Serialize,
    };
    pub use super::real::Form;
}

/// What has the members of the traits and means nothing.
#[allow(missing_docs)]
pub mod in_name {
    use std::borrow::Cow;

    use crate::handler::FieldSource;
    use crate::schema::unique::Node;

    pub trait Deserialize<'de>: Sized {
        /// # Errors
        ///
        /// Those of the source.
        fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error>;
    }

    pub trait Fields<'de>: Sized {
        type Values;

        fn none() -> Self::Values;
        /// # Errors
        ///
        /// Those of the source.
        fn put<S: FieldSource<'de>>(values: &mut Self::Values, at: usize, source: S) -> Result<(), S::Error>;
        fn whole(values: Self::Values) -> Option<Self>;
    }

    pub trait Serialize {
        /// # Errors
        ///
        /// Those of the target.
        fn serialize<S: serde::Serializer>(&self, target: S) -> Result<S::Ok, S::Error>;
    }

    pub trait JsonSchema {
        fn inline_schema() -> bool;
        fn schema_name() -> Cow<'static, str>;
        fn schema_id() -> Cow<'static, str>;
        fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema;
    }

    pub trait Args {
        const MIRRORS: &'static [Node];
    }

    pub trait Choice {}

    pub trait FormField {}

    pub trait HeaderValue {}
}
