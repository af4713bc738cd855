//! The studio's service, tested over real sockets.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

mod downloads;
mod frames;
mod fuzzed;
#[path = "../../../../tests/fuzz/replay.rs"]
mod replay;
mod studio_fake;

mod studio;
mod watched;
