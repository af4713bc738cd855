//! The batch engine, tested from outside.

#[path = "../../sim/tests/common/mod.rs"]
mod common;

mod purity;
