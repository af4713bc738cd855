//! The service, over real sockets.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

#[allow(dead_code, reason = "shared with the studio's tests")]
#[path = "../../studio/tests/frames/mod.rs"]
mod frames;

mod fuzzed;
#[path = "../../../../tests/fuzz/replay.rs"]
mod replay;
mod slow;
