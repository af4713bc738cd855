//! The studio's service, tested over real sockets.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

mod desk;
mod downloads;
mod frames;
mod fuzzed;
mod keys;
mod large;
mod page;
#[path = "../../../../tests/fuzz/replay.rs"]
mod replay;
mod slow_pages;
mod studio_fake;

mod studio;
mod watched;
