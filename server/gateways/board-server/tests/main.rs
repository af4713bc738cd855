//! The message board, tested from outside: its protocol and its bounds.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

mod common;
#[path = "../../../../tests/fuzz/replay.rs"]
mod replay;
#[path = "../../../sim/tests/common/mod.rs"]
mod world_common;

mod crowd;
mod crowd_script;
mod fuzzed;
mod protocol;
mod roles;
mod session;
mod split;
