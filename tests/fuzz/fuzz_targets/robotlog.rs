//! Any bytes as the log of a real robot: see the entry.
#![no_main]

#[path = "../../../server/lab/train/tests/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::log(bytes));
