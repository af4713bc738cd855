//! Recordings, tested from outside.

#[path = "../../sim/tests/common/mod.rs"]
mod common;

mod beside;
mod compare;
mod log;
