//! The gate, tested from outside: a small loop of the test's own behind it.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

#[path = "../../sim/tests/common/mod.rs"]
mod common;

mod client;
