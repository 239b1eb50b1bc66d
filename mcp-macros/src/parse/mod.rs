//! What was written. Nothing here fails: each part gives what could be read, and notes what could not.

pub mod argument;
pub mod foreign;
pub mod function;
pub mod list;
pub mod options;
pub mod stray;
