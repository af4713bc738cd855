//! Recordings, tested from outside.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

#[path = "../../sim/tests/common/mod.rs"]
mod common;

mod annotations;
mod bounds;
mod compare;
mod damage;
mod fuzzed;
mod gaps;
mod heights;
mod log;
mod played;
mod puppets;
#[path = "../../../tests/fuzz/replay.rs"]
mod replay;
mod shadows;
mod timeline;
