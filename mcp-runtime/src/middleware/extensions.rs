//! What middleware attaches to a call, for those behind it: one value of each type.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

use crate::contain::drop_contained;

type Values = HashMap<TypeId, Arc<dyn Any + Send + Sync>>;

/// One value of each type. A clone holds the same values. Most calls have none, and pay for none.
#[derive(Clone, Default)]
pub(crate) struct Extensions(Option<Box<Values>>);

impl Extensions {
    pub(crate) fn insert<T: Any + Send + Sync>(&mut self, value: T) {
        self.0.get_or_insert_default().insert(TypeId::of::<T>(), Arc::new(value));
    }

    pub(crate) fn get<T: Any>(&self) -> Option<&T> {
        self.0.as_ref()?.get(&TypeId::of::<T>())?.downcast_ref()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

/// They may panic when they are dropped, and that is where nothing else contains it.
impl Drop for Extensions {
    fn drop(&mut self) {
        for (_, value) in self.0.take().into_iter().flat_map(|values| *values) {
            drop_contained(value, "a value that middleware attached");
        }
    }
}
