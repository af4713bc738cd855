//! Any bytes as a recording: see the entry.
#![no_main]

#[path = "../../../server/sim/tests/common/mod.rs"]
mod common;
#[path = "../../../server/record/tests/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::recording(bytes));
