//! The border, asked from outside.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]
#![allow(unsafe_code)]

mod fuzzed;
#[path = "../../../tests/fuzz/replay.rs"]
mod replay;
