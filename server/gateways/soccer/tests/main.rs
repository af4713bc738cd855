//! What this crate promises, from outside.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

mod attacks;
mod cards;
mod crowd;
mod forms;
mod fuzzed;
mod heard;
mod law_in_logs;
mod log;
mod log_files;
mod logged;
mod params;
mod patience;
mod places;
mod replay;
#[path = "../../../../tests/fuzz/replay.rs"]
mod replay_of_corpus;
mod rig;
mod samples;
mod sessions;
mod show_binary;
