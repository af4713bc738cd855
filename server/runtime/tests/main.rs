//! Parts of the program that need no running server.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

#[allow(dead_code, reason = "shared with the studio's tests")]
#[path = "../../gateways/studio/tests/frames/mod.rs"]
mod frames;

mod foxglove;
