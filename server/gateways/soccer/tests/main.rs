//! What this crate promises, from outside.

mod log;
mod places;
