//! That schema and decoder agree, for every kind of type: what the schema admits is taken, and everything else is
//! refused where it is wrong.

mod agreement;
mod generate;
mod listed;
mod mutate;
mod reading;
mod types;
