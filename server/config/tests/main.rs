//! Robot, world and tournament files, tested from outside.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

#[path = "../../../tests/fuzz/replay.rs"]
mod replay;
mod support;

mod competition;
mod fuzzed;
mod invalid;
mod keys;
mod made_once;
mod mutations;
mod opened;
mod parts;
mod reference;
mod shipped;
mod told_once;
mod tournaments;
