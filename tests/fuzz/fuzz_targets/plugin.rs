//! Any bytes as what a plugin answers: see the entry.
#![no_main]

#[path = "../../../server/host/tests/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::answers(bytes));
