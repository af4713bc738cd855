//! Learning from logs, tested from outside.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

mod bad_logs;
mod ball;
mod fuzzed;
mod motion;
#[path = "../../../../tests/fuzz/replay.rs"]
mod replay;
mod twice;
mod units;
