//! Ready-made middleware of clients.

mod bearer;
mod retry;
mod trace_parent;

pub use self::bearer::Bearer;
pub use self::retry::Retry;
pub use self::trace_parent::TraceParent;
