//! Any bytes as a learned motion model: see the entry.
#![no_main]

#[path = "../../../server/lab/train/tests/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::model(bytes));
